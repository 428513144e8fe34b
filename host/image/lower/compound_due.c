/* Deadlines of a compound event's parts: `A then (x > 3 for 10ms)`. */
#include "image/lower/compound_due.h"

#include "image/lower/copies.h"
#include "image/lower/deadline.h"
#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/lower/settle.h"
#include "image/lower/times.h"
#include "image/plan/compound.h"
#include "image/plan/deadline.h"
#include "image/plan/plan.h"
#include "ir/ir.h"

/* Registers that es_deadline_due leaves alone: bits of the first ones that have passed, their time, and one for the
 * moment. */
enum { SEEN = 12, BEGAN_LOW = 15, BEGAN_HIGH = 16, X = 17 };

/* Jumps unless the bit is set in SEEN. */
static void unless_seen(generator *g, uint32_t bit, unsigned label)
{
    es_ir_const(g->code, X, bit);
    es_ir_value(g->code, ES_IR_AND, X, X, SEEN);
    es_ir_branch(g->code, ES_IR_IF_EQ, X, ES_IR_ZERO, label);
}

/* The statement's deadline number `from` or one behind it, and the bit of its condition; NULL: there is none. */
static const plan_deadline *part_from(const generator *g, size_t *from, uint32_t *bit)
{
    const compound_event *event = g->statement->compound;
    for (; *from < g->plan->deadline_count; ++*from) {
        const plan_deadline *deadline = &g->plan->deadlines[*from];
        if (&g->plan->statements[deadline->statement] != g->statement)
            continue;
        for (size_t i = 0; i < event->leaf_count; i++)
            if (event->leaves[i] == deadline->condition)
                *bit = 1u << i;
        return deadline;
    }
    return NULL;
}

void es_compound_before(generator *g)
{
    const compound_event *event = g->statement->compound;
    size_t first = 0;
    uint32_t bit = 0;
    if (g->plan->ordered) {
        es_order_settle(g);
        return;
    }
    es_times_store(g, ES_IR_A0, event->state + COMPOUND_EVENTS);
    es_times_store(g, ES_IR_RA, event->state + COMPOUND_EVENT_BACK);
    es_deadline_ask_now(g);
    es_routine_run(g->code, ES_IR_RA, part_from(g, &first, &bit)->check_at);
    es_times_load(g, ES_IR_A0, event->state + COMPOUND_EVENTS);
    es_times_load(g, ES_IR_RA, event->state + COMPOUND_EVENT_BACK);
}

void es_compound_deadlines(generator *g, uint32_t late_at)
{
    const compound_event *event = g->statement->compound;
    es_times_store(g, ES_IR_RA, event->state + COMPOUND_BACK);
    for (uint32_t left = event->held; left; left &= left - 1)
        es_routine_run(g->code, ES_IR_RA, late_at);
    es_times_load(g, ES_IR_RA, event->state + COMPOUND_BACK);
    es_ir_return(g->code, ES_IR_RA, 0);
}

void es_compound_due(generator *g, unsigned no)
{
    es_ir_code *code = g->code;
    const plan_deadline *deadline;
    uint32_t bit = 0, passed = g->plan->deadline_shared + DEADLINE_PASSED;
    es_ir_const(code, SEEN, 0);
    for (size_t i = 0; (deadline = part_from(g, &i, &bit)) != NULL; i++) {
        unsigned past = es_ir_label(code), first = es_ir_label(code);
        es_deadline_due(g, deadline, past);
        es_ir_branch(code, ES_IR_IF_EQ, SEEN, ES_IR_ZERO, first);
        es_ir_branch(code, ES_IR_IF_BELOW, ES_IR_T2, BEGAN_HIGH, first);
        es_ir_branch(code, ES_IR_IF_NE, ES_IR_T2, BEGAN_HIGH, past);
        es_ir_branch(code, ES_IR_IF_BELOW, ES_IR_T1, BEGAN_LOW, first);
        es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, BEGAN_LOW, past);
        es_ir_const(code, ES_IR_T3, bit);
        es_ir_value(code, ES_IR_OR, SEEN, SEEN, ES_IR_T3);
        es_ir_jump(code, past);
        es_ir_here(code, first);
        es_ir_const(code, SEEN, bit);
        es_ir_immediate(code, ES_IR_ADD_I, BEGAN_LOW, ES_IR_T1, 0);
        es_ir_immediate(code, ES_IR_ADD_I, BEGAN_HIGH, ES_IR_T2, 0);
        es_ir_here(code, past);
    }
    es_ir_branch(code, ES_IR_IF_EQ, SEEN, ES_IR_ZERO, no);
    es_times_store(g, SEEN, g->statement->compound->state + COMPOUND_SEEN);
    es_times_store(g, BEGAN_LOW, passed);
    es_times_store(g, BEGAN_HIGH, passed + 4);
    for (size_t i = 0; (deadline = part_from(g, &i, &bit)) != NULL; i++) {
        unsigned other = es_ir_label(code);
        unless_seen(g, bit, other);
        es_times_load(g, X, deadline->record + DEADLINE_STATE);
        es_ir_immediate(code, ES_IR_OR_I, X, X, DEADLINE_DONE);
        es_times_store(g, X, deadline->record + DEADLINE_STATE);
        es_ir_here(code, other);
    }
}

void es_compound_check_shown(generator *g)
{
    const plan_deadline *deadline;
    uint32_t bit = 0;
    for (size_t i = 0; (deadline = part_from(g, &i, &bit)) != NULL; i++) {
        unsigned other = es_ir_label(g->code);
        if (!deadline->shows)
            continue;
        es_times_load(g, SEEN, g->statement->compound->state + COMPOUND_SEEN);
        unless_seen(g, bit, other);
        es_holds_check_shown(g, deadline);
        es_ir_here(g->code, other);
    }
}
