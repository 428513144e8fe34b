/* Runs a source of marks, up to its end. */
#include "cli/net/mark_source_inside.h"

#include "cli/signals.h"

#define CLOSING_MS 3000
#define PUMP_MS 50
#define TAP_DELAY \
    1200u /* clocks in which an elastic probe has surely told what its taps saw (sim/multi/marks_probe.cpp) */

static bool settle(const es_mark_source *s, es_error *err)
{
    if (s->failed)
        *err = s->err;
    return !s->failed && es_mark_source_check_fault(s, err);
}

/* Takes all that has arrived. */
static bool take_arrived(es_mark_source *s, es_error *err)
{
    int got;
    do
        got = es_link_pump(s->link, 0, err);
    while (got > 0 && !s->failed);
    return (got >= 0 || got == -2) && settle(s, err);
}

static bool run_target(es_mark_source *s, uint64_t clocks, bool *ended, es_error *err)
{
    es_error own = {0};
    bool good = es_recorder_run(s->recorder, clocks, ended, &own);
    s->clocks = es_recorder_clocks(s->recorder);
    if (s->options.taps) {
        s->seen = s->clocks + *ended;
        s->exited = good && *ended;
        if (!good)
            *err = own;
        return good;
    }
    if (!take_arrived(s, err))
        return false;
    if (s->options.ratio == 0 && s->clocks > TAP_DELAY && s->seen < s->clocks - TAP_DELAY)
        s->seen = s->clocks - TAP_DELAY;
    s->exited = good && *ended;
    if (!good || *ended)
        es_mark_source_finish(s, good ? err : &own);
    if (!good)
        *err = own;
    return good && settle(s, err);
}

static bool run_file(es_mark_source *s, bool *ended, es_error *err)
{
    uint8_t bytes[4096];
    ssize_t got = es_transport_read(s->transport, bytes, sizeof bytes, 0, err);
    if (got == -1)
        return false;
    if (got > 0)
        es_decoder_push(s->decoder, bytes, (size_t)got);
    *ended = got <= 0;
    if (*ended)
        es_decoder_finish(s->decoder);
    s->clocks = s->seen;
    if (*ended && !s->hello)
        return es_fail(err, ES_USAGE, "%s: is not a recording of a probe: no firmware reports in it",
                       s->options.probe_name);
    return settle(s, err);
}

bool es_mark_source_run(es_mark_source *s, uint64_t clocks, bool *ended, es_error *err)
{
    *ended = false;
    if (s->options.probe == ES_PROBE_SIM)
        return run_target(s, clocks, ended, err);
    if (s->options.probe == ES_PROBE_FILE)
        return run_file(s, ended, err);
    int got = es_link_pump(s->link, PUMP_MS, err);
    s->clocks = s->seen;
    *ended = es_cli_stop_asked() || s->done;
    if (got == -2)
        return es_fail(err, ES_PROBE, "the connection to the probe ended");
    return got >= 0 && settle(s, err);
}

bool es_mark_source_finish(es_mark_source *s, es_error *err)
{
    uint32_t mail = ES_MAIL_FLUSH;
    if (s->recorder && s->options.taps)
        es_recorder_flush(s->recorder);
    if (!s->link || s->done)
        return settle(s, err);
    bool good = es_link_write(s->link, ES_REG_BASE + ES_REG_MAILBOX, &mail, 1, err) &&
                es_mark_source_wait_for(s, &s->done, CLOSING_MS, err) && take_arrived(s, err);
    if (good && !s->done)
        good = es_fail(err, ES_PROBE, "the probe did not confirm that it sent all marks");
    if (good && s->exited)
        s->seen = s->clocks + 1;
    return good;
}

uint64_t es_mark_source_clocks(const es_mark_source *s)
{
    return s->clocks;
}

uint64_t es_mark_source_seen(const es_mark_source *s)
{
    return s->seen;
}

bool es_mark_source_complete(const es_mark_source *s)
{
    return s->exited && !s->lost;
}
