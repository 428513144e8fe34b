/* Expression nodes: C's integer promotions and usual arithmetic conversions for 32-bit int, constants folded. */
#include "lang/parser.h"

#include <string.h>

static es_node *new_node(es_parser *parser, es_source source, enum es_expr_kind kind)
{
    es_node *node = es_arena_alloc(parser->arena, sizeof *node);
    node->expr.kind = kind;
    node->expr.source = source;
    node->end = parser->previous_end;
    node->expr.is_signed = true;
    node->depth = 1;
    return node;
}

es_node *es_node_constant(es_parser *parser, es_span span, uint32_t value, bool is_signed)
{
    es_node *node = new_node(parser, span.source, ES_EXPR_CONST);
    node->expr.value = value;
    node->expr.is_signed = is_signed;
    return node;
}

es_node *es_node_reference(es_parser *parser, es_span span, size_t index, bool old)
{
    const es_reference *reference = &parser->statement->references[index];
    if (reference->type->kind == ES_TYPE_FLOAT) {
        es_parser_fail_from(parser, span,
                            es_arena_format(parser->arena, "print it: when write(%s) { print %s }", reference->text, reference->text),
                            "%s is a %s, and predicates work with whole numbers only", reference->text, reference->type->name);
        return NULL;
    }
    es_node *node = new_node(parser, span.source, old ? ES_EXPR_OLD : ES_EXPR_REFERENCE);
    node->expr.index = index;
    unsigned bits = reference->bit_size ? reference->bit_size : reference->size * 8u;
    bool is_pointer = reference->type->kind == ES_TYPE_POINTER;
    bool is_unsigned = is_pointer || (!reference->type->is_signed && reference->type->kind != ES_TYPE_BOOL);
    node->expr.is_signed = bits < 32 || !is_unsigned; /* what is narrower than int becomes an int */
    node->type = is_pointer ? reference->type : NULL;
    return node;
}

es_node *es_node_write(es_parser *parser, es_span span, size_t index)
{
    es_node *node = new_node(parser, span.source, ES_EXPR_WRITE);
    node->expr.index = index;
    return node;
}

es_node *es_node_event(es_parser *parser, es_span span, enum es_expr_kind kind, const es_procedure *procedure)
{
    es_node *node = new_node(parser, span.source, kind);
    node->expr.procedure = procedure;
    return node;
}

static bool refuse_pointer(es_parser *parser, const es_node *node)
{
    return es_parser_fail_node(parser, node, "pointers can be compared (==, !=, <, ...), tested (p, !p) and masked (p & 3)",
                               "arithmetic with pointers is not available");
}

es_node *es_node_unary(es_parser *parser, es_span span, int sign, es_node *operand)
{
    if (operand->type && sign != '!') {
        refuse_pointer(parser, operand);
        return NULL;
    }
    if (sign == '+') { /* only the promotion, which is done already */
        operand->expr.source = span.source;
        return operand;
    }
    uint32_t value = operand->expr.value;
    if (operand->expr.kind == ES_EXPR_CONST) {
        value = sign == '-' ? 0u - value : sign == '~' ? ~value : !value;
        return es_node_constant(parser, span, value, sign == '!' || operand->expr.is_signed);
    }
    if (operand->depth >= ES_LANG_DEPTH_MAX) {
        es_parser_fail_from(parser, span, "split the statement in two", "this expression is too large");
        return NULL;
    }
    es_node *node = new_node(parser, span.source, ES_EXPR_UNARY);
    node->expr.op = sign == '-' ? ES_OP_NEG : sign == '~' ? ES_OP_NOT : ES_OP_LOGNOT;
    node->expr.is_signed = sign == '!' || operand->expr.is_signed;
    node->expr.lhs = &operand->expr;
    node->depth = operand->depth + 1;
    return node;
}

/* a op b for two constants; the operands' common type decides how they compare. */
static uint32_t fold(enum es_op op, uint32_t a, uint32_t b, bool as_signed, bool arithmetic)
{
    /* Order of two's complement numbers is that of unsigned ones with the sign bits turned over. */
    uint32_t flip = as_signed ? 0x80000000u : 0;
    switch (op) {
    case ES_OP_ADD: return a + b;
    case ES_OP_SUB: return a - b;
    case ES_OP_AND: return a & b;
    case ES_OP_OR: return a | b;
    case ES_OP_XOR: return a ^ b;
    case ES_OP_SHL: return a << b;
    case ES_OP_SHR: return arithmetic && a >> 31 ? ~(~a >> b) : a >> b;
    case ES_OP_EQ: return a == b;
    case ES_OP_NE: return a != b;
    case ES_OP_LT: return (a ^ flip) < (b ^ flip);
    case ES_OP_LE: return (a ^ flip) <= (b ^ flip);
    case ES_OP_GT: return (a ^ flip) > (b ^ flip);
    case ES_OP_GE: return (a ^ flip) >= (b ^ flip);
    case ES_OP_LOGAND: return a && b;
    case ES_OP_LOGOR: return a || b;
    default: return 0;
    }
}

static enum es_op operation(int sign)
{
    switch (sign) {
    case '+': return ES_OP_ADD;
    case '-': return ES_OP_SUB;
    case '&': return ES_OP_AND;
    case '|': return ES_OP_OR;
    case '^': return ES_OP_XOR;
    case ES_SIGN_SHL: return ES_OP_SHL;
    case ES_SIGN_SHR: return ES_OP_SHR;
    case ES_SIGN_EQ: return ES_OP_EQ;
    case ES_SIGN_NE: return ES_OP_NE;
    case '<': return ES_OP_LT;
    case ES_SIGN_LE: return ES_OP_LE;
    case '>': return ES_OP_GT;
    case ES_SIGN_GE: return ES_OP_GE;
    case ES_SIGN_LOGAND: return ES_OP_LOGAND;
    default: return ES_OP_LOGOR;
    }
}

static void span_nodes(es_node *node, const es_node *lhs, const es_node *rhs)
{
    node->expr.source = lhs->expr.source;
    node->end = rhs->end;
}

/* * / % are there for constants only: the soft core neither multiplies nor divides. */
static es_node *product(es_parser *parser, const es_token *sign, es_node *lhs, const es_node *rhs)
{
    uint32_t a = lhs->expr.value, b = rhs->expr.value;
    bool is_signed = lhs->expr.is_signed && rhs->expr.is_signed;
    if (lhs->expr.kind != ES_EXPR_CONST || rhs->expr.kind != ES_EXPR_CONST) {
        es_lang_fail(parser->err, parser->lexer.text, sign->source, sign->length,
                     sign->sign == '*'   ? "use shifts and sums: x * 10 is (x << 3) + (x << 1); constants are multiplied: 80 * 256"
                     : sign->sign == '/' ? "compare with a product instead: x / 4 > 10 is x >= 44; or shift: x >> 2"
                                         : "for powers of two use a mask: x % 8 is x & 7",
                     "%s of variables is not available", sign->sign == '*' ? "multiplication" : "division");
        return NULL;
    }
    if (sign->sign != '*' && b == 0) {
        es_lang_fail(parser->err, parser->lexer.text, sign->source, sign->length, NULL, "division by zero");
        return NULL;
    }
    uint32_t value;
    if (sign->sign == '*') {
        value = a * b;
    } else if (is_signed) { /* 64 bits, so that INT_MIN / -1 is defined */
        int64_t x = (int32_t)a, y = (int32_t)b;
        value = (uint32_t)(sign->sign == '/' ? x / y : x % y);
    } else {
        value = sign->sign == '/' ? a / b : a % b;
    }
    es_node *node = new_node(parser, lhs->expr.source, ES_EXPR_CONST);
    span_nodes(node, lhs, rhs);
    node->expr.value = value;
    node->expr.is_signed = is_signed;
    return node;
}

es_node *es_node_binary(es_parser *parser, const es_token *sign, es_node *lhs, es_node *rhs)
{
    if (sign->sign == '*' || sign->sign == '/' || sign->sign == '%')
        return product(parser, sign, lhs, rhs);
    enum es_op op = operation(sign->sign);
    bool shift = op == ES_OP_SHL || op == ES_OP_SHR;
    bool logical = op == ES_OP_LOGAND || op == ES_OP_LOGOR;
    bool compares = op >= ES_OP_EQ && op <= ES_OP_GE;
    if ((lhs->type || rhs->type) && (shift || op == ES_OP_ADD || op == ES_OP_SUB)) {
        refuse_pointer(parser, lhs->type ? lhs : rhs);
        return NULL;
    }
    if (shift && rhs->expr.kind == ES_EXPR_CONST && rhs->expr.value > 31) {
        es_parser_fail_node(parser, rhs, NULL, "a shift of a 32-bit value takes 0 to 31");
        return NULL;
    }
    unsigned depth = (lhs->depth > rhs->depth ? lhs->depth : rhs->depth) + 1;
    if (depth > ES_LANG_DEPTH_MAX) {
        es_lang_fail(parser->err, parser->lexer.text, sign->source, sign->length, "split the statement in two",
                     "this expression is too large");
        return NULL;
    }
    bool common_signed = lhs->expr.is_signed && rhs->expr.is_signed;
    bool result_signed = compares || logical || (shift ? lhs->expr.is_signed : common_signed);
    bool constant = lhs->expr.kind == ES_EXPR_CONST && rhs->expr.kind == ES_EXPR_CONST;
    es_node *node = new_node(parser, lhs->expr.source, constant ? ES_EXPR_CONST : ES_EXPR_BINARY);
    span_nodes(node, lhs, rhs);
    node->expr.is_signed = result_signed;
    if (constant) {
        node->expr.value = fold(op, lhs->expr.value, rhs->expr.value, common_signed, lhs->expr.is_signed);
        return node;
    }
    node->expr.op = op;
    node->expr.operand_signed = common_signed;
    node->expr.lhs = &lhs->expr;
    node->expr.rhs = &rhs->expr;
    node->depth = depth;
    return node;
}
