#include "image/lower/lives.h"

#include <stddef.h>

#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/plan/lives.h"
#include "ir/ir.h"

void es_lives_check(generator *g, size_t index, unsigned no)
{
    const es_life *life = lives_of(&g->statement->statement->references[index]);
    if (!life)
        return;
    size_t i = 0;
    while (g->plan->lives[i].life != life)
        i++;
    es_ir_const(g->code, LIVES_TABLE, g->plan->lives[i].at);
    es_routine_call_at(g->code, ROUTINE_lives, g->plan->lives_at);
    es_ir_branch(g->code, ES_IR_IF_EQ, LIVES_TABLE, ES_IR_ZERO, no);
    es_ir_branch(g->code, ES_IR_IF_LESS, LIVES_TABLE, ES_IR_ZERO, g->unknown);
}
