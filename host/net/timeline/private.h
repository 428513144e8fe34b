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
    unsigned flags; /* recovered ones: of es_net_recovered */
    bool beyond;    /* the event comes after the window, in which only its stretch begins */
} es_net_bar;

/* A numbered change. lane ES_NET_NONE: it concerns no lane. */
typedef struct es_net_flag {
    uint32_t lane;
    int64_t observed, recovered;
    bool has_observed, consequence;
    const char *text;
} es_net_flag;

/* The whole run in pieces of equal time, which are joined in pairs when it gets longer. */
#define ES_NET_OVERVIEW_PIECES 512u
typedef struct es_net_overview {
    int64_t unit;                               /* ticks of a piece */
    uint8_t (*classes)[ES_NET_OVERVIEW_PIECES]; /* by lane: a bit for each class that recovered events there have */
    uint8_t changes[ES_NET_OVERVIEW_PIECES];    /* was there a change? */
    int64_t end;                                /* the last time */
    uint64_t events, change_count;
} es_net_overview;

struct es_net_timeline {
    const es_net *net;
    es_arena *arena;
    int64_t from, to;
    bool automatic;     /* nobody has said which part is wanted */
    bool excerpt;       /* this is the part that was chosen; the overview says of what */
    uint32_t *lane_of;  /* by transition; ES_NET_NONE: it is no monitor */
    uint32_t *kind_of;  /* by transition: those of one lane and name have the same number, from 0 in each lane */
    const char **lanes; /* their labels */
    uint32_t *origins;  /* their numbers in the whole timeline */
    uint32_t lane_count;
    es_net_bar *observed, *recovered;
    size_t observed_count, recovered_count;
    int64_t *observed_before,
        *recovered_before;                  /* by lane: the last event before the window, `from` when there was none */
    bool *observed_after, *recovered_after; /* by lane: there is a bar that goes beyond the window */
    es_net_flag *flags;
    size_t flag_count, left_out;
    es_net_overview overview;
};

void es_net_overview_start(es_net_overview *overview, uint32_t lanes, es_arena *arena);
void es_net_overview_event(es_net_overview *overview, uint32_t lane, uint32_t lanes, int64_t time,
                           enum es_net_class certainty);
void es_net_overview_change(es_net_overview *overview, uint32_t lanes, int64_t time);

/* Of a run that nobody has chosen a part of: what fits on a screen around the first change, or else from its
 * beginning. The timeline itself when all of it does. */
const es_net_timeline *es_net_timeline_excerpt(const es_net_timeline *timeline, es_arena *arena);

/* A copy with only the lanes in which something is to be seen, in the arena. All of them when there is nothing in
 * any. */
es_net_timeline *es_net_timeline_seen(const es_net_timeline *timeline, es_arena *arena);

/* The bars of one kind sorted by lane, then time, then line; in the arena. */
es_net_bar *es_net_timeline_sorted(const es_net_bar *bars, size_t count, es_arena *arena);

#endif
