#include "image/places/found.h"

#include "image/places/indexed.h"
#include "image/plan/named.h"
#include "image/plan/plan.h"
#include "lang/statement.h"

typedef struct marker {
    const image_plan *plan;
    size_t statement;
    uint8_t bit;
    uint8_t *marks;
} marker;

static bool mark_named(void *context, const es_expr *expr)
{
    const marker *by = context;
    if (es_named_reference(expr))
        es_found_mark(by->plan, by->statement, expr->index, by->bit, by->marks);
    return false;
}

void es_found_mark(const image_plan *plan, size_t statement, size_t index, uint8_t bit, uint8_t *marks)
{
    const es_reference *reference = &plan->statements[statement].statement->references[index];
    const plan_index *place = es_indexed_of(plan, statement, index);
    marker by = {plan, statement, bit, marks};
    if (marks[index] & bit)
        return;
    marks[index] |= bit;
    if (reference->via)
        es_found_mark(plan, statement, reference->base, bit, marks);
    for (size_t i = 0; i < reference->subscript_count; i++)
        es_expr_find(reference->subscripts[i].index, mark_named, &by);
    for (size_t i = 0; place && i < place->count; i++)
        es_expr_find(place->subscripts[i].index, mark_named, &by);
}
