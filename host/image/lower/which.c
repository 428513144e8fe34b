#include "image/lower/which.h"

#include "image/hit/which.h"
#include "image/lower/pointers.h"
#include "image/lower/routines.h"
#include "ir/ir.h"

/* Where the first member lies, in phantom memory. */
static es_ir_reg first_member(generator *g, size_t index)
{
    const es_reference *first = &g->statement->statement->references[index];
    uint32_t constant = first->address + (first->via || first->frame ? 0 : ES_PHANTOM_BASE - g->limits->window_base);
    if (!first->via && !first->frame)
        return es_ir_make_const(g->code, constant);
    es_ir_reg base = es_ir_new(g->code);
    if (first->via)
        es_pointers_load(g, index, false, base);
    else
        es_codegen_cell(g, first->frame, base);
    return es_ir_make_immediate(g->code, ES_IR_ADD_I, base, constant);
}

void es_which_send(generator *g, const es_print_item *item)
{
    es_ir_code *code = g->code;
    const es_statement *statement = g->statement->statement;
    codegen_store store = es_codegen_store(g->plan);
    uint32_t words = es_image_which_memory(statement, item), before = words / 2 * 4;
    es_ir_reg hit = es_ir_make_load(code, ES_IR_LOAD, ES_IR_HIT, ES_REG_HIT_ADDR);
    hit = es_ir_make_immediate(code, ES_IR_ADD_I, hit, ES_PHANTOM_BASE - g->limits->window_base);
    if (es_symbols_compressed(g->plan->symbols)) /* at other events than writes it may be a fetch of half a word */
        hit = es_ir_make_immediate(code, ES_IR_AND_I, hit, ~3u);
    es_ir_reg where = es_ir_make(code, ES_IR_SUB, hit, first_member(g, statement->areas[item->index].members[0]));
    where = es_ir_make_immediate(code, ES_IR_SHL_I, where, WHICH_LANES);
    es_ir_reg lanes = es_ir_new(code);
    es_ir_load(code, ES_IR_LOAD, lanes, store.base, store.flags);
    lanes = es_ir_make_immediate(code, ES_IR_SHL_I, lanes, 32 - ES_HIT_LANES_SHIFT - WHICH_LANES);
    lanes = es_ir_make_immediate(code, ES_IR_SHR_I, lanes, 32 - WHICH_LANES);
    es_ir_store(code, ES_IR_STORE, es_ir_make(code, ES_IR_OR, where, lanes), ES_IR_HIT, (int32_t)ES_REG_EV_DATA);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T1, hit, -(int32_t)before);
    es_ir_const(code, ES_IR_T2, words);
    es_routine_call(code, g->routines, ROUTINE_snapshot);
}
