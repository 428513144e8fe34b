/* For tests of recovery by hand: recovers a few events and gives what was said as text; and two nets that several of
 * them use. */
#ifndef TESTS_NET_RECOVERED_H
#define TESTS_NET_RECOVERED_H

#include <stdio.h>
#include <string.h>

#include "net_of.h"

static told said;
static es_error err;

/* Recovers the events and returns what was said; `complete` as of es_net_recovery_finish(). */
static inline const char *recovered_with(const es_net *net, const char *events, bool complete,
                                         es_net_recovery_options options)
{
    es_net_recovery *recovery = recovery_of(net, &said, options);
    if (!push_all(recovery, net, events, &err) || !es_net_recovery_finish(recovery, complete, &err))
        snprintf(said.text, sizeof said.text, "error: %s", err.text);
    es_net_recovery_free(recovery);
    return said.text;
}

static inline const char *recovered(const es_net *net, const char *events)
{
    return recovered_with(net, events, false, (es_net_recovery_options){0});
}

/* A consumer looks for a message; the producer sends one, once it is acknowledged. */
#define LOOKING(producer, consumer) \
    "p c\np s\n" \
    "t send s=1 m=0" producer " : s -> message\n" \
    "t look s=0 m=0" consumer " : c -> c1\n" \
    "t take s=0 m=0" consumer " : c1 message -> c s\n" \
    "t pass s=0 m=0" consumer " : c1 -> c\n" \
    "r c1 take message\nr c1 pass\n"

/* a and b meet at `join`. */
static const char meeting[] = "p a0\np b0\n"
                              "t a s=0 m=0 : a0 -> a1\n"
                              "t b s=1 m=0 : b0 -> b1\n"
                              "t join s=0 m=0 : a1 b1 -> c\n"
                              "t after s=0 m=0 : c -> d\n";

#endif
