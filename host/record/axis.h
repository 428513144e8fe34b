/* Times of several probes on one axis: that of the computer whose clock theirs are compared with (ES_RECORD_CLOCK). */
#ifndef ES_RECORD_AXIS_H
#define ES_RECORD_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/record.h"

/* A place on the axis. */
typedef struct es_axis_time {
    bool known;        /* false: of a time at which nobody knows how the probe's clock ran */
    int64_t steady_ns; /* by the computer's steady clock; off by error_ns at most */
    int64_t unix_ns;   /* the same by its time of day, as that was when the axis began */
    int64_t error_ns;
} es_axis_time;

/* What is known of one probe's clock, as it was told. All 0 at first. */
typedef struct es_axis {
    es_clock_told *clocks; /* in the order of their times; without their `computer` */
    size_t count, room;
    size_t at;         /* among them: that of the latest time that was placed */
    size_t most;       /* so many of the latest are kept; 0: all */
    char computer[64]; /* whose clock the first of them is compared with */
    bool mixed;        /* others are of other computers: they are left out */
} es_axis;

/* Takes one that was told. One that no real clock can be is left out. */
void es_axis_add(es_axis *axis, const es_clock_told *clock);
void es_axis_clear(es_axis *axis); /* frees what hangs on it, but keeps `most` */

/* Where a time is, in clocks of hz a second: by the clock that was told nearest before it, or the first. day_ns: time
 * of day less the steady clock. */
es_axis_time es_axis_place(es_axis *axis, uint64_t hz, uint64_t time, int64_t day_ns);

/* When a record has its turn among those of other probes: what has no time of its own after what it came after (`at` is
 * that one's), what can be placed nowhere at once, and a summary in the end. */
int64_t es_axis_due(enum es_record_kind kind, const es_axis_time *at);

#endif
