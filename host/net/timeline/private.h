/* What collecting and drawing share. */
#ifndef ES_NET_TIMELINE_PRIVATE_H
#define ES_NET_TIMELINE_PRIVATE_H

#include "net/timeline/timeline.h"

/* A stretch of a lane that ends with an event. */
typedef struct es_net_bar {
    uint32_t lane, transition;
    int64_t time, mark;    /* of the event; mark 0 for recovered ones */
    uint64_t number, line; /* of its firing, from 1; line of the trace */
    int64_t observed;      /* recovered ones: where it was measured */
    enum es_net_class certainty;
} es_net_bar;

/* A numbered change. lane ES_NET_NONE: it concerns no lane. */
typedef struct es_net_flag {
    uint32_t lane;
    int64_t observed, recovered;
    bool has_observed, consequence;
    const char *text;
} es_net_flag;

struct es_net_timeline {
    const es_net *net;
    es_arena *arena;
    int64_t from, to;
    uint32_t *lane_of;  /* by transition; ES_NET_NONE: it is no monitor */
    const char **lanes; /* their labels */
    uint32_t lane_count;
    es_net_bar *observed, *recovered;
    size_t observed_count, recovered_count;
    int64_t *observed_before,
        *recovered_before; /* by lane: the last event before the window, `from` when there was none */
    es_net_flag *flags;
    size_t flag_count, left_out;
};

/* A copy with only the lanes in which something is to be seen, in the arena. All of them when there is nothing in
 * any. */
es_net_timeline *es_net_timeline_seen(const es_net_timeline *timeline, es_arena *arena);

/* The bars of one kind sorted by lane, then time, then line; in the arena. */
es_net_bar *es_net_timeline_sorted(const es_net_timeline *timeline, const es_net_bar *bars, size_t count,
                                   es_arena *arena);

#endif
