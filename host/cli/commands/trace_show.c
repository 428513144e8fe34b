#include "cli/commands/trace_show.h"

#include <errno.h>
#include <langinfo.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/run.h"
#include "cli/signals.h"

/* Progress was not printed live: it is for who looks on. */
static void show_record(void *context, const es_record *record)
{
    const es_sink sink = es_report_sink(context);
    if (record->kind != ES_RECORD_PROGRESS)
        es_sink_give(&sink, record);
}

static bool stop_asked(void *context)
{
    int error;
    return es_cli_stop_asked() || es_report_closed(context, &error);
}

/* From when to when statistics are, if not of the whole run. */
static void find_stretch(es_report_config *config, const es_trace_filter *filter, const es_trace_reader *reader)
{
    const es_trace_about *about = es_trace_about_of(reader);
    uint64_t begin = about->first_chunk > 1 ? about->begin : 0;
    config->from = filter->from > begin ? filter->from : begin;
    config->to = filter->to < about->end ? filter->to : about->end;
    config->part = begin || !about->finished || filter->from || filter->to != ES_NO_TIME || filter->statements ||
                   filter->task_count;
}

int es_trace_show(const char *directory, es_trace_part *part, es_report_config *config, bool no_color)
{
    es_error err = {0};
    es_trace_filter filter;
    es_trace_reader *reader = es_trace_open(directory, &err);
    if (!reader)
        return es_cli_fail(&err);
    config->color = es_run_shows_color(&(es_run_options){.no_color = no_color});
    config->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    config->stopped = es_cli_stop_asked;
    es_cli_catch_signals();
    bool good = es_trace_part_filter(part, reader, &filter, &err);
    if (good)
        find_stretch(config, &filter, reader);
    es_report *report = es_report_new(config);
    es_sink sink = {show_record, report};
    filter.stop = stop_asked;
    filter.context = report;
    good = good && es_trace_read(reader, &filter, &sink, &err);
    if (config->statistics)
        es_report_finish(report);
    if (good && !config->quiet)
        es_trace_part_tell(reader, directory);
    int error;
    if (es_report_closed(report, &error) && error != EPIPE)
        good = es_fail(&err, ES_OUTPUT, "results cannot be written: %s", es_report_closed_why(error));
    es_report_free(report);
    es_trace_reader_free(reader);
    return good ? ES_OK : es_cli_fail(&err);
}
