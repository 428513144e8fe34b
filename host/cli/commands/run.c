#include "cli/commands/run.h"

#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands/anywhere.h"
#include "cli/commands/lcov.h"
#include "cli/signals.h"
#include "report/report.h"
#include "terminal/live.h"
#include "terminal/screen.h"

/* What the session's callbacks look at. */
typedef struct run {
    es_access *access;
    es_report *report;
    es_live *live; /* whose the report is, on a terminal; NULL: elsewhere */
} run;

static bool open_probe(void *context, const es_symbols *symbols, const es_session_console *console,
                       es_session_probe *probe, es_error *err)
{
    const run *r = context;
    return es_access_open(r->access, symbols, console, probe, err);
}

static bool find_shadows(void *context, const es_symbols *symbols, uint32_t *base, uint32_t *size, es_error *err)
{
    const run *r = context;
    return es_access_shadows(r->access, symbols, base, size, err);
}

static bool stop_asked(void *context)
{
    const run *r = context;
    int error;
    return es_cli_stop_asked() || es_report_closed(r->report, &error) || (r->live && !es_live_poll(r->live));
}

static void on_over(void *context)
{
    const run *r = context;
    if (r->live)
        es_live_finish(r->live);
    else
        es_report_finish(r->report);
}

bool es_run_shows_color(const es_run_options *options)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !options->no_color && isatty(STDOUT_FILENO) && !(no_color && *no_color) && terminal &&
           strcmp(terminal, "dumb") != 0;
}

es_report_config es_run_report(const es_run_options *options)
{
    return (es_report_config){.json = options->json,
                              .quiet = options->quiet,
                              .statistics = options->statistics,
                              .part = options->joined,
                              .from = ES_NO_TIME,
                              .to = ES_NO_TIME,
                              .every_ns = options->every_ns,
                              .stopped = es_cli_stop_asked,
                              .color = es_run_shows_color(options),
                              .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0};
}

int es_run_result_code(const es_session_result *result, const es_run_options *options)
{
    if (options->fail_on_loss && (result->lost || !result->complete)) /* without closing figures nobody knows */
        return ES_LOST;
    if (result->trapped)
        return ES_EXPECTATION; /* no check may pass on a program that crashed */
    return result->failed || (result->unknown && !options->allow_unknown) ? ES_EXPECTATION : ES_OK;
}

int es_run_exit_code(const es_session_result *result, const es_run_options *options, const es_report *report,
                     bool simulated)
{
    int error;
    if (es_report_closed(report, &error) && error != EPIPE) {
        es_error err;
        es_fail(&err, ES_OUTPUT, "results cannot be written: %s", es_report_closed_why(error));
        return es_cli_fail(&err);
    }
    int code = es_run_result_code(result, options);
    if (code)
        return code;
    if (options->pass_exit_code && simulated)
        return result->exited ? result->exit_code & 0xFF : ES_EXPECTATION;
    return ES_OK;
}

/* Of a recording: hits go into the trace alone. */
static void take_but_hits(void *context, const es_record *record)
{
    es_sink report = es_report_sink(context);
    if (record->kind != ES_RECORD_HIT)
        es_sink_give(&report, record);
}

int es_run(const es_session_options *given, es_access *access, const es_run_options *options)
{
    es_report_config config = es_run_report(options);
    run r = {.access = access};
    es_cli_catch_signals();
    if (!config.json && es_live_possible()) {
        r.live = es_live_new(&config, !options->records);
        es_cli_before_exit(es_screen_restore);
    }
    r.report = r.live ? es_live_report(r.live) : es_report_new(&config);
    es_session_options session = *given;
    session.probe_name = access->choice.name;
    session.open = open_probe;
    session.shadows = find_shadows;
    session.stop = stop_asked;
    session.over = on_over;
    session.context = &r;
    es_sink sink = r.live             ? es_live_sink(r.live)
                   : options->records ? (es_sink){take_but_hits, r.report}
                                      : es_report_sink(r.report);
    es_session_result result = {0};
    es_error err = {0}, late = {0};
    es_lcov lcov;
    bool good = es_lcov_begin(&lcov, options->lcov, &err);
    sink = es_lcov_sink(&lcov, &sink);
    good = good && es_run_anywhere(&session, access, options, r.report, &sink, &result, &err);
    if (!es_lcov_end(&lcov, &late) && good) {
        good = false;
        err = late;
    }
    es_screen_close(); /* before anything else is written */
    if (result.wrong.length) {
        fflush(stdout);
        fwrite(result.wrong.text, 1, result.wrong.length, stderr);
    }
    int code =
        good ? es_run_exit_code(&result, options, r.report, access->choice.probe == ES_PROBE_SIM) : es_cli_fail(&err);
    es_text_free(&result.wrong);
    if (r.live)
        es_live_free(r.live);
    else
        es_report_free(r.report);
    es_access_close(access);
    return code;
}
