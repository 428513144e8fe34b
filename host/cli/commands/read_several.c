#include "cli/commands/read_several.h"

#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/run.h"
#include "cli/commands/trace_part.h"
#include "cli/signals.h"
#include "report/together.h"
#include "store/merge.h"

static void take(void *context, size_t trace, const es_record *record, const es_axis_time *at)
{
    if (record->kind != ES_RECORD_PROGRESS)
        es_together_take(context, trace, record, at, false);
}

static bool stop_asked(void *context)
{
    int error;
    return es_cli_stop_asked() || es_together_closed(context, &error);
}

/* Probes by their names, where these tell them apart; else by the traces'. */
static void name_all(es_together *together, es_trace_reader **readers, char **directories, size_t count)
{
    const char *names[ES_MERGE_MAX];
    bool distinct = true;
    for (size_t i = 0; i < count; i++) {
        names[i] = es_trace_about_of(readers[i])->probe;
        for (size_t k = 0; k <= i && distinct; k++)
            distinct = names[i] && (k == i || strcmp(names[i], names[k]) != 0);
    }
    for (size_t i = 0; i < count; i++)
        es_together_add(together, distinct ? names[i] : directories[i]);
}

static bool show(es_together *together, bool quiet, es_trace_reader **readers, char **directories, size_t count,
                 es_error *err)
{
    es_merge merge = {.traces = readers,
                      .directories = (const char *const *)directories,
                      .count = count,
                      .take = take,
                      .stop = stop_asked,
                      .context = together};
    int error;
    name_all(together, readers, directories, count);
    bool good = es_traces_merge(&merge, err);
    for (size_t i = 0; i < count && good && !quiet; i++)
        es_trace_part_tell(readers[i], directories[i]);
    bool closed = es_together_closed(together, &error);
    if (!closed && fflush(stdout) != 0) {
        closed = true;
        error = errno;
    }
    if (closed && error != EPIPE)
        good = es_fail(err, ES_OUTPUT, "results cannot be written: %s", strerror(error));
    return good;
}

int es_read_several(char **directories, size_t count, es_report_config *config, bool no_color)
{
    es_trace_reader *readers[ES_MERGE_MAX] = {0};
    es_error err = {0};
    bool good =
        count <= ES_MERGE_MAX || es_fail(&err, ES_USAGE, "at most %u traces can be read together", ES_MERGE_MAX);
    config->color = es_run_shows_color(&(es_run_options){.no_color = no_color});
    config->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    es_cli_catch_signals();
    for (size_t i = 0; i < count && good; i++)
        good = (readers[i] = es_trace_open(directories[i], &err)) != NULL;
    es_together *together = es_together_new(config, false);
    good = good && show(together, config->quiet, readers, directories, count, &err);
    es_together_free(together);
    for (size_t i = 0; i < count && i < ES_MERGE_MAX; i++)
        es_trace_reader_free(readers[i]);
    return good ? ES_OK : es_cli_fail(&err);
}
