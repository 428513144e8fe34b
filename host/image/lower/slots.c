#include "image/lower/slots.h"

#include <string.h>

#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/places/slots.h"
#include "ir/ir.h"

void es_slots_gather(generator *g)
{
    if (!g->plan->slot_count)
        return;
    unsigned go = es_ir_label(g->code);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T6, ES_IR_ZERO, (int32_t)g->routines->gathering);
    es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, go);
    es_ir_const(g->code, ES_IR_A1, g->plan->handlers[g->handler].order);
    es_routine_call(g->code, g->routines, ROUTINE_gather);
    es_ir_here(g->code, go);
}
