#include "image/lower/stack.h"

#include "ir/ir.h"
#include "lang/statement.h"

#define LANES 4u

/* Bytes that kernels fill stacks with, to look later how many of them are left: FreeRTOS, Zephyr, ThreadX, others. */
static const uint8_t paints[] = {0xA5, 0xAA, 0xEF, 0xCC, 0xCD};

/* Whether all bytes that were written are such ones: kernels write words, or one byte after the other. */
static void leave_paint(generator *g, unsigned label)
{
    es_ir_code *code = g->code;
    es_ir_load(code, ES_IR_LOAD, ES_IR_T4, ES_IR_HIT, (int32_t)ES_REG_HIT_FLAGS);
    es_ir_const(code, ES_IR_T2, 0);
    for (unsigned lane = 0; lane < LANES; lane++) {
        unsigned no = es_ir_label(code);
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T4, 1u << (ES_HIT_LANES_SHIFT + lane));
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, no);
        es_ir_const(code, ES_IR_T1, 0xFFu << 8 * lane);
        es_ir_value(code, ES_IR_OR, ES_IR_T2, ES_IR_T2, ES_IR_T1);
        es_ir_here(code, no);
    }
    es_ir_load(code, ES_IR_LOAD, ES_IR_T4, ES_IR_HIT, (int32_t)ES_REG_HIT_NEW);
    for (size_t i = 0; i < sizeof paints / sizeof *paints; i++) {
        es_ir_const(code, ES_IR_T1, paints[i] * 0x01010101u);
        es_ir_value(code, ES_IR_XOR, ES_IR_T1, ES_IR_T1, ES_IR_T4);
        es_ir_value(code, ES_IR_AND, ES_IR_T1, ES_IR_T1, ES_IR_T2);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, label);
    }
}

void es_stack_deeper(generator *g, unsigned label)
{
    es_ir_code *code = g->code;
    const es_stack *stack = g->statement->stack;
    int32_t counter = (int32_t)(4 * es_program_counter(g->plan->program, stack->counter));
    leave_paint(g, label);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_HIT_ADDR);
    es_ir_const(code, ES_IR_T2, ES_PLANE_DATA_BASE - g->limits->window_base);
    es_ir_value(code, ES_IR_ADD, ES_IR_T2, ES_IR_T2, ES_IR_T1);
    es_ir_store(code, ES_IR_STORE, ES_IR_ZERO, ES_IR_T2, 0);
    es_ir_const(code, ES_IR_T2, stack->low + stack->size);
    es_ir_value(code, ES_IR_SUB, ES_IR_T2, ES_IR_T2, ES_IR_T1);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T1, ES_IR_RAM_BASE, counter);
    es_ir_branch(code, ES_IR_IF_NOT_BELOW, ES_IR_T1, ES_IR_T2, label);
    es_ir_store(code, ES_IR_STORE, ES_IR_T2, ES_IR_RAM_BASE, counter);
}
