#include "image/plan/triggers.h"

#include "image/plan/paths.h"
#include "image/plan/plan.h"
#include "image/plan/plan_private.h"
#include "image/plan/position.h"
#include "image/plan/writes.h"
#include "lang/statement.h"

/* --- which events can make a predicate true -------------------------------------------------------------- */

typedef struct plan_truth {
    bool known;
    bool value; /* not 0 */
} plan_truth;

static const plan_truth unknown_truth = {false, false};

static bool is_member(const es_statement *statement, const es_expr *expr, const es_reference *reference)
{
    return es_area_has(statement, expr->area, (size_t)(reference - statement->references));
}

/* What is sure about an expression's truth from the event alone. */
static plan_truth judge(const es_expr *expr, const plan_assumption *event)
{
    plan_truth left, right;
    if (expr->type != ES_VALUE_32)
        return unknown_truth;
    switch (expr->kind) {
    case ES_EXPR_CONST: return (plan_truth){true, expr->value != 0};
    case ES_EXPR_ENTER:
    case ES_EXPR_LEAVE:
    case ES_EXPR_AT: {
        const plan_control control = es_plan_control_of(expr), *now = &event->control;
        if (event->written || event->read)
            return (plan_truth){true, false};
        if (now->procedure != control.procedure || now->leave != control.leave ||
            !es_position_same(now->position, control.position))
            return es_position_may_coincide(now, &control) ? unknown_truth : (plan_truth){true, false};
        /* another path may denote the same activation */
        return !expr->path || es_paths_same(now->path, expr->path) ? (plan_truth){true, true} : unknown_truth;
    }
    case ES_EXPR_WRITE:
        if (!event->written)
            return (plan_truth){true, false};
        if (expr->area)
            return is_member(event->statement, expr, event->written) ? (plan_truth){true, true} : unknown_truth;
        if (event->written == &event->statement->references[expr->index] && !event->written->subscript_count)
            return (plan_truth){true, true};
        /* one store can write several variables of a word, and the last part of one that lies across words */
        if (event->written->subscript_count || event->statement->references[expr->index].subscript_count ||
            event->written->via || event->statement->references[expr->index].via || plan_is_large(event->written) ||
            plan_is_large(&event->statement->references[expr->index]))
            return unknown_truth;
        return plan_in_same_word(event->written, &event->statement->references[expr->index])
                   ? unknown_truth
                   : (plan_truth){true, false};
    case ES_EXPR_READ:
        if (!event->read)
            return (plan_truth){true, false};
        if (expr->area)
            return is_member(event->statement, expr, event->read) ? (plan_truth){true, true} : unknown_truth;
        /* one load can read several variables of a word */
        return event->read == &event->statement->references[expr->index] ? (plan_truth){true, true} : unknown_truth;
    case ES_EXPR_UNARY:
        left = judge(expr->lhs, event);
        return expr->op == ES_OP_LOGNOT && left.known ? (plan_truth){true, !left.value} : unknown_truth;
    case ES_EXPR_BINARY:
        if (expr->op != ES_OP_LOGAND && expr->op != ES_OP_LOGOR)
            return unknown_truth;
        left = judge(expr->lhs, event);
        right = judge(expr->rhs, event);
        if (expr->op == ES_OP_LOGAND) {
            if ((left.known && !left.value) || (right.known && !right.value))
                return (plan_truth){true, false};
        } else if ((left.known && left.value) || (right.known && right.value)) {
            return (plan_truth){true, true};
        }
        return left.known && right.known ? right : unknown_truth;
    default: return unknown_truth;
    }
}

bool es_plan_can_be_true(const es_expr *predicate, const plan_assumption *event)
{
    plan_truth truth = judge(predicate, event);
    return !truth.known || truth.value;
}

/* --- walking expressions --------------------------------------------------------------------------------- */

static void use_control(plan_uses *uses, es_arena *arena, const plan_control *control)
{
    for (size_t i = 0; i < uses->control_count; i++)
        if (es_plan_same_control(&uses->controls[i], control))
            return;
    uses->controls = es_arena_grow(arena, uses->controls, uses->control_count, sizeof *uses->controls);
    uses->controls[uses->control_count++] = *control;
}

void es_plan_find_triggers(const es_event_tree *event, es_arena *arena, plan_uses *uses)
{
    if (event->kind != ES_EVENT_WHEN) {
        es_plan_find_triggers(event->first, arena, uses);
        es_plan_find_triggers(event->second, arena, uses);
        return;
    }
    const es_condition *condition = event->condition;
    for (size_t i = 0; i < condition->trigger_count; i++) {
        const es_trigger *trigger = &condition->triggers[i];
        plan_control control = es_plan_control_at(trigger);
        if (trigger->kind == ES_TRIGGER_ENTER)
            use_control(uses, arena, &control);
    }
}

static void use_area(const es_expr *expr, plan_uses *uses)
{
    bool write = expr->kind == ES_EXPR_WRITE;
    for (size_t i = 0; i < es_expr_members(uses->statement, expr); i++)
        (write ? uses->named : uses->read_member)[es_expr_member(uses->statement, expr, i)] = true;
    (write ? uses->write_any : uses->read_any)[expr->area - 1] = true;
    uses->reads |= !write;
}

static void find_uses(const es_expr *expr, unsigned depth, es_arena *arena, plan_uses *uses)
{
    if (!expr || uses->too_deep)
        return;
    if (depth > PLAN_DEPTH_MAX) {
        uses->too_deep = true;
        return;
    }
    if (expr->area) {
        use_area(expr, uses);
        return;
    }
    if (expr->kind == ES_EXPR_WRITE || expr->kind == ES_EXPR_REFERENCE || expr->kind == ES_EXPR_OLD ||
        expr->kind == ES_EXPR_AGE)
        uses->named[expr->index] = true;
    if (expr->kind == ES_EXPR_WRITE)
        uses->write[expr->index] = true;
    else if (expr->kind == ES_EXPR_READ)
        uses->read[expr->index] = uses->reads = true;
    else if (expr->kind == ES_EXPR_OLD)
        uses->old[expr->index] = true;
    else if (expr->kind == ES_EXPR_AGE)
        uses->age[expr->index] = true;
    else if (expr->kind == ES_EXPR_UNCHANGED)
        uses->unchanged = true;
    else if (expr->kind == ES_EXPR_ENTER || expr->kind == ES_EXPR_LEAVE || expr->kind == ES_EXPR_AT) {
        plan_control control = es_plan_control_of(expr);
        use_control(uses, arena, &control);
    } else if (expr->kind == ES_EXPR_ACTIVE) {
        uses->substates = true;
    } else if (expr->kind == ES_EXPR_UNARY || expr->kind == ES_EXPR_BINARY || expr->kind == ES_EXPR_CONVERT ||
               expr->kind == ES_EXPR_CHOICE) {
        find_uses(expr->condition, depth + 1, arena, uses);
        find_uses(expr->lhs, depth + 1, arena, uses);
        find_uses(expr->rhs, depth + 1, arena, uses);
    }
}

void es_plan_find_uses(const es_expr *expr, es_arena *arena, plan_uses *uses)
{
    find_uses(expr, 0, arena, uses);
}

void es_plan_find_event_uses(const es_event_tree *event, es_arena *arena, plan_uses *uses)
{
    if (event->kind == ES_EVENT_WHEN) {
        find_uses(event->condition->expr, 0, arena, uses);
        return;
    }
    es_plan_find_event_uses(event->first, arena, uses);
    es_plan_find_event_uses(event->second, arena, uses);
}
