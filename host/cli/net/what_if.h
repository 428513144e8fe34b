/* What would be with other delays or speeds: options of `earshot net recover`. */
#ifndef ES_CLI_NET_WHAT_IF_H
#define ES_CLI_NET_WHAT_IF_H

#include "net/recovery/recovery.h"

#define ES_NET_SPEEDS_MAX 64

typedef struct es_net_what_if {
    const char *net;                       /* a file: the same net with other delays; NULL: none */
    const char *speeds[ES_NET_SPEEDS_MAX]; /* "PROCESS=FACTOR" as the user wrote them */
    size_t speed_count;
} es_net_what_if;

/* Sets the options' delays and paces, in the net's arena. Fails with ES_USAGE when the file is another net, no step
 * of which is fixed and differs, or a speed names no process or is no factor from 0.001 to 1000. */
bool es_net_what_if_take(const es_net_what_if *what_if, const es_net *net, es_net_recovery_options *options,
                         es_error *err);

#endif
