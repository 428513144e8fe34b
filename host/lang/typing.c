/* Expression nodes that are made of others: unary operators, ?:, becomes, casts. */
#include "lang/typing_inside.h"

es_node *es_node_unary(es_parser *parser, es_span span, int sign, es_node *operand)
{
    const es_expr *from = &operand->expr;
    if (operand->pointer && sign != '!') {
        es_parser_fail_node(parser, operand,
                            "pointers can be compared, tested (p, !p), masked (p & 3), moved (p + 1) and followed (*p)",
                            "a pointer has no %c", sign);
        return NULL;
    }
    if (from->type == ES_VALUE_TIME || (sign == '~' && node_is_number(operand))) {
        es_parser_fail_node(parser, operand, NULL, "%s has no %c", from->type == ES_VALUE_TIME ? "a time" : "a float",
                            sign);
        return NULL;
    }
    if (sign == '+') { /* only the promotion, which is done already */
        operand->expr.source = span.source;
        operand->start = span.start;
        return operand;
    }
    if (from->kind == ES_EXPR_CONST && sign == '!')
        return es_node_constant(parser, span, !constant_truth(from), true);
    if (from->kind == ES_EXPR_CONST && node_is_number(operand))
        return es_node_number(parser, span, -from->constant.number, from->type == ES_VALUE_FLOAT);
    if (from->kind == ES_EXPR_CONST)
        return es_node_typed(parser, span, sign == '-' ? 0 - constant_integer(from) : ~constant_integer(from),
                             from->type, from->is_signed);
    if (es_node_too_large(parser, span.source, (size_t)(operand->end - span.start), operand->depth + 1))
        return NULL;
    es_node *node = es_node_new(parser, span, ES_EXPR_UNARY);
    node->expr.op = sign == '-' ? ES_OP_NEG : sign == '~' ? ES_OP_NOT : ES_OP_LOGNOT;
    node->expr.type = sign == '!' ? ES_VALUE_32 : from->type;
    node->expr.is_signed = sign == '!' || from->is_signed;
    node->expr.lhs = &operand->expr;
    node->depth = operand->depth + 1;
    return node;
}

es_node *es_node_choice(es_parser *parser, es_node *condition, es_node *lhs, es_node *rhs)
{
    es_token sign = {.source = condition->expr.source, .length = (size_t)(condition->end - condition->start)};
    bool as_signed;
    const es_type *pointer = lhs->pointer ? lhs->pointer : rhs->pointer;
    if (pointer && (node_is_number(lhs) || node_is_number(rhs))) {
        es_parser_fail_node(parser, node_is_number(lhs) ? lhs : rhs, NULL,
                            "the other value is a pointer: this must be one, too");
        return NULL;
    }
    if (!es_node_common(parser, &sign, &lhs, &rhs, &as_signed))
        return NULL;
    unsigned depth = (lhs->depth > rhs->depth ? lhs->depth : rhs->depth) + 1;
    if (depth <= condition->depth)
        depth = condition->depth + 1;
    if (es_node_too_large(parser, sign.source, sign.length, depth))
        return NULL;
    if (condition->expr.kind == ES_EXPR_CONST)
        return constant_truth(&condition->expr) ? lhs : rhs;
    es_node *node = es_node_new(parser, node_span(condition), ES_EXPR_CHOICE);
    node->expr.type = lhs->expr.type;
    node->expr.is_signed = as_signed;
    node->expr.condition = &condition->expr;
    node->expr.lhs = &lhs->expr;
    node->expr.rhs = &rhs->expr;
    node->pointer = pointer;
    node->depth = depth;
    return node;
}

/* A copy with the old value of each reference; NULL when there are events in it. *changes: has it a reference? */
static es_node *before(es_parser *parser, const es_node *node, bool *changes)
{
    es_node *copy = es_arena_alloc(parser->arena, sizeof *copy);
    *copy = *node;
    switch (node->expr.kind) {
    case ES_EXPR_REFERENCE:
        copy->expr.kind = ES_EXPR_OLD;
        *changes = true;
        return copy;
    case ES_EXPR_CONST: return copy;
    case ES_EXPR_UNARY:
    case ES_EXPR_BINARY:
    case ES_EXPR_CONVERT:
    case ES_EXPR_CHOICE: break;
    default:
        es_parser_fail_node(parser, node, "x becomes 3 is: x == 3 && old(x) != 3",
                            "becomes compares variables and constants");
        return NULL;
    }
    es_expr **parts[] = {&copy->expr.lhs, &copy->expr.rhs, &copy->expr.condition};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        es_node *part = *parts[i] ? before(parser, (const es_node *)*parts[i], changes) : NULL;
        if (*parts[i] && !part)
            return NULL;
        *parts[i] = part ? &part->expr : NULL;
    }
    return copy;
}

es_node *es_node_becomes(es_parser *parser, const es_token *keyword, es_node *lhs, es_node *rhs)
{
    es_token equal = *keyword, differ = *keyword, both = *keyword;
    equal.sign = ES_SIGN_EQ, differ.sign = ES_SIGN_NE, both.sign = ES_SIGN_LOGAND;
    bool changes = false;
    es_node *old_lhs = before(parser, lhs, &changes), *old_rhs = old_lhs ? before(parser, rhs, &changes) : NULL;
    if (!old_rhs)
        return NULL;
    if (!changes) {
        es_parser_fail_node(parser, lhs, "mode becomes ARMED", "becomes needs a variable");
        return NULL;
    }
    es_node *is = es_node_binary(parser, &equal, lhs, rhs);
    es_node *was_not = is ? es_node_binary(parser, &differ, old_lhs, old_rhs) : NULL;
    return was_not ? es_node_binary(parser, &both, is, was_not) : NULL;
}

es_node *es_node_cast(es_parser *parser, es_span span, es_node *operand, enum es_value_type type, unsigned bytes,
                      bool is_signed)
{
    es_token sign = {.source = span.source, .length = (size_t)(operand->end - span.start)};
    if (operand->expr.type == ES_VALUE_TIME) {
        es_parser_fail_node(parser, operand, NULL, "a time cannot be cast");
        return NULL;
    }
    if (operand->pointer && (type == ES_VALUE_FLOAT || type == ES_VALUE_DOUBLE)) {
        es_parser_fail_node(parser, operand, "(uint32_t)p is its address", "a pointer is no floating-point number");
        return NULL;
    }
    es_node *node;
    if (bytes == 0 && type == ES_VALUE_32) {
        sign.sign = ES_SIGN_NE;
        node = es_node_binary(parser, &sign, operand, es_node_constant(parser, span, 0, true));
    } else {
        node = es_node_convert(parser, operand, type, is_signed || bytes < 4);
        if (type == ES_VALUE_32 && bytes < 4) { /* narrower than int: cut, and extended to an int again */
            uint32_t cut_by = 32 - 8 * bytes;
            es_node *by = es_node_constant(parser, span, is_signed ? cut_by : (UINT32_C(1) << (8 * bytes)) - 1, true);
            node = es_node_made(parser, &sign, is_signed ? ES_OP_SHL : ES_OP_AND, node, by, true);
            if (node && is_signed)
                node = es_node_made(parser, &sign, ES_OP_SHR, node, by, true);
        } else if (node == operand && type != ES_VALUE_FLOAT && type != ES_VALUE_DOUBLE) { /* other sign, same bits */
            bool leaf = node->depth == 1;
            es_node *copy = leaf ? es_arena_alloc(parser->arena, sizeof *copy)
                                 : es_node_made(parser, &sign, ES_OP_OR, node,
                                                es_node_typed(parser, span, 0, type, is_signed), is_signed);
            if (leaf)
                *copy = *operand;
            if (copy)
                copy->expr.is_signed = is_signed;
            node = copy;
        }
    }
    if (node) {
        node->pointer = NULL;
        node->expr.source = span.source;
        node->start = span.start;
        node->end = parser->previous_end;
    }
    return node;
}
