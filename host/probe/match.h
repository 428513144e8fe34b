/* Whether the target runs the program that the host was given.
 *
 * es_probe_boot fills phantom memory with the program's bytes; from then on every fetch and read puts into it what the
 * target really has. So where code in phantom memory differs from the program, the target runs another one. Only what
 * the program never writes takes part: segments that are executable and not writable. */
#ifndef ES_PROBE_MATCH_H
#define ES_PROBE_MATCH_H

#include "probe/boot.h"

typedef struct es_match es_match;

typedef struct es_mismatch {
    uint32_t address;  /* of the word */
    uint32_t expected; /* in the program */
    uint32_t found;    /* in the target */
} es_mismatch;

/* link and symbols stay the caller's and have to outlive the match. */
es_match *es_match_new(es_link *link, const es_probe_info *info, const es_symbols *symbols);
void es_match_free(es_match *match); /* NULL is fine */

/* The next step looks around this address first: the target has been seen to fetch it. */
void es_match_look_at(es_match *match, uint32_t address);

/* One command to the probe: compares the next 60 words or fewer, from the program's start to its end and over again.
 * Returns 1 when all are as in the program, 0 when *mismatch tells of one that is not, -1 when the command failed. */
int es_match_step(es_match *match, es_mismatch *mismatch, es_error *err);

/* Steps that one round over the program takes; 0: nothing can be compared. */
size_t es_match_steps(const es_match *match);

#endif
