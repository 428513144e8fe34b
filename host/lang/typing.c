/* Expression nodes: C's integer promotions and usual arithmetic conversions for 32-bit int, constants folded. */
#include "lang/parser.h"

#include <string.h>

es_node *es_node_new(es_parser *parser, es_span span, enum es_expr_kind kind)
{
    es_node *node = es_arena_alloc(parser->arena, sizeof *node);
    node->expr.kind = kind;
    node->expr.source = span.source;
    node->start = span.start;
    node->end = parser->previous_end;
    node->expr.is_signed = true;
    node->depth = 1;
    return node;
}

static es_span span_of(const es_node *node)
{
    return (es_span){node->expr.source, node->start};
}

es_node *es_node_constant(es_parser *parser, es_span span, uint32_t value, bool is_signed)
{
    es_node *node = es_node_new(parser, span, ES_EXPR_CONST);
    node->expr.value = value;
    node->expr.is_signed = is_signed;
    return node;
}

es_node *es_node_wide(es_parser *parser, es_span span, uint64_t value, bool is_signed)
{
    es_node *node = es_node_constant(parser, span, (uint32_t)value, is_signed);
    node->expr.type = ES_VALUE_64;
    node->expr.constant.wide = value;
    return node;
}

es_node *es_node_number(es_parser *parser, es_span span, double value, bool is_float)
{
    es_node *node = es_node_new(parser, span, ES_EXPR_CONST);
    node->expr.type = is_float ? ES_VALUE_FLOAT : ES_VALUE_DOUBLE;
    node->expr.constant.number = value;
    return node;
}

es_node *es_node_time(es_parser *parser, es_span span, es_duration time)
{
    es_node *node = es_node_new(parser, span, ES_EXPR_CONST);
    node->expr.type = ES_VALUE_TIME;
    node->expr.is_signed = false;
    node->expr.constant.time = time;
    return node;
}

es_node *es_node_reference(es_parser *parser, es_span span, size_t index, bool old)
{
    const es_reference *reference = &parser->statement->references[index];
    const es_type *type = reference->type;
    es_node *node = es_node_new(parser, span, old ? ES_EXPR_OLD : ES_EXPR_REFERENCE);
    node->expr.index = index;
    if (type->kind == ES_TYPE_FLOAT) {
        node->expr.type = reference->size == 8 ? ES_VALUE_DOUBLE : ES_VALUE_FLOAT;
        return node;
    }
    unsigned bits = reference->bit_size ? reference->bit_size : reference->size * 8u;
    bool is_pointer = type->kind == ES_TYPE_POINTER;
    bool is_unsigned = is_pointer || (!type->is_signed && type->kind != ES_TYPE_BOOL);
    if (bits > 32)
        node->expr.type = ES_VALUE_64;
    node->expr.is_signed = bits < 32 || !is_unsigned; /* what is narrower than int becomes an int */
    node->pointer = is_pointer ? type : NULL;
    return node;
}

static bool is_number(const es_node *node)
{
    return node->expr.type == ES_VALUE_FLOAT || node->expr.type == ES_VALUE_DOUBLE;
}

static bool truth(const es_expr *constant)
{
    switch (constant->type) {
    case ES_VALUE_32: return constant->value != 0;
    case ES_VALUE_64: return constant->constant.wide != 0;
    case ES_VALUE_TIME: return constant->constant.time.count != 0;
    default: return constant->constant.number != 0;
    }
}

static uint64_t integer(const es_expr *constant)
{
    return constant->type == ES_VALUE_64 ? constant->constant.wide : constant->value;
}

/* A constant of a type with the bits of a 64-bit number. */
static es_node *typed_constant(es_parser *parser, es_span span, uint64_t value, enum es_value_type type, bool is_signed)
{
    return type == ES_VALUE_64 ? es_node_wide(parser, span, value, is_signed)
                               : es_node_constant(parser, span, (uint32_t)value, is_signed);
}

static bool too_large(es_parser *parser, es_source source, size_t length, unsigned depth)
{
    if (depth <= ES_LANG_DEPTH_MAX)
        return false;
    es_lang_fail(parser->err, parser->lexer.text, source, length, "split the statement in two",
                 "this expression is too large");
    return true;
}

es_node *es_node_unary(es_parser *parser, es_span span, int sign, es_node *operand)
{
    const es_expr *from = &operand->expr;
    if (operand->pointer && sign != '!') {
        es_parser_fail_node(parser, operand,
                            "pointers can be compared, tested (p, !p), masked (p & 3), moved (p + 1) and followed (*p)",
                            "a pointer has no %c", sign);
        return NULL;
    }
    if (from->type == ES_VALUE_TIME || (sign == '~' && is_number(operand))) {
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
        return es_node_constant(parser, span, !truth(from), true);
    if (from->kind == ES_EXPR_CONST && is_number(operand))
        return es_node_number(parser, span, -from->constant.number, from->type == ES_VALUE_FLOAT);
    if (from->kind == ES_EXPR_CONST)
        return typed_constant(parser, span, sign == '-' ? 0 - integer(from) : ~integer(from), from->type,
                              from->is_signed);
    if (too_large(parser, span.source, (size_t)(operand->end - span.start), operand->depth + 1))
        return NULL;
    es_node *node = es_node_new(parser, span, ES_EXPR_UNARY);
    node->expr.op = sign == '-' ? ES_OP_NEG : sign == '~' ? ES_OP_NOT : ES_OP_LOGNOT;
    node->expr.type = sign == '!' ? ES_VALUE_32 : from->type;
    node->expr.is_signed = sign == '!' || from->is_signed;
    node->expr.lhs = &operand->expr;
    node->depth = operand->depth + 1;
    return node;
}

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
        return es_node_constant(parser, span, op == ES_OP_LOGAND ? truth(a) && truth(b) : truth(a) || truth(b), true);
    if (is_number(lhs) && is_compare(op))
        return es_node_constant(parser, span, (uint32_t)es_fold_compare(op, a->constant.number, b->constant.number),
                                true);
    if (is_number(lhs)) {
        double number = es_fold_number(op, a->constant.number, b->constant.number);
        bool is_float = a->type == ES_VALUE_FLOAT;
        return es_node_number(parser, span, is_float ? (double)(float)number : number, is_float);
    }
    unsigned bits = a->type == ES_VALUE_64 ? 64 : 32;
    uint64_t value = es_fold(op, integer(a), integer(b), as_signed, bits);
    if (is_compare(op))
        return es_node_constant(parser, span, (uint32_t)value, true);
    return typed_constant(parser, span, value, a->type, as_signed);
}

static es_node *make_binary(es_parser *parser, const es_token *sign, enum es_op op, es_node *lhs, es_node *rhs,
                            bool as_signed)
{
    es_span span = span_of(lhs);
    unsigned depth = (lhs->depth > rhs->depth ? lhs->depth : rhs->depth) + 1;
    if (too_large(parser, sign->source, sign->length, depth))
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
        es_node *difference = make_binary(parser, sign, op, lhs, rhs, true);
        if (!difference || of->size == 1)
            return difference;
        times.sign = '/';
        return es_node_binary(parser, &times, difference, es_node_constant(parser, span_of(rhs), of->size, true));
    }
    es_node *offset = lhs->pointer ? rhs : lhs;
    if (is_number(offset) || offset->expr.type == ES_VALUE_TIME) {
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
            es_node_constant(parser, span_of(offset), shifts ? (uint32_t)__builtin_ctz(size) : size, true));
    es_node *node = offset ? make_binary(parser, sign, op, pointer, offset, false) : NULL;
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
    if (rhs->expr.kind == ES_EXPR_CONST && integer(&rhs->expr) >= bits) {
        es_parser_fail_node(parser, rhs, NULL, "a shift of a %u-bit value takes 0 to %u", bits, bits - 1);
        return NULL;
    }
    rhs = es_node_convert(parser, rhs, ES_VALUE_32, rhs->expr.is_signed);
    return make_binary(parser, sign, op, lhs, rhs, lhs->expr.is_signed);
}

es_node *es_node_binary(es_parser *parser, const es_token *sign, es_node *lhs, es_node *rhs)
{
    enum es_op op = operation(sign->sign);
    if (op == ES_OP_LOGAND || op == ES_OP_LOGOR)
        return make_binary(parser, sign, op, lhs, rhs, true);
    bool is_shift = op == ES_OP_SHL || op == ES_OP_SHR;
    bool of_bits = is_shift || op == ES_OP_AND || op == ES_OP_OR || op == ES_OP_XOR || op == ES_OP_REM;
    bool pointers = lhs->pointer || rhs->pointer,
         times = lhs->expr.type == ES_VALUE_TIME || rhs->expr.type == ES_VALUE_TIME;
    if (pointers && ((op == ES_OP_ADD && !(lhs->pointer && rhs->pointer)) || (op == ES_OP_SUB && lhs->pointer)))
        return move_pointer(parser, sign, op, lhs, rhs);
    if (pointers && (is_number(lhs) || is_number(rhs))) {
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
    if (of_bits && (is_number(lhs) || is_number(rhs))) {
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
    if (!es_node_common(parser, sign, &lhs, &rhs, &as_signed))
        return NULL;
    if ((op == ES_OP_DIV || op == ES_OP_REM) && !is_number(rhs) && rhs->expr.kind == ES_EXPR_CONST &&
        !truth(&rhs->expr)) {
        fail_sign(parser, sign, NULL, "division by zero");
        return NULL;
    }
    if (is_compare(op))
        es_node_narrow(parser, op, &lhs, &rhs, &as_signed);
    return make_binary(parser, sign, op, lhs, rhs, as_signed);
}

es_node *es_node_choice(es_parser *parser, es_node *condition, es_node *lhs, es_node *rhs)
{
    es_token sign = {.source = condition->expr.source, .length = (size_t)(condition->end - condition->start)};
    bool as_signed;
    const es_type *pointer = lhs->pointer ? lhs->pointer : rhs->pointer;
    if (pointer && (is_number(lhs) || is_number(rhs))) {
        es_parser_fail_node(parser, is_number(lhs) ? lhs : rhs, NULL,
                            "the other value is a pointer: this must be one, too");
        return NULL;
    }
    if (!es_node_common(parser, &sign, &lhs, &rhs, &as_signed))
        return NULL;
    unsigned depth = (lhs->depth > rhs->depth ? lhs->depth : rhs->depth) + 1;
    if (depth <= condition->depth)
        depth = condition->depth + 1;
    if (too_large(parser, sign.source, sign.length, depth))
        return NULL;
    if (condition->expr.kind == ES_EXPR_CONST)
        return truth(&condition->expr) ? lhs : rhs;
    es_node *node = es_node_new(parser, span_of(condition), ES_EXPR_CHOICE);
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
            node = make_binary(parser, &sign, is_signed ? ES_OP_SHL : ES_OP_AND, node, by, true);
            if (node && is_signed)
                node = make_binary(parser, &sign, ES_OP_SHR, node, by, true);
        } else if (node == operand && type != ES_VALUE_FLOAT && type != ES_VALUE_DOUBLE) { /* other sign, same bits */
            bool leaf = node->depth == 1;
            es_node *copy = leaf ? es_arena_alloc(parser->arena, sizeof *copy)
                                 : make_binary(parser, &sign, ES_OP_OR, node,
                                               typed_constant(parser, span, 0, type, is_signed), is_signed);
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
