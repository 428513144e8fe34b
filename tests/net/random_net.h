/* Random nets that are safe and fulfil C1 to C3, with random delays and marks; all follows from the seed. */
#ifndef TESTS_NET_RANDOM_NET_H
#define TESTS_NET_RANDOM_NET_H

#include "net/model/net.h"

typedef struct random_net {
    es_net *net;
    uint64_t seed;
    int64_t delay_range, mark_range; /* delays and marks are below these */
    bool unobserved;                 /* some transitions are no monitors */
} random_net;

/* Never fails: what it builds is a net, or the test program ends with a message. */
random_net random_net_new(uint64_t seed);

/* The same with loops that ask again until a message is there. */
random_net random_net_with_spins(uint64_t seed);

/* v and D of a firing, and the data's choice; context is a random_net. */
int64_t random_net_delay(void *context, uint32_t transition, uint64_t number);
int64_t random_net_mark(void *context, uint32_t transition, uint64_t number);
uint32_t random_net_choose(void *context, uint32_t place, uint64_t number);

uint64_t random_mix(uint64_t value); /* a hash */

#endif
