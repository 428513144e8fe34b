/* The report for people: one aligned line per hit, in colour on a terminal. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/times.h"
#include "record/composite.h"
#include "report/columns.h"
#include "report/parts.h"
#include "report/private.h"
#include "report/style.h"
#include "report/wrap.h"

#define NAME_WIDTH_MAX 24
#define VALUES_WIDTH_MAX 48 /* columns stop growing here; what is longer sticks out */
#define PATH_WIDTH_MAX 48
#define TASK_WIDTH_MAX 24
#define PLACE_WIDTH_MAX 24
#define LEAST_BESIDE_TIME 50 /* columns for a hit after a margin and the target's own time; with less, without that */
#define TIME_PLACES 4        /* before the point; a run that grows longer has wider times from there on */

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
    static const enum es_style styles[ES_COLUMN_COUNT] = {[ES_COLUMN_NAME] = ES_STYLE_NAME,
                                                          [ES_COLUMN_TASK] = ES_STYLE_BOLD,
                                                          [ES_COLUMN_PATH] = ES_STYLE_PATH,
                                                          [ES_COLUMN_PLACE] = ES_STYLE_DIM,
                                                          [ES_COLUMN_TIMES] = ES_STYLE_DIM};
    size_t last = ES_COLUMN_COUNT - 1;
    while (last > 0 && cells[last].absent)
        last--;
    for (size_t i = 0; i <= last; i++) {
        size_t shown = es_shown_width(cells[i].text.text), blanks = shown < cells[i].fill ? cells[i].fill - shown : 0;
        if (cells[i].absent)
            continue;
        es_text_add(&report->line, "  ", i ? 2 : 0);
        if (i != ES_COLUMN_VALUES)
            es_style_begin(report, styles[i]);
        es_text_format(&report->line, "%s%*s", cells[i].text.text, (int)(terminal && i == last ? 0 : blanks), "");
        if (i != ES_COLUMN_VALUES)
            es_style_end(report);
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
        es_style_begin(report, ES_STYLE_DIM);
        add_time(report, schema, hit->time);
        es_style_end(report);
    }
    taken += report->margin;
    es_style_begin(report, hit->flags & ES_HIT_UNCERTAIN ? ES_STYLE_LOUD : ES_STYLE_DIM);
    es_text_format(&report->line, " %c ", hit->flags & ES_HIT_UNCERTAIN ? '?' : ' ');
    es_style_end(report);
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
    es_style_begin(report, ES_STYLE_DIM);
    add_time(report, schema, inferred->time);
    es_style_end(report);
    es_style_begin(report, ES_STYLE_INFERRED);
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
    es_style_end(report);
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
    es_style_begin(report, ES_STYLE_LOUD);
    es_text_format(&report->line, "GAP: %" PRIu64 " %s, %s ", lost->count,
                   es_plural(lost->count, what[lost->what].one, what[lost->what].many),
                   lost->last == ES_NO_TIME ? "after" : "between");
    es_time_in(&report->line, unit, es_time_ns(lost->time, hz), 0);
    if (lost->last != ES_NO_TIME) {
        es_text_format(&report->line, " and ");
        es_time_in(&report->line, unit, es_time_ns(lost->last, hz), 0);
    }
    es_text_format(&report->line, ": hits may be missing there");
    es_style_end(report);
    es_text_add(&report->line, "\n", 1);
    if (es_terminal_width())
        es_text_wrap(&report->line, es_terminal_width());
}

/* On stderr, so that stdout has results only. What the target writes must not steer the user's terminal. */
static void text_console(es_report *report, const es_record *record)
{
    bool color = report->config.color && isatty(STDERR_FILENO);
    es_text_format(&report->line, "%starget|%s ", color ? es_style_code(ES_STYLE_DIM) : "", color ? "\033[0m" : "");
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
    case ES_RECORD_SUMMARY: es_report_text_summary(report, record); break;
    case ES_RECORD_BEGIN:
    case ES_RECORD_NOTE:
    case ES_RECORD_WARNING:
    case ES_RECORD_CLOCK:
    case ES_RECORD_PROGRESS: break;
    }
}
