/* The net of a message-passing program, from its ELF files: what can follow each mark in the code, and the primitives'
 * templates between.
 *
 * One process per core. Sequential code between marks is one place; where several marks can follow, the place is free:
 * the program's data decide, and a trace tells. The library's calls are there once for each core that they may name,
 * since the code does not say which it will be. */
#ifndef ES_NET_PROGRAM_H
#define ES_NET_PROGRAM_H

#include "net/program/templates.h"

typedef struct es_net_program {
    es_net *net;                 /* finished; the caller frees it with es_net_free */
    const es_net_mp_step *steps; /* transitions that marks show, for es_net_marks_fire; belong to the net's arena */
    size_t step_count;
    /* Tests for messages after which times may be estimates, each with its place and why: what is not proven to only
     * ask again (asking.h). In the net's arena. */
    const char **notes;
    size_t note_count;
} es_net_program;

/* paths[c]: the ELF file of core c, built with marks and with -g; one path for all cores is the usual case. latency and
 * mark as of es_net_mp_new. Fails with ES_USAGE: a file that cannot be read or has no marks, code that cannot be
 * followed (with its place), or calls of the library that are not whole. */
bool es_net_from_program(es_net_program *program, const char *const *paths, unsigned cores, int64_t latency,
                         int64_t mark, es_error *err);

#endif
