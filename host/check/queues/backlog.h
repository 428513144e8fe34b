/* The most work that can be waiting for the soft core at any time, over everything that the program can do.
 *
 * Work arrives with the target's events and is done at one soft core clock per clock: the backlog after an event is
 * max(backlog before - clocks since, 0) + the event's work (Lindley's recursion). Its greatest value over all paths
 * through the program, calls matched with their returns, is what the probe's queues must bear. It is finite when no
 * loop brings more work than it takes time; else the loop with too much is named. */
#ifndef ES_CHECK_BACKLOG_H
#define ES_CHECK_BACKLOG_H

#include "check/target/program.h"
#include "check/terms.h"

/* A store that walks through memory: in the rounds of its loop it goes to another place each time, so each time that
 * the loop is entered it causes its work at most so often, whatever the number of rounds. */
typedef struct es_check_sweep {
    size_t node, head;  /* the store; its loop's head */
    const bool *inside; /* by node of the procedure (0: its first one): is part of the loop, which calls nothing */
    uint32_t times;
} es_check_sweep;

/* What events cost, in soft core clocks at worst, 0: none. Constant for the same arguments. */
typedef struct es_check_costs {
    /* the fetch of the instruction at `address` after the one at `from` (its word: `word`) was fetched */
    int64_t (*fetch)(void *context, uint32_t from, uint32_t word, uint32_t address);
    /* the fetch of the instruction after a call, when the callee (a procedure's number) has returned */
    int64_t (*back)(void *context, const es_check_node *call, size_t callee, uint32_t address);
    int64_t (*store)(void *context, const es_check_node *node); /* what the node's store or load causes */
    int64_t per_transaction;                                    /* the pipeline's part of each transaction */
    int64_t epoch;                                              /* what an epoch costs, of which one comes ... */
    int64_t epoch_gap;                                          /* ... each so many bus clocks; 0: none come */
    uint32_t tasks;        /* that ever run, at most, the start-up code's stack counted; 0: the program has none */
    bool cuts_handlers;    /* tasks: an interrupt's handling may go on after others have run */
    int64_t interrupt_gap; /* bus clocks between two interrupts, at least; 0: they may come back to back */
    uint32_t levels;       /* interrupt handlers that are active at once, at most; 0 is 1: none interrupts another */
    /* most work that waits while the start-up code clears memory with stores that cost nothing else */
    int64_t clearing;
    const es_check_sweep *sweeps;
    size_t sweep_count;
    uint32_t nest; /* activations that nest, at most; 0: not known, so that recursion may go on for ever */
    void *context;
} es_check_costs;

typedef struct es_check_loop {
    size_t *nodes; /* in the order in which they run; the last one leads to the first one */
    size_t count;
    int64_t work, clocks; /* of one round: soft core clocks, bus clocks */
} es_check_loop;

typedef struct es_check_backlog {
    bool bounded;
    double work;  /* bounded: soft core clocks */
    size_t worst; /* node after whose event it is so high; CHECK_NONE: no event at all */
    /* bounded: the same by node, when it has been fetched and when it has stored; below 0: it is never run */
    double *fetched, *stored;
    double besides; /* what is part of `work`, and may come at any of the nodes besides these */
    /* bounded: each loop's entry pays for all that its stores may cause; what of that is still to come while one such
     * loop runs, at most. Where several may run at once, interrupting each other, it is that of each */
    double outstanding;
    es_check_loop loop; /* not bounded */
    const char *why;    /* not bounded, in words: "loop", "recursion", "interrupts that come back to back" */
} es_check_backlog;

/* With tasks, any time is made of contiguous pieces of the paths that each of them takes, and of whole handlers between
 * them, unless these are cut, too. So no more waits than what one of them can leave after at any place, times their
 * number.
 *
 * Memory is the program's arena's. program->flaw must be NULL. */
void es_check_backlog_find(const es_check_program *program, const es_check_costs *costs, es_check_ratio ratio,
                           es_check_backlog *result);

#endif
