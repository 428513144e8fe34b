/* Nets of the message-passing primitives (examples/mp/mp.h, docs/marks.md): what a call of one becomes in the net of a
 * program.
 *
 * Whoever makes a program's net adds its calls, each between two places of a process, and finishes once all are in.
 * Then come the channels between the cores, the rules of all places that choose, and the order of simultaneous firings.
 * All transitions made here are monitors; es_net_seen tells what of a trace shows them. Ticks are clocks of a bus
 * without wait states; the program's own transitions may be added before and after, but not after es_net_mp_finish. */
#ifndef ES_NET_TEMPLATES_H
#define ES_NET_TEMPLATES_H

#include "net/model/net.h"

#define ES_NET_MP_CORES 8u

/* Ids of the library's marks. */
enum es_net_mp_mark {
    ES_NET_MP_SEND_BEGIN = 480,
    ES_NET_MP_SEND_END = 481,
    ES_NET_MP_TAKEN_END = 482,
    ES_NET_MP_RECV_BEGIN = 484,
    ES_NET_MP_RECV_END = 485,
    ES_NET_MP_TEST_BEGIN = 486,
    ES_NET_MP_TEST_NONE = 487,
    ES_NET_MP_ANY_BEGIN = 488,
    ES_NET_MP_ANY_FOUND = 489,
};

enum es_net_seen {
    ES_NET_SEEN_END,      /* a mark: fires when the mark ends, and monitoring added its delay */
    ES_NET_SEEN_BEGIN,    /* fires when the mark begins; monitoring added nothing */
    ES_NET_SEEN_COMPUTED, /* no mark: fixed (net.h), fires its delay after it is enabled; monitoring added nothing */
};

/* A transition made here. */
typedef struct es_net_mp_step {
    uint32_t transition;
    enum es_net_seen seen;
    /* Whose mark it is. COMPUTED: the process, a core's number or, for a channel, ES_NET_MP_CORES * (1 + source) +
     * destination; those below are not used. */
    unsigned core;
    uint32_t id;   /* of the mark; for a channel's SEND_END marks with TAKEN_END show it too */
    uint32_t site; /* of the mark; ES_NET_NONE for those of a channel, which marks of any site show */
    unsigned peer; /* the mark's value */
} es_net_mp_step;

typedef struct es_net_mp_call {
    unsigned core, peer; /* who calls, and the other core */
    uint32_t site;       /* of the call's first mark; its others are the next ones of the table */
    int64_t delay;       /* clocks from the token's arrival in `before` to the first mark, without the mark */
    uint32_t before;     /* place in which the process stands before the call */
    uint32_t after;      /* and after it; ES_NET_NONE makes a new one */
    const char *source;  /* "main.c:12", or NULL */
} es_net_mp_call;

typedef struct es_net_mp es_net_mp;

/* For a net of so many cores (1 to ES_NET_MP_CORES) whose messages take `latency` clocks (4 or more), with marks of
 * `mark` clocks. The object is in the net's arena. NULL with ES_USAGE when out of range. */
es_net_mp *es_net_mp_new(es_net *net, unsigned cores, int64_t latency, int64_t mark, es_error *err);

/* Each adds a call and returns the place after it, or ES_NET_NONE with an error: a core that is not there, or no more
 * room in the net. */
uint32_t es_net_mp_async_send(es_net_mp *mp, const es_net_mp_call *call, es_error *err);
uint32_t es_net_mp_sync_send(es_net_mp *mp, const es_net_mp_call *call, es_error *err);
uint32_t es_net_mp_recv(es_net_mp *mp, const es_net_mp_call *call, es_error *err);

/* mp_async_recv: returns the place that must be `before` of exactly one receive from the same peer, for when there is a
 * message, and whose delay counts from the test; `call->after` is the place after the mark of site `none_site` and is
 * made and stored there when it is ES_NET_NONE. */
uint32_t es_net_mp_test(es_net_mp *mp, es_net_mp_call *call, uint32_t none_site, int64_t none_delay, es_error *err);

/* Another test that leads to the same marks as the one that returned `at`, which then stands for both. */
bool es_net_mp_test_again(es_net_mp *mp, const es_net_mp_call *call, uint32_t at, es_error *err);

/* The wait of mp_any_recv, for messages of the cores in `sources` (bit s: core s; call->peer and call->after do not
 * count). found[s] becomes the place `before` the receive from core s. */
bool es_net_mp_any(es_net_mp *mp, const es_net_mp_call *call, unsigned sources, uint32_t found[ES_NET_MP_CORES],
                   es_error *err);

/* Adds channels and rules and sets all priorities. The net can be finished then. Fails with ES_USAGE when a test has no
 * receive. */
bool es_net_mp_finish(es_net_mp *mp, es_error *err);

/* After finishing: all transitions made here, and how a trace shows them. */
size_t es_net_mp_steps(const es_net_mp *mp, const es_net_mp_step **steps);

#endif
