#include "daemon/run_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "record/json.h"

#define RETRY_NS UINT64_C(500000000)

/* With the mutex held. */
static void take_figures(es_run *run, const es_record *record)
{
    switch (record->kind) {
    case ES_RECORD_BEGIN:
        run->state = ES_RUN_RUNNING;
        es_text_clear(&run->complaint);
        es_lines_forget_names(&run->lines);
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
    case ES_RECORD_INFERRED:
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

static void close_trace(es_run *run)
{
    es_error err = {0};
    if (!run->trace)
        return;
    es_trace_finish(run->trace);
    uv_mutex_lock(&run->mutex);
    es_trace_look(run->trace, &run->stored);
    uv_mutex_unlock(&run->mutex);
    if (!es_trace_close(run->trace, &err))
        run->trace_err = err;
    run->trace = NULL;
}

/* A trace tells of one session. */
static void begin_trace(es_run *run)
{
    es_error err = {0};
    if (!run->options.directory)
        return;
    close_trace(run);
    if (run->trace_err.code)
        tell(run, run->trace_err.text);
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
    if (!run->trace) {
        tell(run, err.text);
        run->trace_err = err;
    }
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
    run->stored.lost += run->options.directory && !run->trace && run->trace_err.code; /* none could be made */
    es_lines_add(&run->lines, record);
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

static void set_state(es_run *run, enum es_run_state state)
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
    run->state = ES_RUN_WAITING;
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
    set_state(run, ES_RUN_ENDED);
}

/* --- the loop's thread ----------------------------------------------------------------------------------------- */

void es_run_deliver(es_run *run, es_batches rows[ES_FORMS])
{
    for (unsigned form = 0; form < ES_FORMS; form++)
        for (es_batch *batch; (batch = es_batches_take(&rows[form]));) {
            run->events.lines(run->events.context, run, form, batch);
            es_batch_drop(batch);
        }
}

static void on_wake(uv_async_t *wake)
{
    es_run *run = wake->data;
    es_batches rows[ES_FORMS];
    uv_mutex_lock(&run->mutex);
    es_lines_take(&run->lines, rows);
    bool ended = run->state == ES_RUN_ENDED;
    uv_mutex_unlock(&run->mutex);
    es_run_deliver(run, rows);
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
    es_lines_free(&run->lines);
    uv_mutex_destroy(&run->mutex);
    uv_cond_destroy(&run->changed);
    es_text_free(&run->begin);
    es_text_free(&run->clock_line);
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
    run->lines.run = run->options.name;
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
    es_lines_take(&run->lines, rows);
    run->lines.wanted[form]++;
    es_text_add(&first->text, run->begin.text ? run->begin.text : "", run->begin.length);
    if (form == ES_FORM_RECORD && run->lines.names.length)
        es_text_add(&first->text, run->lines.names.text, run->lines.names.length);
    if (run->clock_line.length)
        es_text_add(&first->text, run->clock_line.text, run->clock_line.length);
    if (run->complaint.length) {
        es_record record = {.kind = ES_RECORD_WARNING, .text = {run->complaint.text, run->complaint.length}};
        es_lines_write(&run->lines, form, &first->text, &record);
    }
    uv_mutex_unlock(&run->mutex);
    es_run_deliver(run, rows);
    return first;
}

void es_run_leave(es_run *run, enum es_form form)
{
    uv_mutex_lock(&run->mutex);
    run->lines.wanted[form]--;
    uv_mutex_unlock(&run->mutex);
}

void es_run_stop(es_run *run)
{
    uv_mutex_lock(&run->mutex);
    atomic_store(&run->stopping, true);
    uv_cond_broadcast(&run->changed);
    uv_mutex_unlock(&run->mutex);
}

enum es_code es_run_end(const es_run *run, const char **text)
{
    const es_error *err = !run->good ? &run->err : &run->trace_err;
    bool failed = run->good && (run->result.trapped || run->result.failed || run->result.unknown);
    *text = err->code ? err->text : NULL;
    return failed && !err->code ? ES_EXPECTATION : err->code;
}

const char *es_run_wrong(const es_run *run)
{
    return run->result.wrong.length ? run->result.wrong.text : NULL;
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
