#include "threaded.h"

static bool put(threaded *code, uint32_t halfword)
{
    if (code->count == code->room)
        return false;
    code->at[code->count++] = (uint16_t)halfword;
    return true;
}

static bool operation(threaded *code, unsigned op)
{
    return put(code, code->handlers[op]);
}

static bool fits(const es_expr *expr)
{
    return expr->kind == ES_EXPR_CONST && (int32_t)expr->value == (int16_t)expr->value;
}

static bool value(threaded *code, const es_expr *expr, bool empty)
{
    if (expr->kind == ES_EXPR_REFERENCE && code->direct)
        return empty && operation(code, THREADED_HIT);
    if (expr->kind == ES_EXPR_REFERENCE)
        return operation(code, empty ? THREADED_FIRST : THREADED_LOAD) &&
               put(code, code->references[expr->index].address - code->variables);
    if (fits(expr))
        return operation(code, THREADED_CONSTANT) && put(code, expr->value);
    if (expr->kind != ES_EXPR_BINARY || !value(code, expr->lhs, empty) || !value(code, expr->rhs, false))
        return false;
    switch (expr->op) {
    case ES_OP_ADD: return operation(code, THREADED_PLUS);
    case ES_OP_SUB: return operation(code, THREADED_MINUS);
    case ES_OP_AND: return operation(code, THREADED_AND);
    case ES_OP_OR: return operation(code, THREADED_OR);
    case ES_OP_XOR: return operation(code, THREADED_XOR);
    default: return false;
    }
}

/* Places that a halfword is to lead to, in a list through the halfwords themselves: 0 ends it. */
static void lead_here(threaded *code, uint16_t list)
{
    while (list) {
        uint16_t next = code->at[list];
        code->at[list] = (uint16_t)(code->base + 2 * code->count);
        list = next;
    }
}

static bool compare(threaded *code, const es_expr *expr, bool when, uint16_t *list)
{
    unsigned number;
    switch (expr->op) {
    case ES_OP_EQ: number = 0; break;
    case ES_OP_NE: number = 1; break;
    case ES_OP_LT: number = 2; break;
    case ES_OP_GE: number = 3; break;
    case ES_OP_GT: number = 4; break;
    case ES_OP_LE: number = 5; break;
    default: return false;
    }
    number ^= !when; /* each stands beside its opposite */
    if (!expr->operand_signed || !value(code, expr->lhs, true))
        return false;
    if (fits(expr->rhs)) {
        if (!operation(code, THREADED_COMPARE_CONSTANT + number) || !put(code, expr->rhs->value))
            return false;
    } else if (!value(code, expr->rhs, false) || !operation(code, THREADED_COMPARE_TOP + number)) {
        return false;
    }
    if (!put(code, *list))
        return false;
    *list = (uint16_t)(code->count - 1);
    return true;
}

/* Leads to the list when the predicate is `when`, else goes on. */
static bool condition(threaded *code, const es_expr *expr, bool when, uint16_t *list)
{
    if (expr->kind != ES_EXPR_BINARY)
        return false;
    if (expr->op != ES_OP_LOGAND && expr->op != ES_OP_LOGOR)
        return compare(code, expr, when, list);
    if ((expr->op == ES_OP_LOGOR) == when)
        return condition(code, expr->lhs, when, list) && condition(code, expr->rhs, when, list);
    uint16_t past = 0;
    if (!condition(code, expr->lhs, !when, &past) || !condition(code, expr->rhs, when, list))
        return false;
    lead_here(code, past);
    return true;
}

bool threaded_translate(threaded *code, const es_expr *predicate)
{
    uint16_t no = 0;
    code->count = 0;
    if (!condition(code, predicate, false, &no) || !operation(code, THREADED_YES))
        return false;
    lead_here(code, no);
    return operation(code, THREADED_NO);
}
