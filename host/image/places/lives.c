#include "image/places/lives.h"

#include <stddef.h>

#include "image/places/indexed.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "lang/statement.h"

/* context: references of a statement. */
static bool has_life(void *context, const es_expr *expr)
{
    const es_reference *references = context;
    return expr->kind == ES_EXPR_REFERENCE && lives_of(&references[expr->index]);
}

/* What a pointer, or an index that is followed like one, needs and is there at times only; NULL: nothing. */
static const es_reference *needs_life(const image_plan *plan, const es_statement *statement, size_t index)
{
    const es_reference *reference = &statement->references[index], *found = NULL;
    const plan_index *place = es_indexed_of(plan, (size_t)(statement - plan->program->statements), index);
    for (size_t i = 0; place && i < place->count && !found; i++) {
        const es_expr *named = es_expr_find(place->subscripts[i].index, has_life, statement->references);
        found = named ? &statement->references[named->index] : NULL;
    }
    if (!found && reference->via && lives_of(&statement->references[reference->base]))
        found = &statement->references[reference->base];
    return found;
}

bool es_lives_refuse(const image_plan *plan, const es_statement *statement, size_t index, bool deadline, bool traps,
                     es_error *err)
{
    static const char hint[] = "compile its file with -O0, make it volatile, or copy it to a global";
    const es_reference *reference = &statement->references[index];
    const es_life *life = lives_of(reference);
    const es_reference *needed = needs_life(plan, statement, index);
    if (needed)
        return es_plan_refuse(plan, statement, index, err, hint,
                              "%s is in memory only in %s: where it leads to cannot be followed", needed->text,
                              needed->variable->life->observed);
    if (!life)
        return true;
    if (deadline)
        return es_plan_refuse(plan, statement, index, err, hint,
                              "%s is in memory only in %s, and `for` needs it until the time is over", reference->text,
                              life->observed);
    if (reference->path && (traps || reference->variable->procedure->is_recursive))
        return es_plan_refuse(plan, statement, index, err, "leave out the path: the innermost activation is meant then",
                              "%s is in memory only in %s, and where an activation is that is not the innermost of its "
                              "procedure cannot be told",
                              reference->text, life->observed);
    return true;
}
