/* Deadlines of a compound event's parts: `A then (x > 3 for 10ms)`. */
#include "image/lower/compound_due.h"

#include "image/lower/copies.h"
#include "image/lower/deadline.h"
#include "image/lower/generator.h"
#include "image/lower/order.h"
#include "image/lower/routines.h"
#include "image/lower/times.h"
#include "image/plan/plan.h"
#include "image/times/compound.h"
#include "image/times/deadline.h"
#include "ir/ir.h"

/* Jumps unless the bit is set. */
static void unless_bit(generator *g, es_ir_reg bits, uint32_t bit, unsigned label)
{
    es_ir_branch(g->code, ES_IR_IF_EQ, es_ir_make_immediate(g->code, ES_IR_AND_I, bits, bit), ES_IR_ZERO, label);
}

const plan_deadline *es_compound_part(const generator *g, size_t k, uint32_t *bit)
{
    const compound_event *event = g->statement->compound;
    for (size_t i = 0; i < g->plan->deadline_count; i++) {
        const plan_deadline *deadline = &g->plan->deadlines[i];
        if (&g->plan->statements[deadline->statement] != g->statement || k-- > 0)
            continue;
        for (size_t leaf = 0; leaf < event->leaf_count; leaf++)
            if (event->leaves[leaf] == deadline->condition)
                *bit = 1u << leaf;
        return deadline;
    }
    return NULL;
}

void es_compound_before(generator *g)
{
    const compound_event *event = g->statement->compound;
    uint32_t bit = 0;
    if (g->plan->ordered) {
        es_order_settle(g);
        return;
    }
    es_times_store(g, ES_IR_A0, event->state + COMPOUND_EVENTS);
    es_times_store(g, ES_IR_RA, event->state + COMPOUND_EVENT_BACK);
    es_deadline_ask_now(g);
    es_routine_run(g->code, ES_IR_RA, es_compound_part(g, 0, &bit)->check_at);
    es_times_load(g, ES_IR_A0, event->state + COMPOUND_EVENTS);
    es_times_load(g, ES_IR_RA, event->state + COMPOUND_EVENT_BACK);
}

void es_compound_deadlines(generator *g, uint32_t late_at)
{
    const compound_event *event = g->statement->compound;
    es_times_store(g, ES_IR_RA, event->state + COMPOUND_BACK);
    for (size_t left = event->deadlines; left; left--)
        es_routine_run(g->code, ES_IR_RA, late_at);
    es_times_load(g, ES_IR_RA, event->state + COMPOUND_BACK);
    es_ir_return(g->code, ES_IR_RA, 0);
}

/* Notes the deadline, whose time is in t1 and t2, when it is the earliest of those so far, or as early. */
static void take_earliest(generator *g, es_ir_reg low, es_ir_reg high, uint32_t due, unsigned past)
{
    es_ir_code *code = g->code;
    unsigned first = es_ir_label(code);
    es_ir_branch(code, ES_IR_IF_EQ, g->due, ES_IR_ZERO, first);
    es_ir_branch(code, ES_IR_IF_BELOW, ES_IR_T2, high, first);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T2, high, past);
    es_ir_branch(code, ES_IR_IF_BELOW, ES_IR_T1, low, first);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, low, past);
    es_ir_immediate(code, ES_IR_OR_I, g->due, g->due, due);
    es_ir_jump(code, past);
    es_ir_here(code, first);
    es_ir_const(code, g->due, due);
    es_ir_copy(code, low, ES_IR_T1);
    es_ir_copy(code, high, ES_IR_T2);
}

void es_compound_due(generator *g, unsigned no)
{
    es_ir_code *code = g->code;
    const plan_deadline *deadline;
    uint32_t bit = 0, passed = g->plan->deadline_shared + DEADLINE_PASSED;
    es_ir_reg low = es_ir_new(code), high = es_ir_new(code), seen = es_ir_new(code);
    g->due = es_ir_new(code);
    es_ir_const(code, g->due, 0);
    es_ir_const(code, low, 0);
    es_ir_const(code, high, 0);
    for (size_t k = 0; (deadline = es_compound_part(g, k, &bit)) != NULL; k++) {
        unsigned past = es_ir_label(code);
        es_deadline_due(g, deadline, past);
        take_earliest(g, low, high, 1u << k, past);
        es_ir_here(code, past);
    }
    es_ir_branch(code, ES_IR_IF_EQ, g->due, ES_IR_ZERO, no);
    es_times_store(g, low, passed);
    es_times_store(g, high, passed + 4);
    es_ir_const(code, seen, 0);
    for (size_t k = 0; (deadline = es_compound_part(g, k, &bit)) != NULL; k++) {
        unsigned other = es_ir_label(code);
        es_ir_reg state = es_ir_new(code);
        unless_bit(g, g->due, 1u << k, other);
        es_times_load(g, state, deadline->record + DEADLINE_STATE);
        es_ir_immediate(code, ES_IR_OR_I, state, state, DEADLINE_DONE);
        es_times_store(g, state, deadline->record + DEADLINE_STATE);
        if (deadline->holds)
            es_ir_immediate(code, ES_IR_OR_I, seen, seen, bit);
        es_ir_here(code, other);
    }
    es_times_store(g, seen, g->statement->compound->state + COMPOUND_SEEN);
}

void es_compound_check_shown(generator *g)
{
    const plan_deadline *deadline;
    uint32_t bit = 0;
    for (size_t k = 0; (deadline = es_compound_part(g, k, &bit)) != NULL; k++) {
        unsigned other = es_ir_label(g->code);
        if (!deadline->shows)
            continue;
        unless_bit(g, g->due, 1u << k, other);
        es_holds_check_shown(g, deadline);
        es_ir_here(g->code, other);
    }
}
