/* An exact profile of a recording, or of a part of it: each instruction is counted, and each call. Clocks are as
 * certain as times on a replay are (docs/replay.md): the stream tells some, and between two of them each instruction is
 * taken to last as long as the others. */
#ifndef ES_PROF_PROFILE_H
#define ES_PROF_PROFILE_H

#include "prof/calls.h"
#include "replay/timeline.h"

/* Calls from one place of a procedure. */
typedef struct es_prof_arc {
    uint32_t site, procedure; /* site: as of a frame */
    uint64_t calls;
    es_prof_cost cost; /* of what was called and all that it called, where it is no recursion */
} es_prof_arc;

/* A path of activations, by their procedures. */
typedef struct es_prof_node {
    uint32_t parent, procedure; /* parent: a number of the list, its own: the path begins there */
    bool handler;               /* an interrupt or exception has led there */
    es_prof_cost self;
} es_prof_node;

typedef struct es_prof {
    es_prof_code code;
    es_prof_calls calls;
    uint64_t hz;             /* clocks per second */
    uint64_t from, to;       /* moments */
    uint64_t first, last;    /* their clocks */
    es_prof_cost *inclusive; /* by procedure, with all that it called; recursion once */
    es_prof_arc *arcs;       /* ascending by site, then by procedure, when all is taken */
    size_t arc_count;
    uint64_t interrupts;  /* and exceptions */
    es_prof_cost handled; /* by their handlers, nested ones once */
    bool keep_paths;      /* set it before: `nodes` are kept */
    es_prof_node *nodes;
    size_t node_count;
    struct es_prof_tables *tables;     /* private */
    uint64_t step, step_time, step_at; /* clocks of an instruction now, times 2^ES_REPLAY_PACE_BITS: from which on */
    const es_prof_hearer *hearer;      /* who also wants to know of calls; NULL: nobody */
} es_prof;

/* All zero but for what the caller wants (keep_paths, hearer). Executes [from, to). `asked`: looked at now and then,
 * true ends it there, and `to` says where; may be NULL. False: the replay failed. Free it in any case. */
bool es_prof_take(es_prof *profile, es_timeline *timeline, const es_symbols *symbols, uint64_t from, uint64_t to,
                  bool (*asked)(void), es_error *err);
void es_prof_free(es_prof *profile);

/* While it is taken: the clock of the next instruction. */
uint64_t es_prof_clock(const es_prof *profile);

#endif
