#include "report/private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "record/json.h"

#define NAME_WIDTH_LEAST 24

es_report *es_report_new(const es_report_config *config)
{
    es_report *report = es_malloc(sizeof *report);
    memset(report, 0, sizeof *report);
    report->config = *config;
    return report;
}

void es_report_free(es_report *report)
{
    if (!report)
        return;
    es_text_free(&report->line);
    free(report);
}

bool es_report_closed(const es_report *report, int *error)
{
    *error = report->closed_errno;
    return report->closed;
}

/* Writes report->line to stdout and empties it. */
static void flush(es_report *report)
{
    if (!report->closed && report->line.length) {
        errno = 0;
        if (fwrite(report->line.text, 1, report->line.length, stdout) != report->line.length || fflush(stdout) != 0) {
            report->closed = true;
            report->closed_errno = errno;
        }
    }
    es_text_clear(&report->line);
}

static void tell(const char *what, const char *text)
{
    fflush(stdout);
    fprintf(stderr, "earshot: %s%s\n", what, text);
}

static void note(const es_report *report, const char *text)
{
    if (!report->config.quiet)
        tell("", text);
}

/* The first column is as wide as the names that can come. */
static void begin(es_report *report, const es_schema *schema)
{
    for (size_t i = 0; i < schema->statement_count; i++) {
        size_t width = strlen(schema->statements[i].name);
        if (width > report->name_width)
            report->name_width = width < NAME_WIDTH_LEAST ? width : NAME_WIDTH_LEAST;
    }
}

/* What a reader has to know about some hits, told once. */
static void explain(es_report *report, const es_hit *hit)
{
    if ((hit->flags & ES_HIT_UNCERTAIN) && !report->explained_uncertain) {
        report->explained_uncertain = true;
        note(report,
             "hits marked ? may be wrong: bus transactions were lost, and what they depend on has not been seen since");
    }
    if ((hit->flags & ES_HIT_NO_PATH) && !(hit->flags & ES_HIT_TIMED) && !report->explained_path) {
        report->explained_path = true;
        note(report, "the call path could not be followed everywhere: it is shown as unknown there");
    }
}

/* What has no place among the JSON Lines on stdout: the notes go to stderr, progress to who asks for it. */
static bool is_result(const es_record *record)
{
    return record->kind == ES_RECORD_HIT || record->kind == ES_RECORD_LOST || record->kind == ES_RECORD_CONSOLE ||
           record->kind == ES_RECORD_SUMMARY;
}

static void take(void *context, const es_record *record)
{
    es_report *report = context;
    switch (record->kind) {
    case ES_RECORD_BEGIN: begin(report, record->schema); break;
    case ES_RECORD_HIT: explain(report, record->hit); break;
    case ES_RECORD_NOTE: note(report, record->text.bytes); break;
    case ES_RECORD_WARNING: tell("warning: ", record->text.bytes); break;
    case ES_RECORD_LOST:
    case ES_RECORD_CONSOLE:
    case ES_RECORD_PROGRESS:
    case ES_RECORD_SUMMARY: break;
    }
    if (!report->config.json)
        es_report_text(report, record);
    else if (is_result(record))
        es_record_json(&report->line, record, report->config.probe);
    flush(report);
}

es_sink es_report_sink(es_report *report)
{
    return (es_sink){take, report};
}
