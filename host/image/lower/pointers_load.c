#include "image/lower/pointers_load.h"

#include <stddef.h>

#include "image/lower/generator.h"
#include "image/lower/times.h"
#include "image/plan/plan.h"
#include "ir/ir.h"
#include "lang/statement.h"

void es_pointers_load(generator *g, const plan_pointer *pointer, es_ir_reg rd)
{
    es_ir_load(g->code, ES_IR_LOAD, rd, ES_IR_RAM_BASE, (int32_t)pointer->state);
}

/* Goes on when the pointer has moved at this event, else jumps. Takes rd and t6. */
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

void es_pointers_base_before(generator *g, size_t index, es_ir_reg rd)
{
    const plan_pointer *pointer = &g->plan->pointers[g->statement->pointers[index] - 1];
    unsigned same = es_ir_label(g->code), done = es_ir_label(g->code);
    es_pointers_unless_moved(g, pointer, rd, same);
    es_times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, before));
    es_ir_jump(g->code, done);
    es_ir_here(g->code, same);
    es_pointers_load(g, pointer, rd);
    es_ir_here(g->code, done);
}

void es_pointers_base(generator *g, const es_reference *reference, es_ir_reg rd)
{
    if (reference->via) {
        size_t index = (size_t)(reference - g->statement->statement->references);
        es_pointers_load(g, &g->plan->pointers[g->statement->pointers[index] - 1], rd);
    } else {
        es_codegen_cell(g, reference->frame, rd);
    }
}
