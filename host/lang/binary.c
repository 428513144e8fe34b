/* Expression nodes of two operands: C's integer promotions and usual arithmetic conversions for 32-bit int, constants
 * folded. */
#include "lang/typing_inside.h"

static enum es_op operation(int sign)
{
    switch (sign) {
    case '+': return ES_OP_ADD;
    case '-': return ES_OP_SUB;
    case '*': return ES_OP_MUL;
    case '/': return ES_OP_DIV;
    case '%': return ES_OP_REM;
    case '&': return ES_OP_AND;
    case '|': return ES_OP_OR;
    case '^': return ES_OP_XOR;
    case ES_SIGN_SHL: return ES_OP_SHL;
    case ES_SIGN_SHR: return ES_OP_SHR;
    case ES_SIGN_EQ:
    case '=': return ES_OP_EQ;
    case ES_SIGN_NE: return ES_OP_NE;
    case '<': return ES_OP_LT;
    case ES_SIGN_LE: return ES_OP_LE;
    case '>': return ES_OP_GT;
    case ES_SIGN_GE: return ES_OP_GE;
    case ES_SIGN_LOGAND: return ES_OP_LOGAND;
    default: return ES_OP_LOGOR;
    }
}

static bool is_compare(enum es_op op)
{
    return op >= ES_OP_EQ && op <= ES_OP_GE;
}

static bool fail_sign(es_parser *parser, const es_token *sign, const char *hint, const char *message)
{
    return es_lang_fail(parser->err, parser->lexer.text, sign->source, sign->length, hint, "%s", message);
}

static es_node *fold(es_parser *parser, es_span span, enum es_op op, const es_node *lhs, const es_node *rhs,
                     bool as_signed)
{
    const es_expr *a = &lhs->expr, *b = &rhs->expr;
    if (op == ES_OP_LOGAND || op == ES_OP_LOGOR)
        return es_node_constant(
            parser, span,
            op == ES_OP_LOGAND ? constant_truth(a) && constant_truth(b) : constant_truth(a) || constant_truth(b), true);
    if (node_is_number(lhs) && is_compare(op))
        return es_node_constant(parser, span, (uint32_t)es_fold_compare(op, a->constant.number, b->constant.number),
                                true);
    if (node_is_number(lhs)) {
        double number = es_fold_number(op, a->constant.number, b->constant.number);
        bool is_float = a->type == ES_VALUE_FLOAT;
        return es_node_number(parser, span, is_float ? (double)(float)number : number, is_float);
    }
    unsigned bits = a->type == ES_VALUE_64 ? 64 : 32;
    uint64_t value = es_fold(op, constant_integer(a), constant_integer(b), as_signed, bits);
    if (is_compare(op))
        return es_node_constant(parser, span, (uint32_t)value, true);
    return es_node_typed(parser, span, value, a->type, as_signed);
}

es_node *es_node_made(es_parser *parser, const es_token *sign, enum es_op op, es_node *lhs, es_node *rhs,
                      bool as_signed)
{
    es_span span = node_span(lhs);
    unsigned depth = (lhs->depth > rhs->depth ? lhs->depth : rhs->depth) + 1;
    if (es_node_too_large(parser, sign->source, sign->length, depth))
        return NULL;
    bool constant =
        lhs->expr.kind == ES_EXPR_CONST && rhs->expr.kind == ES_EXPR_CONST && lhs->expr.type != ES_VALUE_TIME;
    es_node *node = constant ? fold(parser, span, op, lhs, rhs, as_signed) : es_node_new(parser, span, ES_EXPR_BINARY);
    node->end = rhs->end;
    if (constant)
        return node;
    bool is_int = is_compare(op) || op == ES_OP_LOGAND || op == ES_OP_LOGOR;
    node->expr.op = op;
    node->expr.type = is_int ? ES_VALUE_32 : lhs->expr.type;
    node->expr.is_signed = is_int || as_signed;
    node->expr.operand_signed = as_signed;
    node->expr.lhs = &lhs->expr;
    node->expr.rhs = &rhs->expr;
    node->depth = depth;
    node->by_number = lhs->by_number || rhs->by_number;
    return node;
}

/* p + n, n + p, p - n: n elements on, as C has it; p - q: elements between. */
static es_node *move_pointer(es_parser *parser, const es_token *sign, enum es_op op, es_node *lhs, es_node *rhs)
{
    es_node *pointer = lhs->pointer ? lhs : rhs;
    const es_type *of = pointer->pointer->of;
    if (!of || of->size == 0) {
        es_parser_fail_node(parser, pointer, NULL, "what this points to has no size");
        return NULL;
    }
    es_token times = *sign;
    if (lhs->pointer && rhs->pointer) {
        es_node *difference = es_node_made(parser, sign, op, lhs, rhs, true);
        if (!difference || of->size == 1)
            return difference;
        times.sign = '/';
        return es_node_binary(parser, &times, difference, es_node_constant(parser, node_span(rhs), of->size, true));
    }
    es_node *offset = lhs->pointer ? rhs : lhs;
    if (node_is_number(offset) || offset->expr.type == ES_VALUE_TIME) {
        es_parser_fail_node(parser, offset, NULL, "a pointer moves by a whole number");
        return NULL;
    }
    offset = es_node_convert(parser, offset, ES_VALUE_32, offset->expr.is_signed);
    uint32_t size = of->size;
    bool shifts = (size & (size - 1)) == 0;
    times.sign = shifts ? ES_SIGN_SHL : '*';
    if (size > 1)
        offset = es_node_binary(
            parser, &times, offset,
            es_node_constant(parser, node_span(offset), shifts ? (uint32_t)__builtin_ctz(size) : size, true));
    es_node *node = offset ? es_node_made(parser, sign, op, pointer, offset, false) : NULL;
    if (node) {
        node->pointer = pointer->pointer;
        node->expr.source = lhs->expr.source;
        node->start = lhs->start;
        node->end = rhs->end;
    }
    return node;
}

static es_node *shift(es_parser *parser, const es_token *sign, enum es_op op, es_node *lhs, es_node *rhs)
{
    unsigned bits = lhs->expr.type == ES_VALUE_64 ? 64 : 32;
    if (rhs->expr.kind == ES_EXPR_CONST && constant_integer(&rhs->expr) >= bits) {
        es_parser_fail_node(parser, rhs, NULL, "a shift of a %u-bit value takes 0 to %u", bits, bits - 1);
        return NULL;
    }
    rhs = es_node_convert(parser, rhs, ES_VALUE_32, rhs->expr.is_signed);
    return es_node_made(parser, sign, op, lhs, rhs, lhs->expr.is_signed);
}

es_node *es_node_binary(es_parser *parser, const es_token *sign, es_node *lhs, es_node *rhs)
{
    enum es_op op = operation(sign->sign);
    if (op == ES_OP_LOGAND || op == ES_OP_LOGOR)
        return es_node_made(parser, sign, op, lhs, rhs, true);
    bool is_shift = op == ES_OP_SHL || op == ES_OP_SHR;
    bool of_bits = is_shift || op == ES_OP_AND || op == ES_OP_OR || op == ES_OP_XOR || op == ES_OP_REM;
    bool pointers = lhs->pointer || rhs->pointer,
         times = lhs->expr.type == ES_VALUE_TIME || rhs->expr.type == ES_VALUE_TIME;
    if (pointers && ((op == ES_OP_ADD && !(lhs->pointer && rhs->pointer)) || (op == ES_OP_SUB && lhs->pointer)))
        return move_pointer(parser, sign, op, lhs, rhs);
    if (pointers && (node_is_number(lhs) || node_is_number(rhs))) {
        fail_sign(parser, sign, "compare with another pointer, NULL or an address: p == NULL, p >= 0x20000",
                  "a pointer and a floating-point number cannot be combined");
        return NULL;
    }
    if (pointers &&
        (is_shift || op == ES_OP_ADD || op == ES_OP_SUB || op == ES_OP_MUL || op == ES_OP_DIV || op == ES_OP_REM)) {
        es_parser_fail_node(parser, lhs->pointer ? lhs : rhs,
                            "pointers can be compared, tested (p, !p), masked (p & 3), moved (p + 1) and followed (*p)",
                            "this cannot be done with a pointer");
        return NULL;
    }
    if (of_bits && (node_is_number(lhs) || node_is_number(rhs))) {
        fail_sign(parser, sign, "cast it: (int)x", "this works with whole numbers only");
        return NULL;
    }
    if (times && !is_compare(op) && op != ES_OP_ADD && op != ES_OP_SUB) {
        fail_sign(parser, sign, "age(x) + 5us < elapsed", "times can be compared, added and subtracted");
        return NULL;
    }
    if (is_shift)
        return shift(parser, sign, op, lhs, rhs);
    bool as_signed;
    const es_node *left = lhs, *right = rhs;
    if (!es_node_common(parser, sign, &lhs, &rhs, &as_signed))
        return NULL;
    if ((op == ES_OP_DIV || op == ES_OP_REM) && !node_is_number(rhs) && rhs->expr.kind == ES_EXPR_CONST &&
        !constant_truth(&rhs->expr)) {
        fail_sign(parser, sign, NULL, "division by zero");
        return NULL;
    }
    if (is_compare(op) && !pointers)
        es_warn_of_range(parser, op, left, right, rhs->expr.kind == ES_EXPR_CONST ? &rhs->expr : &lhs->expr, as_signed);
    if (is_compare(op))
        es_node_narrow(parser, op, &lhs, &rhs, &as_signed);
    return es_node_made(parser, sign, op, lhs, rhs, as_signed);
}
