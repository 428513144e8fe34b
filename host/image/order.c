#include "image/order.h"

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

static void push(rv_code *code, const unsigned *registers, int32_t count)
{
    es_rv_i(code, RV_ADDI, RV_SP, RV_SP, -16);
    for (int32_t i = 0; i < count; i++)
        es_rv_store(code, RV_SW, registers[i], RV_SP, 4 * i);
}

static void pop(rv_code *code, const unsigned *registers, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        es_rv_i(code, RV_LW, registers[i], RV_SP, 4 * i);
    es_rv_i(code, RV_ADDI, RV_SP, RV_SP, 16);
}

/* FIRST becomes the earliest deadline that something waits for. */
static void find_first(generator *g)
{
    es_rv_li(g->code, FIRST_LOW, 0xFFFFFFFFu);
    es_rv_li(g->code, FIRST_HIGH, 0xFFFFFFFFu);
    for (size_t i = 0; i < g->plan->deadline_count; i++) {
        unsigned next = es_rv_label(g->code), take = es_rv_label(g->code);
        es_deadline_pending(g, &g->plan->deadlines[i], next);
        es_rv_branch(g->code, RV_BLTU, RV_T2, FIRST_HIGH, take);
        es_rv_branch(g->code, RV_BNE, RV_T2, FIRST_HIGH, next);
        es_rv_branch(g->code, RV_BGEU, RV_T1, FIRST_LOW, next);
        es_rv_place(g->code, take);
        es_rv_i(g->code, RV_ADDI, FIRST_LOW, RV_T1, 0);
        es_rv_i(g->code, RV_ADDI, FIRST_HIGH, RV_T2, 0);
        es_rv_place(g->code, next);
    }
}

/* Notes before which time none is over: FIRST, or what is not too far away; LIMIT is in t3, t4. */
static void note_next(generator *g)
{
    unsigned far = es_rv_label(g->code), done = es_rv_label(g->code);
    es_rv_i(g->code, RV_ADDI, RV_T1, FIRST_LOW, 0);
    es_rv_i(g->code, RV_ADDI, RV_T2, FIRST_HIGH, 0);
    es_times_subtract(g->code, RV_T1, RV_T2, RV_T3, RV_T4);
    es_rv_branch(g->code, RV_BNE, RV_T2, RV_ZERO, far);
    es_rv_li(g->code, RV_T2, FAR);
    es_rv_branch(g->code, RV_BLTU, RV_T1, RV_T2, done);
    es_rv_place(g->code, far);
    es_rv_li(g->code, FIRST_LOW, FAR);
    es_rv_r(g->code, RV_ADD, FIRST_LOW, FIRST_LOW, RV_T3);
    es_rv_place(g->code, done);
    es_times_store(g, FIRST_LOW, g->plan->deadline_shared + DEADLINE_NEXT);
}

/* The routine that header.marks_at names: deadlines up to the time in a0, a1. Each round tells at least one. */
static void write_ordered(generator *g)
{
    static const unsigned kept[] = {RV_RA};
    rv_code *code = g->code;
    uint32_t shared = g->plan->deadline_shared;
    unsigned round = es_rv_label(code), tell = es_rv_label(code), done = es_rv_label(code), end = es_rv_label(code);
    push(code, kept, 1);
    es_times_store(g, RV_A0, shared + DEADLINE_LIMIT);
    es_times_store(g, RV_A1, shared + DEADLINE_LIMIT + 4);
    es_rv_li(code, RV_LIST, (uint32_t)g->plan->deadline_count);
    es_rv_place(code, round);
    find_first(g);
    es_times_load(g, RV_T3, shared + DEADLINE_LIMIT);
    es_times_load(g, RV_T4, shared + DEADLINE_LIMIT + 4);
    es_rv_branch(code, RV_BLTU, FIRST_HIGH, RV_T4, tell);
    es_rv_branch(code, RV_BNE, FIRST_HIGH, RV_T4, done);
    es_rv_branch(code, RV_BLTU, RV_T3, FIRST_LOW, done);
    es_rv_place(code, tell);
    es_times_store(g, FIRST_LOW, shared + DEADLINE_NOW);
    es_times_store(g, FIRST_HIGH, shared + DEADLINE_NOW + 4);
    es_deadline_check_all(g);
    es_rv_i(code, RV_ADDI, RV_LIST, RV_LIST, -1);
    es_rv_branch(code, RV_BNE, RV_LIST, RV_ZERO, round);
    es_times_load(g, RV_T1, shared + DEADLINE_LIMIT); /* all may have been told: the next one to ask looks again */
    es_times_store(g, RV_T1, shared + DEADLINE_NEXT);
    es_rv_jump(code, end);
    es_rv_place(code, done);
    note_next(g);
    es_rv_place(code, end);
    pop(code, kept, 1);
    es_rv_return(code, RV_RA);
}

/* The same as of the event, called with t0. */
static void write_settle(generator *g)
{
    static const unsigned kept[] = {RV_RA, RV_T0, RV_A0, RV_LIST};
    push(g->code, kept, 4);
    es_times_now(g, RV_A0, RV_A1);
    es_rv_call(g->code, RV_RA, g->plan->ordered_at);
    pop(g->code, kept, 4);
    es_rv_return(g->code, RV_T0);
}

void es_order_write(image_builder *b)
{
    generator g = {.plan = &b->plan, .code = &b->code};
    if (!b->plan.ordered)
        return;
    es_words_begin(b);
    write_ordered(&g);
    if (!es_rv_finish(&b->code)) {
        es_words_begin(b);
        b->code.far = true;
        write_ordered(&g);
    }
    b->plan.ordered_at = es_words_put(b);
    es_words_begin(b);
    write_settle(&g);
    b->plan.settle_at = es_words_put(b);
}

void es_order_settle(generator *g)
{
    unsigned go = es_rv_label(g->code);
    es_rv_i(g->code, RV_LW, RV_T1, RV_REGS, (int32_t)ES_REG_HIT_TIME);
    es_times_load(g, RV_T2, g->plan->deadline_shared + DEADLINE_NEXT);
    es_rv_r(g->code, RV_SUB, RV_T1, RV_T1, RV_T2);
    es_rv_branch(g->code, RV_BLT, RV_T1, RV_ZERO, go);
    es_rv_call(g->code, RV_T0, g->plan->settle_at);
    es_rv_place(g->code, go);
}

void es_order_begun(generator *g, unsigned rs)
{
    if (g->plan->ordered)
        es_times_store(g, rs, g->plan->deadline_shared + DEADLINE_NEXT);
}
