/* What lost marks hide, and what nobody can know after them. For one trace with a gap there are many programs: a lost
 * mark may have cost less, and its step have taken that much longer, or the other way round, and all that was seen is
 * the same. Each of these worlds has times of its own without marks. What recovery calls certain has to be so in every
 * one; and where they differ, no method can be certain. So they also tell how much of what can be known recovery gives
 * up. */
#ifndef TESTS_NET_WORLDS_H
#define TESTS_NET_WORLDS_H

#include "life.h"
#include "net/recovery/recovery.h"

#define WORLDS_FIRINGS 400
#define WORLDS_MORE ((size_t)WORLDS_FIRINGS * 6)
#define WORLDS 8 /* half of them with other times of the lost steps */
#define WORLDS_GAPS 2

typedef struct totals {
    uint64_t events, certain, knowable, certain_of_all, wrong, nets;
} totals;

typedef struct gap {
    size_t from, to; /* firings, */
    int32_t process; /* whose are lost */
} gap;

typedef struct gaps {
    gap of[WORLDS_GAPS]; /* by `from` */
    size_t count;
    bool any_order; /* events at one time are told process by process */
} gaps;

/* By transition and number: the true time; -1: none. `end`: what comes from then on is not known. */
typedef struct truth {
    int64_t *times, end;
} truth;

typedef struct run {
    const life *observed;
    const truth *worlds;
    totals *sum;
    bool *certain; /* by observed firing */
    bool *told;    /* by transition and number */
    bool failed;
} run;

/* Is the firing one of those whose marks are lost? */
bool worlds_is_lost(const life *l, const gaps *g, size_t at);

/* For es_net_recovery_options: holds what is certain against all worlds; the context is a run, and an event's serial
 * the number of the firing. */
void worlds_on_event(void *context, const es_net_recovered *e);

/* Makes a trace with gaps of the net, and its worlds; `recover` puts it through recovery. `several`: of several kinds,
 * some with two gaps. Frees the net. */
bool worlds_test(random_net made, totals *sum, bool several, bool (*recover)(run *r, const gaps *g, void *context),
                 void *context);

/* Of the events after gaps at least so much is certain. */
bool worlds_report(const char *what, const totals *sum, unsigned percent);

#endif
