/* Simulation of timed nets: event-driven, exact, and the same on every run. The meaning is that of net.h. */
#ifndef ES_NET_ENGINE_H
#define ES_NET_ENGINE_H

#include "net/model/net.h"

typedef struct es_net_firing {
    uint32_t transition;
    uint64_t number; /* 1 for its first firing */
    int64_t time;    /* when it fired; enabled at time - delay - mark */
    int64_t delay;   /* without the mark */
    int64_t mark;    /* what monitoring added */
} es_net_firing;

typedef struct es_net_routed {
    uint32_t place;
    uint32_t transition; /* where the token goes */
    uint32_t from;       /* who made it, ES_NET_NONE for an initial token */
    uint64_t number;     /* firing number of `from`, 0 for an initial token */
    int64_t time;
} es_net_routed;

#define ES_NET_LATER INT64_MIN               /* a delay that is told later: es_net_engine_fires */
#define ES_NET_CHOSEN_LATER (UINT32_MAX - 1) /* a choice that is told later: es_net_engine_chooses */

/* All functions may be NULL. Delays and marks that they return are clamped to 0 .. ES_NET_TICKS_MAX; an untimed
 * transition takes 0, a fixed one its delay. */
typedef struct es_net_engine_options {
    bool marks; /* simulate the monitored program: marks take their time. false: the program without marks */
    /* NULL: the net's delay. ES_NET_LATER: the transition is enabled, and does not fire before es_net_engine_fires
     * says when. */
    int64_t (*delay)(void *context, uint32_t transition, uint64_t number);
    int64_t (*mark)(void *context, uint32_t transition, uint64_t number); /* NULL: the net's mark */
    /* Decides free places: an output of the place, for its arrival `number` (from 1). NULL, or no output of it: the
     * outputs in turn. ES_NET_CHOSEN_LATER: the token waits in the place for es_net_engine_chooses, routed nowhere. */
    uint32_t (*choose)(void *context, uint32_t place, uint64_t number);
    void (*on_firing)(void *context, const es_net_firing *firing);
    void (*on_routed)(void *context, const es_net_routed *routed); /* each token at a place with several outputs */
    void *context;
} es_net_engine_options;

typedef struct es_net_engine es_net_engine;

/* A simulation at time 0 with the initial tokens in place. The net must be finished and outlive it. Fails with ES_USAGE
 * when the net is not ordinary, an initial place holds more than one token, or no rule routes an initial token. */
es_net_engine *es_net_engine_new(const es_net *net, const es_net_engine_options *options, es_error *err);
void es_net_engine_free(es_net_engine *engine); /* NULL is fine */

/* Fires until all up to and including time `until` has fired, or `firings` have, or nothing is enabled. May be called
 * again to go on. Fails with ES_USAGE when a place would hold two tokens (the net is not safe), when no rule routes a
 * token, when a loop takes no time, or when time exceeds ES_NET_TICKS_MAX; it cannot go on then. */
bool es_net_engine_run(es_net_engine *engine, int64_t until, uint64_t firings, es_error *err);

/* Says when a transition whose delay was ES_NET_LATER fires: at `time`, not before that of the last firing, of which
 * its mark takes `mark`. Nothing happens when it does not wait for that. Not from a callback. */
bool es_net_engine_fires(es_net_engine *engine, uint32_t transition, int64_t time, int64_t mark, es_error *err);

/* Since when a transition has been waiting for es_net_engine_fires: when the last of its tokens came. -1 when it
 * does not wait. */
int64_t es_net_engine_enabled(const es_net_engine *engine, uint32_t transition);

/* Routes the token that waits undecided in a free place to this output of it. Nothing happens when none does. Where
 * that enables a transition whose delay is told at once, it counts from now. Not from a callback. */
bool es_net_engine_chooses(es_net_engine *engine, uint32_t place, uint32_t transition, es_error *err);

/* Time of the last firing; firings so far, of all or of one transition; whether nothing is enabled any more; tokens in
 * a place (0 or 1). */
int64_t es_net_engine_time(const es_net_engine *engine);
uint64_t es_net_engine_firings(const es_net_engine *engine);
uint64_t es_net_engine_fired(const es_net_engine *engine, uint32_t transition);
bool es_net_engine_dead(const es_net_engine *engine);
uint32_t es_net_engine_tokens(const es_net_engine *engine, uint32_t place);

#endif
