/* A second simulator, only for tests: the firing rules of the paper (section 3) word for word. It keeps the token set
 * K, the residual times r_t and the counters N_t, and finds each next firing by looking at all transitions. It shares
 * nothing with the engine but the net. */
#ifndef TESTS_NET_PAPER_RULES_H
#define TESTS_NET_PAPER_RULES_H

#include "net/model/engine.h"

typedef struct paper_run {
    es_net_firing *firings;
    size_t firing_count;
    es_net_routed *routed;
    size_t routed_count;
    bool dead;   /* nothing was enabled in the end */
    bool unsafe; /* a place got a second token; the run ends before it */
} paper_run;

/* Runs until `until` or `firings`. The options' callbacks on_firing and on_routed are not used. Free with
 * paper_run_free. */
paper_run paper_simulate(const es_net *net, const es_net_engine_options *options, int64_t until, size_t firings);
void paper_run_free(paper_run *run);

#endif
