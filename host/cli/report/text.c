/* The report for people: one aligned line per hit, in colour on a terminal. */
#include "cli/report/columns.h"
#include "cli/report/object.h"
#include "cli/report/private.h"
#include "cli/report/switches.h"
#include "cli/report/task.h"
#include "cli/session/expect.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "image/image.h"

#define VALUES_WIDTH_MAX 48 /* columns stop growing here; what is longer sticks out */
#define PATH_WIDTH_MAX 48
#define TASK_WIDTH_MAX 24

enum style { DIM, NAME, PATH, LOUD, BOLD };

static const char *const style_codes[] = {
    [DIM] = "\033[2m", [NAME] = "\033[1;36m", [PATH] = "\033[32m", [LOUD] = "\033[1;31m", [BOLD] = "\033[1m"};

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

/* Characters, not bytes; names are rarely anything but ASCII. */
static size_t characters(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

/* A column's width grows with what was shown, up to `most`. */
static void fill(es_cell *cell, size_t *width, size_t most)
{
    size_t shown = characters(cell->text.text);
    if (shown > *width)
        *width = shown < most ? shown : most;
    cell->fill = *width;
}

/* Returns where in the frame's words the snapshots begin. */
static size_t add_values(es_text_buffer *out, es_report *report, const es_statement *statement, const es_event *event)
{
    size_t count = es_image_value_count(statement), at = 0;
    for (size_t k = 0; k < count; k++) {
        const es_print_item *item = es_image_value(statement, k);
        size_t words = es_image_value_words(statement, item);
        if (at + words > event->word_count)
            return event->word_count;
        es_text_format(out, "%s%s=", k ? " " : "", item->name);
        const uint32_t *value = event->words + at;
        if (es_value_is_time(item))
            es_length_text(out, es_time_ns(value[0] | (uint64_t)value[1] << 32, report->config.clock_hz),
                           report->config.utf8);
        else
            es_value_text(out, report->config.symbols, statement, item, value);
        at += words;
    }
    return at;
}

/* Below the hit's line. */
static void add_snapshots(es_report *report, const es_statement *statement, const es_event *event, size_t at)
{
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++) {
        const es_snapshot *snapshot = es_image_snapshot(statement, k);
        size_t words = es_image_snapshot_words(snapshot);
        es_image_bytes bytes;
        if (at + words > event->word_count)
            return;
        es_image_snapshot_read(snapshot, event->words + at, &bytes);
        es_object_text(&report->line, report->config.symbols, snapshot, &bytes);
        at += words;
    }
}

static void add_path(es_text_buffer *out, es_report *report, const es_event *event)
{
    if (!event->path_known || (event->flags & ES_HITF_PATH_UNKNOWN)) {
        es_text_format(out, "(path unknown)");
        return;
    }
    size_t count = es_path_entries(report->config.symbols, event, report->path);
    if (count == 0)
        es_text_format(out, "(start-up)");
    const char *interrupt = report->config.utf8 ? " \u26a1 " : " !> ";
    for (size_t i = 0; i < count; i++) {
        const es_path_entry *entry = &report->path[i];
        bool last = i + 1 == count;
        if (entry->interrupt)
            es_text_format(out, "%s", i ? interrupt : interrupt + 1);
        else if (i)
            es_text_format(out, last && (event->flags & ES_HITF_PATH_CUT) ? " > ... > " : " > ");
        if (entry->name)
            es_text_format(out, "%s", entry->name);
        else
            es_text_format(out, "0x%08x", (unsigned)entry->address);
    }
}

static void add_time(es_report *report, uint64_t clocks)
{
    es_time_text(&report->line, es_time_ns(clocks, report->config.clock_hz), report->config.utf8);
}

/* How long after the event it was recognised, and its actions began and ended. */
static bool add_times(es_text_buffer *out, es_report *report, const es_event *event)
{
    static const char *const names[] = {"recognised", "acting", "done"};
    uint64_t times[4];
    if (!es_report_times(report, event, times))
        return false;
    es_text_buffer part = {0};
    for (size_t i = 0; i < 3; i++) {
        es_text_clear(&part);
        es_time_text(&part, es_time_ns(times[i + 1] - times[0], report->config.clock_hz), report->config.utf8);
        size_t end = part.length;
        while (end > 0 && part.text[end - 1] == ' ')
            end--;
        es_text_format(out, "%s%s +%.*s", i ? ", " : "", names[i], (int)(end - strspn(part.text, " ")),
                       part.text + strspn(part.text, " "));
    }
    es_text_free(&part);
    return true;
}

/* What a hit's line has after its time. Returns where the snapshots begin. */
static size_t fill_cells(es_report *report, const es_event *event, es_cell cells[ES_COLUMN_COUNT])
{
    const es_program *program = report->config.program;
    const es_statement *statement = &program->statements[event->statement];
    bool nowhere = event->pc == ES_HIT_NOWHERE; /* a time has passed: that is nowhere */
    const char *file;
    unsigned line;
    for (size_t i = 0; i < ES_COLUMN_COUNT; i++)
        es_text_add(&cells[i].text, "", 0);
    es_text_format(&cells[ES_COLUMN_NAME].text, "%s", statement->name);
    fill(&cells[ES_COLUMN_NAME], &report->name_width, 24);
    size_t snapshots = add_values(&cells[ES_COLUMN_VALUES].text, report, statement, event);
    fill(&cells[ES_COLUMN_VALUES], &report->values_width, VALUES_WIDTH_MAX);

    es_text_buffer *task = &cells[ES_COLUMN_TASK].text;
    cells[ES_COLUMN_TASK].absent = nowhere || !program->task;
    if (!cells[ES_COLUMN_TASK].absent) {
        if (!event->task_known)
            es_text_format(task, "(task unknown)");
        else if (!es_task_text(task, report->config.symbols, program, event))
            es_text_format(task, "(no task)");
        fill(&cells[ES_COLUMN_TASK], &report->task_width, TASK_WIDTH_MAX);
    }
    cells[ES_COLUMN_PATH].absent = cells[ES_COLUMN_PLACE].absent = nowhere;
    if (!nowhere) {
        add_path(&cells[ES_COLUMN_PATH].text, report, event);
        const char *inlined = es_statement_inlined(statement, event->pc);
        if (inlined)
            es_text_format(&cells[ES_COLUMN_PATH].text, " > %s (inlined)", inlined);
        fill(&cells[ES_COLUMN_PATH], &report->path_width, PATH_WIDTH_MAX);
        if (es_symbols_line(report->config.symbols, event->pc, &file, &line))
            es_text_format(&cells[ES_COLUMN_PLACE].text, "%s:%u", es_base_name(file), line);
        else
            es_text_format(&cells[ES_COLUMN_PLACE].text, "0x%08x", (unsigned)event->pc);
    }
    cells[ES_COLUMN_TIMES].absent = !add_times(&cells[ES_COLUMN_TIMES].text, report, event);
    return snapshots;
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
        size_t shown = characters(cells[i].text.text), blanks = shown < cells[i].fill ? cells[i].fill - shown : 0;
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

static void text_hit(es_report *report, const es_event *event)
{
    const es_statement *statement = &report->config.program->statements[event->statement];
    size_t before = report->line.length, terminal = es_terminal_width();
    es_cell cells[ES_COLUMN_COUNT] = {0};
    add_time(report, event->time);
    size_t taken = es_shown_width(report->line.text + before) + strlen(" ? ");
    report->line.length = before;
    style(report, DIM);
    add_time(report, event->time);
    plain(report);
    style(report, event->flags & ES_HITF_UNCERTAIN ? LOUD : DIM);
    es_text_format(&report->line, " %c ", event->flags & ES_HITF_UNCERTAIN ? '?' : ' ');
    plain(report);
    size_t snapshots = fill_cells(report, event, cells);
    if (terminal)
        es_cells_fit(cells, terminal > taken ? terminal - taken : 0, report->config.utf8);
    add_cells(report, cells, terminal > 0);
    for (size_t i = 0; i < ES_COLUMN_COUNT; i++)
        es_text_free(&cells[i].text);
    if (event->pc != ES_HIT_NOWHERE)
        add_snapshots(report, statement, event, snapshots);
}

static void text_gap(es_report *report, const es_event *event)
{
    const char *what = event->lost_what == ES_GAP_BUS ? "bus transactions were lost before the probe could look at them"
                       : event->lost_what == ES_GAP_EVENTS ? "events were lost for lack of room in the probe"
                                                           : "frames were lost or damaged on the link";
    style(report, LOUD);
    bool closed = event->time_last != ES_TIME_UNKNOWN;
    es_text_format(&report->line, "GAP: %u %s, %s ", (unsigned)event->lost, what, closed ? "between" : "after");
    es_text_buffer time = {0};
    for (int i = 0; i < 1 + closed; i++) {
        es_text_clear(&time);
        es_time_text(&time, es_time_ns(i ? event->time_last : event->time, report->config.clock_hz),
                     report->config.utf8);
        const char *start = time.text + strspn(time.text, " ");
        int length = (int)strlen(start);
        while (length > 0 && start[length - 1] == ' ')
            length--;
        es_text_format(&report->line, "%s%.*s", i ? " and " : "", length, start);
    }
    es_text_free(&time);
    es_text_format(&report->line, ": hits may be missing there");
    plain(report);
    es_text_add(&report->line, "\n", 1);
}

static void add_row(es_report *report, const char *name, size_t width, int64_t value)
{
    es_text_format(&report->line, "  %s%*s %10" PRId64 "\n", name, (int)(width - characters(name)), "", value);
}

static void add_head(es_report *report, const char *left, size_t width, const char *right)
{
    style(report, BOLD);
    es_text_format(&report->line, "\n  %-*s %10s\n", (int)width, left, right);
    plain(report);
}

static void add_losses(es_report *report, const es_summary *summary)
{
    uint64_t lost = summary->lost_bus + summary->lost_events + summary->lost_link;
    es_text_format(&report->line, "\n  %" PRIu64 " %s, ", summary->hits, summary->hits == 1 ? "hit" : "hits");
    if (lost == 0 && summary->complete) {
        es_text_format(&report->line, "nothing lost");
    } else if (lost == 0) {
        es_text_format(&report->line, "no loss seen (the probe's closing figures did not arrive)");
    } else {
        style(report, LOUD);
        es_text_format(&report->line,
                       "LOST: %" PRIu64 " bus transactions, %" PRIu64 " events, %" PRIu64 " frames on the link",
                       summary->lost_bus, summary->lost_events, summary->lost_link);
        plain(report);
    }
    if (summary->unaccounted) {
        style(report, LOUD);
        es_text_format(&report->line, ", DOES NOT ADD UP: %" PRId64 " %s", summary->unaccounted,
                       summary->unaccounted > 0 ? "hits are missing" : "hits came that were not counted");
        plain(report);
    }
    if (summary->unknown)
        es_text_format(&report->line, ", %" PRIu64 " %s met memory that was never seen written", summary->unknown,
                       summary->unknown == 1 ? "evaluation" : "evaluations");
    if (summary->torn)
        es_text_format(&report->line, ", %" PRIu64 " %s torn", summary->torn,
                       summary->torn == 1 ? "assignment was" : "assignments were");
    if (summary->stack_switches) {
        es_text_format(&report->line, "\n  ");
        es_switches_text(&report->line, report->config.symbols, summary->stack_switches);
    }
    if (summary->tasks_given_up)
        es_text_format(&report->line,
                       ", %" PRIu64 " %s to more tasks than the probe keeps apart: their paths are unknown",
                       summary->tasks_given_up, summary->tasks_given_up == 1 ? "switch" : "switches");
    es_text_add(&report->line, "\n", 1);
}

/* Only those that were not met, or may not have been: the others are among the statements above. */
static void add_expectations(es_report *report, const es_summary *summary)
{
    const es_program *program = report->config.program;
    bool first = true;
    for (size_t i = 0; i < program->statement_count; i++) {
        es_text_buffer why = {0};
        enum es_verdict verdict =
            es_expect_judge(&program->statements[i], &summary->evidence[i], report->config.clock_hz, &why);
        if (verdict != ES_VERDICT_MET) {
            style(report, LOUD);
            es_text_format(&report->line, "%s  EXPECTATION %s: %s: %s", first ? "\n" : "",
                           verdict == ES_VERDICT_FAILED ? "FAILED" : "UNKNOWN", program->statements[i].name, why.text);
            plain(report);
            es_text_add(&report->line, "\n", 1);
            first = false;
        }
        es_text_free(&why);
    }
}

static void text_summary(es_report *report, const es_summary *summary)
{
    const es_program *program = report->config.program;
    size_t width = strlen("statement");
    if (report->config.quiet)
        return;
    for (size_t i = 0; i < program->statement_count; i++)
        if (characters(program->statements[i].name) > width)
            width = characters(program->statements[i].name);
    for (size_t i = 0; i < program->counter_count; i++)
        if (characters(program->counters[i]) > width)
            width = characters(program->counters[i]);

    add_head(report, "statement", width, "hits");
    for (size_t i = 0; i < program->statement_count; i++)
        add_row(report, program->statements[i].name, width, (int64_t)summary->statement_hits[i]);
    if (program->counter_count && summary->complete) {
        add_head(report, "counter", width, "value");
        for (size_t i = 0; i < program->counter_count; i++)
            add_row(report, program->counters[i], width, (int32_t)summary->counters[i]);
    }
    add_expectations(report, summary);
    for (unsigned pin = 0; pin < 8; pin++)
        if (summary->pulses[pin])
            es_text_format(&report->line, "\n  trigger pin %u: %" PRIu64 " %s", pin, summary->pulses[pin],
                           summary->pulses[pin] == 1 ? "pulse" : "pulses");
    if (report->line.length && report->line.text[report->line.length - 1] != '\n')
        es_text_add(&report->line, "\n", 1);
    add_losses(report, summary);
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
    else if (summary->simulated)
        es_text_format(&report->line, "  the program was still running when monitoring ended\n");
    if (summary->simulated) {
        double speed = summary->wall_seconds > 0 ? (double)summary->cycles / summary->wall_seconds / 1e6 : 0;
        es_text_format(
            &report->line, "  simulated %.6f s: %" PRIu64 " target cycles in %.2f s (%.2f million a second)\n",
            (double)summary->cycles / (double)report->config.clock_hz, summary->cycles, summary->wall_seconds, speed);
    }
}

/* On stderr, so that stdout has results only. What the target writes must not steer the user's terminal. */
static void text_console(es_report *report, char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < ' ' && line[i] != '\t')
            line[i] = '?';
    bool color = report->config.color && isatty(STDERR_FILENO);
    fprintf(stderr, "%starget|%s %s\n", color ? style_codes[DIM] : "", color ? "\033[0m" : "", line);
}

const struct es_report_form es_report_text = {text_hit, text_gap, text_console, text_summary};
