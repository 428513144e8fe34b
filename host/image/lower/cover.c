#include "image/lower/cover.h"

#include "image/plan/cover.h"
#include "ir/ir.h"

void es_cover_room(generator *g, unsigned label)
{
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_EV_ROOM);
    es_ir_const(g->code, ES_IR_T2, COVER_ROOM);
    es_ir_branch(g->code, ES_IR_IF_BELOW, ES_IR_T1, ES_IR_T2, label);
}

void es_cover_told(generator *g)
{
    unsigned kept = es_ir_label(g->code), done = es_ir_label(g->code);
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_A0, ES_IR_ZERO, kept);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_HIT_ADDR);
    es_ir_const(g->code, ES_IR_T2, ES_PLANE_FETCH_BASE - g->limits->window_base);
    es_ir_value(g->code, ES_IR_ADD, ES_IR_T1, ES_IR_T1, ES_IR_T2);
    es_ir_store(g->code, ES_IR_STORE_BYTE, ES_IR_ZERO, ES_IR_T1, 0); /* of its half of the word alone */
    es_ir_jump(g->code, done);
    es_ir_here(g->code, kept);
    es_ir_const(g->code, ES_IR_T1, 1);
    es_ir_store(g->code, ES_IR_STORE_BYTE, ES_IR_T1, ES_IR_A0, 0);
    es_ir_here(g->code, done);
}
