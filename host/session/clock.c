/* The probe's clock in the computer's: the probe is asked for its time now and then. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/times.h"
#include "session/private.h"

#define ASK_S 1.0
#define ASK_FIRST_S 0.1      /* until its rate is known, too */
#define LAG_CLOCKS 4u        /* by which REG_TIME_NOW is late at most: a clock of the tap and three ... */
#define LAG_NS 1000          /* ... of the probe (docs/rtl.md) */
#define WRONG_RESTARTS 4u    /* in a row, before it is said that its clock does not run as it should */
#define PLAUSIBLE_CLOCKS 8.0 /* a factor: a clock further off is no wrongly given one but a virtual probe's */
#define WRAP (UINT64_C(1) << 32)

static int64_t nanoseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The computer's steady clock: nothing ever sets it or changes its rate, and all of its processes have the same. */
static int64_t steady_ns(void)
{
    return nanoseconds(CLOCK_MONOTONIC_RAW);
}

void es_session_clock_begin(session *s)
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    es_clock_init(&s->clock.clock, s->options->clock_hz);
    if (!file || !fgets(s->clock.computer, sizeof s->clock.computer, file))
        snprintf(s->clock.computer, sizeof s->clock.computer, "unknown");
    s->clock.computer[strcspn(s->clock.computer, "\n")] = 0;
    if (file)
        fclose(file);
}

/* Of the clock that was told nothing more is known from this time on. */
static void tell_unknown(session *s, uint64_t from)
{
    es_clock_told told = {
        .time = from, .from = from, .restarts = s->clock.clock.restarts, .computer = s->clock.computer};
    if (s->clock.told)
        es_session_give(s, (es_record){.kind = ES_RECORD_CLOCK, .clock = &told});
    s->clock.told = false;
}

void es_session_clock_restart(session *s)
{
    es_clock_restart(&s->clock.clock);
    s->clock.known = false;
    s->clock.from = s->time_base;
    tell_unknown(s, s->time_base);
}

/* The probe tells the low half of its time: the whole is the one nearest to where it should be by now, and not before
 * what is known of it already. */
static uint64_t whole_time(const session *s, uint32_t low, int64_t now)
{
    const session_clock *c = &s->clock;
    uint64_t known = c->time;
    double since = (double)(now - c->at_ns) * 1e-9;
    uint64_t time = known + (uint32_t)(low - (uint32_t)known);
    double missing = (double)known + since * (double)s->options->clock_hz - (double)time;
    return missing > (double)WRAP / 2 ? time + (uint64_t)(missing / (double)WRAP + 0.5) * WRAP : time;
}

/* Two answers in a row, between which time passed otherwise than clock_hz says. */
static void tell_wrong(session *s, uint64_t clocks, int64_t ns)
{
    double hz = (double)clocks / ((double)ns * 1e-9), ratio = hz / (double)s->options->clock_hz;
    s->clock.told_wrong = true;
    if (ratio > PLAUSIBLE_CLOCKS || ratio < 1 / PLAUSIBLE_CLOCKS)
        return;
    es_session_warn(s,
                    "the probe's clock makes about %.4g MHz, not the %.4g MHz that --clock says: times in seconds are "
                    "wrong by that, and cannot be told in this computer's time",
                    hz * 1e-6, (double)s->options->clock_hz * 1e-6);
}

static void take_answer(session *s, uint32_t low, int64_t before, int64_t after)
{
    session_clock *c = &s->clock;
    uint64_t time = whole_time(s, low, after);
    int64_t lag = LAG_NS + (int64_t)(LAG_CLOCKS * UINT64_C(1000000000) / s->options->clock_hz);
    unsigned restarts = c->clock.restarts;
    es_clock_add(&c->clock, &(es_clock_answer){s->time_base + time, before - lag, after});
    bool restarted = c->clock.restarts != restarts;
    if (restarted) {
        tell_unknown(s, s->time_base + c->time); /* who knows what it did since */
        c->from = s->time_base + time;
    }
    c->wrong = restarted ? c->wrong + 1 : 0;
    if (c->wrong == WRONG_RESTARTS && !c->told_wrong && c->known)
        tell_wrong(s, time - c->time, after - c->at_ns);
    c->known = true;
    c->time = time;
    c->at_ns = after;
}

/* Once its rate is known, too: by one answer nobody knows whether the clock runs. */
static void tell_clock(session *s)
{
    session_clock *c = &s->clock;
    es_clock_told told = {.known = true,
                          .time = s->time_base + c->time,
                          .from = c->from,
                          .restarts = c->clock.restarts,
                          .computer = c->computer};
    if (!es_clock_drift(&c->clock, &told.drift_ppm, &told.drift_error_ppm) ||
        !es_clock_map(&c->clock, told.time, &told.steady_ns, &told.error_ns))
        return;
    int64_t before = steady_ns(), day = nanoseconds(CLOCK_REALTIME), after = steady_ns();
    told.unix_ns = told.steady_ns + day - before;
    told.error_ns += after - before;
    c->told = true;
    es_session_give(s, (es_record){.kind = ES_RECORD_CLOCK, .clock = &told});
}

bool es_session_clock(session *s, bool now, es_error *err)
{
    session_clock *c = &s->clock;
    uint32_t low;
    bool can = (s->info.config & ES_CONFIG_TIME_NOW) && s->latest > s->time_base && !s->stands_still;
    if (!can || (!now && es_session_wall_seconds() < c->due))
        return true;
    int64_t before = steady_ns();
    if (!c->known) { /* by the latest hit before the question */
        c->time = s->latest - s->time_base;
        c->at_ns = before - (int64_t)((es_session_wall_seconds() - s->latest_wall) * 1e9);
    }
    if (!es_link_read(s->link, ES_REG_BASE + ES_REG_TIME_NOW, &low, 1, err))
        return false;
    int64_t after = steady_ns();
    if (s->latest <= s->time_base)
        return true; /* it was without power meanwhile */
    take_answer(s, low, before, after);
    tell_clock(s);
    c->due = es_session_wall_seconds() + (c->clock.count > 1 ? ASK_S : ASK_FIRST_S);
    return true;
}
