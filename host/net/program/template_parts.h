/* What nets of the primitives are built of: a net under construction, and additions to it. After a failure they do
 * nothing, and the caller of the library's function learns it at the end of that. */
#ifndef ES_NET_TEMPLATE_PARTS_H
#define ES_NET_TEMPLATE_PARTS_H

#include "net/program/templates.h"

/* From the fetch of an instruction that accesses the message device to the next fetch, and how much earlier than
 * `latency` a message counted between such fetches is in time: docs/marks.md, "Why the 4 and the L - 4". */
#define ACCESS 4
#define LEAD 4

/* Classes of simultaneous firings, in their order. */
enum turn { TURN_SETTLE, TURN_ARRIVE, TURN_ACCESS, TURN_PROGRAM, TURN_WAIT };

/* a call that waits for the answer of a channel: the place that remembers it, and where it goes on */
typedef struct asker {
    uint32_t at, end;
} asker;

typedef struct askers {
    asker *items;
    size_t count;
} askers;

typedef struct channel {             /* from one core to another; places are ES_NET_NONE until something needs them */
    uint32_t request, sending, done; /* the sender's */
    uint32_t message, wanted, got;   /* the receiver's */
    uint32_t in;
    askers senders, receivers;
    bool synchronous;
} channel;

typedef struct test {
    unsigned core, peer;
    uint32_t place, none, hit; /* transitions; hit: begin of the receive */
} test;

typedef struct any {
    unsigned core, sources;
    uint32_t asking, finding, now, wait;
    uint32_t found[ES_NET_MP_CORES]; /* transitions */
} any;

struct es_net_mp {
    es_net *net;
    unsigned cores;
    int64_t latency, mark;
    channel channels[ES_NET_MP_CORES][ES_NET_MP_CORES]; /* [source][destination] */
    uint32_t bells[ES_NET_MP_CORES];
    test *tests;
    any *anys;
    size_t test_count, any_count;
    es_net_mp_step *steps;
    enum turn *turns; /* of the steps */
    size_t step_count;
    unsigned places; /* made for calls, for their ids */
    bool failed;     /* an addition failed; err of that call tells */
};

uint32_t es_mp_place(es_net_mp *mp, uint32_t tokens, es_error *err, const char *id, unsigned source,
                     unsigned destination);

void es_mp_rule(es_net_mp *mp, uint32_t at, uint32_t to, const es_net_condition *conditions, uint32_t count,
                es_error *err);

/* A transition with its input and output places; those that are ES_NET_NONE are left out. */
uint32_t es_mp_step(es_net_mp *mp, const char *id, const char *source, int64_t delay, enum turn turn,
                    es_net_mp_step what, const uint32_t inputs[2], const uint32_t outputs[3], es_error *err);

#define PLACES2(a, b) ((const uint32_t[2]){a, b})
#define PLACES3(a, b, c) ((const uint32_t[3]){a, b, c})

/* Once all calls are in (channels.c): channels with the rules of their places, and the order of all transitions. */
void es_mp_add_channels(es_net_mp *mp, es_error *err);
void es_mp_set_order(es_net_mp *mp, es_error *err);

#endif
