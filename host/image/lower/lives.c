#include "image/lower/lives.h"

#include <stddef.h>

#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "ir/ir.h"

es_ir_reg es_lives_ask(generator *g, const es_life *life)
{
    size_t i = 0;
    while (g->plan->lives[i].life != life)
        i++;
    es_ir_const(g->code, LIVES_TABLE, g->plan->lives[i].at);
    es_routine_call_at(g->code, ROUTINE_lives, g->plan->lives_at);
    return LIVES_TABLE;
}

void es_lives_check_place(generator *g, const es_reference *place, unsigned no)
{
    if (!lives_of(place))
        return;
    es_lives_ask(g, lives_of(place));
    es_ir_branch(g->code, ES_IR_IF_EQ, LIVES_TABLE, ES_IR_ZERO, no);
    es_ir_branch(g->code, ES_IR_IF_LESS, LIVES_TABLE, ES_IR_ZERO, g->unknown);
}

void es_lives_check(generator *g, size_t index, unsigned no)
{
    es_lives_check_place(g, &g->statement->statement->references[index], no);
}

void es_lives_check_old(generator *g, size_t index)
{
    const es_reference *reference = &g->statement->statement->references[index];
    codegen_store store = es_codegen_store(g->plan);
    es_ir_code *code = g->code;
    unsigned other = es_ir_label(code);
    if (!lives_of(reference) || !g->checks_old)
        return;
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, store.base, store.flags);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, ES_IR_T6, es_plan_lanes(reference) << ES_HIT_LANES_SHIFT);
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, other); /* a neighbour's */
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_RAM_BASE,
               (int32_t)(es_plan_age_of(g->plan, g->statement, index)->record + PLAN_AGE_WRITTEN));
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T6, ES_IR_T6, -PLAN_AGE_THERE);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, g->unknown);
    es_ir_here(code, other);
}
