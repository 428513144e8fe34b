/* The report for people: one aligned line per hit, in colour on a terminal. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/times.h"
#include "record/clock.h"
#include "record/clock_text.h"
#include "record/composite.h"
#include "report/columns.h"
#include "report/parts.h"
#include "report/private.h"
#include "report/wrap.h"

#define NAME_WIDTH_MAX 24
#define VALUES_WIDTH_MAX 48 /* columns stop growing here; what is longer sticks out */
#define PATH_WIDTH_MAX 48
#define TASK_WIDTH_MAX 24
#define PLACE_WIDTH_MAX 24
#define LEAST_BESIDE_TIME 50 /* columns for a hit after a margin and the target's own time; with less, without that */
#define TIME_PLACES 4        /* before the point; a run that grows longer has wider times from there on */
#define ROW_REST 13u         /* columns that a row of the summary has besides its name */

enum style { DIM, NAME, PATH, LOUD, BOLD, INFERRED };

static const char *const style_codes[] = {[DIM] = "\033[2m",     [NAME] = "\033[1;36m", [PATH] = "\033[32m",
                                          [LOUD] = "\033[1;31m", [BOLD] = "\033[1m",    [INFERRED] = "\033[3;33m"};

static void style(es_report *report, enum style which)
{
    if (report->config.color)
        es_text_format(&report->line, "%s", style_codes[which]);
}

static void plain(es_report *report)
{
    if (report->config.color)
        es_text_format(&report->line, "\033[0m");
}

/* A column's width grows with what was shown, up to `most`. */
static void fill(es_cell *cell, size_t *width, size_t most)
{
    size_t shown = es_shown_width(cell->text.text);
    if (shown > *width)
        *width = shown < most ? shown : most;
    cell->fill = *width;
}

/* Of a record's hit. */
typedef struct shown_hit {
    const es_schema *schema;
    const es_schema_statement *statement;
    const es_hit *hit;
} shown_hit;

/* Below the hit's line. */
static void add_objects(es_report *report, const shown_hit *s)
{
    for (size_t k = 0; k < s->hit->object_count; k++) {
        const es_composite *object = &s->statement->objects[k];
        es_composite_text(&report->line, s->schema, s->statement, object, &s->hit->objects[k],
                          s->hit->values + object->first, report->config.utf8);
    }
}

/* All of a run are in the same unit, so that their points are below each other. */
static void add_time(es_report *report, const es_schema *schema, uint64_t clocks)
{
    es_time_unit unit = es_time_unit_of(schema->clock_hz, schema->origin != ES_ORIGIN_HARDWARE);
    es_time_in(&report->line, unit, es_time_ns(clocks, schema->clock_hz), TIME_PLACES);
}

/* How long after the event it was recognised, and its actions began and ended. */
static void add_times(es_text_buffer *out, const es_report *report, const shown_hit *s)
{
    static const char *const names[] = {"recognised", "acting", "done"};
    for (size_t i = 0; i < 3; i++) {
        es_text_format(out, "%s%s +", i ? ", " : "", names[i]);
        es_time_tight(out, es_time_ns(s->hit->times[i] - s->hit->time, s->schema->clock_hz), report->config.utf8);
    }
}

/* What a hit's line has after its time. */
static void fill_cells(es_report *report, const shown_hit *s, bool terminal, es_cell cells[ES_COLUMN_COUNT])
{
    bool timed = s->hit->flags & ES_HIT_TIMED;
    for (size_t i = 0; i < ES_COLUMN_COUNT; i++)
        es_text_add(&cells[i].text, "", 0);
    es_text_format(&cells[ES_COLUMN_NAME].text, "%s", s->statement->name);
    fill(&cells[ES_COLUMN_NAME], &report->name_width, NAME_WIDTH_MAX);
    es_part_values(&cells[ES_COLUMN_VALUES].text, s->schema, s->hit, report->config.utf8);
    fill(&cells[ES_COLUMN_VALUES], &report->values_width, VALUES_WIDTH_MAX);
    cells[ES_COLUMN_TASK].absent = timed || !s->schema->tasks_by;
    if (!cells[ES_COLUMN_TASK].absent) {
        es_text_format(&cells[ES_COLUMN_TASK].text, "%s", es_part_task(s->schema, s->hit));
        fill(&cells[ES_COLUMN_TASK], &report->task_width, TASK_WIDTH_MAX);
    }
    cells[ES_COLUMN_PATH].absent = cells[ES_COLUMN_PLACE].absent = timed;
    if (!timed) {
        es_part_path(&cells[ES_COLUMN_PATH].text, s->schema, s->hit, report->config.utf8);
        fill(&cells[ES_COLUMN_PATH], &report->path_width, PATH_WIDTH_MAX);
        es_part_place(&cells[ES_COLUMN_PLACE].text, s->schema, s->hit);
    }
    if (terminal && !timed)
        fill(&cells[ES_COLUMN_PLACE], &report->place_width, PLACE_WIDTH_MAX);
    if (terminal && timed) { /* they have their room, so that the other columns stay where they are */
        cells[ES_COLUMN_PATH].fill = report->path_width;
        cells[ES_COLUMN_PLACE].fill = report->place_width;
        cells[ES_COLUMN_TASK].fill = s->schema->tasks_by ? report->task_width : 0;
    }
    cells[ES_COLUMN_TIMES].absent = !(s->hit->flags & ES_HIT_TIMES);
    if (!cells[ES_COLUMN_TIMES].absent)
        add_times(&cells[ES_COLUMN_TIMES].text, report, s);
}

/* On a terminal a line takes one line of it, so the end has no blanks there. */
static void add_cells(es_report *report, es_cell cells[ES_COLUMN_COUNT], bool terminal)
{
    static const enum style styles[ES_COLUMN_COUNT] = {[ES_COLUMN_NAME] = NAME,
                                                       [ES_COLUMN_TASK] = BOLD,
                                                       [ES_COLUMN_PATH] = PATH,
                                                       [ES_COLUMN_PLACE] = DIM,
                                                       [ES_COLUMN_TIMES] = DIM};
    size_t last = ES_COLUMN_COUNT - 1;
    while (last > 0 && cells[last].absent)
        last--;
    for (size_t i = 0; i <= last; i++) {
        size_t shown = es_shown_width(cells[i].text.text), blanks = shown < cells[i].fill ? cells[i].fill - shown : 0;
        if (cells[i].absent)
            continue;
        es_text_add(&report->line, "  ", i ? 2 : 0);
        if (i != ES_COLUMN_VALUES)
            style(report, styles[i]);
        es_text_format(&report->line, "%s%*s", cells[i].text.text, (int)(terminal && i == last ? 0 : blanks), "");
        if (i != ES_COLUMN_VALUES)
            plain(report);
    }
    es_text_add(&report->line, "\n", 1);
}

static void text_hit(es_report *report, const es_record *record)
{
    const es_schema *schema = record->schema;
    const es_hit *hit = record->hit;
    const shown_hit shown = {schema, &schema->statements[hit->statement], hit};
    size_t before = report->line.length, terminal = es_terminal_width();
    es_cell cells[ES_COLUMN_COUNT] = {0};
    add_time(report, schema, hit->time);
    size_t taken = es_shown_width(report->line.text + before) + strlen(" ? ");
    report->line.length = before;
    if (report->margin && terminal && terminal < report->margin + taken + LEAST_BESIDE_TIME) {
        taken = strlen(" ? ");
    } else {
        style(report, DIM);
        add_time(report, schema, hit->time);
        plain(report);
    }
    taken += report->margin;
    style(report, hit->flags & ES_HIT_UNCERTAIN ? LOUD : DIM);
    es_text_format(&report->line, " %c ", hit->flags & ES_HIT_UNCERTAIN ? '?' : ' ');
    plain(report);
    fill_cells(report, &shown, terminal > 0, cells);
    if (terminal)
        es_cells_fit(cells, terminal > taken ? terminal - taken : 0, report->config.utf8);
    add_cells(report, cells, terminal > 0);
    for (size_t i = 0; i < ES_COLUMN_COUNT; i++)
        es_text_free(&cells[i].text);
    if (!(hit->flags & ES_HIT_TIMED))
        add_objects(report, &shown);
}

/* Below the hit that it is about, and mostly below others: its time and name say which. */
static void text_inferred(es_report *report, const es_record *record)
{
    const es_schema *schema = record->schema;
    const es_inferred *inferred = record->inferred;
    style(report, DIM);
    add_time(report, schema, inferred->time);
    plain(report);
    style(report, INFERRED);
    es_text_format(&report->line, " ~ %-*s  path~ ", (int)report->name_width,
                   schema->statements[inferred->statement].name);
    for (size_t i = 0; i < inferred->path_count; i++) {
        if (i)
            es_text_format(&report->line, ", ");
        es_part_path(&report->line, schema, &(es_hit){.path = inferred->paths[i].path}, report->config.utf8);
        if (!inferred->only)
            es_text_format(&report->line, " %.*f %%", inferred->paths[i].probability >= 0.995 ? 1 : 0,
                           100 * inferred->paths[i].probability);
    }
    if (inferred->only)
        es_text_format(&report->line, " (the only one that the program's calls allow)");
    else if (inferred->other >= 0.005)
        es_text_format(&report->line, ", others %.0f %%", 100 * inferred->other);
    plain(report);
    es_text_add(&report->line, "\n", 1);
    if (es_terminal_width())
        es_text_wrap(&report->line, es_terminal_width());
}

static void text_lost(es_report *report, const es_record *record)
{
    static const struct {
        const char *one, *many;
    } what[] = {[ES_LOST_BUS] = {"bus transaction was lost before the probe could look at it",
                                 "bus transactions were lost before the probe could look at them"},
                [ES_LOST_EVENTS] = {"event was lost for lack of room in the probe",
                                    "events were lost for lack of room in the probe"},
                [ES_LOST_LINK] = {"frame was lost or damaged on the link", "frames were lost or damaged on the link"},
                [ES_LOST_HOST] = {"record was lost on this computer, which was too slow",
                                  "records were lost on this computer, which was too slow"},
                [ES_LOST_DISK] = {"record is not in the trace, whose disk was full, failing or too slow",
                                  "records are not in the trace, whose disk was full, failing or too slow"}};
    const es_lost *lost = record->lost;
    uint64_t hz = record->schema->clock_hz;
    es_time_unit unit = es_time_unit_of(hz, record->schema->origin != ES_ORIGIN_HARDWARE);
    style(report, LOUD);
    es_text_format(&report->line, "GAP: %" PRIu64 " %s, %s ", lost->count,
                   es_plural(lost->count, what[lost->what].one, what[lost->what].many),
                   lost->last == ES_NO_TIME ? "after" : "between");
    es_time_in(&report->line, unit, es_time_ns(lost->time, hz), 0);
    if (lost->last != ES_NO_TIME) {
        es_text_format(&report->line, " and ");
        es_time_in(&report->line, unit, es_time_ns(lost->last, hz), 0);
    }
    es_text_format(&report->line, ": hits may be missing there");
    plain(report);
    es_text_add(&report->line, "\n", 1);
    if (es_terminal_width())
        es_text_wrap(&report->line, es_terminal_width());
}

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
    style(report, BOLD);
    es_text_format(&report->line, "\n  %-*s %10s\n", (int)width, left, right);
    plain(report);
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
        style(report, LOUD);
        es_text_format(&report->line, "LOST: %" PRIu64 " bus %s, %" PRIu64 " %s, %" PRIu64 " %s on the link",
                       summary->lost_bus, es_plural(summary->lost_bus, "transaction", "transactions"),
                       summary->lost_events, es_plural(summary->lost_events, "event", "events"), summary->lost_link,
                       es_plural(summary->lost_link, "frame", "frames"));
        plain(report);
    }
    if (summary->unaccounted) {
        style(report, LOUD);
        es_text_format(&report->line, ", DOES NOT ADD UP: %" PRId64 " %s", summary->unaccounted,
                       summary->unaccounted > 0
                           ? es_plural((uint64_t)summary->unaccounted, "hit is missing", "hits are missing")
                       : summary->unaccounted == -1 ? "hit came that was not counted"
                                                    : "hits came that were not counted");
        plain(report);
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
        style(report, LOUD);
        es_text_format(&report->line, "%s  EXPECTATION %s: %s: %s", first ? "\n" : "",
                       judged->verdict == ES_VERDICT_FAILED ? "FAILED" : "UNKNOWN", schema->statements[i].name,
                       judged->why);
        plain(report);
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

static void text_summary(es_report *report, const es_record *record)
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
        style(report, LOUD);
        es_text_format(&report->line, "  the target runs a different program");
        plain(report);
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

/* On stderr, so that stdout has results only. What the target writes must not steer the user's terminal. */
static void text_console(es_report *report, const es_record *record)
{
    bool color = report->config.color && isatty(STDERR_FILENO);
    es_text_format(&report->line, "%starget|%s ", color ? style_codes[DIM] : "", color ? "\033[0m" : "");
    for (size_t i = 0; i < record->text.size; i++) {
        char c = record->text.bytes[i];
        es_text_add(&report->line, (unsigned char)c < ' ' && c != '\t' ? "?" : &c, 1);
    }
    es_text_add(&report->line, "\n", 1);
    es_report_flush(report, false);
}

void es_report_text(es_report *report, const es_record *record)
{
    switch (record->kind) {
    case ES_RECORD_HIT: text_hit(report, record); break;
    case ES_RECORD_LOST: text_lost(report, record); break;
    case ES_RECORD_INFERRED: text_inferred(report, record); break;
    case ES_RECORD_CONSOLE: text_console(report, record); break;
    case ES_RECORD_SUMMARY: text_summary(report, record); break;
    case ES_RECORD_BEGIN:
    case ES_RECORD_NOTE:
    case ES_RECORD_WARNING:
    case ES_RECORD_CLOCK:
    case ES_RECORD_PROGRESS: break;
    }
}
