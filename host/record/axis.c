#include "record/axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "record/clock.h"

#define NS_MAX INT64_C(2000000000000000000)

/* A file may say anything; no real clock is further off. */
static bool is_sane(const es_clock_told *clock)
{
    return fabs(clock->drift_ppm) < 1e5 && fabs(clock->drift_error_ppm) < 1e5 && clock->error_ns >= 0 &&
           clock->error_ns < NS_MAX && clock->steady_ns < NS_MAX && clock->steady_ns > -NS_MAX &&
           clock->unix_ns < NS_MAX && clock->unix_ns > -NS_MAX;
}

/* Half of what is kept goes. */
static void forget_old(es_axis *axis)
{
    size_t gone = axis->most / 2;
    if (!axis->most || axis->count < axis->most)
        return;
    axis->count -= gone;
    memmove(axis->clocks, axis->clocks + gone, axis->count * sizeof *axis->clocks);
    axis->at = axis->at > gone ? axis->at - gone : 0;
}

void es_axis_add(es_axis *axis, const es_clock_told *clock)
{
    if (!is_sane(clock))
        return;
    if (!axis->count)
        strncpy(axis->computer, clock->computer, sizeof axis->computer - 1);
    if (strncmp(axis->computer, clock->computer, sizeof axis->computer - 1) != 0) {
        axis->mixed = true;
        return;
    }
    forget_old(axis);
    if (axis->count == axis->room) {
        axis->room = axis->room ? 2 * axis->room : 16;
        axis->clocks = es_realloc(axis->clocks, axis->room * sizeof *axis->clocks);
    }
    axis->clocks[axis->count] = *clock;
    axis->clocks[axis->count++].computer = NULL;
}

void es_axis_clear(es_axis *axis)
{
    free(axis->clocks);
    *axis = (es_axis){.most = axis->most};
}

es_axis_time es_axis_place(es_axis *axis, uint64_t hz, uint64_t time, int64_t day_ns)
{
    if (!axis->count)
        return (es_axis_time){0};
    while (axis->at && axis->clocks[axis->at].time > time)
        axis->at--;
    while (axis->at + 1 < axis->count && axis->clocks[axis->at + 1].time <= time)
        axis->at++;
    const es_clock_told *clock = &axis->clocks[axis->at], *next = axis->at + 1 < axis->count ? clock + 1 : clock;
    if (!clock->known && next->known && time >= next->from)
        clock = next;
    double seconds = ((double)time - (double)clock->time) / (double)(hz ? hz : 1);
    es_axis_time place = {.known = clock->known && time >= clock->from && fabs(seconds) < 1e9};
    if (!place.known)
        return place;
    es_clock_told_map(clock, hz ? hz : 1, time, &place.steady_ns, &place.error_ns);
    place.unix_ns = place.steady_ns + day_ns;
    return place;
}

int64_t es_axis_due(enum es_record_kind kind, const es_axis_time *at)
{
    if (kind == ES_RECORD_SUMMARY)
        return INT64_MAX;
    return at->known ? at->steady_ns : INT64_MIN;
}
