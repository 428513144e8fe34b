/* A traced run of a message-passing program as a net: every call is a call of its own (the loops are unrolled), with
 * the times between the marks as delays. What the tests of nets have in common. */
#ifndef TESTS_MP_RUN_NET_H
#define TESTS_MP_RUN_NET_H

#include "net/marks/marks.h"
#include "net/program/templates.h"

#define RUN_OTHER 1000000u /* sites from here on: marks that the traced run did not come to */

typedef struct events {
    es_net_mark *items; /* of one core, with their place in its order as site */
    uint32_t *sites;    /* their real sites: of the program's table */
    size_t count;
} events;

typedef struct run_firing {
    int64_t time;
    uint32_t site, peer;
} run_firing;

typedef struct run_net {
    unsigned cores;
    es_net *net;
    es_net_mp *mp;
    int64_t mark;
    es_net_mp_step *steps; /* all marks' transitions, and what else es_net_mp_steps gives */
    size_t step_count;
    const es_net_mp_step **of;          /* by transition: its mark's step, or NULL */
    run_firing *fired[ES_NET_MP_CORES]; /* by run_simulate: the marks' firings, in order */
    size_t fired_count[ES_NET_MP_CORES], room;
} run_net;

/* Runs $(B)/mp/trace with these options on $(B)/mp/NAME + KIND.elf; `truth` is "" or its option -t. By core. Fails the
 * test when it cannot. */
void run_events(events *cores, const char *options, const char *name, const char *kind, const char *truth);
void run_events_free(events *cores);

/* All cores' events, sorted by time; the caller frees. */
es_net_mark *run_merged(const events *cores, size_t *count);

void run_net_build(run_net *run, unsigned cores, int64_t latency, const events *marked);
void run_net_free(run_net *run);

/* Simulates with marks or without into `fired`. */
void run_simulate(run_net *run, bool marks);

#endif
