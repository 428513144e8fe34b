#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/times.h"
#include "record/json.h"
#include "report/columns.h"
#include "report/private.h"
#include "report/statistics.h"
#include "report/waits.h"

#define NAME_WIDTH_LEAST 24
#define STATISTICS_S 5.0 /* between two times that statistics are shown on a terminal */
#define WAITING_S 2.0    /* without hits, before it is said what is waited for */

es_report *es_report_new(const es_report_config *config)
{
    es_report *report = es_malloc(sizeof *report);
    memset(report, 0, sizeof *report);
    report->config = *config;
    return report;
}

static void forget_unknown(es_report *report)
{
    for (size_t i = 0; i < report->explained_count; i++)
        free(report->explained_unknown[i]);
    free(report->explained_unknown);
    report->explained_unknown = NULL;
    report->explained_count = 0;
}

static void begin_unknown(es_report *report, const es_schema *schema)
{
    forget_unknown(report);
    report->explained_unknown = es_malloc((schema->statement_count + 1) * sizeof *report->explained_unknown);
    report->explained_count = schema->statement_count;
    for (size_t i = 0; i < schema->statement_count; i++) {
        size_t size = (schema->statements[i].field_count + 1) * sizeof **report->explained_unknown;
        report->explained_unknown[i] = es_malloc(size);
        memset(report->explained_unknown[i], 0, size);
    }
}

void es_report_free(es_report *report)
{
    if (!report)
        return;
    es_statistics_free(report->statistics);
    es_rates_free(&report->rates);
    forget_unknown(report);
    es_text_free(&report->line);
    free(report);
}

bool es_report_closed(const es_report *report, int *error)
{
    *error = report->closed_errno;
    return report->closed;
}

void es_report_margin(es_report *report, size_t columns)
{
    report->margin = columns;
}

static void tell(es_report *report, const char *what, const char *text)
{
    es_text_format(&report->line, "earshot: %s%s\n", what, text);
    es_report_flush(report, false);
}

static void note(es_report *report, const char *text)
{
    if (!report->config.quiet)
        tell(report, "", text);
}

void es_report_trace(es_report *report, const char *directory, bool over)
{
    es_text_buffer text = {0};
    if (report->config.json) {
        es_json json = {.out = &report->line};
        es_json_begin(&json, '{');
        es_json_key(&json, "event");
        es_json_string(&json, "trace");
        es_json_key(&json, "directory");
        es_json_string(&json, directory);
        es_json_key(&json, "over");
        es_json_bool(&json, over);
        es_json_end(&json, '}');
        es_text_add(&report->line, "\n", 1);
        es_report_flush(report, true);
    }
    es_text_format(&text, over ? "the trace is in %s: earshot read " : "the trace is kept in %s", directory);
    if (over) {
        es_text_shell(&text, directory);
        es_text_format(&text, " shows it");
    }
    note(report, text.text);
    es_text_free(&text);
}

/* Said once, when nothing has hit for a while: what would have to happen. */
static void tell_waiting(es_report *report, const es_record *record)
{
    if (report->has_hits || record->progress->hits || report->told_waiting ||
        record->progress->wall_seconds < WAITING_S)
        return;
    es_text_buffer waits = {0};
    report->told_waiting = true;
    es_waits_text(&waits, record->schema);
    note(report, "no hits yet:");
    for (char *line = waits.text, *end; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        note(report, line);
    }
    es_text_free(&waits);
}

/* The first column is as wide as the names that can come. */
static void begin(es_report *report, const es_schema *schema)
{
    for (size_t i = 0; i < schema->statement_count; i++) {
        size_t width = es_shown_width(schema->statements[i].name);
        if (width > report->name_width)
            report->name_width = width < NAME_WIDTH_LEAST ? width : NAME_WIDTH_LEAST;
    }
    report->has_clock = false;
    begin_unknown(report, schema);
    es_report_finish(report); /* of a run that begins again: this one is another */
    es_statistics_free(report->statistics);
    report->statistics = es_statistics_new(schema, report->config.statistics);
    report->statistics_due = report->config.every_ns;
    report->statistics_over = false;
    if (report->config.statistics)
        es_rates_begin(&report->rates, schema, report->config.part ? report->config.from : 0,
                       report->config.part ? report->config.to : ES_NO_TIME, !report->config.part);
}

/* Why a value is shown as ?: once for each value and reason that it had not before. */
static void explain_unknown(es_report *report, const es_schema *schema, const es_hit *hit)
{
    const es_schema_statement *statement = &schema->statements[hit->statement];
    for (size_t i = 0; i < hit->value_count && report->explained_unknown; i++) {
        uint32_t why = hit->values[i].known ? 0 : hit->values[i].about;
        if (!why || report->explained_unknown[hit->statement][i] == why)
            continue;
        report->explained_unknown[hit->statement][i] = why;
        es_text_buffer text = {0};
        es_text_format(&text, "%s: %s=?: %s", statement->name, statement->fields[i].name,
                       es_names_text(schema->names, why));
        note(report, text.text);
        es_text_free(&text);
    }
}

/* What a reader has to know about some hits, told once. */
static void explain(es_report *report, const es_schema_statement *statement, const es_hit *hit)
{
    if ((hit->flags & ES_HIT_UNCERTAIN) && !report->explained_uncertain) {
        report->explained_uncertain = true;
        note(report,
             "hits marked ? may be wrong: bus transactions were lost, and what they depend on has not been seen since");
    }
    if ((hit->flags & ES_HIT_NO_PATH) && !(hit->flags & (ES_HIT_TIMED | ES_HIT_NO_PLACE)) && !report->explained_path &&
        !(statement->aggregate_count && statement->aggregates[0].cover)) {
        report->explained_path = true;
        note(report, "the call path could not be followed everywhere: it is shown as unknown there");
    }
}

/* --- statistics ------------------------------------------------------------------------------------------------ */

void es_report_statistics(es_report *report, es_text_buffer *out, size_t width)
{
    const es_statistic_table *tables;
    size_t count = es_statistics_tables(report->statistics, &tables);
    if (report->rates.statements)
        es_rates_text(out, &report->rates, width, report->config.utf8);
    for (size_t i = 0; i < count;) {
        if (tables[i].aggregate->kind != ES_AGGREGATE_PROFILE)
            i += es_statistic_text(out, &tables[i], count - i, width, report->config.utf8);
        else
            i++;
    }
    if (count)
        es_statistics_profile_text(out, report->statistics, width, report->config.utf8);
}

static void show_statistics(es_report *report, bool last)
{
    const es_statistic_table *tables;
    size_t count = es_statistics_tables(report->statistics, &tables);
    report->statistics_over = last;
    if (!report->config.json) {
        es_report_statistics(report, &report->line, es_terminal_width());
        return;
    }
    if (report->rates.statements)
        es_rates_json(&report->line, &report->rates, last, report->config.probe);
    for (size_t i = 0; i < count; i++)
        es_statistic_json(&report->line, &tables[i], last, report->config.probe);
}

void es_report_finish(es_report *report)
{
    if (!report->statistics_over && (report->statistics || report->rates.statements)) {
        show_statistics(report, true);
        es_report_flush(report, true);
    }
}

/* Each line is told once: what was lost does not come again. */
static void tell_of_losses(es_report *report, const es_summary *summary)
{
    const es_statistic_table *tables;
    size_t count = es_statistics_tables(report->statistics, &tables);
    bool covers = false, stacks = false;
    for (size_t i = 0; i < count; i++) {
        covers |= tables[i].covered != NULL;
        stacks |= tables[i].aggregate->kind == ES_AGGREGATE_STACK;
    }
    if (!(covers || stacks) || !(summary->lost_bus || summary->lost_events || summary->lost_link || !summary->complete))
        return;
    es_report_flush(report, true); /* the statistics */
    if (covers)
        tell(report, "warning: ",
             "something was lost, or the closing figures are missing: lines that ran may be among those that did not");
    if (stacks && (summary->lost_bus || !summary->complete))
        tell(report, "warning: ",
             "something was lost, or the closing figures are missing: more of the stacks may have been in use");
}

/* The target's time, in ns, is this. */
static void reach(es_report *report, uint64_t now)
{
    uint64_t every = report->config.every_ns;
    if (!every || now < report->statistics_due)
        return;
    show_statistics(report, false);
    report->statistics_due = (now / every + 1) * every;
}

/* True when the record is shown by what becomes of the statistics. */
static bool aggregate(es_report *report, const es_record *record)
{
    switch (record->kind) {
    case ES_RECORD_HIT:
        reach(report, es_time_ns(record->hit->time, record->schema->clock_hz));
        if (report->statistics)
            es_statistics_take(report->statistics, record->hit);
        return report->config.statistics || record->schema->statements[record->hit->statement].is_aggregated;
    case ES_RECORD_INFERRED:
        return report->config.statistics || record->schema->statements[record->inferred->statement].is_aggregated;
    case ES_RECORD_PROGRESS:
        if (!report->config.json && !report->config.every_ns && es_terminal_width() &&
            record->progress->wall_seconds - report->statistics_told >= STATISTICS_S) {
            show_statistics(report, false);
            report->statistics_told = record->progress->wall_seconds;
        }
        return false;
    case ES_RECORD_SUMMARY:
        es_statistics_end(report->statistics, record->summary);
        show_statistics(report, true);
        tell_of_losses(report, record->summary);
        return false;
    default: return false;
    }
}

/* What has no place among the JSON Lines on stdout: the notes go to stderr, progress to who asks for it. */
static bool is_result(const es_record *record)
{
    return record->kind == ES_RECORD_HIT || record->kind == ES_RECORD_LOST || record->kind == ES_RECORD_INFERRED ||
           record->kind == ES_RECORD_CONSOLE || record->kind == ES_RECORD_CLOCK || record->kind == ES_RECORD_SUMMARY;
}

static void take(void *context, const es_record *record)
{
    es_report *report = context;
    switch (record->kind) {
    case ES_RECORD_BEGIN: begin(report, record->schema); break;
    case ES_RECORD_HIT:
        report->has_hits = true;
        explain(report, &record->schema->statements[record->hit->statement], record->hit);
        explain_unknown(report, record->schema, record->hit);
        break;
    case ES_RECORD_PROGRESS: tell_waiting(report, record); break;
    case ES_RECORD_NOTE: note(report, record->text.bytes); break;
    case ES_RECORD_WARNING: tell(report, "warning: ", record->text.bytes); break;
    case ES_RECORD_CLOCK:
        report->has_clock = true;
        report->clock = *record->clock;
        report->clock.computer = NULL;
        break;
    case ES_RECORD_LOST:
    case ES_RECORD_INFERRED:
    case ES_RECORD_CONSOLE:
    case ES_RECORD_SUMMARY: break;
    }
    if (report->rates.statements)
        es_rates_take(&report->rates, record);
    bool shown_otherwise = (report->statistics || report->rates.statements) && aggregate(report, record);
    const es_report_out *out = &report->config.out;
    if (shown_otherwise ||
        (record->kind == ES_RECORD_HIT && out->hides && out->hides(out->context, record->schema, record->hit))) {
        es_report_flush(report, true);
        return;
    }
    if (!report->config.json)
        es_report_text(report, record);
    else if (is_result(record))
        es_record_json(&report->line, record, report->config.probe);
    /* who reads stdout may still be there, and take nothing: the summary is not to be missing */
    bool beside = record->kind == ES_RECORD_SUMMARY && report->closed && report->closed_errno != EPIPE;
    if (beside) {
        es_text_buffer line = {0};
        es_text_format(&line, "%" PRIu64 " %s not written: stdout takes no more. The summary:", report->unwritten,
                       es_plural(report->unwritten, "result was", "results were"));
        es_text_add(&line, "\n", 1);
        es_text_add(&line, report->line.text ? report->line.text : "", report->line.length);
        es_text_clear(&report->line);
        tell(report, "", line.text);
        es_text_free(&line);
    }
    es_report_flush(report, !beside);
}

es_sink es_report_sink(es_report *report)
{
    return (es_sink){take, report};
}
