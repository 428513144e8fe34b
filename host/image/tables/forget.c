#include "image/tables/forget.h"

#include <stddef.h>
#include <string.h>

#include "image/lower/routines.h"
#include "image/tables/layout.h"
#include "ir/ir.h"

void es_words_forget(image_builder *b, uint32_t pending, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) {
        unsigned none = es_ir_label(&b->code);
        es_ir_ram(&b->code, ES_IR_T2, pending + 4 * i);
        es_ir_load(&b->code, ES_IR_LOAD, ES_IR_T1, ES_IR_T2, 0);
        es_ir_branch(&b->code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, none);
        es_routine_call(&b->code, &b->routines, ROUTINE_abandon);
        es_ir_here(&b->code, none);
        es_ir_store(&b->code, ES_IR_STORE, ES_IR_ZERO, ES_IR_RAM_BASE, (int32_t)(pending + b->plan.tags + 4 * i));
    }
}
