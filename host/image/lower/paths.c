#include "image/lower/paths.h"

#include "image/lower/generator.h"
#include "image/lower/times.h"
#include "image/plan/paths.h"
#include "image/plan/plan.h"
#include "image/times/tells.h"
#include "ir/ir.h"
#include "lang/statement.h"

es_ir_reg es_paths_test(es_ir_code *code, const image_plan *plan, const es_path *path, uint8_t what)
{
    unsigned bit = es_paths_bit(plan, path, what);
    es_ir_reg word = es_ir_make_load(code, ES_IR_LOAD, ES_IR_NP, ES_MI_NODE_TELLS + bit / 32 * 4);
    return bit % 32 == 31 ? word : es_ir_make_immediate(code, ES_IR_SHL_I, word, 31 - bit % 32);
}

es_ir_reg es_paths_test_late(generator *g, const es_path *path, uint8_t what)
{
    unsigned bit = es_paths_bit(g->plan, path, what);
    es_ir_reg word = es_ir_new(g->code);
    es_times_load(g, word, g->plan->tells + TELLS_UNKNOWN);
    es_ir_branch(g->code, ES_IR_IF_NE, word, ES_IR_ZERO, g->unknown);
    es_times_load(g, word, g->plan->tells + TELLS_WORD_BYTES * (bit / 32) + TELLS_BITS);
    return bit % 32 == 31 ? word : es_ir_make_immediate(g->code, ES_IR_SHL_I, word, 31 - bit % 32);
}

void es_paths_unless_known(es_ir_code *code, unsigned label)
{
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_NP, ES_IR_ZERO, label);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_EV_FLAGS);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, ES_IR_T6, ES_HITF_PATH_UNKNOWN);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, label);
}
