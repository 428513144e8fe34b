/* Walks over expressions and events, for whoever asks something of all their parts. */
#include "lang/statement.h"

const es_expr *es_expr_find(const es_expr *expr, es_expr_is *is, void *context)
{
    if (!expr || is(context, expr))
        return expr;
    const es_expr *const parts[] = {expr->condition, expr->lhs, expr->rhs};
    const es_expr *found = NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !found; i++)
        found = es_expr_find(parts[i], is, context);
    return found;
}

size_t es_expr_members(const es_statement *statement, const es_expr *expr)
{
    return expr->area ? statement->areas[expr->area - 1].count : 1;
}

size_t es_expr_member(const es_statement *statement, const es_expr *expr, size_t k)
{
    return expr->area ? statement->areas[expr->area - 1].members[k] : expr->index;
}

bool es_area_has(const es_statement *statement, size_t area, size_t reference)
{
    const es_area *of = &statement->areas[area - 1];
    size_t i = 0;
    while (i < of->count && of->members[i] != reference)
        i++;
    return i < of->count;
}

/* The k-th from here on, or k less as many as there are. */
static const es_condition *condition_of(const es_event_tree *event, size_t *k)
{
    if (event->kind == ES_EVENT_WHEN)
        return (*k)-- == 0 ? event->condition : NULL;
    const es_condition *found = condition_of(event->first, k);
    return found ? found : condition_of(event->second, k);
}

const es_condition *es_statement_condition(const es_statement *statement, size_t k)
{
    return statement->event ? condition_of(statement->event, &k) : NULL;
}

const es_expr *es_statement_find(const es_statement *statement, es_expr_is *is, void *context)
{
    const es_condition *condition;
    const es_expr *found = statement->event ? NULL : es_expr_find(statement->predicate, is, context);
    for (size_t k = 0; !found && (condition = es_statement_condition(statement, k)) != NULL; k++)
        found = es_expr_find(condition->expr, is, context);
    return found;
}

const es_cover_rows *es_statement_cover(const es_statement *statement)
{
    for (size_t i = 0; i < statement->action_count; i++)
        if (statement->actions[i].kind == ES_ACTION_STATISTIC && statement->actions[i].statistic->cover)
            return statement->actions[i].statistic->cover;
    return NULL;
}

const es_stack *es_statement_stack(const es_statement *statement)
{
    for (size_t i = 0; i < statement->action_count; i++)
        if (statement->actions[i].kind == ES_ACTION_STATISTIC && statement->actions[i].statistic->stack)
            return statement->actions[i].statistic->stack;
    return NULL;
}
