/* Pointers that statements follow: what statements' code asks of them. */
#include "image/lower/pointers.h"

#include <stddef.h>

#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/lower/times.h"
#include "image/plan/plan.h"
#include "ir/ir.h"

void es_pointers_note_write(generator *g, size_t pointer)
{
    es_ir_const(g->code, ES_IR_A0, 1u << pointer);
    es_routine_call(g->code, g->routines, ROUTINE_pointer_written);
}

static const plan_pointer *pointer_of(const generator *g, size_t index)
{
    size_t pointer = plan_pointer_of(g->statement, index);
    return pointer ? &g->plan->pointers[pointer - 1] : NULL;
}

void es_pointers_unless_moved(generator *g, const plan_pointer *pointer, es_ir_reg rd, unsigned label)
{
    es_times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, moved_low));
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_HIT_TIME);
    es_ir_branch(g->code, ES_IR_IF_NE, rd, ES_IR_T6, label);
    es_times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, moved_high));
    es_ir_immediate(g->code, ES_IR_XOR_I, rd, rd, -1);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_TIME_HIGH);
    es_ir_branch(g->code, ES_IR_IF_NE, rd, ES_IR_T6, label);
}

void es_pointers_load(generator *g, size_t index, bool before, es_ir_reg rd)
{
    const plan_pointer *pointer = pointer_of(g, index);
    unsigned same = es_ir_label(g->code), done = es_ir_label(g->code);
    if (before) {
        es_pointers_unless_moved(g, pointer, rd, same);
        es_times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, before));
        es_ir_jump(g->code, done);
    }
    es_ir_here(g->code, same);
    es_times_load(g, rd, pointer->state);
    es_ir_here(g->code, done);
}

void es_pointers_check(generator *g, size_t index, unsigned no)
{
    if (!pointer_of(g, index))
        return;
    es_pointers_load(g, index, false, ES_IR_T6);
    es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, no);
}

void es_pointers_check_old(generator *g, size_t index, unsigned no)
{
    const plan_pointer *pointer = pointer_of(g, index);
    if (!pointer || g->statement->old_bit[index] < 0)
        return;
    unsigned same = es_ir_label(g->code);
    es_ir_reg rd = es_ir_new(g->code);
    es_pointers_unless_moved(g, pointer, rd, same);
    es_times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, before));
    es_ir_branch(g->code, ES_IR_IF_EQ, rd, ES_IR_ZERO, no);
    es_ir_here(g->code, same);
}
