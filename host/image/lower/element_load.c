#include "image/lower/element_load.h"

#include "image/lower/generator.h"
#include "image/lower/written.h"
#include "ir/ir.h"
#include "lang/statement.h"

void es_element_load(generator *g, size_t index, es_ir_reg rd)
{
    es_ir_load(g->code, ES_IR_LOAD, rd, ES_IR_RAM_BASE, (int32_t)(g->plan->elements + 4 * (uint32_t)index));
}

void es_element_load_old(generator *g, size_t index, es_ir_reg rd)
{
    const es_reference *reference = &g->statement->statement->references[index];
    es_ir_code *code = g->code;
    unsigned bits = plan_bits(reference), top = reference->bit_offset + bits;
    unsigned lanes = ((1u << (top + 7) / 8) - 1) & ~((1u << reference->bit_offset / 8) - 1); /* those with bits of it */
    es_element_load(g, index, rd);
    es_ir_immediate(code, ES_IR_AND_I, rd, rd, 3);
    es_written_check_before(g, reference, rd);
    if (g->checks_old) {
        es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_HIT_FLAGS);
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, ES_IR_T6, ES_HIT_OLD_KNOWN);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, g->unknown);
        if (reference->size > 1) { /* written in parts: what it was before the first of them has not been kept */
            es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_HIT_FLAGS);
            es_ir_immediate(code, ES_IR_SHR_I, ES_IR_T6, ES_IR_T6, ES_HIT_LANES_SHIFT);
            es_ir_value(code, ES_IR_SHR, ES_IR_T6, ES_IR_T6, rd);
            es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, ES_IR_T6, (int32_t)lanes);
            es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T6, ES_IR_T6, -(int32_t)lanes);
            es_ir_branch(code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, g->unknown);
        }
    }
    es_ir_immediate(code, ES_IR_SHL_I, rd, rd, 3);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_HIT_OLD);
    es_ir_value(code, ES_IR_SHR, rd, ES_IR_T6, rd);
    if (top < 32)
        es_ir_immediate(code, ES_IR_SHL_I, rd, rd, 32 - top);
    if (bits < 32)
        es_ir_immediate(code, es_codegen_is_signed(reference->type) ? ES_IR_SAR_I : ES_IR_SHR_I, rd, rd, 32 - bits);
}
