#include "image/lower/order.h"

#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/lower/times.h"
#include "image/times/deadline.h"
#include "ir/ir.h"

void es_order_settle(generator *g)
{
    unsigned go = es_ir_label(g->code);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_HIT_TIME);
    es_times_load(g, ES_IR_T2, g->plan->deadline_shared + DEADLINE_NEXT);
    es_ir_value(g->code, ES_IR_SUB, ES_IR_T1, ES_IR_T1, ES_IR_T2);
    es_ir_branch(g->code, ES_IR_IF_LESS, ES_IR_T1, ES_IR_ZERO, go);
    es_routine_call_at(g->code, ROUTINE_settle, g->plan->settle_at);
    es_ir_here(g->code, go);
}

void es_order_begun(generator *g, unsigned rs)
{
    if (g->plan->ordered)
        es_times_store(g, rs, g->plan->deadline_shared + DEADLINE_NEXT);
}
