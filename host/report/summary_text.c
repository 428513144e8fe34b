/* The summary for people: what each statement came to, what was lost, how the run ended. */
#include <inttypes.h>
#include <string.h>

#include "record/clock.h"
#include "record/clock_text.h"
#include "report/columns.h"
#include "report/private.h"
#include "report/style.h"
#include "report/wrap.h"

#define ROW_REST 13u /* columns that a row of the summary has besides its name */

static void add_row(es_report *report, const char *name, size_t width, int64_t value)
{
    es_text_buffer shown = {0};
    es_text_format(&shown, "%s", name);
    if (es_shown_width(name) > width)
        es_text_shorten(&shown, width, report->config.utf8);
    es_text_format(&report->line, "  %s%*s %10" PRId64 "\n", shown.text, (int)(width - es_shown_width(shown.text)), "",
                   value);
    es_text_free(&shown);
}

static void add_head(es_report *report, const char *left, size_t width, const char *right)
{
    es_style_begin(report, ES_STYLE_BOLD);
    es_text_format(&report->line, "\n  %-*s %10s\n", (int)width, left, right);
    es_style_end(report);
}

/* "stacks were switched 4 times, in swap (co.c:12): paths and locals are unknown from the first on; ..." and which
 * variable to name. */
static void add_switches(es_report *report, const es_summary *summary)
{
    es_text_buffer *out = &report->line;
    es_text_format(out, "\n  stacks were switched %" PRIu64 " %s", summary->stack_switches,
                   es_plural(summary->stack_switches, "time", "times"));
    for (const char *const *at = summary->switched_in; at && *at; at++)
        es_text_format(out, "%s%s", at == summary->switched_in ? ", in " : ", ", *at);
    es_text_format(out, ": paths and locals are unknown from the first on; ");
    if (!summary->switched_by || !*summary->switched_by) {
        es_text_format(
            out, "let a variable say whose stack it is, write it before each switch, and name it: --task VARIABLE");
        return;
    }
    es_text_format(out, "if one of these says whose stack it is, name it:");
    for (const char *const *at = summary->switched_by; *at; at++)
        es_text_format(out, " --task %s", *at);
}

/* ... and of which statements: conditions that could not be judged. */
static void add_unknown(es_report *report, const es_schema *schema, const es_summary *summary)
{
    const char *between = ": ";
    es_text_format(&report->line,
                   ", %" PRIu64 " %s met what is not known (memory never seen written, variables optimised out)",
                   summary->unknown, es_plural(summary->unknown, "evaluation", "evaluations"));
    for (size_t i = 0; summary->statement_unknown && i < schema->statement_count; i++) {
        if (!summary->statement_unknown[i])
            continue;
        es_text_format(&report->line, "%s%s %" PRIu64, between, schema->statements[i].name,
                       summary->statement_unknown[i]);
        between = ", ";
    }
}

static void add_losses(es_report *report, const es_schema *schema, const es_summary *summary)
{
    uint64_t lost = summary->lost_bus + summary->lost_events + summary->lost_link;
    es_text_format(&report->line, "\n  %" PRIu64 " %s, ", summary->hits, es_plural(summary->hits, "hit", "hits"));
    if (lost == 0 && summary->complete) {
        es_text_format(&report->line, "nothing lost");
    } else if (lost == 0) {
        es_text_format(&report->line, "no loss seen (the probe's closing figures did not arrive)");
    } else {
        es_style_begin(report, ES_STYLE_LOUD);
        es_text_format(&report->line, "LOST: %" PRIu64 " bus %s, %" PRIu64 " %s, %" PRIu64 " %s on the link",
                       summary->lost_bus, es_plural(summary->lost_bus, "transaction", "transactions"),
                       summary->lost_events, es_plural(summary->lost_events, "event", "events"), summary->lost_link,
                       es_plural(summary->lost_link, "frame", "frames"));
        es_style_end(report);
    }
    if (summary->unaccounted) {
        es_style_begin(report, ES_STYLE_LOUD);
        es_text_format(&report->line, ", DOES NOT ADD UP: %" PRId64 " %s", summary->unaccounted,
                       summary->unaccounted > 0
                           ? es_plural((uint64_t)summary->unaccounted, "hit is missing", "hits are missing")
                       : summary->unaccounted == -1 ? "hit came that was not counted"
                                                    : "hits came that were not counted");
        es_style_end(report);
    }
    if (summary->unknown)
        add_unknown(report, schema, summary);
    if (summary->torn)
        es_text_format(&report->line, ", %" PRIu64 " %s torn", summary->torn,
                       es_plural(summary->torn, "assignment was", "assignments were"));
    if (summary->stack_switches)
        add_switches(report, summary);
    if (summary->tasks_given_up)
        es_text_format(&report->line,
                       ", %" PRIu64 " %s to more tasks than the probe keeps apart: their paths are unknown",
                       summary->tasks_given_up, es_plural(summary->tasks_given_up, "switch", "switches"));
    es_text_add(&report->line, "\n", 1);
}

/* Only those that were not met, or may not have been: the others are among the statements above. */
static void add_expectations(es_report *report, const es_schema *schema, const es_summary *summary)
{
    bool first = true;
    for (size_t i = 0; i < schema->statement_count; i++) {
        const es_judged *judged = &summary->judged[i];
        if (judged->verdict == ES_VERDICT_MET)
            continue;
        es_style_begin(report, ES_STYLE_LOUD);
        es_text_format(&report->line, "%s  EXPECTATION %s: %s: %s", first ? "\n" : "",
                       judged->verdict == ES_VERDICT_FAILED ? "FAILED" : "UNKNOWN", schema->statements[i].name,
                       judged->why);
        es_style_end(report);
        es_text_add(&report->line, "\n", 1);
        first = false;
    }
}

/* Of a real probe that knows its time: what that is worth, where more is known than holds for every crystal. */
static void add_clock(es_report *report)
{
    const es_clock_told *clock = &report->clock;
    if (!report->has_clock || !clock->known || clock->drift_error_ppm > 0.9e6 * ES_CLOCK_RATE_MAX)
        return;
    es_text_format(&report->line, "  the probe's clock beside this computer's: ");
    es_clock_told_text(&report->line, clock, report->config.utf8);
    es_text_add(&report->line, "\n", 1);
}

void es_report_text_summary(es_report *report, const es_record *record)
{
    const es_schema *program = record->schema;
    const es_summary *summary = record->summary;
    size_t width = strlen("statement"), terminal = es_terminal_width();
    if (report->config.quiet)
        return;
    for (size_t i = 0; i < program->statement_count; i++)
        if (es_shown_width(program->statements[i].name) > width)
            width = es_shown_width(program->statements[i].name);
    for (size_t i = 0; i < program->counter_count; i++)
        if (es_shown_width(program->counters[i]) > width)
            width = es_shown_width(program->counters[i]);
    if (terminal && width + ROW_REST > terminal)
        width = terminal > ROW_REST + strlen("statement") ? terminal - ROW_REST : strlen("statement");

    if (!report->config.statistics) /* which have said it */
        add_head(report, "statement", width, "hits");
    for (size_t i = 0; i < program->statement_count && !report->config.statistics; i++)
        add_row(report, program->statements[i].name, width, (int64_t)summary->statement_hits[i]);
    if (program->counter_count && summary->complete) {
        add_head(report, "counter", width, "value");
        for (size_t i = 0; i < program->counter_count; i++)
            add_row(report, program->counters[i], width, (int32_t)summary->counters[i]);
    }
    add_expectations(report, program, summary);
    for (unsigned pin = 0; pin < 8; pin++)
        if (summary->pulses[pin])
            es_text_format(&report->line, "\n  trigger pin %u: %" PRIu64 " %s", pin, summary->pulses[pin],
                           es_plural(summary->pulses[pin], "pulse", "pulses"));
    if (report->line.length && report->line.text[report->line.length - 1] != '\n')
        es_text_add(&report->line, "\n", 1);
    add_losses(report, program, summary);
    add_clock(report);
    if (summary->mismatch) {
        es_style_begin(report, ES_STYLE_LOUD);
        es_text_format(&report->line, "  the target runs a different program");
        es_style_end(report);
        es_text_add(&report->line, "\n", 1);
    }
    if (summary->exited)
        es_text_format(&report->line, "  the program ended with exit code %d\n", summary->exit_code);
    else if (summary->trapped)
        es_text_format(&report->line, "  a trap stopped the program\n");
    else if (summary->halted)
        es_text_format(&report->line, "  the target was halted by a statement's action\n");
    else if (program->origin == ES_ORIGIN_SIMULATED)
        es_text_format(&report->line, "  the program was still running when monitoring ended\n");
    if (program->origin != ES_ORIGIN_HARDWARE && summary->cycles) {
        double speed = summary->wall_seconds > 0 ? (double)summary->cycles / summary->wall_seconds / 1e6 : 0;
        es_text_format(&report->line, "  %s %.6f s: %" PRIu64 " target cycles in %.2f s (%.2f million a second)\n",
                       program->origin == ES_ORIGIN_SIMULATED ? "simulated" : "recorded",
                       (double)summary->cycles / (double)program->clock_hz, summary->cycles, summary->wall_seconds,
                       speed);
    }
    if (terminal)
        es_text_wrap(&report->line, terminal);
}
