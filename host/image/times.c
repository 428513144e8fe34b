#include "image/times.h"

#include "image/compound.h"
#include "image/deadline.h"

void es_times_load(generator *g, unsigned rd, uint32_t offset)
{
    int32_t low;
    unsigned base = es_codegen_ram(g->code, g->plan, offset, ES_IR_T6, &low);
    es_ir_load(g->code, ES_IR_LOAD, rd, base, low);
}

void es_times_store(generator *g, unsigned rs, uint32_t offset)
{
    int32_t low;
    unsigned base = es_codegen_ram(g->code, g->plan, offset, ES_IR_T6, &low);
    es_ir_store(g->code, ES_IR_STORE, rs, base, low);
}

void es_times_now(generator *g, unsigned low, unsigned high)
{
    if (g->late) {
        es_times_load(g, low, g->plan->deadline_shared + DEADLINE_PASSED);
        es_times_load(g, high, g->plan->deadline_shared + DEADLINE_PASSED + 4);
        return;
    }
    es_ir_load(g->code, ES_IR_LOAD, low, ES_IR_HIT, (int32_t)ES_REG_HIT_TIME);
    es_ir_load(g->code, ES_IR_LOAD, high, ES_IR_HIT, (int32_t)ES_REG_TIME_HIGH);
}

void es_times_subtract(es_ir_code *code, unsigned low, unsigned high, unsigned a_low, unsigned a_high)
{
    es_ir_value(code, ES_IR_BELOW, ES_IR_T6, low, a_low);
    es_ir_value(code, ES_IR_SUB, low, low, a_low);
    es_ir_value(code, ES_IR_SUB, high, high, a_high);
    es_ir_value(code, ES_IR_SUB, high, high, ES_IR_T6);
}

/* Since a time in RAM until the event. */
static void since(generator *g, uint32_t offset, unsigned depth)
{
    unsigned low = es_codegen_register(g, depth), high = es_codegen_register(g, depth + 1);
    unsigned a_low = es_codegen_register(g, depth + 2), a_high = es_codegen_register(g, depth + 3);
    es_times_now(g, low, high);
    es_times_load(g, a_low, offset);
    es_times_load(g, a_high, offset + 4);
    es_times_subtract(g->code, low, high, a_low, a_high);
}

void es_times_check_written(generator *g, size_t reference)
{
    es_times_load(g, ES_IR_T6, es_plan_age_of(g->plan, g->statement, reference)->record + PLAN_AGE_WRITTEN);
    es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, g->unknown);
}

void es_times_note_write(generator *g, const plan_age *age)
{
    es_times_now(g, ES_IR_T1, ES_IR_T2);
    es_times_store(g, ES_IR_T1, age->record);
    es_times_store(g, ES_IR_T2, age->record + 4);
    es_ir_const(g->code, ES_IR_T1, 1);
    es_times_store(g, ES_IR_T1, age->record + PLAN_AGE_WRITTEN);
    es_ir_return(g->code, ES_IR_RA, 0);
}

void es_times_forget(es_ir_code *code, const image_plan *plan, const es_procedure *frame, size_t pointer)
{
    generator g = {.plan = (image_plan *)plan, .code = code}; /* the generator only reads it */
    for (size_t i = 0; i < plan->age_count; i++)
        if (frame ? plan->ages[i].reference->frame == frame : plan->ages[i].pointer == pointer)
            es_times_store(&g, ES_IR_ZERO, plan->ages[i].record + PLAN_AGE_WRITTEN);
}

/* A length of time into the registers `depth` and `depth` + 1. */
static void length(generator *g, const es_expr *expr, unsigned depth)
{
    unsigned low = es_codegen_register(g, depth), high = es_codegen_register(g, depth + 1);
    unsigned right_low = es_codegen_register(g, depth + 2), right_high = es_codegen_register(g, depth + 3);
    if (expr->kind == ES_EXPR_CONST) {
        uint64_t clocks = es_duration_cycles(expr->constant.time, g->limits->bus_hz);
        es_ir_const(g->code, low, (uint32_t)clocks);
        es_ir_const(g->code, high, (uint32_t)(clocks >> 32));
    } else if (expr->kind == ES_EXPR_ELAPSED) {
        since(g, g->statement->compound->state + COMPOUND_BEGAN, depth);
    } else if (expr->kind == ES_EXPR_AGE) {
        es_times_check_written(g, expr->index);
        since(g, es_plan_age_of(g->plan, g->statement, expr->index)->record, depth);
    } else if (expr->kind == ES_EXPR_BINARY) {
        length(g, expr->lhs, depth);
        length(g, expr->rhs, depth + 2);
        if (expr->op == ES_OP_SUB) {
            es_times_subtract(g->code, low, high, right_low, right_high);
            return;
        }
        es_ir_value(g->code, ES_IR_ADD, low, low, right_low);
        es_ir_value(g->code, ES_IR_BELOW, ES_IR_T6, low, right_low);
        es_ir_value(g->code, ES_IR_ADD, high, high, right_high);
        es_ir_value(g->code, ES_IR_ADD, high, high, ES_IR_T6);
    }
}

void es_times_compare(generator *g, const es_expr *expr, unsigned depth, unsigned label, bool when)
{
    es_ir_code *code = g->code;
    length(g, expr->lhs, depth);
    length(g, expr->rhs, depth + 2);
    unsigned low = es_codegen_register(g, depth), high = es_codegen_register(g, depth + 1);
    unsigned right_low = es_codegen_register(g, depth + 2), right_high = es_codegen_register(g, depth + 3);
    unsigned past = es_ir_label(code);
    enum es_op op = expr->op;
    if (op == ES_OP_EQ || op == ES_OP_NE) {
        if ((op == ES_OP_EQ) == when) {
            es_ir_branch(code, ES_IR_IF_NE, low, right_low, past);
            es_ir_branch(code, ES_IR_IF_EQ, high, right_high, label);
        } else {
            es_ir_branch(code, ES_IR_IF_NE, low, right_low, label);
            es_ir_branch(code, ES_IR_IF_NE, high, right_high, label);
        }
    } else {
        if (op == ES_OP_GT || op == ES_OP_LE) { /* the same as right < left, right >= left */
            unsigned t = low;
            low = right_low, right_low = t;
            t = high;
            high = right_high, right_high = t;
        }
        bool less = (op == ES_OP_LT || op == ES_OP_GT) == when; /* jump when left < right, else when left >= right */
        es_ir_branch(code, ES_IR_IF_BELOW, high, right_high, less ? label : past);
        es_ir_branch(code, ES_IR_IF_NE, high, right_high, less ? past : label);
        es_ir_branch(code, less ? ES_IR_IF_BELOW : ES_IR_IF_NOT_BELOW, low, right_low, label);
    }
    es_ir_here(code, past);
}

void es_times_item(generator *g, const es_print_item *item, unsigned low, unsigned high)
{
    uint32_t began = item->kind == ES_ITEM_AGE ? es_plan_age_of(g->plan, g->statement, item->index)->record
                                               : g->statement->compound->state + COMPOUND_BEGAN;
    unsigned a_low = es_codegen_register(g, 2), a_high = es_codegen_register(g, 3);
    es_times_now(g, low, high);
    es_times_load(g, a_low, began);
    es_times_load(g, a_high, began + 4);
    es_times_subtract(g->code, low, high, a_low, a_high);
}
