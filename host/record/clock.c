#include "record/clock.h"

#include <math.h>
#include <string.h>

#define NS 1e9

void es_clock_init(es_clock *clock, uint64_t hz)
{
    *clock = (es_clock){.hz = hz, .slow = 1 - ES_CLOCK_RATE_MAX, .fast = 1 + ES_CLOCK_RATE_MAX};
}

/* The probe's seconds from the reference to a time: below 0 for one before it. */
static double seconds_to(const es_clock *clock, uint64_t time)
{
    bool later = time >= clock->reference;
    uint64_t clocks = later ? time - clock->reference : clock->reference - time;
    double seconds = (double)clocks / (double)clock->hz;
    return later ? seconds : -seconds;
}

/* An answer's bounds, from base_ns: wider the older it is, for what the rates may have moved since. */
static void bounds_of(const es_clock *clock, const es_clock_answer *answer, double *low, double *high)
{
    double allowance = -seconds_to(clock, answer->time) * ES_CLOCK_WANDER * NS;
    *low = (double)(answer->before_ns - clock->base_ns) - allowance;
    *high = (double)(answer->after_ns - clock->base_ns) + allowance;
}

/* Every two answers bound the ratio of the rates. */
static void bound_rates(es_clock *clock)
{
    clock->slow = 1 - ES_CLOCK_RATE_MAX;
    clock->fast = 1 + ES_CLOCK_RATE_MAX;
    for (size_t j = 1; j < clock->count; j++) {
        double low_j, high_j;
        bounds_of(clock, &clock->answers[j], &low_j, &high_j);
        for (size_t i = 0; i < j; i++) {
            double low_i, high_i;
            double between =
                NS * (seconds_to(clock, clock->answers[j].time) - seconds_to(clock, clock->answers[i].time));
            bounds_of(clock, &clock->answers[i], &low_i, &high_i);
            if (between <= 0)
                continue;
            clock->slow = fmax(clock->slow, (low_j - high_i) / between);
            clock->fast = fmin(clock->fast, (high_j - low_i) / between);
        }
    }
}

/* All answers bound when the reference was. */
static void bound_reference(es_clock *clock)
{
    clock->low_ns = -INFINITY;
    clock->high_ns = INFINITY;
    for (size_t i = 0; i < clock->count; i++) {
        double low, high, since = -seconds_to(clock, clock->answers[i].time) * NS;
        bounds_of(clock, &clock->answers[i], &low, &high);
        clock->low_ns = fmax(clock->low_ns, low + since * clock->slow);
        clock->high_ns = fmin(clock->high_ns, high + since * clock->fast);
    }
}

/* Room for one more: of the older half every second one goes, so that long times stay covered. */
static void thin_out(es_clock *clock)
{
    size_t kept = 0;
    if (clock->count < ES_CLOCK_ANSWERS)
        return;
    for (size_t i = 0; i < clock->count; i++)
        if (i >= clock->count / 2 || i % 2 == 0)
            clock->answers[kept++] = clock->answers[i];
    clock->count = kept;
}

static void take_latest(es_clock *clock)
{
    const es_clock_answer *latest = &clock->answers[clock->count - 1];
    clock->reference = latest->time;
    clock->base_ns = latest->before_ns + (latest->after_ns - latest->before_ns) / 2;
    bound_rates(clock);
    bound_reference(clock);
}

void es_clock_add(es_clock *clock, const es_clock_answer *answer)
{
    bool back = clock->count && answer->time < clock->reference;
    if (back)
        clock->count = 0;
    thin_out(clock);
    clock->answers[clock->count++] = *answer;
    take_latest(clock);
    bool contradicts = clock->slow > clock->fast || clock->low_ns > clock->high_ns;
    clock->restarts += back || contradicts;
    if (!contradicts)
        return;
    clock->answers[0] = *answer;
    clock->count = 1;
    take_latest(clock);
}

void es_clock_restart(es_clock *clock)
{
    clock->restarts += clock->count != 0;
    clock->count = 0;
}

bool es_clock_map(const es_clock *clock, uint64_t time, int64_t *ns, int64_t *error_ns)
{
    if (!clock->count)
        return false;
    double since = seconds_to(clock, time) * NS;
    double low = clock->low_ns + since * (since >= 0 ? clock->slow : clock->fast);
    double high = clock->high_ns + since * (since >= 0 ? clock->fast : clock->slow);
    double allowance = fabs(since) * ES_CLOCK_WANDER;
    *ns = clock->base_ns + (int64_t)((low + high) / 2);
    *error_ns = (int64_t)ceil((high - low) / 2 + allowance);
    return true;
}

bool es_clock_drift(const es_clock *clock, double *ppm, double *error)
{
    /* a clock that is fast has shorter seconds */
    double most = 1 / clock->slow, least = 1 / clock->fast;
    *ppm = ((most + least) / 2 - 1) * 1e6;
    *error = (most - least) / 2 * 1e6;
    return clock->count > 1;
}

void es_clock_told_map(const es_clock_told *told, uint64_t hz, uint64_t time, int64_t *steady_ns, int64_t *error_ns)
{
    bool later = time >= told->time;
    double clocks = (double)(later ? time - told->time : told->time - time);
    double ns = clocks / (double)hz * NS / (1 + told->drift_ppm * 1e-6);
    *steady_ns = told->steady_ns + (int64_t)(later ? ns : -ns);
    *error_ns = told->error_ns + (int64_t)ceil(ns * (told->drift_error_ppm * 1e-6 * 1.01 + ES_CLOCK_WANDER)) + 1;
}
