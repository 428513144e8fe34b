#include "image/planner/make.h"

#include <string.h>

#include "image/image.h"
#include "image/paths/automaton.h"
#include "image/places/element.h"
#include "image/places/frames.h"
#include "image/places/indexed.h"
#include "image/places/lives.h"
#include "image/places/moving.h"
#include "image/places/pointers.h"
#include "image/places/reads.h"
#include "image/places/snapshot.h"
#include "image/places/written.h"
#include "image/plan/cover.h"
#include "image/plan/paths.h"
#include "image/plan/plan.h"
#include "image/plan/plan_private.h"
#include "image/plan/refuse.h"
#include "image/plan/writes.h"
#include "image/planner/arrange.h"
#include "image/planner/events.h"
#include "image/planner/proven.h"
#include "image/planner/tasks.h"
#include "image/planner/uses.h"
#include "image/times/ages.h"
#include "image/times/compound.h"
#include "image/times/deadline.h"
#include "image/times/holds.h"
#include "image/times/order.h"
#include "lang/statement.h"
#include "symbols/allocator.h"

static bool check_places(const image_plan *plan, const es_statement *statement, const es_probe_limits *limits,
                         es_error *err)
{
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        if (reference->frame || reference->via)
            continue;
        es_reference last = es_element_at(reference, es_element_count(reference) - 1);
        uint32_t offset = last.address - limits->window_base;
        if (offset >= limits->window_size || reference->size > limits->window_size - offset)
            return es_plan_refuse(plan, statement, i, err, NULL,
                                  "%s at 0x%08x lies outside of the probe's phantom memory (0x%08x to "
                                  "0x%08x)",
                                  reference->text, (unsigned)reference->address, (unsigned)limits->window_base,
                                  (unsigned)(limits->window_base + limits->window_size - 1));
    }
    return true;
}

/* What substates ask of their paths. */
static bool ask_of_path(void *context, const es_expr *expr)
{
    if (expr->kind == ES_EXPR_ACTIVE)
        es_paths_ask(context, expr->path, expr->exact ? AUTOMATON_DENOTES : AUTOMATON_EXISTS);
    return false;
}

/* All in the same lanes of one word: the write that completes one of them makes every byte known, whatever else of
 * the word is not. */
static bool is_direct(const es_statement *statement, size_t controls)
{
    if (controls || statement->reference_count == 0 || statement->area_count || es_image_snapshot_count(statement) ||
        plan_is_large(&statement->references[0]) || statement->references[0].via ||
        statement->references[0].subscript_count)
        return false;
    for (size_t i = 1; i < statement->reference_count; i++)
        if (!plan_in_same_word(&statement->references[0], &statement->references[i]) ||
            es_plan_lanes(&statement->references[0]) != es_plan_lanes(&statement->references[i]))
            return false;
    return true;
}

static bool in_one_frame(const es_statement *statement)
{
    for (size_t i = 0; i < statement->reference_count; i++)
        if (!statement->references[i].frame || statement->references[i].frame != statement->references[0].frame)
            return false;
    return true;
}

static int8_t *no_bits(image_plan *plan, size_t count)
{
    int8_t *bits = es_arena_alloc(plan->arena, count + 1);
    memset(bits, -1, count + 1);
    return bits;
}

/* Whether a statement is a single condition that occurs at its deadline. */
static bool has_deadline(const plan_statement *of, const plan_uses *uses)
{
    return !of->compound && (uses->unchanged || es_holds_is(of->statement));
}

static bool check(image_plan *plan, size_t number, const es_probe_limits *limits, plan_uses *uses, es_error *err)
{
    plan_statement *out = &plan->statements[number];
    const es_statement *statement = out->statement;
    size_t count = statement->reference_count;
    bool deadline = has_deadline(out, uses), waits = out->compound && out->compound->deadlines;
    if (deadline && !es_deadline_check(plan, statement, err))
        return false;
    out->olds = uses->old;
    if (deadline) /* nothing is written then: what was before is what is */
        memset(uses->old, 0, count);
    for (size_t i = 0; i < count; i++)
        if (!es_element_check(plan, statement, i, deadline || waits, err))
            return false;
    if (!check_places(plan, statement, limits, err) || !es_snapshot_check(plan, statement, limits, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!es_lives_refuse(plan, statement, i, deadline || waits, plan->traps, err))
            return false;
    return true;
}

static bool asks_paths(const es_statement *statement, const plan_uses *uses)
{
    bool asks = uses->substates;
    for (size_t i = 0; i < statement->reference_count; i++)
        asks |= statement->references[i].path != NULL;
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++)
        asks |= es_image_snapshot(statement, k)->place.path != NULL;
    for (size_t i = 0; i < uses->control_count; i++)
        asks |= uses->controls[i].path != NULL;
    return asks;
}

static bool plan_one(image_plan *plan, size_t number, const es_probe_limits *limits, es_error *err)
{
    const es_statement *statement = &plan->program->statements[number];
    plan_statement *out = &plan->statements[number];
    size_t count = statement->reference_count;
    plan_uses uses;
    out->statement = statement;
    out->write_bit = no_bits(plan, count);
    out->old_bit = no_bits(plan, count);
    out->read_bit = no_bits(plan, count);
    out->write_any_bit = no_bits(plan, statement->area_count);
    out->read_any_bit = no_bits(plan, statement->area_count);
    if (!es_uses_find(plan, number, limits, &uses, err) || !es_proven_check(plan, statement, &uses, err) ||
        !check(plan, number, limits, &uses, err))
        return false;
    es_plan_add_frames(plan, statement);
    if (uses.substates)
        es_statement_find(statement, ask_of_path, plan);
    if (!es_pointers_plan(plan, number, uses.old, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (uses.age[i] || (uses.old[i] && lives_of(&statement->references[i])))
            es_ages_add(plan, out, i, uses.old[i] && lives_of(&statement->references[i]));
    if (has_deadline(out, &uses))
        return es_deadline_plan(plan, number, limits->bus_hz, err);
    if (out->compound && !es_deadline_plan_parts(plan, number, limits->bus_hz, err))
        return false;
    out->asks_paths = asks_paths(statement, &uses);
    out->direct = !limits->unsure && !out->compound && !uses.reads && is_direct(statement, uses.control_count);
    plan->handlers[number].locks = !out->direct || es_indexed_counts(plan, number);
    out->needs_known |= !out->direct;
    for (size_t i = 0; i < count; i++)
        out->needs_known |= uses.old[i];
    out->has_controls = uses.control_count > 0;
    out->own_frame = !out->has_controls && !uses.reads && in_one_frame(statement);
    return es_events_add(plan, number, &uses, err);
}

bool es_plan_make(image_plan *plan, es_arena *arena, const es_symbols *symbols, const es_program *program,
                  const es_probe_limits *limits, const plan_options *options, es_error *err)
{
    *plan = (struct image_plan){.arena = arena,
                                .symbols = symbols,
                                .program = program,
                                .narrow = limits->narrow && !es_image_blindness(limits, symbols) &&
                                          !es_symbols_compressed(symbols),
                                .blind = es_image_blindness(limits, symbols),
                                .tells_times = limits->times,
                                .task_places = options->task_places,
                                .lean = options->lean,
                                .spill_words = options->spill_words,
                                .traps = es_symbols_traps(symbols)};
    if (program->statement_count > 0xFFFF)
        return es_fail(err, ES_USAGE, "%zu statements: at most 65535 are possible", program->statement_count);
    es_code_piece *pieces;
    plan->allocates = es_symbols_allocator(symbols, arena, &pieces) > 0;
    if (!es_indexed_find(plan, err))
        return false;
    plan->untracked = plan->blind || es_cover_only(program);
    es_moving_find(plan, symbols, limits);
    if (plan->untracked) { /* no hit tells a task */
        es_program *same = es_arena_alloc(arena, sizeof *same);
        *same = *plan->program;
        same->task = NULL;
        plan->program = same;
    }
    program = plan->program;
    plan->statements = es_arena_alloc(arena, (program->statement_count + 1) * sizeof *plan->statements);
    for (size_t i = 0; i < program->statement_count; i++) {
        plan->statements[i].stack = es_statement_stack(&program->statements[i]);
        plan->stacks |= plan->statements[i].stack != NULL;
    }
    for (size_t i = 0; i < program->statement_count; i++)
        es_plan_add_handler(plan, (plan_handler){PLAN_STATEMENT, i, i, true, false, 0});
    for (size_t i = 0; i < program->statement_count; i++)
        if (!plan_one(plan, i, limits, err))
            return false;
    es_order_plan(plan);
    es_pointers_add_notes(plan);
    es_deadline_add_notes(plan);
    if (!es_tasks_plan(plan, limits, err))
        return false;
    es_written_plan(plan);
    es_reads_settle(plan);
    if (!es_moving_check(plan, symbols, limits, err))
        return false;
    return es_plan_arrange(plan, err);
}
