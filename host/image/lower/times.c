#include "image/lower/times.h"

#include "image/lower/generator.h"
#include "image/lower/lives.h"
#include "image/lower/wide.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "image/times/compound.h"
#include "image/times/deadline.h"
#include "ir/ir.h"
#include "lang/statement.h"

void es_times_load(generator *g, es_ir_reg rd, uint32_t offset)
{
    es_ir_load(g->code, ES_IR_LOAD, rd, ES_IR_RAM_BASE, (int32_t)offset);
}

void es_times_store(generator *g, es_ir_reg rs, uint32_t offset)
{
    es_ir_store(g->code, ES_IR_STORE, rs, ES_IR_RAM_BASE, (int32_t)offset);
}

void es_times_now(generator *g, es_ir_reg low, es_ir_reg high)
{
    if (g->late) {
        es_times_load(g, low, g->plan->deadline_shared + DEADLINE_PASSED);
        es_times_load(g, high, g->plan->deadline_shared + DEADLINE_PASSED + 4);
        return;
    }
    es_ir_load(g->code, ES_IR_LOAD, low, ES_IR_HIT, (int32_t)ES_REG_HIT_TIME);
    es_ir_load(g->code, ES_IR_LOAD, high, ES_IR_HIT, (int32_t)ES_REG_TIME_HIGH);
}

void es_times_subtract(es_ir_code *code, es_ir_reg low, es_ir_reg high, es_ir_reg a_low, es_ir_reg a_high)
{
    es_ir_reg borrow = es_ir_make(code, ES_IR_BELOW, low, a_low);
    es_ir_value(code, ES_IR_SUB, low, low, a_low);
    es_ir_value(code, ES_IR_SUB, high, high, a_high);
    es_ir_value(code, ES_IR_SUB, high, high, borrow);
}

/* Since a time in RAM until the event. */
static codegen_pair since(generator *g, uint32_t offset)
{
    codegen_pair now = {es_ir_new(g->code), es_ir_new(g->code)}, then = {es_ir_new(g->code), es_ir_new(g->code)};
    es_times_now(g, now.low, now.high);
    es_times_load(g, then.low, offset);
    es_times_load(g, then.high, offset + 4);
    es_times_subtract(g->code, now.low, now.high, then.low, then.high);
    return now;
}

void es_times_check_written(generator *g, size_t reference)
{
    uint32_t written = es_plan_age_of(g->plan, g->statement, reference)->record + PLAN_AGE_WRITTEN;
    es_ir_branch(g->code, ES_IR_IF_EQ, es_ir_make_load(g->code, ES_IR_LOAD, ES_IR_RAM_BASE, written), ES_IR_ZERO,
                 g->unknown);
}

/* A write to the place of a local that is held at times. Goes on when it was one to the local, as a whole. */
static void unless_other(generator *g, const plan_age *age)
{
    es_ir_code *code = g->code;
    uint32_t written = age->record + PLAN_AGE_WRITTEN;
    unsigned own = es_ir_label(code), unsure = es_ir_label(code), done = es_ir_label(code);
    es_ir_reg there = es_lives_ask(g, lives_of(age->reference));
    es_ir_branch(code, ES_IR_IF_LESS, ES_IR_ZERO, there, own);
    es_ir_branch(code, ES_IR_IF_NE, there, ES_IR_ZERO, unsure);
    if (age->stays) { /* another's: what was there is gone */
        es_ir_branch(code, ES_IR_IF_EQ, es_ir_make_load(code, ES_IR_LOAD, ES_IR_RAM_BASE, written), ES_IR_ZERO, done);
        es_times_store(g, es_ir_make_const(code, PLAN_AGE_GONE), written);
    }
    es_ir_return(code, ES_IR_RA, 0);
    es_ir_here(code, unsure);
    es_times_store(g, ES_IR_ZERO, written);
    es_ir_here(code, done);
    es_ir_return(code, ES_IR_RA, 0);
    es_ir_here(code, own);
    if (age->stays)
        es_ir_branch(code, ES_IR_IF_EQ, es_ir_make_immediate(code, ES_IR_AND_I, ES_IR_A0, PLAN_AGE_WHOLE), ES_IR_ZERO,
                     done);
}

void es_times_note_write(generator *g, const plan_age *age)
{
    if (lives_of(age->reference))
        unless_other(g, age);
    es_ir_reg low = es_ir_new(g->code), high = es_ir_new(g->code);
    es_times_now(g, low, high);
    es_times_store(g, low, age->record);
    es_times_store(g, high, age->record + 4);
    es_times_store(g, es_ir_make_const(g->code, PLAN_AGE_THERE), age->record + PLAN_AGE_WRITTEN);
    es_ir_return(g->code, ES_IR_RA, 0);
}

void es_times_forget(es_ir_code *code, const image_plan *plan, const es_procedure *frame, size_t pointer)
{
    for (size_t i = 0; i < plan->age_count; i++)
        if (frame ? plan->ages[i].reference->frame == frame : plan->ages[i].pointer == pointer)
            es_ir_store(code, ES_IR_STORE, ES_IR_ZERO, ES_IR_RAM_BASE,
                        (int32_t)(plan->ages[i].record + PLAN_AGE_WRITTEN));
}

/* A length of time. */
static codegen_pair length(generator *g, const es_expr *expr)
{
    es_ir_code *code = g->code;
    if (expr->kind == ES_EXPR_CONST) {
        uint64_t clocks = es_duration_cycles(expr->constant.time, g->limits->bus_hz);
        return (codegen_pair){es_ir_make_const(code, (uint32_t)clocks),
                              es_ir_make_const(code, (uint32_t)(clocks >> 32))};
    }
    if (expr->kind == ES_EXPR_ELAPSED)
        return since(g, g->statement->compound->state + COMPOUND_BEGAN);
    if (expr->kind == ES_EXPR_AGE) {
        es_times_check_written(g, expr->index);
        return since(g, es_plan_age_of(g->plan, g->statement, expr->index)->record);
    }
    codegen_pair left = length(g, expr->lhs), right = length(g, expr->rhs), sum; /* + or - */
    if (expr->op == ES_OP_SUB) {
        es_times_subtract(code, left.low, left.high, right.low, right.high);
        return left;
    }
    sum.low = es_ir_make(code, ES_IR_ADD, left.low, right.low);
    sum.high = es_ir_make(code, ES_IR_ADD, left.high, right.high);
    sum.high = es_ir_make(code, ES_IR_ADD, sum.high, es_ir_make(code, ES_IR_BELOW, sum.low, right.low));
    return sum;
}

void es_times_compare(generator *g, const es_expr *expr, unsigned label, bool when)
{
    codegen_pair left = length(g, expr->lhs), right = length(g, expr->rhs);
    es_wide_compare(g, expr->op, false, left, right, label, when);
}

codegen_pair es_times_item(generator *g, const es_print_item *item)
{
    return since(g, item->kind == ES_ITEM_AGE ? es_plan_age_of(g->plan, g->statement, item->index)->record
                                              : g->statement->compound->state + COMPOUND_BEGAN);
}
