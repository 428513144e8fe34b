/* The ways through code, and what holds along them: one engine for all analyses of the target's and of the soft core's
 * code.
 *
 * An analysis numbers the places of its code (instructions, or what else it likes), says what it knows at one of them
 * (a state, of a type of its own), how two such states become one where ways meet, and where an instruction leads with
 * what. The engine finds the fixed point: what is known at each place on all paths to it. It ends when a state can
 * change only so often. */
#ifndef ES_ISA_FLOW_H
#define ES_ISA_FLOW_H

#include <stddef.h>

#include "isa/insn.h"

/* Where execution goes on after an instruction, as far as it tells itself. */
typedef struct es_ways {
    bool next;     /* after it in memory; after a call when that has come back */
    bool jumps;    /* at `target`, perhaps, of the same activation */
    bool calls;    /* at `target`, as a call */
    bool computed; /* where a register says: a jump, call or return */
    uint32_t target;
} es_ways;

es_ways es_insn_ways(es_insn insn, uint32_t address);

typedef struct es_flow {
    /* By the analysis: */
    size_t count;      /* places */
    size_t state_size; /* bytes of a state; 0: it is enough to know which places are reached */
    void *context;
    /* Makes of the state at a place what holds on these ways and on the one that brings `from`. `first`: no way has
     * come there, and *into is all zeros. True: it has changed. NULL: states have no bytes */
    bool (*join)(void *context, size_t at, void *into, const void *from, bool first);
    /* Says with es_flow_reach where execution goes on after a place, and with what. Called each time its state has
     * changed */
    void (*follow)(void *context, size_t at);
    bool in_order; /* places are followed in the order in which they were reached; else the last one first */

    /* By the engine: */
    unsigned char *states;
    bool *reached, *waiting;
    size_t *list; /* of the waiting ones: a ring */
    size_t first, work;
} es_flow;

/* After the fields of the analysis have been set. */
void es_flow_begin(es_flow *flow);
void es_flow_end(es_flow *flow);

/* A way leads to a place with a state. Returns whether that changes what is known there. */
bool es_flow_reach(es_flow *flow, size_t at, const void *with);
/* The place is to be followed (again), since what it depends on has changed. */
void es_flow_wait(es_flow *flow, size_t at);
/* Until nothing changes any more. */
void es_flow_run(es_flow *flow);
/* Nothing is known any more. */
void es_flow_reset(es_flow *flow);

/* The state at a place; all zeros when none leads there. */
static inline void *es_flow_state(const es_flow *flow, size_t at)
{
    return flow->states + at * flow->state_size;
}

#endif
