#include "image/tables/indexed.h"

#include <string.h>

#include "image/lower/expression.h"
#include "image/lower/generator.h"
#include "image/lower/multiply.h"
#include "image/lower/pointers.h"
#include "image/places/indexed.h"
#include "image/plan/plan.h"
#include "image/tables/dump.h"
#include "image/tables/layout.h"
#include "ir/ir.h"
#include "lang/statement.h"

typedef struct existing {
    generator *g;
    unsigned no;
} existing;

static void check_exists(void *context, size_t reference)
{
    existing *check = context;
    const es_reference *of = &check->g->statement->statement->references[reference];
    es_pointers_check(check->g, reference, check->no);
    if (!of->frame)
        return;
    es_codegen_cell(check->g, of->frame, ES_IR_T6);
    es_ir_branch(check->g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, check->no);
}

/* In: a0 where the pointer before it leads to, a phantom address; 0: there is none. Out: a0 the element's target
 * address; 0: there is no such element. */
void es_indexed_write(image_builder *b, const plan_pointer *pointer, uint16_t *address)
{
    es_ir_code *code = &b->code;
    const plan_index *index = pointer->index;
    generator g = {.plan = &b->plan,
                   .statement = &b->plan.statements[pointer->statement],
                   .number = pointer->statement,
                   .limits = b->limits,
                   .routines = &b->routines,
                   .code = code,
                   .checks_old = true};
    es_code_begin(b);
    g.unknown = es_ir_label(code);
    existing check = {&g, g.unknown};
    es_indexed_references(&b->plan, pointer, check_exists, &check);
    for (size_t i = 0; i < index->count; i++) {
        es_ir_reg number = es_codegen_value(&g, index->subscripts[i].index).low;
        if (index->subscripts[i].count)
            es_ir_branch(code, ES_IR_IF_NOT_BELOW, number, es_ir_make_const(code, index->subscripts[i].count),
                         g.unknown);
        es_ir_value(code, ES_IR_ADD, ES_IR_A0, ES_IR_A0, es_multiply_constant(&g, number, index->subscripts[i].stride));
    }
    es_ir_const(code, ES_IR_T6, index->fixed ? index->address : b->limits->window_base - ES_PHANTOM_BASE);
    es_ir_value(code, ES_IR_ADD, ES_IR_A0, ES_IR_A0, ES_IR_T6);
    es_ir_return(code, ES_IR_RA, ES_IR_SET(ES_IR_A0));
    es_ir_here(code, g.unknown);
    es_ir_const(code, ES_IR_A0, 0);
    es_ir_return(code, ES_IR_RA, ES_IR_SET(ES_IR_A0));
    es_dump_title(b, "where the element %s is", pointer->reference->text);
    *address = es_code_put(b);
}
