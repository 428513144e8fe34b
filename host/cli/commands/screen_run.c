#include "cli/commands/screen_run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands/anywhere.h"
#include "cli/signals.h"

#define STEP_MS 100           /* between drawings */
#define NOTES_MAX (64u << 10) /* bytes of notes that are kept until the screen is gone */

typedef struct screen_run {
    es_common_options *o;
    const es_screen_view *view;
    es_report *report;
    pthread_mutex_t taking; /* whoever uses the report */
    atomic_bool stop;       /* the user wants it to end */
    pthread_mutex_t lock;
    pthread_cond_t shown;
    bool screen_gone;     /* under the lock: the report's lines can be written */
    es_text_buffer notes; /* until then; only the session's thread touches it while it runs */
    size_t left_out;      /* bytes of notes beyond */
    es_session_result result;
    es_error err;
    bool good;
} screen_run;

/* --- the session's thread -------------------------------------------------------------------------------------- */

static void wait_for_screen(screen_run *r)
{
    pthread_mutex_lock(&r->lock);
    while (!r->screen_gone)
        pthread_cond_wait(&r->shown, &r->lock);
    pthread_mutex_unlock(&r->lock);
}

static void write_notes(screen_run *r)
{
    if (r->notes.length)
        fwrite(r->notes.text, 1, r->notes.length, stderr);
    if (r->left_out)
        fprintf(stderr, "earshot: %zu bytes of further notes are left out\n", r->left_out);
    es_text_free(&r->notes);
    r->left_out = 0;
}

/* Notes wait until the screen is gone; what comes to stdout before the summary is on the screen. */
static bool write_out(void *context, bool result, const char *bytes, size_t size)
{
    screen_run *r = context;
    pthread_mutex_lock(&r->lock);
    bool gone = r->screen_gone;
    pthread_mutex_unlock(&r->lock);
    if (gone) {
        write_notes(r);
        FILE *out = result ? stdout : stderr;
        return fwrite(bytes, 1, size, out) == size && fflush(out) == 0;
    }
    if (!result && r->notes.length + size <= NOTES_MAX)
        es_text_add(&r->notes, bytes, size);
    else if (!result)
        r->left_out += size;
    return true;
}

static bool hides(void *context, const es_schema *schema, const es_hit *hit)
{
    (void)context, (void)schema, (void)hit;
    return true;
}

/* From here on the schema may go. */
static void end(screen_run *r)
{
    r->view->end(r->view->context);
    wait_for_screen(r);
}

static void take(void *context, const es_record *record)
{
    screen_run *r = context;
    es_sink report = es_report_sink(r->report);
    r->view->take(r->view->context, record);
    if (record->kind == ES_RECORD_SUMMARY)
        end(r);
    if (record->kind == ES_RECORD_INFERRED) /* of hits that are not shown */
        return;
    pthread_mutex_lock(&r->taking);
    es_sink_give(&report, record);
    pthread_mutex_unlock(&r->taking);
}

static void on_over(void *context)
{
    screen_run *r = context;
    end(r);
    es_report_finish(r->report);
}

static bool open_probe(void *context, const es_symbols *symbols, const es_session_console *console,
                       es_session_probe *probe, es_error *err)
{
    screen_run *r = context;
    return es_access_open(&r->o->access, symbols, console, probe, err);
}

static bool find_shadows(void *context, const es_symbols *symbols, uint32_t *base, uint32_t *size, es_error *err)
{
    screen_run *r = context;
    return es_access_shadows(&r->o->access, symbols, base, size, err);
}

static bool stop_asked(void *context)
{
    screen_run *r = context;
    int error;
    return atomic_load(&r->stop) || es_cli_stop_asked() || es_report_closed(r->report, &error);
}

static void *run_session(void *context)
{
    screen_run *r = context;
    es_session_options session = r->o->session;
    es_sink sink = {take, r};
    session.probe_name = r->o->access.choice.name;
    session.open = open_probe;
    session.shadows = find_shadows;
    session.stop = stop_asked;
    session.over = on_over;
    session.context = r;
    r->good = es_run_anywhere(&session, &r->o->access, &r->o->run, NULL, &sink, &r->result, &r->err);
    r->view->end(r->view->context);
    return NULL;
}

/* --- the thread that shows ------------------------------------------------------------------------------------- */

static void show(screen_run *r)
{
    const es_screen_view *view = r->view;
    bool goes_on = true;
    if (view->close)
        es_cli_before_exit(view->close);
    while (goes_on && !es_cli_stop_asked()) {
        if (view->look) {
            pthread_mutex_lock(&r->taking);
            view->look(view->context, r->report);
            pthread_mutex_unlock(&r->taking);
        }
        goes_on = view->step(view->context, STEP_MS);
    }
    if (view->close) {
        view->close();
        es_cli_before_exit(NULL);
    }
}

static int finish(screen_run *r)
{
    int code = ES_OK;
    write_notes(r);
    if (r->result.wrong.length)
        fwrite(r->result.wrong.text, 1, r->result.wrong.length, stderr);
    if (r->good)
        code = es_run_exit_code(&r->result, &r->o->run, r->report, r->o->access.choice.probe == ES_PROBE_SIM);
    else
        code = es_cli_fail(&r->err);
    es_text_free(&r->result.wrong);
    return code;
}

int es_screen_run(es_common_options *o, const es_report_config *config, const es_screen_view *view, bool lines)
{
    screen_run r = {.o = o, .view = view, .screen_gone = lines};
    es_report_config own = *config;
    own.out = (es_report_out){write_out, hides, &r};
    r.report = es_report_new(&own);
    es_cli_catch_signals();
    pthread_mutex_init(&r.taking, NULL);
    pthread_mutex_init(&r.lock, NULL);
    pthread_cond_init(&r.shown, NULL);
    pthread_t session;
    pthread_create(&session, NULL, run_session, &r);
    show(&r);
    atomic_store(&r.stop, true);
    pthread_mutex_lock(&r.lock);
    r.screen_gone = true;
    pthread_cond_broadcast(&r.shown);
    pthread_mutex_unlock(&r.lock);
    pthread_join(session, NULL);
    int code = finish(&r);
    es_report_free(r.report);
    es_access_close(&o->access);
    return code;
}

bool es_screen_run_possible(void)
{
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}
