/* One clock in the time of another: a probe's, in that of the computer that asks it for the time.
 *
 * A question is asked at `before`, the probe answers with its time, and the answer is there at `after`: so the probe
 * had that time at some moment between. From many such answers follow bounds for the offset of the two clocks and for
 * the ratio of their rates that hold for certain, as long as the rates stand still; how much they may move is allowed
 * for by ES_CLOCK_WANDER. (Cristian 1989 has the single question; all pairs of answers bound the rate.) */
#ifndef ES_RECORD_CLOCK_H
#define ES_RECORD_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/record.h"

#define ES_CLOCK_ANSWERS 64u
#define ES_CLOCK_RATE_MAX 1e-3 /* no crystal is further from what is printed on it */
#define ES_CLOCK_WANDER 1e-6   /* by which a rate may have changed since an answer: a crystal's by 1 or 2 degrees */

typedef struct es_clock_answer {
    uint64_t time;               /* the probe's, in its clocks */
    int64_t before_ns, after_ns; /* the computer's */
} es_clock_answer;

typedef struct es_clock {
    uint64_t hz; /* what the probe's clock should be */
    es_clock_answer answers[ES_CLOCK_ANSWERS];
    size_t count;
    uint64_t reference;     /* the latest answer's time, ... */
    int64_t base_ns;        /* ... and about when it was; from there: */
    double low_ns, high_ns; /* when it was at the earliest and at the latest */
    double slow, fast;      /* seconds of the computer's in one of the probe's, at least and at most */
    unsigned restarts;      /* answers that contradicted the ones before: these were forgotten */
} es_clock;

/* hz above 0. */
void es_clock_init(es_clock *clock, uint64_t hz);

/* Answers come in the order of their times. One with a time before the last is a restart. */
void es_clock_add(es_clock *clock, const es_clock_answer *answer);

/* The probe's clock is known to be another one from here on: without power it begins at 0. */
void es_clock_restart(es_clock *clock);

/* When it was `time`: in the computer's nanoseconds, off by *error_ns at most. False: nothing is known yet. */
bool es_clock_map(const es_clock *clock, uint64_t time, int64_t *ns, int64_t *error_ns);

/* How much faster than it should the probe's clock is, in millionths, off by *error at most. False: fewer than two
 * answers are known. */
bool es_clock_drift(const es_clock *clock, double *ppm, double *error);

/* The same of a clock that was told: when it was `time`, by the computer's steady clock. The further away, the larger
 * is the error. hz: the schema's clock_hz. */
void es_clock_told_map(const es_clock_told *told, uint64_t hz, uint64_t time, int64_t *steady_ns, int64_t *error_ns);

#endif
