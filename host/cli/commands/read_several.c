#include "cli/commands/read_several.h"

#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/times.h"
#include "cli/cli.h"
#include "cli/commands/run.h"
#include "cli/commands/trace_part.h"
#include "cli/signals.h"
#include "store/merge.h"

#define NS 1000000000

typedef struct several {
    const es_report_config *config;
    es_report *reports[ES_MERGE_MAX]; /* one for each trace: each has statements of its own */
    const char *names[ES_MERGE_MAX];
    int name_width;
    const es_merge_time *at; /* of the record that is being shown; NULL: it has none */
    size_t shown;            /* whose it is */
    bool summary;            /* it is one */
    bool begun;              /* `origin` is known: the first time of all */
    int64_t origin_ns;
    atomic_bool closed; /* nothing more can be written; read in other threads, too */
    int closed_errno;
} several;

/* --- lines ------------------------------------------------------------------------------------------------------- */

/* "   0.012345678 s \302\2611 us  LEFT  ": since the first record, how far off that may be, whose it is */
static void add_place(const several *s, es_text_buffer *out)
{
    es_text_buffer error = {0};
    if (s->at && s->at->known) {
        int64_t since = s->at->steady_ns - s->origin_ns, whole = since < 0 ? -since : since;
        es_length_text(&error, (uint64_t)(s->at->error_ns + 999) / 1000 * 1000, s->config->utf8);
        es_text_format(out, "%c%5" PRId64 ".%06" PRId64 " s %s%-6s  ", since < 0 ? '-' : ' ', whole / NS,
                       whole % NS / 1000, s->config->utf8 ? "\302\261" : "+-", error.text);
    } else {
        es_text_format(out, "%16s%*s", s->at ? "? s" : "", s->config->utf8 ? 9 : 10, "");
    }
    es_text_format(out, "%-*s ", s->name_width, s->names[s->shown]);
    es_text_free(&error);
}

/* Before the JSON object's end. */
static void add_members(const several *s, es_text_buffer *out)
{
    if (s->at->known)
        es_text_format(out, ",\"steady_ns\":%" PRId64 ",\"unix_ns\":%" PRId64 ",\"error_ns\":%" PRId64,
                       s->at->steady_ns, s->at->unix_ns, s->at->error_ns);
    else
        es_text_format(out, ",\"steady_ns\":null,\"unix_ns\":null,\"error_ns\":null");
}

static void add_line(const several *s, es_text_buffer *out, const char *line, size_t size)
{
    bool object = s->config->json && s->at && size > 2 && line[size - 2] == '}';
    if (!s->config->json && !s->summary)
        add_place(s, out);
    es_text_add(out, line, object ? size - 2 : size);
    if (object) {
        add_members(s, out);
        es_text_add(out, "}\n", 2);
    }
}

static bool write_lines(void *context, bool result, const char *bytes, size_t size)
{
    several *s = context;
    es_text_buffer out = {0};
    if (!result)
        fflush(stdout);
    for (size_t at = 0, length; at < size; at += length) {
        const char *end = memchr(bytes + at, '\n', size - at);
        length = end ? (size_t)(end - bytes) - at + 1 : size - at;
        if (result)
            add_line(s, &out, bytes + at, length);
        else
            es_text_add(&out, bytes + at, length);
    }
    FILE *file = result ? stdout : stderr;
    bool good = fwrite(out.text, 1, out.length, file) == out.length && (result || fflush(file) == 0);
    es_text_free(&out);
    return good;
}

/* --- records ----------------------------------------------------------------------------------------------------- */

static void tell_origin(const several *s, int64_t unix_ns)
{
    char text[64];
    time_t seconds = (time_t)(unix_ns / NS);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &utc);
    if (!s->config->json && !s->config->quiet)
        fprintf(stderr,
                "earshot: times begin at %s.%06" PRId64 " UTC by this computer's clock, to which the probes' were "
                "compared;\nafter each stands how far off it may be\n",
                text, unix_ns % NS / 1000);
}

static void take(void *context, size_t trace, const es_record *record, const es_merge_time *at)
{
    several *s = context;
    es_sink sink = es_report_sink(s->reports[trace]);
    if (record->kind == ES_RECORD_PROGRESS || s->closed)
        return;
    if (at && at->known && !s->begun) {
        s->begun = true;
        s->origin_ns = at->steady_ns;
        tell_origin(s, at->unix_ns);
    }
    s->at = at;
    s->shown = trace;
    s->summary = record->kind == ES_RECORD_SUMMARY;
    if (s->summary && !s->config->json && !s->config->quiet)
        printf("\n%s:\n", s->names[trace]);
    es_sink_give(&sink, record);
    int error;
    if (es_report_closed(s->reports[trace], &error)) {
        s->closed = true;
        s->closed_errno = error;
    }
}

static bool stop_asked(void *context)
{
    const several *s = context;
    return es_cli_stop_asked() || atomic_load(&s->closed);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* Probes by their names, where these tell them apart; else by the traces'. */
static void name_all(several *s, es_trace_reader **readers, char **directories, size_t count)
{
    bool distinct = true;
    for (size_t i = 0; i < count; i++) {
        s->names[i] = es_trace_about_of(readers[i])->probe;
        for (size_t k = 0; k <= i && distinct; k++)
            distinct = s->names[i] && (k == i || strcmp(s->names[i], s->names[k]) != 0);
    }
    for (size_t i = 0; i < count; i++) {
        s->names[i] = distinct ? s->names[i] : directories[i];
        if ((int)strlen(s->names[i]) > s->name_width)
            s->name_width = (int)strlen(s->names[i]);
    }
}

static bool show(several *s, es_trace_reader **readers, char **directories, size_t count, es_error *err)
{
    es_merge merge = {.traces = readers,
                      .directories = (const char *const *)directories,
                      .count = count,
                      .take = take,
                      .stop = stop_asked,
                      .context = s};
    name_all(s, readers, directories, count);
    for (size_t i = 0; i < count; i++) {
        es_report_config config = *s->config;
        config.probe = s->names[i];
        config.out = (es_report_out){.write = write_lines, .context = s};
        s->reports[i] = es_report_new(&config);
    }
    bool good = es_traces_merge(&merge, err);
    for (size_t i = 0; i < count && good && !s->config->quiet; i++)
        es_trace_part_tell(readers[i], directories[i]);
    if (fflush(stdout) != 0 && !s->closed) {
        s->closed = true;
        s->closed_errno = errno;
    }
    if (s->closed && s->closed_errno != EPIPE)
        good = es_fail(err, ES_OUTPUT, "results cannot be written: %s", strerror(s->closed_errno));
    for (size_t i = 0; i < count; i++)
        es_report_free(s->reports[i]);
    return good;
}

int es_read_several(char **directories, size_t count, es_report_config *config, bool no_color)
{
    es_trace_reader *readers[ES_MERGE_MAX] = {0};
    several s = {.config = config};
    es_error err = {0};
    bool good =
        count <= ES_MERGE_MAX || es_fail(&err, ES_USAGE, "at most %u traces can be read together", ES_MERGE_MAX);
    config->color = es_run_shows_color(&(es_run_options){.no_color = no_color});
    config->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    es_cli_catch_signals();
    for (size_t i = 0; i < count && good; i++)
        good = (readers[i] = es_trace_open(directories[i], &err)) != NULL;
    good = good && show(&s, readers, directories, count, &err);
    for (size_t i = 0; i < count && i < ES_MERGE_MAX; i++)
        es_trace_reader_free(readers[i]);
    return good ? ES_OK : es_cli_fail(&err);
}
