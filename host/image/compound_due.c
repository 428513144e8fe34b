/* Deadlines of a compound event's parts: `A then (x > 3 for 10ms)`. */
#include "image/compound.h"

#include "image/deadline.h"
#include "image/holds.h"
#include "image/order.h"
#include "image/times.h"

/* Registers that deadline_due leaves alone: bits of the first ones that have passed, their time, and one for the
 * moment. */
enum { SEEN = 12, BEGAN_LOW = 15, BEGAN_HIGH = 16, X = 17 };

/* Jumps unless the bit is set in SEEN. */
static void unless_seen(generator *g, uint32_t bit, unsigned label)
{
    rv_li(g->code, X, bit);
    rv_r(g->code, RV_AND, X, X, SEEN);
    rv_branch(g->code, RV_BEQ, X, RV_ZERO, label);
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

void compound_before(generator *g)
{
    const compound_event *event = g->statement->compound;
    size_t first = 0;
    uint32_t bit = 0;
    if (g->plan->ordered) {
        order_settle(g);
        return;
    }
    times_store(g, RV_A0, event->state + COMPOUND_EVENTS);
    times_store(g, RV_RA, event->state + COMPOUND_EVENT_BACK);
    deadline_ask_now(g);
    rv_call(g->code, RV_RA, part_from(g, &first, &bit)->check_at);
    times_load(g, RV_A0, event->state + COMPOUND_EVENTS);
    times_load(g, RV_RA, event->state + COMPOUND_EVENT_BACK);
}

void compound_deadlines(generator *g, uint32_t late_at)
{
    const compound_event *event = g->statement->compound;
    times_store(g, RV_RA, event->state + COMPOUND_BACK);
    for (uint32_t left = event->held; left; left &= left - 1)
        rv_call(g->code, RV_RA, late_at);
    times_load(g, RV_RA, event->state + COMPOUND_BACK);
    rv_return(g->code, RV_RA);
}

void compound_due(generator *g, unsigned no)
{
    rv_code *code = g->code;
    const plan_deadline *deadline;
    uint32_t bit = 0, passed = g->plan->deadline_shared + DEADLINE_PASSED;
    rv_li(code, SEEN, 0);
    for (size_t i = 0; (deadline = part_from(g, &i, &bit)) != NULL; i++) {
        unsigned past = rv_label(code), first = rv_label(code);
        deadline_due(g, deadline, past);
        rv_branch(code, RV_BEQ, SEEN, RV_ZERO, first);
        rv_branch(code, RV_BLTU, RV_T2, BEGAN_HIGH, first);
        rv_branch(code, RV_BNE, RV_T2, BEGAN_HIGH, past);
        rv_branch(code, RV_BLTU, RV_T1, BEGAN_LOW, first);
        rv_branch(code, RV_BNE, RV_T1, BEGAN_LOW, past);
        rv_li(code, RV_T3, bit);
        rv_r(code, RV_OR, SEEN, SEEN, RV_T3);
        rv_jump(code, past);
        rv_place(code, first);
        rv_li(code, SEEN, bit);
        rv_i(code, RV_ADDI, BEGAN_LOW, RV_T1, 0);
        rv_i(code, RV_ADDI, BEGAN_HIGH, RV_T2, 0);
        rv_place(code, past);
    }
    rv_branch(code, RV_BEQ, SEEN, RV_ZERO, no);
    times_store(g, SEEN, g->statement->compound->state + COMPOUND_SEEN);
    times_store(g, BEGAN_LOW, passed);
    times_store(g, BEGAN_HIGH, passed + 4);
    for (size_t i = 0; (deadline = part_from(g, &i, &bit)) != NULL; i++) {
        unsigned other = rv_label(code);
        unless_seen(g, bit, other);
        times_load(g, X, deadline->record + DEADLINE_STATE);
        rv_i(code, RV_ORI, X, X, DEADLINE_DONE);
        times_store(g, X, deadline->record + DEADLINE_STATE);
        rv_place(code, other);
    }
}

void compound_check_shown(generator *g)
{
    const plan_deadline *deadline;
    uint32_t bit = 0;
    for (size_t i = 0; (deadline = part_from(g, &i, &bit)) != NULL; i++) {
        unsigned other = rv_label(g->code);
        if (!deadline->shows)
            continue;
        times_load(g, SEEN, g->statement->compound->state + COMPOUND_SEEN);
        unless_seen(g, bit, other);
        holds_check_shown(g, deadline);
        rv_place(g->code, other);
    }
}
