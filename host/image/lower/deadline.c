#include "image/lower/deadline.h"

#include <string.h>

#include "base/endian.h"
#include "image/lower/generator.h"
#include "image/lower/order.h"
#include "image/lower/routines.h"
#include "image/lower/times.h"
#include "image/plan/plan.h"
#include "image/times/deadline.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* The bits of its word that a variable takes, as the bus has it. */
static uint32_t mask(const es_reference *reference)
{
    unsigned bits = plan_bits(reference);
    uint32_t all = bits == 32 ? 0xFFFFFFFFu : (1u << bits) - 1;
    return plan_is_turned(reference) ? (uint32_t)es_endian_turned(all << (32 - plan_first_bit(reference) - bits), 4)
                                     : all << plan_first_bit(reference);
}

void es_deadline_ask_now(generator *g)
{
    es_times_now(g, ES_IR_T1, ES_IR_T2);
    es_times_store(g, ES_IR_T1, g->plan->deadline_shared + DEADLINE_NOW);
    es_times_store(g, ES_IR_T2, g->plan->deadline_shared + DEADLINE_NOW + 4);
}

void es_deadline_ask(generator *g, const plan_deadline *deadline)
{
    if (g->plan->ordered) {
        es_order_settle(g);
        return;
    }
    es_deadline_ask_now(g);
    es_routine_run(g->code, ES_IR_RA, deadline->check_at);
}

void es_deadline_note_write(generator *g, const plan_deadline *deadline)
{
    es_ir_code *code = g->code;
    unsigned unwritten = es_ir_label(code), compare = es_ir_label(code), changed = es_ir_label(code),
             same = es_ir_label(code);
    uint32_t record = deadline->record;
    es_times_store(g, ES_IR_RA, record + DEADLINE_BACK);
    es_deadline_ask(g, deadline);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_HIT_NEW);
    es_times_load(g, ES_IR_T2, record + DEADLINE_STATE);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T3, ES_IR_T2, DEADLINE_WRITTEN);
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T3, ES_IR_ZERO, unwritten);
    es_times_load(g, ES_IR_T3, record + DEADLINE_VALUE);
    es_ir_jump(code, compare);
    es_ir_here(code, unwritten);
    if (deadline->known) {
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T3, ES_IR_T2, DEADLINE_ANEW);
        es_ir_branch(code, ES_IR_IF_NE, ES_IR_T3, ES_IR_ZERO, changed);
        es_ir_const(code, ES_IR_T3, deadline->initial);
    } else {
        es_ir_jump(code, changed);
    }
    es_ir_here(code, compare);
    es_ir_value(code, ES_IR_XOR, ES_IR_T3, ES_IR_T3, ES_IR_T1);
    es_ir_const(code, ES_IR_T4, mask(deadline->reference));
    es_ir_value(code, ES_IR_AND, ES_IR_T3, ES_IR_T3, ES_IR_T4);
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T3, ES_IR_ZERO, same);
    es_ir_here(code, changed);
    es_times_now(g, ES_IR_T3, ES_IR_T4);
    es_times_store(g, ES_IR_T3, record);
    es_times_store(g, ES_IR_T4, record + 4);
    es_order_begun(g, ES_IR_T3);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T2, ES_IR_T2, ~DEADLINE_DONE);
    es_ir_here(code, same);
    es_ir_immediate(code, ES_IR_OR_I, ES_IR_T2, ES_IR_T2, DEADLINE_WRITTEN);
    es_times_store(g, ES_IR_T2, record + DEADLINE_STATE);
    es_times_store(g, ES_IR_T1, record + DEADLINE_VALUE);
    es_times_load(g, ES_IR_RA, record + DEADLINE_BACK);
    es_ir_return(code, ES_IR_RA, 0);
}

/* Jumps unless the time in t1 and t2 is at most the one at an offset. Takes t3, t4. */
static void unless_by(generator *g, uint32_t offset, unsigned label)
{
    unsigned earlier = es_ir_label(g->code);
    es_times_load(g, ES_IR_T3, offset);
    es_times_load(g, ES_IR_T4, offset + 4);
    es_ir_branch(g->code, ES_IR_IF_BELOW, ES_IR_T2, ES_IR_T4, earlier);
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T2, ES_IR_T4, label);
    es_ir_branch(g->code, ES_IR_IF_BELOW, ES_IR_T3, ES_IR_T1, label);
    es_ir_here(g->code, earlier);
}

/* Goes on when it has begun to wait, and what it needs has existed until its time, which is in t1 and t2 then; else
 * jumps. told: also when it has been told. */
static void find_time(generator *g, const plan_deadline *deadline, bool told, unsigned no)
{
    es_ir_code *code = g->code;
    unsigned pending = es_ir_label(code);
    es_times_load(g, ES_IR_T0, deadline->record + DEADLINE_STATE);
    if (deadline->from_start) { /* as the program file has it, unless something was written */
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T0, DEADLINE_HOLDS | DEADLINE_WRITTEN);
        es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T1, ES_IR_T1, -DEADLINE_WRITTEN);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, no);
    } else if (deadline->evaluated) {
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T0, DEADLINE_HOLDS);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, no);
    }
    if (!told) {
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T0, DEADLINE_DONE);
        es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, no);
    }
    es_times_load(g, ES_IR_T1, deadline->record);
    es_times_load(g, ES_IR_T2, deadline->record + 4);
    es_ir_const(code, ES_IR_T3, (uint32_t)deadline->clocks);
    es_ir_const(code, ES_IR_T4, (uint32_t)(deadline->clocks >> 32));
    es_ir_value(code, ES_IR_ADD, ES_IR_T1, ES_IR_T1, ES_IR_T3);
    es_ir_value(code, ES_IR_BELOW, ES_IR_T3, ES_IR_T1, ES_IR_T3);
    es_ir_value(code, ES_IR_ADD, ES_IR_T2, ES_IR_T2, ES_IR_T4);
    es_ir_value(code, ES_IR_ADD, ES_IR_T2, ES_IR_T2, ES_IR_T3);
    if (deadline->ends) {
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T3, ES_IR_T0, DEADLINE_ENDED);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T3, ES_IR_ZERO, pending);
        unless_by(g, deadline->record + DEADLINE_END, no);
    }
    es_ir_here(code, pending);
}

void es_deadline_pending(generator *g, const plan_deadline *deadline, unsigned no)
{
    find_time(g, deadline, false, no);
}

void es_deadline_unless_over(generator *g, const plan_deadline *deadline, unsigned no)
{
    find_time(g, deadline, true, no);
    unless_by(g, g->plan->deadline_shared + DEADLINE_PASSED, no);
}

void es_deadline_due(generator *g, const plan_deadline *deadline, unsigned no)
{
    es_deadline_pending(g, deadline, no);
    unless_by(g, g->plan->deadline_shared + DEADLINE_NOW, no);
}

void es_deadline_passed(generator *g, unsigned no)
{
    const plan_deadline *deadline = g->late;
    es_deadline_due(g, deadline, no);
    es_ir_immediate(g->code, ES_IR_OR_I, ES_IR_T0, ES_IR_T0, DEADLINE_DONE);
    es_times_store(g, ES_IR_T0, deadline->record + DEADLINE_STATE);
    es_times_store(g, ES_IR_T1, g->plan->deadline_shared + DEADLINE_PASSED);
    es_times_store(g, ES_IR_T2, g->plan->deadline_shared + DEADLINE_PASSED + 4);
}

void es_deadline_head(generator *g, uint32_t words)
{
    uint32_t shared = g->plan->deadline_shared;
    es_ir_const(g->code, ES_IR_T1, (words - 1) << 8 | ES_FRAME_HIT);
    es_ir_store(g->code, ES_IR_STORE, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_EV_HEAD);
    for (uint32_t half = 0; half < 8; half += 4) {
        es_times_load(g, ES_IR_T1, shared + DEADLINE_PASSED + half);
        es_ir_store(g->code, ES_IR_STORE, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_EV_DATA);
    }
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_EV_FLAGS);
    es_ir_immediate(g->code, ES_IR_OR_I, ES_IR_T1, ES_IR_T1, ES_HITF_PATH_UNKNOWN);
    es_ir_immediate(g->code, ES_IR_SHL_I, ES_IR_T1, ES_IR_T1, 16);
    es_ir_const(g->code, ES_IR_T2, (uint32_t)g->number);
    es_ir_value(g->code, ES_IR_OR, ES_IR_T1, ES_IR_T1, ES_IR_T2);
    es_ir_store(g->code, ES_IR_STORE, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_EV_DATA);
    es_ir_const(g->code, ES_IR_T1, ES_HIT_NOWHERE);
    es_ir_store(g->code, ES_IR_STORE, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_EV_DATA);
}

/* Jumps unless the switch at t1 was set at the deadline's own time, which is in t4, t5 then. */
static void unless_at_once(generator *g, unsigned label)
{
    for (uint32_t half = 0; half < 8; half += 4) {
        es_times_load(g, half ? ES_IR_T5 : ES_IR_T4, g->plan->deadline_shared + DEADLINE_PASSED + half);
        es_ir_load(g->code, ES_IR_LOAD, ES_IR_T3, ES_IR_T1, 4 + (int32_t)half);
        es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T3, half ? ES_IR_T5 : ES_IR_T4, label);
    }
}

void es_deadline_switch_now(generator *g)
{
    unsigned later = es_ir_label(g->code), done = es_ir_label(g->code);
    unless_at_once(g, later);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T1, ES_IR_T1, 0);
    es_ir_immediate(g->code, ES_IR_SHR_I, ES_IR_T1, ES_IR_T1, 1);
    es_ir_jump(g->code, done);
    es_ir_here(g->code, later);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T1, ES_IR_T1, 0);
    es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T1, ES_IR_T1, 1);
    es_ir_here(g->code, done);
}

void es_deadline_switch_set(generator *g)
{
    unsigned later = es_ir_label(g->code), done = es_ir_label(g->code);
    unless_at_once(g, later);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T3, ES_IR_T1, 0);
    es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T3, ES_IR_T3, 2); /* another action at this time */
    es_ir_jump(g->code, done);
    es_ir_here(g->code, later);
    es_times_load(g, ES_IR_T4, g->plan->deadline_shared + DEADLINE_PASSED);
    es_times_load(g, ES_IR_T5, g->plan->deadline_shared + DEADLINE_PASSED + 4);
    es_ir_store(g->code, ES_IR_STORE, ES_IR_T4, ES_IR_T1, 4);
    es_ir_store(g->code, ES_IR_STORE, ES_IR_T5, ES_IR_T1, 8);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T3, ES_IR_T1, 0);
    es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T3, ES_IR_T3, 1);
    es_ir_immediate(g->code, ES_IR_SHL_I, ES_IR_T3, ES_IR_T3, 1);
    es_ir_here(g->code, done);
    es_ir_value(g->code, ES_IR_OR, ES_IR_T3, ES_IR_T3, ES_IR_T2);
    es_ir_store(g->code, ES_IR_STORE, ES_IR_T3, ES_IR_T1, 0);
}

void es_deadline_check_all(generator *g)
{
    const image_plan *plan = g->plan;
    for (size_t i = 0; i < plan->deadline_count; i++)
        if (!i || plan->deadlines[i].statement !=
                      plan->deadlines[i - 1].statement) /* parts of one event are looked at together */
            es_routine_run(g->code, ES_IR_RA, plan->deadlines[i].check_at);
}

void es_deadline_list(es_ir_code *code, const image_plan *plan)
{
    image_plan *of = (image_plan *)plan; /* the generator only reads it */
    generator g = {.plan = of, .code = code};
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_LIST, ES_IR_RA, 0);
    es_times_store(&g, ES_IR_A0, plan->deadline_shared + DEADLINE_NOW);
    es_times_store(&g, ES_IR_A1, plan->deadline_shared + DEADLINE_NOW + 4);
    es_deadline_check_all(&g);
    es_ir_return(code, ES_IR_LIST, 0);
}
