#include "image/plan/named.h"

bool es_named_reference(const es_expr *expr)
{
    return expr->kind == ES_EXPR_OLD || expr->kind == ES_EXPR_REFERENCE || expr->kind == ES_EXPR_WRITE ||
           expr->kind == ES_EXPR_AGE || expr->kind == ES_EXPR_READ || expr->kind == ES_EXPR_UNCHANGED;
}

bool es_named_value(const es_expr *expr)
{
    return expr->kind == ES_EXPR_CONST || expr->kind == ES_EXPR_REFERENCE || expr->kind == ES_EXPR_COUNTER ||
           expr->kind == ES_EXPR_UNARY || expr->kind == ES_EXPR_BINARY || expr->kind == ES_EXPR_CONVERT ||
           expr->kind == ES_EXPR_CHOICE;
}

static bool is_changed_by(void *context, const es_expr *expr)
{
    const es_statement *statement = *(const es_statement **)context;
    for (size_t i = 0; i < statement->action_count && expr->kind == ES_EXPR_COUNTER; i++) {
        const es_action *action = &statement->actions[i];
        if ((action->kind == ES_ACTION_COUNT || action->kind == ES_ACTION_DECREMENT || action->kind == ES_ACTION_SET) &&
            action->counter == expr->index)
            return true;
    }
    return false;
}

const es_expr *es_named_changed_by(const es_statement *statement, const es_expr *index)
{
    return es_expr_find(index, is_changed_by, &statement);
}
