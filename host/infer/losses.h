/* Losses that the trace tells, the newest of them, and how many events come in which time. */
#ifndef ES_INFER_LOSSES_H
#define ES_INFER_LOSSES_H

#include "infer/segment.h"

#define ES_INFER_GAPS_MAX 64u /* told losses that are remembered */
#define ES_INFER_RECENT 64u   /* events by which the rate of events is known */

typedef struct es_infer_gap_told {
    es_infer_loss loss;
    int64_t over;  /* it and all before it: streams have losses of their own, of which the first may end last */
    double rate;   /* events per ns before it */
    uint64_t kept; /* events that came in the time nevertheless */
} es_infer_gap_told;

typedef struct es_infer_losses {
    es_infer_gap_told gaps[ES_INFER_GAPS_MAX]; /* the newest is at (gap_count - 1) % ES_INFER_GAPS_MAX */
    uint64_t gap_count;
    int64_t recent[ES_INFER_RECENT]; /* times of the last events; the oldest is at event_count % ES_INFER_RECENT */
    uint64_t event_count;
    int64_t first_time; /* of the trace */
} es_infer_losses;

/* A loss, in the order of their beginnings. `rate`: events per ns where too few have come to know it. */
void es_infer_losses_add(es_infer_losses *losses, const es_infer_loss *loss, double rate);

/* Each event of the trace. */
void es_infer_losses_event(es_infer_losses *losses, int64_t time);

/* An event that came in the time of a loss was not lost. Called once for each scenario that it concerns. */
void es_infer_losses_kept(es_infer_losses *losses, int64_t time);

/* The part of all events so far that is not the scenario's. */
double es_infer_losses_of_others(const es_infer_losses *losses, const es_infer_scenario *scenario);

/* All told losses between two times as one, but those that were all of others. A loss of which no more is known than
 * that it was, may have been all the time. */
void es_infer_losses_between(const es_infer_losses *losses, const es_infer_machine *machine,
                             const es_infer_scenario *scenario, int64_t begin, int64_t end, es_infer_between *between);

/* How many events of the scenario itself were lost there, by its part of all. */
double es_infer_losses_expected(const es_infer_losses *losses, const es_infer_scenario *scenario,
                                const es_infer_between *between);

#endif
