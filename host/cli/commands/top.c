/* earshot top: a session as a full screen of figures, or as lines of JSON from time to time. The session runs in a
 * thread of its own, so that drawing never delays it. */
#include <langinfo.h>
#include <ncurses.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands/anywhere.h"
#include "cli/commands/options.h"
#include "cli/signals.h"
#include "report/report.h"
#include "terminal/top.h"

#define STEP_MS 100           /* between drawings */
#define SNAPSHOT_STEPS 10     /* between lines of JSON, in steps */
#define NOTES_MAX (64u << 10) /* bytes of notes that are kept until the screen is gone */

static const es_option_set options = {
    "earshot top",
    "usage: earshot top PROGRAM.elf [-e STATEMENT]... [-s FILE.watch]... [OPTION]...\n\n"
    "Runs the program on the simulated target, or listens to a real one, and shows of each statement how often it is\n"
    "true, its last values, and its worst times, on the whole screen.\n",
    "\nKeys: ? shows them. Everything else: man earshot-top.\n",
    ES_OF_TOP,
    {es_common_option_table},
};

typedef struct top_run {
    es_common_options *o;
    es_report *report;
    es_model *model;
    atomic_bool stop; /* the user wants it to end */
    pthread_mutex_t lock;
    pthread_cond_t shown;
    bool screen_gone;     /* under the lock: the report's lines can be written */
    es_text_buffer notes; /* until then; only the session's thread touches it while it runs */
    size_t left_out;      /* bytes of notes beyond */
    es_session_result result;
    es_error err;
    bool good;
} top_run;

/* --- the session's thread -------------------------------------------------------------------------------------- */

static void wait_for_screen(top_run *t)
{
    pthread_mutex_lock(&t->lock);
    while (!t->screen_gone)
        pthread_cond_wait(&t->shown, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

static void write_notes(top_run *t)
{
    if (t->notes.length)
        fwrite(t->notes.text, 1, t->notes.length, stderr);
    if (t->left_out)
        fprintf(stderr, "earshot: %zu bytes of further notes are left out\n", t->left_out);
    es_text_free(&t->notes);
    t->left_out = 0;
}

/* Notes wait until the screen is gone; what comes to stdout before the summary is on the screen. */
static bool write_out(void *context, bool result, const char *bytes, size_t size)
{
    top_run *t = context;
    pthread_mutex_lock(&t->lock);
    bool gone = t->screen_gone;
    pthread_mutex_unlock(&t->lock);
    if (gone) {
        write_notes(t);
        FILE *out = result ? stdout : stderr;
        return fwrite(bytes, 1, size, out) == size && fflush(out) == 0;
    }
    if (!result && t->notes.length + size <= NOTES_MAX)
        es_text_add(&t->notes, bytes, size);
    else if (!result)
        t->left_out += size;
    return true;
}

static bool hides(void *context, const es_schema *schema, const es_hit *hit)
{
    (void)context, (void)schema, (void)hit;
    return true;
}

static void take(void *context, const es_record *record)
{
    top_run *t = context;
    es_sink report = es_report_sink(t->report);
    es_model_take(t->model, record);
    if (record->kind == ES_RECORD_SUMMARY) {
        es_model_end(t->model);
        wait_for_screen(t);
    }
    es_sink_give(&report, record);
}

static bool open_probe(void *context, const es_symbols *symbols, const es_session_console *console,
                       es_session_probe *probe, es_error *err)
{
    top_run *t = context;
    return es_access_open(&t->o->access, symbols, console, probe, err);
}

static bool stop_asked(void *context)
{
    top_run *t = context;
    int error;
    return atomic_load(&t->stop) || es_cli_stop_asked() || es_report_closed(t->report, &error);
}

static void *run_session(void *context)
{
    top_run *t = context;
    es_session_options session = t->o->session;
    es_sink sink = {take, t};
    session.probe_name = t->o->access.choice.name;
    session.open = open_probe;
    session.stop = stop_asked;
    session.context = t;
    t->good = es_run_anywhere(&session, &t->o->access, &t->o->run, &sink, &t->result, &t->err);
    es_model_end(t->model);
    return NULL;
}

/* --- the thread that shows ------------------------------------------------------------------------------------- */

static void leave_screen(void)
{
    endwin();
}

static void show_screen(top_run *t, es_top *top)
{
    es_top_view view = {0};
    bool goes_on = true;
    es_cli_before_exit(leave_screen);
    while (goes_on && !view.over && !es_cli_stop_asked()) {
        goes_on = es_top_step(top, t->model, STEP_MS);
        es_model_look(t->model, &view);
    }
    es_top_view_free(&view);
    es_top_free(top);
    es_cli_before_exit(NULL);
}

static void print_snapshots(top_run *t)
{
    es_top_view view = {0};
    es_text_buffer line = {0};
    for (unsigned step = 1; !view.over && !es_cli_stop_asked() && !atomic_load(&t->stop); step++) {
        usleep(STEP_MS * 1000);
        es_model_look(t->model, &view);
        if (step % SNAPSHOT_STEPS || !view.schema || view.over)
            continue;
        es_text_clear(&line);
        es_top_json(&line, &view);
        if (fwrite(line.text, 1, line.length, stdout) != line.length || fflush(stdout) != 0)
            atomic_store(&t->stop, true);
    }
    es_text_free(&line);
    es_top_view_free(&view);
}

static int finish(top_run *t)
{
    int code = ES_OK;
    write_notes(t);
    if (t->result.wrong.length)
        fwrite(t->result.wrong.text, 1, t->result.wrong.length, stderr);
    if (t->good)
        code = es_run_exit_code(&t->result, &t->o->run, t->report, t->o->access.choice.probe == ES_PROBE_SIM);
    else
        code = es_cli_fail(&t->err);
    es_text_free(&t->result.wrong);
    return code;
}

static int run(es_common_options *o)
{
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0, json = o->run.json;
    top_run t = {.o = o, .screen_gone = json};
    es_error err;
    if (!json && (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))) {
        es_fail(&err, ES_USAGE, "earshot top needs a terminal: elsewhere take --json, or earshot watch");
        return es_cli_fail(&err);
    }
    es_cli_catch_signals();
    es_top *top = json ? NULL : es_top_new(o->session.program, es_run_shows_color(&o->run), utf8);
    if (!json && !top) {
        es_fail(&err, ES_USAGE, "this terminal has no full screen (TERM=%s): take --json, or earshot watch",
                getenv("TERM") ? getenv("TERM") : "");
        return es_cli_fail(&err);
    }
    es_report_config config = {.json = json,
                               .color = es_run_shows_color(&o->run),
                               .utf8 = utf8,
                               .every_ns = o->run.every_ns,
                               .out = {write_out, hides, &t}};
    t.report = es_report_new(&config);
    t.model = es_model_new(utf8);
    pthread_mutex_init(&t.lock, NULL);
    pthread_cond_init(&t.shown, NULL);
    pthread_t session;
    pthread_create(&session, NULL, run_session, &t);
    if (json)
        print_snapshots(&t);
    else
        show_screen(&t, top);
    atomic_store(&t.stop, true);
    pthread_mutex_lock(&t.lock);
    t.screen_gone = true;
    pthread_cond_broadcast(&t.shown);
    pthread_mutex_unlock(&t.lock);
    pthread_join(session, NULL);
    int code = finish(&t);
    es_report_free(t.report);
    es_model_free(t.model);
    es_access_close(&o->access);
    return code;
}

static int top(int argc, char **argv)
{
    es_common_options o = {0};
    es_error err = {0};
    int rest, code = ES_OK;
    es_common_options_begin(&o);
    enum es_options_read read = es_options_read(&options, argc, argv, &o, &rest, &err);
    bool good = read == ES_OPTIONS_READ;
    if (good && argc - rest > 1)
        good = es_fail(&err, ES_USAGE, "one program at a time: unexpected argument '%s'", argv[rest + 1]);
    good = good && es_common_options_finish(&o, options.command, argc > rest ? argv[rest] : NULL, &err);
    if (read == ES_OPTIONS_HELP)
        es_options_help(&options, stdout);
    else
        code = good ? run(&o) : es_cli_fail(&err);
    es_common_options_free(&o);
    return code;
}

const es_command es_command_top = {
    .name = "top",
    .summary = "shows on the whole screen how often statements are true, and their last values",
    .run = top,
};
