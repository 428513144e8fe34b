#include "cli/commands/watch_several.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/signals.h"
#include "client/client.h"
#include "report/together.h"

typedef struct watching {
    es_together *together;
    const es_run_options *options;
    int code; /* of the first run that failed by itself; else ES_OK */
} watching;

static bool stop_asked(void *context)
{
    const watching *w = context;
    int error;
    return es_cli_stop_asked() || es_together_closed(w->together, &error);
}

static void add(void *context, const char *name)
{
    const watching *w = context;
    es_together_add(w->together, name);
}

static void take(void *context, size_t run, const es_record *record, const es_axis_time *at, bool late)
{
    const watching *w = context;
    es_together_take(w->together, run, record, at, late);
}

static void ended(void *context, size_t run, const es_error *err, const char *wrong)
{
    watching *w = context;
    es_together_finish(w->together, run);
    if (wrong) {
        fflush(stdout);
        fputs(wrong, stderr);
    }
    if (!err)
        return;
    es_together_tell(w->together, run, err->text);
    w->code = w->code ? w->code : (int)err->code;
}

static int exit_code(const watching *w, const es_session_result *result)
{
    int error;
    es_error err = {0};
    if (es_together_closed(w->together, &error) && error != EPIPE) {
        es_fail(&err, ES_OUTPUT, "results cannot be written: %s", strerror(error));
        return es_cli_fail(&err);
    }
    return w->code ? w->code : es_run_result_code(result, w->options);
}

int es_watch_several(const es_run_options *options)
{
    es_report_config config = es_run_report(options);
    watching w = {.together = es_together_new(&config, true), .options = options};
    es_several several = {.names = options->runs,
                          .count = options->all_runs ? 0 : options->run_count,
                          .context = &w,
                          .stop = stop_asked,
                          .add = add,
                          .take = take,
                          .ended = ended};
    es_session_result result = {0};
    es_error err = {0};
    char *found = options->socket ? NULL : es_daemon_socket();
    several.socket = options->socket ? options->socket : found;
    es_cli_catch_signals();
    bool good = several.socket ||
                es_fail(&err, ES_PROBE, "no daemon runs: start earshotd, or name its socket with --daemon=PATH");
    good = good && es_several_run(&several, &result, &err);
    int code = good ? exit_code(&w, &result) : es_cli_fail(&err);
    es_together_free(w.together);
    free(found);
    return code;
}
