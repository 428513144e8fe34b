#include "daemon/run_private.h"

/* Of a probe that has one: how fast it runs, and how far off times of it are, both null where that is not known. */
static void json_clock(const es_run *run, es_json *json)
{
    const es_clock_told *clock = &run->clock;
    if (!run->clock_line.length)
        return;
    es_json_key(json, "clock");
    es_json_begin(json, '{');
    es_json_key(json, "error_ns");
    if (clock->known)
        es_json_int(json, clock->error_ns);
    else
        es_json_null(json);
    const double drifts[] = {clock->drift_ppm, clock->drift_error_ppm};
    static const char *const names[] = {"drift_ppm", "drift_error_ppm"};
    for (size_t i = 0; i < 2; i++) {
        es_json_key(json, names[i]);
        if (clock->known)
            es_json_double(json, drifts[i]);
        else
            es_json_null(json);
    }
    es_json_put_uint(json, "restarts", clock->restarts);
    es_json_end(json, '}');
}

/* What there is to be known of a run that is over. */
static const char *outcome(es_run *run)
{
    const char *text;
    if (es_run_end(run, &text) != ES_OK)
        return "failed";
    return run->result.lost || !run->result.complete || run->lost || run->stored.lost ? "lost" : "ended";
}

static void json_end(es_run *run, es_json *json)
{
    char stamp[sizeof "2026-11-22T17:15:00Z"];
    struct tm utc;
    const char *text;
    enum es_code code = es_run_end(run, &text);
    gmtime_r(&run->ended_at, &utc);
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
    es_json_put_string(json, "ended_at", stamp);
    es_json_put_string(json, "code", es_code_name(code));
    es_json_put_string(json, "text", text);
}

static void json_trace(es_run *run, es_json *json)
{
    es_json_put_string(json, "trace", run->directory.length ? run->directory.text : run->options.directory);
    const es_trace_figures *stored = &run->stored; /* what came before the trace began is among `lost` only */
    es_json_put_uint(json, "stored", stored->records > stored->lost ? stored->records - stored->lost : 0);
    es_json_put_uint(json, "stored_bytes", run->stored.bytes);
    es_json_put_uint(json, "not_stored", run->stored.lost);
}

void es_run_json(es_run *run, es_json *json)
{
    static const char *const states[] = {"starting", "running", "waiting", "ended"};
    es_batches rows[ES_FORMS];
    uv_mutex_lock(&run->mutex);
    es_lines_take(&run->lines, rows);
    const char *state = states[run->state];
    uv_mutex_unlock(&run->mutex);
    es_run_deliver(run, rows); /* what led to the state comes before it */
    es_json_begin(json, '{');
    es_json_put_uint(json, "run", run->number);
    es_json_put_string(json, "name", run->options.name);
    es_json_put_string(json, "probe", run->options.probe);
    es_json_put_string(json, "program", run->options.program);
    uv_mutex_lock(&run->mutex);
    es_json_put_string(json, "state", run->over ? outcome(run) : state);
    if (run->over)
        json_end(run, json);
    es_json_put_uint(json, "hits", run->hits);
    es_json_put_uint(json, "lost", run->lost);
    es_json_put_uint(json, "left_out", run->lines.dropped);
    es_json_put_uint(json, "cycle", run->time);
    es_json_key(json, "seconds");
    es_json_double(json, run->seconds);
    json_clock(run, json);
    es_json_put_uint(json, "clients", run->lines.wanted[ES_FORM_REPORT] + run->lines.wanted[ES_FORM_RECORD]);
    if (run->directory.length || (run->options.directory && !run->over))
        json_trace(run, json);
    uv_mutex_unlock(&run->mutex);
    es_json_end(json, '}');
}
