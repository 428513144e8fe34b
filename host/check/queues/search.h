/* Inside of the search for the greatest backlog: what its files share. */
#ifndef ES_CHECK_BACKLOG_SEARCH_H
#define ES_CHECK_BACKLOG_SEARCH_H

#include "check/queues/backlog.h"

/* Values count soft core clocks times ratio.bus, so that they stay whole. What two calls of a procedure in itself bring
 * doubles with each activation: values stop at ENDLESS, no queue takes that, and the search ends with it. */
#define NEVER INT64_MIN
#define ENDLESS (INT64_C(1) << 58)

/* What a procedure makes of the backlog at its call: max(v + through, from_inside). */
typedef struct summary {
    int64_t through;      /* NEVER: it does not return */
    int64_t from_inside;  /* with no backlog at its entry, and none below 0 inside; NEVER: as above */
    int64_t entered;      /* highest backlog at its entry */
    int64_t work, clocks; /* of the way that `through` takes: soft core clocks, bus clocks */
} summary;

/* A backlog, and what the path to it brought and took since it began. */
typedef struct way {
    int64_t value;        /* NEVER: no way */
    int64_t work, clocks; /* soft core clocks, bus clocks */
} way;

/* What a loop with a bound makes of the backlog at its head: one round makes max(v + a, b) of it. */
typedef struct rounds {
    way way;             /* of one round: value a, NEVER: nothing leads back */
    int64_t from_inside; /* b */
} rounds;

typedef struct search {
    const es_check_program *program;
    const es_check_costs *costs;
    es_check_ratio ratio;
    es_check_backlog *result;
    summary *summaries;
    int64_t *edge_work; /* of the fetch that an edge leads to, by edge */
    int64_t *back_work; /* CALL: of the fetch after the call */
    int64_t *swept;     /* of what the stores of the loop will cause that an edge enters, by edge */
    int64_t *node_work; /* of a node's store or load, and of its transactions */
    way *ways;          /* by node: backlog when it has been fetched */
    size_t *cause;      /* by node: the edge it came by; CHECK_NONE: the start */
    uint32_t *rounds;   /* by node: how often it rose */
    bool *waiting;
    bool *live;             /* by node: execution can come here */
    bool *enters, *returns; /* by procedure: execution can come to its entry; to one of its returns */
    rounds *counted;        /* by loop with a bound */
    size_t *headed;         /* by node: the loop with a bound whose head it is; CHECK_NONE: no head of one */
    bool *stale;            /* by procedure: to be looked at again */
    size_t *queue;
    int64_t *worst;          /* by node: highest value ever */
    int64_t each;            /* with tasks: what one of them adds at most */
    int64_t before_handlers; /* highest backlog while no interrupt is handled */
    int64_t *resumed;        /* by node: what its fetch costs when an interrupt returns to it */
    int64_t resumed_most;    /* over all nodes */
    int64_t handler_floor;   /* backlog that an interrupt may leave after at its return; NEVER: there are none */
    int64_t excess;          /* what an interrupt may add beyond its own time, not more often than interrupt_gap */
    int64_t cleared;         /* backlog at the stores of the start-up code that clear memory; NEVER: not known yet */
    /* by node: highest value ever when it has been fetched or stored (NEVER: it never is), and at its end */
    int64_t *fetched, *stored, *ended;
} search;

static inline int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t limited(int64_t value)
{
    return value > ENDLESS ? ENDLESS : value < -ENDLESS ? -ENDLESS : value;
}

/* a + b; both are between -ENDLESS and ENDLESS, and so is the sum. */
static inline int64_t plus(int64_t a, int64_t b)
{
    return limited(a + b);
}

/* The same of a product. */
static inline int64_t times(int64_t count, int64_t value)
{
    int64_t product;
    if (__builtin_mul_overflow(count, value, &product))
        return (count < 0) == (value < 0) ? ENDLESS : -ENDLESS;
    return limited(product);
}

static inline int64_t scale(const search *s, int64_t work)
{
    return work * s->ratio.bus;
}

/* live.c: what the events of all nodes and edges cost, and which of them can come. */
void es_backlog_find_costs(search *s);
void es_backlog_find_live(search *s);

/* ways.c: paths through one procedure, with its callees' summaries as they are. With floor the backlog is never
 * below 0. */

/* Whether node i is a store of the start-up code that clears memory. */
bool es_backlog_clears(const search *s, size_t i);
/* When node i's own work has come; when it has run. */
way es_backlog_work_node(const search *s, size_t i, way from, bool floor);
way es_backlog_run_node(const search *s, size_t i, way from, bool floor);
/* Whether an interrupt may come in front of node i. Handlers begin with interrupts held back. */
bool es_backlog_may_resume(const search *s, size_t i);
/* Highest values at the nodes of p, for `entered` at its entry, in s->ways; or, for a loop with a bound (not
 * CHECK_NONE), at the nodes of one of its rounds, for `entered` at its head. False: a loop brings more work than it
 * takes time; it is noted. */
bool es_backlog_solve(search *s, size_t p, size_t loop, int64_t entered, bool floor);
/* One round of each of p's loops with a bound. False: as above. */
bool es_backlog_find_rounds(search *s, size_t p);
/* The way with which p, just solved, is left with the highest value. */
way es_backlog_exit_way(const search *s, size_t p, bool floor);
/* The backlog has no bound since p comes again and again. */
void es_backlog_note_recursion(search *s, size_t p);

/* The backlog has no bound since p comes again and again. */
void es_backlog_note_recursion(search *s, size_t p);

/* settle.c: all procedures */

/* One look at p with its callees' summaries as they are; at the places from which its callees are entered, with p
 * entered as it is by now. *changed: something became larger. False: no end, which is noted. */
bool es_backlog_summarise(search *s, size_t p, bool *changed);
bool es_backlog_descend(search *s, size_t p, bool *changed);
/* Repeats `look` over all procedures until nothing changes, or as many activations have been looked at as may nest.
 * False: as above. */
bool es_backlog_settle(search *s, bool (*look)(search *, size_t, bool *));

#endif
