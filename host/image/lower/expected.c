#include "image/lower/expected.h"

#include <stddef.h>

#include "image/image.h"
#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/lower/times.h"
#include "ir/ir.h"

void es_expected_hit(generator *g)
{
    uint32_t record = g->statement->expected;
    if (!record)
        return;
    es_ir_ram(g->code, ES_IR_T1, record);
    es_times_now(g, ES_IR_T3, ES_IR_T4);
    es_ir_const(g->code, ES_IR_T5,
                ES_HITF_UNCERTAIN | (es_image_needs_path(g->statement->statement) ? ES_HITF_PATH_UNKNOWN : 0));
    es_routine_call(g->code, g->routines, ROUTINE_expected);
}

void es_expected_unknown(generator *g, es_ir_reg rd)
{
    if (!g->statement || !g->statement->unknown)
        return;
    es_times_load(g, rd, g->statement->unknown);
    es_ir_immediate(g->code, ES_IR_ADD_I, rd, rd, 1);
    es_times_store(g, rd, g->statement->unknown);
}

void es_expected_count_unknown(generator *g, es_ir_reg rd)
{
    es_ir_load(g->code, ES_IR_LOAD, rd, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
    es_times_load(g, rd, g->plan->unknown);
    es_ir_immediate(g->code, ES_IR_ADD_I, rd, rd, 1);
    es_times_store(g, rd, g->plan->unknown);
    es_expected_unknown(g, rd);
}
