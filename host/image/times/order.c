#include "image/times/order.h"

#include "image/plan/plan.h"
#include "lang/statement.h"

static bool is_counter(void *counter, const es_expr *expr)
{
    return expr->kind == ES_EXPR_COUNTER && expr->index == *(const size_t *)counter;
}

static bool changes_counter(const es_action *action)
{
    return action->kind == ES_ACTION_COUNT || action->kind == ES_ACTION_DECREMENT || action->kind == ES_ACTION_SET;
}

/* Whether a statement asks for a counter, shows it or changes it. */
static bool uses_counter(const es_statement *statement, size_t counter)
{
    if (es_statement_find(statement, is_counter, &counter))
        return true;
    for (size_t i = 0; i < statement->reference_count; i++)
        for (size_t k = 0; k < statement->references[i].subscript_count; k++)
            if (es_expr_find(statement->references[i].subscripts[k].index, is_counter, &counter))
                return true;
    for (size_t i = 0; i < statement->action_count; i++) {
        const es_action *action = &statement->actions[i];
        if (changes_counter(action) && action->counter == counter)
            return true;
        for (size_t k = 0; k < action->item_count; k++)
            if (action->items[k].kind == ES_ITEM_COUNTER && action->items[k].index == counter)
                return true;
    }
    return false;
}

static bool switches(const es_action *action, size_t statement)
{
    return (action->kind == ES_ACTION_ENABLE || action->kind == ES_ACTION_DISABLE) && action->statement == statement;
}

/* Whether actions of `from` make a difference to `to`. */
static bool acts_on(const es_program *program, size_t from, size_t to)
{
    const es_statement *statement = &program->statements[from], *other = &program->statements[to];
    for (size_t i = 0; i < statement->action_count; i++) {
        const es_action *action = &statement->actions[i];
        if (action->kind == ES_ACTION_STOP || action->kind == ES_ACTION_HALT || switches(action, to) ||
            (changes_counter(action) && uses_counter(other, action->counter)))
            return true;
        for (size_t k = 0; k < other->action_count; k++)
            if ((action->kind == ES_ACTION_ENABLE || action->kind == ES_ACTION_DISABLE) &&
                switches(&other->actions[k], action->statement))
                return true;
    }
    return false;
}

void es_order_plan(image_plan *plan)
{
    for (size_t i = 0; i < plan->deadline_count; i++) {
        size_t waits = plan->deadlines[i].statement;
        for (size_t k = 0; k < plan->program->statement_count; k++)
            if (k != waits && (acts_on(plan->program, waits, k) || acts_on(plan->program, k, waits)))
                plan->ordered = plan->statements[k].after_deadlines = true;
    }
}
