/* Programs whose data matter, on random nets: tokens carry data, and how long a step takes and where a free place leads
 * follow from all data that have come together there. Only steps of asking again keep data and times. */
#ifndef TESTS_NET_LIFE_H
#define TESTS_NET_LIFE_H

#include <stddef.h>

#include "net/model/engine.h"
#include "random_net.h"

/* What one run of a step takes, otherwise than its data say: `more` ticks without its mark, and so much less for the
 * mark; `late` ticks with the same mark. All that stand of a run add up. */
typedef struct life_shift {
    uint32_t transition;
    uint64_t data;   /* of the run, which no other one has; */
    uint64_t number; /* with marks it is this one */
    int64_t more, late;
} life_shift;

typedef struct life {
    random_net made;
    const life_shift *shifts;
    size_t shift_count;
    uint64_t *data; /* by place */
    uint32_t *from; /* by place: the step that made its token */
    es_net_firing *firings;
    uint64_t *made_of; /* by firing: its data, and: */
    bool *computes;    /* it made data of its own: it is neither fixed nor one of asking */
    size_t count;
} life;

/* Simulates so many firings. The net stays the caller's. Ends the test program where a net is wrong. */
life life_live(const random_net *made, bool marks, size_t firings, const life_shift *shifts, size_t shift_count);
void life_end(life *l);

static inline const es_net_transition *life_step(const life *l, uint32_t index)
{
    return &l->made.net->transitions[index];
}

#endif
