#include "image/order.h"
#include "image/routines.h"

#include "image/compound.h"
#include "image/deadline.h"
#include "image/times.h"
#include "image/words.h"

/* A deadline that is farther away than this counts as one that has to be asked for again then: the low halves of times
 * tell which of two is the later one. */
#define FAR 0x40000000u

/* The earliest deadline, in registers that es_deadline_pending leaves alone. */
enum { FIRST_LOW = 15, FIRST_HIGH = 16 };

/* --- which statements matter to each other ---------------------------------------------------------------------- */

static bool names_counter(const es_expr *expr, size_t counter)
{
    return expr && ((expr->kind == ES_EXPR_COUNTER && expr->index == counter) || names_counter(expr->lhs, counter) ||
                    names_counter(expr->rhs, counter) || names_counter(expr->condition, counter));
}

static bool event_names_counter(const es_event_tree *event, size_t counter)
{
    if (event->kind == ES_EVENT_WHEN)
        return names_counter(event->condition->expr, counter);
    return event_names_counter(event->first, counter) || event_names_counter(event->second, counter);
}

static bool changes_counter(const es_action *action)
{
    return action->kind == ES_ACTION_COUNT || action->kind == ES_ACTION_DECREMENT || action->kind == ES_ACTION_SET;
}

/* Whether a statement asks for a counter, shows it or changes it. */
static bool uses_counter(const es_statement *statement, size_t counter)
{
    if (event_names_counter(statement->event, counter))
        return true;
    for (size_t i = 0; i < statement->reference_count; i++)
        for (size_t k = 0; k < statement->references[i].subscript_count; k++)
            if (names_counter(statement->references[i].subscripts[k].index, counter))
                return true;
    for (size_t i = 0; i < statement->action_count; i++) {
        const es_action *action = &statement->actions[i];
        if (changes_counter(action) && action->counter == counter)
            return true;
        for (size_t k = 0; k < action->item_count; k++)
            if (action->items[k].kind == ES_ITEM_COUNTER && action->items[k].index == counter)
                return true;
    }
    return false;
}

static bool switches(const es_action *action, size_t statement)
{
    return (action->kind == ES_ACTION_ENABLE || action->kind == ES_ACTION_DISABLE) && action->statement == statement;
}

/* Whether actions of `from` make a difference to `to`. */
static bool acts_on(const es_program *program, size_t from, size_t to)
{
    const es_statement *statement = &program->statements[from], *other = &program->statements[to];
    for (size_t i = 0; i < statement->action_count; i++) {
        const es_action *action = &statement->actions[i];
        if (action->kind == ES_ACTION_STOP || action->kind == ES_ACTION_HALT || switches(action, to) ||
            (changes_counter(action) && uses_counter(other, action->counter)))
            return true;
        for (size_t k = 0; k < other->action_count; k++)
            if ((action->kind == ES_ACTION_ENABLE || action->kind == ES_ACTION_DISABLE) &&
                switches(&other->actions[k], action->statement))
                return true;
    }
    return false;
}

void es_order_plan(image_plan *plan)
{
    for (size_t i = 0; i < plan->deadline_count; i++) {
        size_t waits = plan->deadlines[i].statement;
        for (size_t k = 0; k < plan->program->statement_count; k++)
            if (k != waits && (acts_on(plan->program, waits, k) || acts_on(plan->program, k, waits)))
                plan->ordered = plan->statements[k].after_deadlines = true;
    }
}

/* --- code ------------------------------------------------------------------------------------------------------- */

static void push(es_ir_code *code, const unsigned *registers, int32_t count)
{
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_SP, ES_IR_SP, -16);
    for (int32_t i = 0; i < count; i++)
        es_ir_store(code, ES_IR_STORE, registers[i], ES_IR_SP, 4 * i);
}

static void pop(es_ir_code *code, const unsigned *registers, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        es_ir_load(code, ES_IR_LOAD, registers[i], ES_IR_SP, 4 * i);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_SP, ES_IR_SP, 16);
}

/* FIRST becomes the earliest deadline that something waits for. */
static void find_first(generator *g)
{
    es_ir_const(g->code, FIRST_LOW, 0xFFFFFFFFu);
    es_ir_const(g->code, FIRST_HIGH, 0xFFFFFFFFu);
    for (size_t i = 0; i < g->plan->deadline_count; i++) {
        unsigned next = es_ir_label(g->code), take = es_ir_label(g->code);
        es_deadline_pending(g, &g->plan->deadlines[i], next);
        es_ir_branch(g->code, ES_IR_IF_BELOW, ES_IR_T2, FIRST_HIGH, take);
        es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T2, FIRST_HIGH, next);
        es_ir_branch(g->code, ES_IR_IF_NOT_BELOW, ES_IR_T1, FIRST_LOW, next);
        es_ir_here(g->code, take);
        es_ir_immediate(g->code, ES_IR_ADD_I, FIRST_LOW, ES_IR_T1, 0);
        es_ir_immediate(g->code, ES_IR_ADD_I, FIRST_HIGH, ES_IR_T2, 0);
        es_ir_here(g->code, next);
    }
}

/* Notes before which time none is over: FIRST, or what is not too far away; LIMIT is in t3, t4. */
static void note_next(generator *g)
{
    unsigned far = es_ir_label(g->code), done = es_ir_label(g->code);
    es_ir_immediate(g->code, ES_IR_ADD_I, ES_IR_T1, FIRST_LOW, 0);
    es_ir_immediate(g->code, ES_IR_ADD_I, ES_IR_T2, FIRST_HIGH, 0);
    es_times_subtract(g->code, ES_IR_T1, ES_IR_T2, ES_IR_T3, ES_IR_T4);
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T2, ES_IR_ZERO, far);
    es_ir_const(g->code, ES_IR_T2, FAR);
    es_ir_branch(g->code, ES_IR_IF_BELOW, ES_IR_T1, ES_IR_T2, done);
    es_ir_here(g->code, far);
    es_ir_const(g->code, FIRST_LOW, FAR);
    es_ir_value(g->code, ES_IR_ADD, FIRST_LOW, FIRST_LOW, ES_IR_T3);
    es_ir_here(g->code, done);
    es_times_store(g, FIRST_LOW, g->plan->deadline_shared + DEADLINE_NEXT);
}

/* The routine that header.marks_at names: deadlines up to the time in a0, a1. Each round tells at least one. */
static void write_ordered(generator *g)
{
    static const unsigned kept[] = {ES_IR_RA};
    es_ir_code *code = g->code;
    uint32_t shared = g->plan->deadline_shared;
    unsigned round = es_ir_label(code), tell = es_ir_label(code), done = es_ir_label(code), end = es_ir_label(code);
    push(code, kept, 1);
    es_times_store(g, ES_IR_A0, shared + DEADLINE_LIMIT);
    es_times_store(g, ES_IR_A1, shared + DEADLINE_LIMIT + 4);
    es_ir_const(code, ES_IR_LIST, (uint32_t)g->plan->deadline_count);
    es_ir_here(code, round);
    find_first(g);
    es_times_load(g, ES_IR_T3, shared + DEADLINE_LIMIT);
    es_times_load(g, ES_IR_T4, shared + DEADLINE_LIMIT + 4);
    es_ir_branch(code, ES_IR_IF_BELOW, FIRST_HIGH, ES_IR_T4, tell);
    es_ir_branch(code, ES_IR_IF_NE, FIRST_HIGH, ES_IR_T4, done);
    es_ir_branch(code, ES_IR_IF_BELOW, ES_IR_T3, FIRST_LOW, done);
    es_ir_here(code, tell);
    es_times_store(g, FIRST_LOW, shared + DEADLINE_NOW);
    es_times_store(g, FIRST_HIGH, shared + DEADLINE_NOW + 4);
    es_deadline_check_all(g);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_LIST, ES_IR_LIST, -1);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_LIST, ES_IR_ZERO, round);
    es_times_load(g, ES_IR_T1, shared + DEADLINE_LIMIT); /* all may have been told: the next one to ask looks again */
    es_times_store(g, ES_IR_T1, shared + DEADLINE_NEXT);
    es_ir_jump(code, end);
    es_ir_here(code, done);
    note_next(g);
    es_ir_here(code, end);
    pop(code, kept, 1);
    es_ir_return(code, ES_IR_RA, 0);
}

/* The same as of the event, called with t0. */
static void write_settle(generator *g)
{
    static const unsigned kept[] = {ES_IR_RA, ES_IR_T0, ES_IR_A0, ES_IR_LIST};
    push(g->code, kept, 4);
    es_times_now(g, ES_IR_A0, ES_IR_A1);
    es_routine_run(g->code, ES_IR_RA, g->plan->ordered_at);
    pop(g->code, kept, 4);
    es_ir_return(g->code, ES_IR_T0, ES_IR_SET(ES_IR_A0));
}

void es_order_write(image_builder *b)
{
    generator g = {.plan = &b->plan, .code = &b->code};
    if (!b->plan.ordered)
        return;
    es_code_begin(b);
    write_ordered(&g);
    b->plan.ordered_at = es_code_put(b);
    es_code_begin(b);
    write_settle(&g);
    b->plan.settle_at = es_code_put(b);
}

void es_order_settle(generator *g)
{
    unsigned go = es_ir_label(g->code);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_HIT_TIME);
    es_times_load(g, ES_IR_T2, g->plan->deadline_shared + DEADLINE_NEXT);
    es_ir_value(g->code, ES_IR_SUB, ES_IR_T1, ES_IR_T1, ES_IR_T2);
    es_ir_branch(g->code, ES_IR_IF_LESS, ES_IR_T1, ES_IR_ZERO, go);
    es_routine_call_at(g->code, ROUTINE_settle, g->plan->settle_at);
    es_ir_here(g->code, go);
}

void es_order_begun(generator *g, unsigned rs)
{
    if (g->plan->ordered)
        es_times_store(g, rs, g->plan->deadline_shared + DEADLINE_NEXT);
}
