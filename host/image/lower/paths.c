#include "image/lower/paths.h"

#include "image/plan/paths.h"
#include "image/plan/plan.h"
#include "ir/ir.h"
#include "lang/statement.h"

es_ir_reg es_paths_test(es_ir_code *code, const image_plan *plan, const es_path *path, uint8_t what)
{
    unsigned bit = es_paths_bit(plan, path, what);
    es_ir_reg word = es_ir_make_load(code, ES_IR_LOAD, ES_IR_NP, ES_MI_NODE_TELLS + bit / 32 * 4);
    return bit % 32 == 31 ? word : es_ir_make_immediate(code, ES_IR_SHL_I, word, 31 - bit % 32);
}
