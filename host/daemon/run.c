#include "daemon/run.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "record/json.h"
#include "record/wire.h"
#include "store/trace.h"

#define RUN_QUEUE_BYTES (8u << 20) /* lines that wait for the loop, of one form */
#define RETRY_NS UINT64_C(500000000)

enum state { STARTING, RUNNING, WAITING, ENDED };

/* Hits for which there was no room. */
typedef struct left_out {
    uint64_t count, first, last;
} left_out;

struct es_run {
    es_run_options options;
    es_run_events events;
    unsigned number;
    uv_thread_t thread;
    uv_async_t wake;   /* the loop, by the session's thread */
    uv_mutex_t mutex;  /* from `waiting` to `seconds` */
    uv_cond_t changed; /* `stopping` */
    es_batches waiting[ES_FORMS];
    left_out left_out[ES_FORMS];
    unsigned wanted[ES_FORMS]; /* by how many */
    es_text_buffer begin;      /* the latest begin line */
    es_text_buffer names;      /* all name lines since */
    uint32_t told;             /* names in them */
    es_clock_told clock;       /* the latest; its computer is not kept */
    es_text_buffer clock_line; /* the same as a line; empty: none came since */
    es_text_buffer complaint;  /* why it waits for its probe; empty: it does not */
    enum state state;
    time_t ended_at;
    uint64_t hits, lost, time, dropped; /* dropped: hits that were left out above */
    es_trace_figures stored;
    double seconds;
    atomic_bool stopping;
    /* of the session's thread, and of the loop's when that has ended */
    es_trace *trace;
    es_text_buffer directory; /* of the trace */
    unsigned sessions;
    bool complains; /* what it tells is why it waits */
    es_session_result result;
    es_error err;
    bool good, over; /* over: `ended` was told */
};

/* --- lines: with the mutex held -------------------------------------------------------------------------------- */

static bool is_needed(const es_record *record)
{
    return record->kind != ES_RECORD_HIT && record->kind != ES_RECORD_CONSOLE && record->kind != ES_RECORD_PROGRESS;
}

static void write_line(es_run *run, enum es_form form, es_text_buffer *out, const es_record *record)
{
    if (form == ES_FORM_RECORD)
        es_wire_record(out, record, run->options.name);
    else
        es_record_json(out, record, run->options.name);
}

static es_batch *add_line(es_run *run, enum es_form form, const es_record *record)
{
    es_batches *row = &run->waiting[form];
    es_batch *batch = es_batches_last(row, is_needed(record));
    size_t before = batch->text.length;
    write_line(run, form, &batch->text, record);
    row->bytes += batch->text.length - before;
    return batch;
}

static void leave_out(es_run *run, enum es_form form, const es_record *record)
{
    left_out *left = &run->left_out[form];
    if (record->kind != ES_RECORD_HIT)
        return;
    run->dropped++;
    left->first = left->count++ ? left->first : record->hit->time;
    left->last = record->hit->time;
}

static void tell_left_out(es_run *run, enum es_form form, const es_schema *schema)
{
    left_out *left = &run->left_out[form];
    es_lost lost = {left->first, left->last, left->count, ES_LOST_HOST};
    es_record record = {.kind = ES_RECORD_LOST, .schema = schema, .lost = &lost};
    if (!left->count)
        return;
    *left = (left_out){0};
    add_line(run, form, &record);
}

static void add_record(es_run *run, enum es_form form, const es_record *record)
{
    if (!run->wanted[form])
        return;
    if (!is_needed(record) && run->waiting[form].bytes > RUN_QUEUE_BYTES) {
        leave_out(run, form, record);
        return;
    }
    tell_left_out(run, form, record->schema);
    es_batch *batch = add_line(run, form, record);
    if (record->kind != ES_RECORD_HIT)
        return;
    batch->first = batch->hits++ ? batch->first : record->hit->time;
    batch->last = record->hit->time;
}

static void add_names(es_run *run, const es_schema *schema)
{
    size_t before = run->names.length;
    es_wire_names(&run->names, &run->told, schema, run->options.name);
    if (!run->wanted[ES_FORM_RECORD] || run->names.length == before)
        return;
    es_batch *batch = es_batches_last(&run->waiting[ES_FORM_RECORD], true);
    es_text_add(&batch->text, run->names.text + before, run->names.length - before);
    run->waiting[ES_FORM_RECORD].bytes += run->names.length - before;
}

static void take_figures(es_run *run, const es_record *record)
{
    switch (record->kind) {
    case ES_RECORD_BEGIN:
        run->state = RUNNING;
        es_text_clear(&run->complaint);
        run->told = 0;
        es_text_clear(&run->names);
        es_text_clear(&run->clock_line);
        es_text_clear(&run->begin);
        es_record_json(&run->begin, record, run->options.name);
        break;
    case ES_RECORD_HIT:
        run->hits++;
        run->time = record->hit->time;
        break;
    case ES_RECORD_LOST: run->lost += record->lost->count; break;
    case ES_RECORD_PROGRESS:
        run->time = record->progress->time;
        run->seconds = record->progress->wall_seconds;
        if (run->trace)
            es_trace_look(run->trace, &run->stored);
        break;
    case ES_RECORD_SUMMARY:
        run->time = record->summary->cycles ? record->summary->cycles : run->time;
        run->seconds = record->summary->wall_seconds;
        break;
    case ES_RECORD_CLOCK:
        run->clock = *record->clock;
        run->clock.computer = NULL;
        es_text_clear(&run->clock_line);
        es_record_json(&run->clock_line, record, run->options.name);
        break;
    case ES_RECORD_WARNING:
        if (run->complains)
            es_text_add(&run->complaint, record->text.bytes, record->text.size);
        break;
    case ES_RECORD_CONSOLE:
    case ES_RECORD_NOTE: break;
    }
}

/* --- the session's thread -------------------------------------------------------------------------------------- */

static void take(void *context, const es_record *record);

static void tell(es_run *run, const char *text)
{
    es_record record = {.kind = ES_RECORD_WARNING, .text = {text, strlen(text)}};
    take(run, &record);
}

static void on_trouble(void *context, enum es_trace_trouble trouble, const char *text)
{
    (void)trouble;
    tell(context, text);
}

static bool close_trace(es_run *run)
{
    es_error err = {0};
    if (!run->trace)
        return true;
    es_trace_finish(run->trace);
    uv_mutex_lock(&run->mutex);
    es_trace_look(run->trace, &run->stored);
    uv_mutex_unlock(&run->mutex);
    bool good = es_trace_close(run->trace, &err);
    run->trace = NULL;
    if (!good)
        tell(run, err.text);
    return good;
}

/* A trace tells of one session. */
static void begin_trace(es_run *run)
{
    es_error err = {0};
    if (!run->options.directory)
        return;
    close_trace(run);
    uv_mutex_lock(&run->mutex); /* others look at its name */
    es_text_clear(&run->directory);
    es_text_format(&run->directory, "%s", run->options.directory);
    if (run->sessions++)
        es_text_format(&run->directory, "-%u", run->sessions);
    uv_mutex_unlock(&run->mutex);
    es_trace_options options = {.directory = run->directory.text,
                                .probe = run->options.probe,
                                .rotate_bytes = run->options.rotate_bytes,
                                .rotate_ns = run->options.rotate_ns,
                                .keep_bytes = run->options.keep_bytes,
                                .keep_ns = run->options.keep_ns,
                                .tell = on_trouble,
                                .context = run};
    run->trace = es_trace_create(&options, &err);
    if (!run->trace)
        tell(run, err.text);
}

static void take(void *context, const es_record *record)
{
    es_run *run = context;
    if (record->kind == ES_RECORD_BEGIN)
        begin_trace(run);
    if (run->trace) {
        es_sink sink = es_trace_sink(run->trace);
        es_sink_give(&sink, record);
    }
    uv_mutex_lock(&run->mutex);
    take_figures(run, record);
    if (record->schema)
        add_names(run, record->schema);
    for (unsigned form = 0; form < ES_FORMS; form++)
        add_record(run, form, record);
    uv_mutex_unlock(&run->mutex);
    uv_async_send(&run->wake);
}

static bool open_probe(void *context, const es_symbols *symbols, const es_session_console *console,
                       es_session_probe *probe, es_error *err)
{
    es_run *run = context;
    return es_access_open(&run->options.access, symbols, console, probe, err);
}

static bool find_shadows(void *context, const es_symbols *symbols, uint32_t *base, uint32_t *size, es_error *err)
{
    es_run *run = context;
    return es_access_shadows(&run->options.access, symbols, base, size, err);
}

static bool stop_asked(void *context)
{
    es_run *run = context;
    return atomic_load(&run->stopping);
}

static void set_state(es_run *run, enum state state)
{
    uv_mutex_lock(&run->mutex);
    run->state = state;
    uv_mutex_unlock(&run->mutex);
    uv_async_send(&run->wake);
}

/* Messages name the file as the user does. */
static void rename_program(const es_run *run, es_error *err)
{
    es_text_buffer text = {0};
    const char *at = err->text, *found;
    for (; (found = strstr(at, run->options.path)); at = found + strlen(run->options.path)) {
        es_text_add(&text, at, (size_t)(found - at));
        es_text_format(&text, "%s", run->options.program);
    }
    es_text_format(&text, "%s", at);
    es_fail(err, err->code, "%s", text.text);
    es_text_free(&text);
}

/* Waits a while for the probe; false: the run is to end. */
static bool wait_for_probe(es_run *run)
{
    run->complains = !run->complaint.length; /* once, until it was there again */
    if (run->complains)
        tell(run, run->err.text);
    run->complains = false;
    uv_mutex_lock(&run->mutex);
    run->state = WAITING;
    if (!atomic_load(&run->stopping))
        uv_cond_timedwait(&run->changed, &run->mutex, RETRY_NS);
    uv_mutex_unlock(&run->mutex);
    return !atomic_load(&run->stopping);
}

static void work(void *argument)
{
    es_run *run = argument;
    es_sink sink = {take, run};
    do {
        es_text_free(&run->result.wrong);
        run->good = es_session_run(&run->options.session, &sink, &run->result, &run->err);
        es_access_close(&run->options.access);
        if (!run->good)
            rename_program(run, &run->err);
        run->options.session.checked = true;
    } while (!run->good && run->err.code == ES_PROBE && run->options.returns && wait_for_probe(run));
    close_trace(run);
    set_state(run, ENDED);
}

/* --- the loop's thread ----------------------------------------------------------------------------------------- */

static void deliver(es_run *run, es_batches rows[ES_FORMS])
{
    for (unsigned form = 0; form < ES_FORMS; form++)
        for (es_batch *batch; (batch = es_batches_take(&rows[form]));) {
            run->events.lines(run->events.context, run, form, batch);
            es_batch_drop(batch);
        }
}

/* With the mutex held: what waits is the caller's. */
static void take_waiting(es_run *run, es_batches rows[ES_FORMS])
{
    memcpy(rows, run->waiting, sizeof run->waiting);
    memset(run->waiting, 0, sizeof run->waiting);
}

static void on_wake(uv_async_t *wake)
{
    es_run *run = wake->data;
    es_batches rows[ES_FORMS];
    uv_mutex_lock(&run->mutex);
    take_waiting(run, rows);
    bool ended = run->state == ENDED;
    uv_mutex_unlock(&run->mutex);
    deliver(run, rows);
    if (!ended || run->over)
        return;
    uv_thread_join(&run->thread);
    run->over = true;
    run->ended_at = time(NULL);
    run->events.ended(run->events.context, run);
}

static void release(uv_handle_t *wake)
{
    es_run *run = wake->data;
    for (unsigned form = 0; form < ES_FORMS; form++)
        es_batches_free(&run->waiting[form]);
    uv_mutex_destroy(&run->mutex);
    uv_cond_destroy(&run->changed);
    es_text_free(&run->begin);
    es_text_free(&run->clock_line);
    es_text_free(&run->names);
    es_text_free(&run->complaint);
    es_text_free(&run->directory);
    es_text_free(&run->result.wrong);
    es_run_options_free(&run->options);
    free(run);
}

es_run *es_run_start(uv_loop_t *loop, unsigned number, const es_run_options *options, const es_run_events *events,
                     es_error *err)
{
    es_run *run = es_malloc(sizeof *run);
    memset(run, 0, sizeof *run);
    run->options = *options;
    run->events = *events;
    run->number = number;
    run->options.access.program = run->options.path;
    run->options.session.program = run->options.path;
    run->options.session.program_name = run->options.program;
    run->options.session.texts = run->options.texts;
    run->options.session.text_count = run->options.text_count;
    run->options.session.probe_name = run->options.probe;
    run->options.session.open = open_probe;
    run->options.session.shadows = find_shadows;
    run->options.session.stop = stop_asked;
    run->options.session.context = run;
    run->wake.data = run;
    uv_mutex_init(&run->mutex);
    uv_cond_init(&run->changed);
    uv_async_init(loop, &run->wake, on_wake);
    if (uv_thread_create(&run->thread, work, run) == 0)
        return run;
    es_fail(err, ES_OUTPUT, "no thread can be made for another run");
    uv_close((uv_handle_t *)&run->wake, release);
    return NULL;
}

unsigned es_run_number(const es_run *run)
{
    return run->number;
}

const char *es_run_name(const es_run *run)
{
    return run->options.name;
}

const char *es_run_probe(const es_run *run)
{
    return run->options.probe;
}

es_batch *es_run_join(es_run *run, enum es_form form)
{
    es_batches rows[ES_FORMS];
    es_batch *first = es_batch_new(true);
    uv_mutex_lock(&run->mutex);
    take_waiting(run, rows);
    run->wanted[form]++;
    es_text_add(&first->text, run->begin.text ? run->begin.text : "", run->begin.length);
    if (form == ES_FORM_RECORD && run->names.length)
        es_text_add(&first->text, run->names.text, run->names.length);
    if (run->clock_line.length)
        es_text_add(&first->text, run->clock_line.text, run->clock_line.length);
    if (run->complaint.length) {
        es_record record = {.kind = ES_RECORD_WARNING, .text = {run->complaint.text, run->complaint.length}};
        write_line(run, form, &first->text, &record);
    }
    uv_mutex_unlock(&run->mutex);
    deliver(run, rows);
    return first;
}

void es_run_leave(es_run *run, enum es_form form)
{
    uv_mutex_lock(&run->mutex);
    run->wanted[form]--;
    uv_mutex_unlock(&run->mutex);
}

void es_run_stop(es_run *run)
{
    uv_mutex_lock(&run->mutex);
    atomic_store(&run->stopping, true);
    uv_cond_broadcast(&run->changed);
    uv_mutex_unlock(&run->mutex);
}

bool es_run_is_over(const es_run *run)
{
    return run->over;
}

enum es_code es_run_end(const es_run *run, const char **text)
{
    *text = run->good ? NULL : run->err.text;
    if (!run->good)
        return run->err.code;
    return run->result.trapped || run->result.failed || run->result.unknown ? ES_EXPECTATION : ES_OK;
}

const char *es_run_wrong(const es_run *run)
{
    return run->result.wrong.length ? run->result.wrong.text : NULL;
}

static void json_text(es_json *json, const char *key, const char *text)
{
    es_json_key(json, key);
    es_json_string(json, text);
}

static void json_number(es_json *json, const char *key, uint64_t number)
{
    es_json_key(json, key);
    es_json_uint(json, number);
}

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
    json_number(json, "restarts", clock->restarts);
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
    json_text(json, "ended_at", stamp);
    json_text(json, "code", es_code_name(code));
    json_text(json, "text", text);
}

static void json_trace(es_run *run, es_json *json)
{
    json_text(json, "trace", run->directory.length ? run->directory.text : run->options.directory);
    json_number(json, "stored", run->stored.records);
    json_number(json, "stored_bytes", run->stored.bytes);
    json_number(json, "not_stored", run->stored.lost);
}

void es_run_json(es_run *run, es_json *json)
{
    static const char *const states[] = {"starting", "running", "waiting", "ended"};
    es_batches rows[ES_FORMS];
    uv_mutex_lock(&run->mutex);
    take_waiting(run, rows);
    const char *state = states[run->state];
    uv_mutex_unlock(&run->mutex);
    deliver(run, rows); /* what led to the state comes before it */
    es_json_begin(json, '{');
    json_number(json, "run", run->number);
    json_text(json, "name", run->options.name);
    json_text(json, "probe", run->options.probe);
    json_text(json, "program", run->options.program);
    uv_mutex_lock(&run->mutex);
    json_text(json, "state", run->over ? outcome(run) : state);
    if (run->over)
        json_end(run, json);
    json_number(json, "hits", run->hits);
    json_number(json, "lost", run->lost);
    json_number(json, "left_out", run->dropped);
    json_number(json, "cycle", run->time);
    es_json_key(json, "seconds");
    es_json_double(json, run->seconds);
    json_clock(run, json);
    json_number(json, "clients", run->wanted[ES_FORM_REPORT] + run->wanted[ES_FORM_RECORD]);
    if (run->directory.length || (run->options.directory && !run->over))
        json_trace(run, json);
    uv_mutex_unlock(&run->mutex);
    es_json_end(json, '}');
}

bool es_run_began(const es_run *run)
{
    return run->begin.length > 0;
}

const char *es_run_trace(const es_run *run)
{
    if (!run->over) /* what the session's thread has made of it is its own */
        return run->options.directory;
    return run->directory.length ? run->directory.text : NULL;
}

void es_run_free(es_run *run)
{
    uv_close((uv_handle_t *)&run->wake, release);
}
