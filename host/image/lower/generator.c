#include "image/lower/generator.h"

#include <string.h>

#include "image/plan/writes.h"
#include "ir/ir.h"

/* Names of values, used as a stack; es_ir_renumber tells the values apart. */
unsigned es_codegen_register(generator *g, unsigned depth)
{
    unsigned r = ES_IR_VIRTUAL + depth;
    if (g->code->next <= r)
        g->code->next = (es_ir_reg)(r + 1);
    return r;
}

void es_codegen_cell(generator *g, const es_procedure *procedure, es_ir_reg rd)
{
    es_ir_load(g->code, ES_IR_LOAD, rd, ES_IR_RAM_BASE, (int32_t)es_plan_frame_of(g->plan, procedure)->cell);
}

void es_codegen_event(generator *g, int bit)
{
    es_ir_immediate(g->code, ES_IR_SHL_I, ES_IR_T6, ES_IR_A0, 31 - bit);
}
