/* The report as JSON Lines: one object a line; keys as earshot-watch(1) lists them. */
#include "cli/report/object.h"
#include "cli/report/private.h"
#include "cli/report/switches.h"
#include "cli/report/task.h"
#include "cli/session/expect.h"

#include "image/image.h"

static es_json begin(es_report *report, const char *event)
{
    es_json json = {.out = &report->line};
    es_json_begin(&json, '{');
    es_json_key(&json, "event");
    es_json_string(&json, event);
    return json;
}

static void end(es_report *report, es_json *json)
{
    es_json_end(json, '}');
    es_text_add(&report->line, "\n", 1);
}

/* "elapsed_ns": 12300 */
static void json_length(es_report *report, es_json *json, const es_print_item *item, const uint32_t *words)
{
    es_text_buffer key = {0};
    es_text_format(&key, "%s_ns", item->name);
    es_json_key(json, key.text);
    es_json_uint(json, es_time_ns(words[0] | (uint64_t)words[1] << 32, report->config.clock_hz));
    es_text_free(&key);
}

/* Among the values: what stands in the frame from word `at` on. */
static void json_snapshots(es_json *json, const es_statement *statement, const es_event *event, size_t at)
{
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++) {
        const es_snapshot *snapshot = es_image_snapshot(statement, k);
        size_t words = es_image_snapshot_words(snapshot);
        es_image_bytes bytes;
        if (at + words > event->word_count)
            return;
        es_image_snapshot_read(snapshot, event->words + at, &bytes);
        es_json_key(json, snapshot->name);
        es_object_json(json, snapshot, &bytes);
        at += words;
    }
}

/* "task": "producer", "task_pointer": 132416; null, and no pointer, where it is not known or none */
static void json_task(es_report *report, es_json *json, const es_event *event)
{
    es_text_buffer name = {0};
    es_json_key(json, "task");
    bool named = event->task_known && event->pc != ES_HIT_NOWHERE &&
                 es_task_text(&name, report->config.symbols, report->config.program, event);
    es_json_string(json, named ? name.text : NULL);
    es_text_free(&name);
    if (!named || report->config.program->task->type->kind != ES_TYPE_POINTER)
        return;
    es_json_key(json, "task_pointer");
    es_json_uint(json, event->task);
}

static void json_hit(es_report *report, const es_event *event)
{
    const es_statement *statement = &report->config.program->statements[event->statement];
    es_json json = begin(report, "hit");
    es_json_key(&json, "cycle");
    es_json_uint(&json, event->time);
    es_json_key(&json, "time_ns");
    es_json_uint(&json, es_time_ns(event->time, report->config.clock_hz));
    es_json_key(&json, "statement");
    es_json_string(&json, statement->name);
    es_json_key(&json, "values");
    es_json_begin(&json, '{');
    size_t count = es_image_value_count(statement), at = 0;
    for (size_t k = 0; k < count; k++) {
        const es_print_item *item = es_image_value(statement, k);
        size_t words = es_image_value_words(statement, item);
        if (at + words > event->word_count)
            break;
        if (es_value_is_time(item)) {
            json_length(report, &json, item, event->words + at);
        } else {
            es_json_key(&json, item->name);
            es_value_json(&json, statement, item, event->words + at);
        }
        at += words;
    }
    json_snapshots(&json, statement, event, at);
    es_json_end(&json, '}');
    es_json_key(&json, "path");
    if (!event->path_known || (event->flags & ES_HITF_PATH_UNKNOWN)) {
        es_json_null(&json);
    } else {
        size_t entries = es_path_entries(report->config.symbols, event, report->path);
        es_json_begin(&json, '[');
        for (size_t i = 0; i < entries; i++)
            es_json_string(&json, report->path[i].name);
        es_json_end(&json, ']');
    }
    const char *inlined = event->pc == ES_HIT_NOWHERE ? NULL : es_statement_inlined(statement, event->pc);
    if (inlined) {
        es_json_key(&json, "inlined");
        es_json_string(&json, inlined);
    }
    if (report->config.program->task)
        json_task(report, &json, event);
    const char *file = NULL;
    unsigned line = 0;
    bool known = es_symbols_line(report->config.symbols, event->pc, &file, &line);
    es_json_key(&json, "file");
    es_json_string(&json, known ? file : NULL);
    es_json_key(&json, "line");
    if (known)
        es_json_uint(&json, line);
    else
        es_json_null(&json);
    uint64_t times[4];
    if (es_report_times(report, event, times)) {
        static const char *const names[] = {"recognition", "action_start", "action_end"};
        for (size_t i = 0; i < 3; i++) {
            char key[32];
            snprintf(key, sizeof key, "%s_cycle", names[i]);
            es_json_key(&json, key);
            es_json_uint(&json, times[i + 1]);
            snprintf(key, sizeof key, "%s_ns", names[i]);
            es_json_key(&json, key);
            es_json_uint(&json, es_time_ns(times[i + 1], report->config.clock_hz));
        }
    }
    if (event->flags & ES_HITF_UNCERTAIN) {
        es_json_key(&json, "uncertain");
        es_json_bool(&json, true);
    }
    if (event->flags & ES_HITF_PATH_CUT) {
        es_json_key(&json, "path_cut");
        es_json_bool(&json, true);
    }
    end(report, &json);
}

static void json_gap(es_report *report, const es_event *event)
{
    es_json json = begin(report, "gap");
    es_json_key(&json, "cycle");
    es_json_uint(&json, event->time);
    es_json_key(&json, "last_cycle");
    if (event->time_last == ES_TIME_UNKNOWN)
        es_json_null(&json);
    else
        es_json_uint(&json, event->time_last);
    es_json_key(&json, "lost");
    es_json_uint(&json, event->lost);
    es_json_key(&json, "what");
    es_json_string(&json, event->lost_what == ES_GAP_BUS      ? "bus"
                          : event->lost_what == ES_GAP_EVENTS ? "events"
                                                              : "link");
    end(report, &json);
}

static void json_console(es_report *report, char *line, size_t length)
{
    es_json json = begin(report, "console");
    es_json_key(&json, "text");
    es_json_bytes(&json, line, length);
    end(report, &json);
}

/* One member of those below: the verdict, null where it is open; or why it is not that the expectation is met. */
static bool add_expectation(es_json *json, const es_report *report, const es_statement *statement,
                            const es_evidence *evidence, bool tells_why)
{
    es_text_buffer why = {0};
    enum es_verdict verdict = es_expect_judge(statement, evidence, report->config.clock_hz, &why);
    bool wanted = statement->expect != ES_EXPECT_NONE && (!tells_why || verdict != ES_VERDICT_MET);
    if (wanted && json)
        es_json_key(json, statement->name);
    if (wanted && json && tells_why)
        es_json_string(json, why.text);
    else if (wanted && json && verdict == ES_VERDICT_UNKNOWN)
        es_json_null(json);
    else if (wanted && json)
        es_json_bool(json, verdict == ES_VERDICT_MET);
    es_text_free(&why);
    return wanted;
}

/* Whether each expectation was met, and why not; nothing where there is nothing to say. */
static void add_expectations(es_json *json, const es_report *report, const es_summary *summary, bool tells_why)
{
    const es_program *program = report->config.program;
    bool any = false;
    for (size_t i = 0; i < program->statement_count; i++)
        any |= add_expectation(NULL, report, &program->statements[i], &summary->evidence[i], tells_why);
    if (!any)
        return;
    es_json_key(json, tells_why ? "expectations_why" : "expectations");
    es_json_begin(json, '{');
    for (size_t i = 0; i < program->statement_count; i++)
        add_expectation(json, report, &program->statements[i], &summary->evidence[i], tells_why);
    es_json_end(json, '}');
}

/* What was observed only at times. */
static void add_lives(es_json *json, const es_program *program)
{
    const es_variable *variable = es_program_life(program, 0);
    if (!variable)
        return;
    es_json_key(json, "observed_in_part");
    es_json_begin(json, '[');
    for (size_t k = 0; (variable = es_program_life(program, k)); k++) {
        es_json_begin(json, '{');
        es_json_key(json, "procedure");
        es_json_string(json, variable->procedure->name);
        es_json_key(json, "variable");
        es_json_string(json, variable->name);
        es_json_key(json, "observed_in");
        es_json_string(json, variable->life->observed);
        es_json_key(json, "elsewhere");
        es_json_string(json, variable->life->elsewhere);
        es_json_end(json, '}');
    }
    es_json_end(json, ']');
}

static void json_summary(es_report *report, const es_summary *summary)
{
    const es_program *program = report->config.program;
    es_json json = begin(report, "summary");
    es_json_key(&json, "hits");
    es_json_uint(&json, summary->hits);
    es_json_key(&json, "lost");
    es_json_uint(&json, summary->lost_bus + summary->lost_events + summary->lost_link);
    es_json_key(&json, "exit_code");
    if (summary->exited)
        es_json_int(&json, summary->exit_code);
    else
        es_json_null(&json);
    if (summary->trapped) {
        es_json_key(&json, "trapped");
        es_json_bool(&json, true);
    }
    if (summary->halted) {
        es_json_key(&json, "halted");
        es_json_bool(&json, true);
    }
    bool pulsed = false;
    for (unsigned pin = 0; pin < 8; pin++)
        pulsed |= summary->pulses[pin] > 0;
    if (pulsed) {
        es_json_key(&json, "pulses");
        es_json_begin(&json, '[');
        for (unsigned pin = 0; pin < 8; pin++)
            es_json_uint(&json, summary->pulses[pin]);
        es_json_end(&json, ']');
    }
    if (summary->mismatch) {
        es_json_key(&json, "mismatch");
        es_json_bool(&json, true);
    }
    es_json_key(&json, "cycles");
    if (summary->simulated)
        es_json_uint(&json, summary->cycles);
    else
        es_json_null(&json);
    es_json_key(&json, "statements");
    es_json_begin(&json, '{');
    for (size_t i = 0; i < program->statement_count; i++) {
        es_json_key(&json, program->statements[i].name);
        es_json_uint(&json, summary->statement_hits[i]);
    }
    es_json_end(&json, '}');
    add_expectations(&json, report, summary, false);
    add_expectations(&json, report, summary, true);
    es_json_key(&json, "counters");
    es_json_begin(&json, '{');
    for (size_t i = 0; i < program->counter_count; i++) {
        es_json_key(&json, program->counters[i]);
        if (summary->complete)
            es_json_int(&json, (int32_t)summary->counters[i]);
        else
            es_json_null(&json);
    }
    es_json_end(&json, '}');
    add_lives(&json, program);
    es_json_key(&json, "unknown");
    es_json_uint(&json, summary->unknown);
    es_json_key(&json, "torn");
    es_json_uint(&json, summary->torn);
    if (summary->stack_switches)
        es_switches_json(&json, report->config.symbols, summary->stack_switches);
    if (program->task) {
        es_json_key(&json, "tasks_by");
        es_json_string(&json, program->task->text);
        if (program->kernel) {
            es_json_key(&json, "kernel");
            es_json_string(&json, program->kernel);
        }
        es_json_key(&json, "tasks_given_up");
        es_json_uint(&json, summary->tasks_given_up);
    }
    if (summary->unaccounted) {
        es_json_key(&json, "unaccounted");
        es_json_int(&json, summary->unaccounted);
    }
    if (!summary->complete) {
        es_json_key(&json, "incomplete");
        es_json_bool(&json, true);
    }
    end(report, &json);
}

const struct es_report_form es_report_json = {json_hit, json_gap, json_console, json_summary};
