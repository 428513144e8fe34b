/* What a program and the probe do in a run, in the terms of host/check. */
#ifndef TESTS_CHECK_OBSERVED_H
#define TESTS_CHECK_OBSERVED_H

#include "check/target/aims.h"
#include "sim.h"

enum { OBSERVED_CODE_HALVES = 0x10000, OBSERVED_DEPTH = 128, OBSERVED_HITS = 4096, OBSERVED_STORES = 1 << 16 };

/* The costliest of all hits at one address. */
typedef struct observed_hit {
    uint8_t kind; /* ES_KIND_* */
    bool part;    /* a write of some lanes */
    uint32_t address, clocks;
} observed_hit;

typedef struct observed {
    es_arena *arena;
    es_check_program program;
    es_check_aims aims;
    size_t node_of[OBSERVED_CODE_HALVES]; /* by half a word's address: node + 1 */
    uint32_t heap;                        /* from here on there are neither variables nor code */
    /* stores that went elsewhere than host/check/target/aims.h has it; the first one's place */
    uint32_t strays, first_stray;
    uint32_t depth, nest;             /* activations now, of all tasks together, and at most */
    uint32_t begun;                   /* tasks that began */
    uint32_t left_by;                 /* the instruction before, when it was a return or mret; else 0 */
    size_t last[OBSERVED_DEPTH];      /* by activations: the node that ran last in that one, + 1; 0: none */
    uint32_t *rounds[OBSERVED_DEPTH]; /* and of each of program.counted: how often it came back to its head */
    /* loops that ran longer than host/check/target/loops.h has it; the first one's head */
    uint32_t overrun, first_overrun;
    uint32_t handlers, levels; /* interrupt handlers active now, and at most */
    uint64_t last_interrupt;
    int64_t interrupt_gap; /* smallest number of bus clocks between two; 0: there was no interrupt */
    unsigned ratio;
    /* work of hits that waits, in soft core clocks, as host/check/queues/backlog.h has it */
    double backlog, most;
    double busy; /* the longest time without a pause, in soft core clocks */
    uint64_t last_hit, busy_since;
    observed_hit hits[OBSERVED_HITS];
    size_t hit_count;
    uint64_t partial[OBSERVED_STORES]; /* by the low bits of the time: of the last store of some lanes; 0: none */
} observed;

observed *observed_new(const es_symbols *symbols, unsigned ratio, bool tasks);
void observed_free(observed *o);
/* For es_sim_config. */
void observed_retired(void *context, const es_retired *retired);
void observed_taken(void *context, const es_sim_hit *hit);

#endif
