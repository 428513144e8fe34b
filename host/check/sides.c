#include "check/sides.h"

#include <stdio.h>
#include <string.h>

#include "check/target/analysis.h"
#include "symbols/shadows.h"

/* Where cells of variables in registers would be: nothing is evaluated, so anywhere beyond what programs have. */
#define CELLS 0xF0000000u
#define CELLS_SIZE 0x10000u

/* What the replay does not have: exact times, and pins. */
#define TIMED (ES_FEATURE(UNCHANGED) | ES_FEATURE(FOR) | ES_FEATURE(WITHIN) | ES_FEATURE(ELAPSED) | ES_FEATURE(AGE))
#define PINS (ES_FEATURE(TRIGGER) | ES_FEATURE(HALT))

/* The program read in one way: with cells for what is in no memory, or without. Reports point into it. */
typedef struct es_check_reading {
    es_symbols *symbols;
    es_program program;
    bool parsed;
    es_text_buffer earlier;
    es_error err;
    es_image image; /* of all statements at once */
    bool built;
} reading;

typedef struct question {
    const es_probe_limits *limits;
    const es_check_options *options;
    es_check_sides *sides;
    es_error *err;
} question;

static bool reading_open(reading *r, const char *program, const es_text *texts, size_t count, bool cells, es_error *err)
{
    *r = (reading){.symbols = es_symbols_open(program, err)};
    if (!r->symbols)
        return false;
    if (cells)
        es_symbols_use_shadows(r->symbols, CELLS, CELLS_SIZE);
    r->parsed = es_program_parse_all(r->symbols, texts, count, &r->program, &r->earlier, &r->err);
    return true;
}

static void reading_close(reading *r)
{
    if (r->built)
        es_image_free(&r->image);
    if (r->parsed)
        es_program_free(&r->program);
    es_text_free(&r->earlier);
    es_symbols_close(r->symbols);
}

/* A message of the parser's or the compiler's as the end of a sentence: its first line. */
static const char *first_line(es_arena *arena, const char *text)
{
    return es_arena_copy(arena, text, strcspn(text, "\n"));
}

/* --- the monitor -------------------------------------------------------------------------------------------------- */

/* Of all the program's statements at once. The report is to be freed when that is true. */
static bool run_together(const question *q, reading *r, es_error *err)
{
    r->built = es_image_build(r->symbols, &r->program, q->limits, &r->image, err);
    return r->built && es_check_run(r->symbols, &r->program, &r->image, q->limits, q->options, &q->sides->monitor, err);
}

/* As if there were no others. What it enables or disables is taken to be itself: that costs the same. */
static es_check_side monitor_alone(const question *q, const es_symbols *symbols, const es_program *program, size_t k)
{
    es_arena *arena = q->sides->arena;
    es_statement statement = program->statements[k];
    statement.actions = es_arena_alloc(arena, (statement.action_count + 1) * sizeof *statement.actions);
    for (size_t i = 0; i < statement.action_count; i++) {
        statement.actions[i] = program->statements[k].actions[i];
        statement.actions[i].statement = 0;
    }
    es_program one = *program;
    one.statements = &statement;
    one.statement_count = 1;
    es_check_report report;
    es_image image;
    es_error err = {0};
    if (!es_image_build(symbols, &one, q->limits, &image, &err))
        return (es_check_side){.why = first_line(arena, err.text)};
    if (!es_check_run(symbols, &one, &image, q->limits, q->options, &report, &err)) {
        es_image_free(&image);
        return (es_check_side){.why = first_line(arena, err.text)};
    }
    es_check_side side = {.guaranteed = report.guaranteed, .alone = report.guaranteed};
    if (!report.guaranteed) {
        side.why = report.why ? es_arena_format(arena, "%s", report.why) : NULL;
        side.place = report.place ? es_arena_format(arena, "%s", report.place) : NULL;
        side.advice = report.advice ? es_arena_format(arena, "%s", report.advice) : NULL;
    }
    es_check_report_free(&report);
    es_image_free(&image);
    return side;
}

/* A variable of the statement that is in no memory; NULL: there is none. */
static const es_shadow *cell_of(const es_symbols *symbols, const es_statement *statement)
{
    const es_shadow *const *shadows;
    size_t count = es_symbols_shadows(symbols, &shadows);
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        for (size_t k = 0; k < count && !reference->frame && !reference->via; k++)
            if (reference->address - shadows[k]->address < shadows[k]->size)
                return shadows[k];
    }
    return NULL;
}

static es_check_side monitor_blind(es_arena *arena, const es_shadow *cell)
{
    return (es_check_side){
        .why = cell->kind == ES_SHADOW_VARIABLE
                   ? es_arena_format(arena, "%s %s, and never on the bus", cell->variable->name, cell->words)
               : cell->kind == ES_SHADOW_COPIES ? "where inlined copies end is never on the bus"
               : cell->kind == ES_SHADOW_RESULT ? "results of procedures are in registers, and never on the bus"
                                                : "registers are never on the bus"};
}

static void tell_progress(const question *q, size_t done)
{
    if (q->options->progress)
        q->options->progress(done, q->sides->count);
}

static bool judge_monitor(const question *q, reading *plain, reading *cells)
{
    es_check_sides *s = q->sides;
    reading *r = plain->parsed ? plain : cells;
    es_error err = {0};
    tell_progress(q, 0);
    s->judged = plain->parsed && run_together(q, r, &err);
    if (plain->parsed && !s->judged && (err.code != ES_USAGE || !s->replay.guaranteed)) {
        *q->err = err;
        tell_progress(q, s->count);
        return false;
    }
    if (!s->judged) {
        s->monitor = (es_check_report){.arena = es_arena_new(), .observability = ES_CHECK_NOT_OBSERVABLE};
        s->monitor.why = plain->parsed ? first_line(s->arena, err.text)
                                       : "a statement needs what is in registers, and never on the bus";
    }
    for (size_t k = 0; k < s->count; k++) {
        const es_shadow *cell = plain->parsed ? NULL : cell_of(r->symbols, &r->program.statements[k]);
        bool only = s->count == 1 && s->judged;
        es_check_side *side = &s->statements[k].monitor;
        if (s->monitor.guaranteed)
            *side = (es_check_side){.guaranteed = true};
        else if (only)
            *side = (es_check_side){.why = s->monitor.why, .place = s->monitor.place, .advice = s->monitor.advice};
        else
            *side = cell ? monitor_blind(s->arena, cell) : monitor_alone(q, r->symbols, &r->program, k);
        if (k + 1 < s->count && !s->monitor.guaranteed)
            tell_progress(q, k + 1);
    }
    tell_progress(q, s->count);
    return true;
}

/* --- the replay --------------------------------------------------------------------------------------------------- */

static bool judges_time(const es_statement *statement)
{
    for (size_t i = 0; i < statement->action_count; i++) {
        const es_statistic *statistic = statement->actions[i].statistic;
        if (statement->actions[i].kind == ES_ACTION_STATISTIC && statistic->kind == ES_STATISTIC_PROFILE)
            return true;
    }
    return (statement->features & TIMED) || statement->expect == ES_EXPECT_WITHIN;
}

static es_check_side replay_of(const question *q, const reading *cells, const es_statement *statement)
{
    const es_check_recorder_report *report = &q->sides->replay;
    es_arena *arena = q->sides->arena;
    if (!cells->parsed)
        return (es_check_side){.why = first_line(arena, cells->err.text)};
    if (judges_time(statement))
        return (es_check_side){.why = es_arena_format(arena,
                                                      "it goes by times, which the replay knows to within a heartbeat "
                                                      "(2^%u bus clocks)",
                                                      q->options->recorder_period)};
    if (statement->features & PINS)
        return (es_check_side){.why = "the replay has no pins, and comes later than the target"};
    if (report->guaranteed)
        return (es_check_side){.guaranteed = true};
    return (es_check_side){.why = report->why, .place = report->place, .advice = report->advice};
}

/* --- both --------------------------------------------------------------------------------------------------------- */

static void decide(es_check_sides *s)
{
    bool all = true;
    for (size_t k = 0; k < s->count; k++) {
        const es_check_statement *statement = &s->statements[k];
        all = all && statement->replay.guaranteed;
        if (statement->monitor.guaranteed)
            s->by_monitor++;
        else if (statement->replay.guaranteed)
            s->by_replay++;
        else
            s->by_neither++;
    }
    s->side = s->monitor.guaranteed ? ES_CHECK_MONITOR : all ? ES_CHECK_REPLAY : ES_CHECK_NEITHER;
}

static bool judge(const question *q, reading *plain, reading *cells, es_text_buffer *earlier)
{
    es_check_sides *s = q->sides;
    if (!plain->parsed && !cells->parsed) { /* what the probe would need is what is said */
        es_text_format(earlier, "%s", plain->earlier.text ? plain->earlier.text : "");
        *q->err = plain->err;
        size_t used = strlen(q->err->text);
        if (strcmp(plain->err.text, cells->err.text) != 0)
            snprintf(q->err->text + used, sizeof q->err->text - used, "%snote: on the replay neither: %s",
                     used && q->err->text[used - 1] != '\n' ? "\n" : "", cells->err.text);
        return false;
    }
    const es_program *program = plain->parsed ? &plain->program : &cells->program;
    const es_check_recorder_options recorder = es_check_recorder_of(q->limits, q->options);
    if (q->options->recorder_bytes)
        es_check_recorder(plain->symbols, &recorder, &s->replay);
    else
        s->replay = (es_check_recorder_report){.why = "this board's probe has no recorder", .arena = es_arena_new()};
    s->program = program;
    s->count = program->statement_count;
    s->statements = es_arena_alloc(s->arena, (s->count + 1) * sizeof *s->statements);
    for (size_t k = 0; k < s->count; k++) {
        s->statements[k].name = program->statements[k].name;
        s->statements[k].replay = replay_of(q, cells, &program->statements[k]);
    }
    if (!judge_monitor(q, plain, cells)) {
        es_check_recorder_report_free(&s->replay);
        return false;
    }
    decide(s);
    return true;
}

es_check_recorder_options es_check_recorder_of(const es_probe_limits *limits, const es_check_options *options)
{
    return (es_check_recorder_options){.memory_base = limits->window_base,
                                       .memory_size = limits->window_size,
                                       .devices_inside = options->window_is_all,
                                       .ratio = options->ratio,
                                       .bytes_per_clock = 4 * options->words_per_clock,
                                       .buffer = options->recorder_bytes,
                                       .fifo = options->fifo,
                                       .period = options->recorder_period,
                                       .interrupt_gap = options->interrupt_gap,
                                       .levels = options->levels,
                                       .nest = options->nest,
                                       .wait = options->wait,
                                       .instruction = options->instruction};
}

static void close_all(es_check_sides *sides)
{
    for (unsigned k = 0; k < 2; k++)
        if (sides->readings[k])
            reading_close(sides->readings[k]);
    es_arena_free(sides->arena);
    *sides = (es_check_sides){0};
}

bool es_check_sides_run(const char *program, const es_text *texts, size_t count, const es_probe_limits *limits,
                        const es_check_options *options, es_check_sides *sides, es_text_buffer *earlier, es_error *err)
{
    *sides = (es_check_sides){.arena = es_arena_new()};
    es_check_analysis analysis = {.arena = sides->arena};
    es_check_options shared = *options;
    shared.analysis = &analysis;
    const question q = {limits, &shared, sides, err};
    for (unsigned k = 0; k < 2; k++) {
        reading *r = es_arena_alloc(sides->arena, sizeof *r);
        if (!reading_open(r, program, texts, count, k, err)) {
            close_all(sides);
            return false;
        }
        sides->readings[k] = r;
    }
    if (judge(&q, sides->readings[0], sides->readings[1], earlier))
        return true;
    close_all(sides);
    return false;
}

void es_check_sides_free(es_check_sides *sides)
{
    es_check_report_free(&sides->monitor);
    es_check_recorder_report_free(&sides->replay);
    close_all(sides);
}
