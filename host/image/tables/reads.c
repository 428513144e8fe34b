#include "image/tables/reads.h"

#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "image/lower/routines.h"
#include "image/places/reads.h"
#include "image/plan/plan.h"
#include "image/tables/dump.h"
#include "image/tables/layout.h"
#include "ir/ir.h"

uint16_t es_reads_code(image_builder *b, const plan_read *first)
{
    es_ir_code *code = &b->code;
    const plan_read *end = es_reads_end(&b->plan, first);
    es_code_begin(b);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_LIST, ES_IR_RA, 0);
    for (const plan_read *read = first, *next; read < end; read = next) {
        unsigned none = es_ir_label(code);
        es_ir_const(code, ES_IR_A0, 0);
        for (next = read; next < end && next->handler == read->handler; next++) {
            unsigned other = es_ir_label(code);
            es_ir_load(code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_HIT_FLAGS);
            es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T1, next->lanes << ES_HIT_LANES_SHIFT);
            es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, other);
            es_ir_const(code, ES_IR_T2, next->events);
            es_ir_value(code, ES_IR_OR, ES_IR_A0, ES_IR_A0, ES_IR_T2);
            es_ir_here(code, other);
        }
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_A0, ES_IR_ZERO, none);
        es_routine_run(code, ES_IR_RA, b->routine_at[read->handler]);
        es_ir_here(code, none);
    }
    es_ir_return(code, ES_IR_LIST, 0);
    es_dump_title(b, "reads of %s0x%x", first->slot ? "a slot's byte " : "", (unsigned)first->word);
    return es_code_put(b);
}

struct es_mi_cell es_reads_cell(image_builder *b, const plan_read *first)
{
    return (struct es_mi_cell){(uint16_t)(es_reads_code(b, first) | ES_MI_READ), (uint16_t)b->routines.pop};
}
