#include "image/plan/deadline.h"
#include "image/plan/plan_private.h"

#include <string.h>

#include "image/image.h"
#include "image/plan/compound.h"
#include "image/plan/holds.h"
#include "image/plan/moved.h"
#include "image/plan/paths.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "image/plan/writes.h"
#include "lang/statement.h"

#define SHARED_BYTES 28u

/* --- plan
 * ---------------------------------------------------------------------------------------------------------------- */

static bool unchanged(const es_expr *expr)
{
    return expr->kind == ES_EXPR_UNCHANGED;
}

/* The first part of an expression of a kind, or NULL. */
static const es_expr *find_part(const es_expr *expr, bool (*is)(const es_expr *))
{
    if (!expr || is(expr))
        return expr;
    const es_expr *const parts[] = {expr->condition, expr->lhs, expr->rhs}, *found = NULL;
    for (size_t i = 0; i < 3 && !found; i++)
        found = find_part(parts[i], is);
    return found;
}

static const es_expr *find_unchanged(const es_event_tree *event)
{
    if (event->kind == ES_EVENT_WHEN)
        return find_part(event->condition->expr, unchanged);
    const es_expr *found = find_unchanged(event->first);
    return found ? found : find_unchanged(event->second);
}

/* What is about an event: nothing happens at a deadline. */
static bool is_event(const es_expr *expr)
{
    switch (expr->kind) {
    case ES_EXPR_CONST:
    case ES_EXPR_REFERENCE:
    case ES_EXPR_COUNTER:
    case ES_EXPR_UNARY:
    case ES_EXPR_BINARY:
    case ES_EXPR_CONVERT:
    case ES_EXPR_CHOICE:
    case ES_EXPR_UNCHANGED: return false;
    default: return true;
    }
}

/* Whether two references mean the same bits, wherever these are. */
static bool same_variable(const es_statement *statement, size_t left, size_t right)
{
    const es_reference *a = &statement->references[left], *b = &statement->references[right];
    if (left == right)
        return true;
    return a->frame == b->frame && es_paths_same(a->path, b->path) && a->address == b->address && a->size == b->size &&
           a->bit_offset == b->bit_offset && a->bit_size == b->bit_size && a->via == b->via && !a->subscript_count &&
           !b->subscript_count &&
           (!a->via || (a->base < left && b->base < right && same_variable(statement, a->base, b->base)));
}

/* One variable, one length of time, and the condition is true then only. */
static bool check_unchanged(const image_plan *plan, const es_statement *statement, es_error *err)
{
    const es_condition *condition = statement->event->condition;
    const es_trigger *first = &condition->triggers[0];
    for (size_t i = 0; i < condition->trigger_count; i++) {
        const es_trigger *trigger = &condition->triggers[i];
        if (trigger->kind != ES_TRIGGER_UNCHANGED)
            return es_plan_refuse_at(
                plan, condition->expr->source, 1, err, "two statements, which may count with the same counter",
                "in this version a condition with `unchanged for` has no other events: join with &&");
        if (!same_variable(statement, trigger->index, first->index) ||
            trigger->duration.count != first->duration.count || trigger->duration.cycles != first->duration.cycles)
            return es_plan_refuse(
                plan, statement, trigger->index, err, "two statements, which may count with the same counter",
                "in this version a statement has `unchanged for` of one variable and for one length of time");
    }
    return condition->trigger_count > 0;
}

/* A path that is true while its activation exists, and may be one of the conditions of `for` joined by &&: when the
 * activation ends, they are not true any more. */
static bool check_path(const image_plan *plan, const es_expr *expr, es_error *err)
{
    static const char hint[] = "name a local, which is there as long as its activation: main:control\\x > 3 for 10ms";
    if (expr->exact)
        return es_plan_refuse_at(plan, expr->source, 1, err, "main:control for 10ms",
                                 "in this version `for` does not take which activation is the innermost");
    if (es_moving_why(plan, plan_last_step(expr->path)))
        return es_plan_refuse_at(plan, expr->source, 1, err, hint,
                                 "the activation %s has a frame at no fixed place; in this version `for` takes "
                                 "paths of others",
                                 expr->path->text);
    return true;
}

static bool check_parts(const image_plan *plan, const es_expr *expr, bool joined, es_error *err)
{
    if (joined && expr->kind == ES_EXPR_BINARY && expr->op == ES_OP_LOGAND)
        return check_parts(plan, expr->lhs, true, err) && check_parts(plan, expr->rhs, true, err);
    if (joined && expr->kind == ES_EXPR_ACTIVE)
        return check_path(plan, expr, err);
    const es_expr *part = find_part(expr, is_event);
    if (!part)
        return true;
    if (part->kind == ES_EXPR_ACTIVE)
        return es_plan_refuse_at(
            plan, part->source, 1, err, "main:control && x > 3 for 10ms",
            "in this version paths are conditions of `for` alone, and joined with others by && only");
    return es_plan_refuse_at(
        plan, part->source, 1, err, "x > 80 for 10ms; or A then B && elapsed > 10ms",
        "this is about an event, which is over at once: `for` and `unchanged for` take conditions on values of "
        "variables and counters");
}

static bool check_shown(const image_plan *plan, const es_statement *statement, es_error *err)
{
    for (size_t k = 0; k < es_image_value_count(statement); k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (item->kind == ES_ITEM_AGE)
            return es_plan_refuse_at(
                plan, statement->source, 1, err, "print x; every hit shows its time",
                "%s: in this version a statement with `for` or `unchanged for` prints values and counters", item->name);
    }
    return true;
}

bool es_deadline_check(const image_plan *plan, const es_statement *statement, const struct plan_uses *uses,
                       es_error *err)
{
    if (es_compound_is(statement))
        return es_plan_refuse_at(plan, find_unchanged(statement->event)->source, 1, err,
                                 "a statement of its own with `unchanged for`, which counts",
                                 "in this version `unchanged for` stands alone, not in an event of several parts");
    const es_expr *expr = statement->event->condition->expr;
    bool holds = es_holds_is(statement);
    if (holds && uses->unchanged)
        return es_plan_refuse_at(plan, find_part(expr, unchanged)->source, 1, err, "x unchanged for 10ms",
                                 "`unchanged for` is true at one moment only, and so not `for` some time");
    if (!check_parts(plan, expr, holds, err))
        return false;
    for (size_t i = 0; i < statement->reference_count; i++)
        for (size_t k = 0; k < statement->references[i].subscript_count; k++)
            if (!check_parts(plan, statement->references[i].subscripts[k].index, false, err))
                return false;
    return check_shown(plan, statement, err) && (holds || check_unchanged(plan, statement, err));
}

/* One variable of static storage, in one word, and nothing else: the write tells its value. */
static bool is_plain(const es_statement *statement)
{
    const es_reference *first = &statement->references[0];
    if (es_holds_is(statement) || first->frame || first->via || first->subscript_count || plan_is_large(first) ||
        plan_words(first) > 1)
        return false;
    for (size_t i = 1; i < statement->reference_count; i++)
        if (!same_variable(statement, 0, i))
            return false;
    return true;
}

void es_deadline_add_notes(image_plan *plan, size_t first)
{
    for (size_t i = 0; i < plan->deadline_count; i++) {
        const plan_deadline *deadline = &plan->deadlines[i];
        const es_statement *statement = plan->statements[deadline->statement].statement;
        plan->statements[first + i] = (plan_statement){
            .statement = statement, .direct = !deadline->evaluated, .needs_known = deadline->evaluated};
        if (deadline->evaluated)
            es_holds_add_notes(plan, deadline, first + i);
        else
            es_plan_add_writes(plan, (plan_write){.statement = first + i, .early = true}, deadline->reference);
    }
}

bool es_deadline_plan(image_plan *plan, size_t number, uint64_t bus_hz, es_error *err)
{
    plan_statement *out = &plan->statements[number];
    const es_statement *statement = out->statement;
    const es_condition *condition = statement->event->condition;
    bool holds = es_holds_is(statement);
    plan->deadlines = es_arena_grow(plan->arena, plan->deadlines, plan->deadline_count, sizeof *plan->deadlines);
    plan_deadline *deadline = &plan->deadlines[plan->deadline_count++];
    *deadline = (plan_deadline){
        .reference = holds ? NULL : &statement->references[condition->triggers[0].index],
        .statement = number,
        .condition = condition,
        .holds = holds,
        .shows = true,
        .bytes = DEADLINE_RECORD_BYTES,
        .evaluated = !is_plain(statement),
        .clocks = es_duration_cycles(holds ? condition->holds_for : condition->triggers[0].duration, bus_hz)};
    out->deadline = plan->deadline_count;
    out->needs_known = deadline->evaluated;
    return !deadline->evaluated || es_holds_plan(plan, deadline, err);
}

bool es_deadline_plan_parts(image_plan *plan, size_t number, uint64_t bus_hz, es_error *err)
{
    plan_statement *out = &plan->statements[number];
    const struct compound_event *event = out->compound;
    for (size_t i = 0; i < event->leaf_count; i++) {
        const es_condition *condition = event->leaves[i];
        bool last = event->last & 1u << i;
        if (!condition->holds_for.count)
            continue;
        if (!check_parts(plan, condition->expr, true, err) || (last && !check_shown(plan, out->statement, err)))
            return false;
        plan->deadlines = es_arena_grow(plan->arena, plan->deadlines, plan->deadline_count, sizeof *plan->deadlines);
        plan_deadline *deadline = &plan->deadlines[plan->deadline_count++];
        *deadline = (plan_deadline){.statement = number,
                                    .condition = condition,
                                    .holds = true,
                                    .part = true,
                                    .shows = last,
                                    .evaluated = true,
                                    .clocks = es_duration_cycles(condition->holds_for, bus_hz)};
        out->needs_known = true;
        if (!es_holds_plan(plan, deadline, err))
            return false;
    }
    return true;
}

/* What memory holds once start-up code has run. hush: that is no event, so what it clears is known without one. */
static bool initial_bytes(const es_symbols *symbols, bool hush, uint32_t address, void *out, uint32_t count)
{
    if (hush && es_symbols_cleared(symbols, address, count)) {
        memset(out, 0, count);
        return true;
    }
    const es_segment *segments;
    for (size_t k = es_symbols_segments(symbols, &segments); k-- > 0;)
        if (address >= segments[k].address && segments[k].size >= count &&
            address - segments[k].address <= segments[k].size - count) {
            memcpy(out, segments[k].bytes + (address - segments[k].address), count);
            return true;
        }
    return false;
}

void es_deadline_initial(image_plan *plan, const es_symbols *symbols, bool hush)
{
    for (size_t i = 0; i < plan->deadline_count; i++) {
        plan_deadline *deadline = &plan->deadlines[i];
        const es_statement *statement = plan->statements[deadline->statement].statement;
        if (!deadline->evaluated)
            deadline->known = initial_bytes(symbols, hush, deadline->reference->address & ~3u, &deadline->initial, 4);
        for (size_t k = 0; deadline->from_start && k < statement->reference_count; k++) {
            uint32_t words[3] = {0};
            const es_reference *reference = &statement->references[k];
            deadline->held[k].known =
                initial_bytes(symbols, hush, plan_first_word(reference), words, 4 * plan_words(reference));
            es_holds_initial(reference, words, deadline->held[k].initial);
        }
    }
}

uint32_t es_deadline_place(image_plan *plan, uint32_t at)
{
    if (!plan->deadline_count)
        return at;
    plan->deadline_shared = at;
    at += SHARED_BYTES;
    for (size_t i = 0; i < plan->deadline_count; i++) {
        plan_deadline *deadline = &plan->deadlines[i];
        deadline->record = at;
        deadline->copies = deadline->part ? plan->statements[deadline->statement].compound->shown - HOLDS_COPY : at;
        at += deadline->bytes;
    }
    return at;
}
