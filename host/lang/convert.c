/* C's conversions between the types of values. */
#include <string.h>

#include "lang/parser.h"

static bool is_number(enum es_value_type type)
{
    return type == ES_VALUE_FLOAT || type == ES_VALUE_DOUBLE;
}

/* A constant's value as 64 bits, extended by its own sign. */
static uint64_t extended(const es_expr *constant)
{
    if (constant->type == ES_VALUE_64)
        return constant->constant.wide;
    return constant->is_signed ? (uint64_t)(int64_t)(int32_t)constant->value : constant->value;
}

/* A float's whole part; what does not fit becomes the nearest end, as RISC-V's own conversions do. */
static uint64_t whole_part(double number, unsigned bits, bool is_signed)
{
    double limit = (double)(UINT64_C(1) << (bits - 1)) * (is_signed ? 1 : 2);
    if (!(number < limit)) /* NaN too */
        return is_signed ? (UINT64_C(1) << (bits - 1)) - 1 : bits == 64 ? UINT64_MAX : UINT32_MAX;
    if (is_signed)
        return number < -limit ? (uint64_t)0 - (UINT64_C(1) << (bits - 1)) : (uint64_t)(int64_t)number;
    return number <= -1 ? 0 : (uint64_t)number;
}

static void convert_constant(es_expr *to, const es_expr *from)
{
    unsigned bits = to->type == ES_VALUE_64 ? 64 : 32;
    if (is_number(to->type)) {
        double number = is_number(from->type) ? from->constant.number
                        : from->is_signed     ? (double)(int64_t)extended(from)
                                              : (double)extended(from);
        to->constant.number = to->type == ES_VALUE_FLOAT ? (double)(float)number : number;
        return;
    }
    uint64_t value = is_number(from->type) ? whole_part(from->constant.number, bits, to->is_signed) : extended(from);
    if (bits == 64)
        to->constant.wide = value;
    to->value = (uint32_t)value;
}

es_node *es_node_convert(es_parser *parser, es_node *node, enum es_value_type type, bool is_signed)
{
    const es_expr *from = &node->expr;
    bool same = from->type == type && (is_number(type) || from->is_signed == is_signed);
    if (same)
        return node;
    es_node *made = es_arena_alloc(parser->arena, sizeof *made);
    *made = *node;
    made->pointer = NULL;
    if (from->kind == ES_EXPR_CONST) {
        made->expr.type = type;
        made->expr.is_signed = is_signed;
        convert_constant(&made->expr, from);
        return made;
    }
    if (from->type == type) /* int and unsigned are the same bits */
        return node;
    made->expr = (es_expr){
        .kind = ES_EXPR_CONVERT, .type = type, .is_signed = is_signed, .source = from->source, .lhs = &node->expr};
    made->depth = node->depth + 1;
    return made;
}

bool es_node_common(es_parser *parser, const es_token *sign, es_node **lhs, es_node **rhs, bool *is_signed)
{
    const es_expr *a = &(*lhs)->expr, *b = &(*rhs)->expr;
    if ((a->type == ES_VALUE_TIME) != (b->type == ES_VALUE_TIME))
        return es_lang_fail(parser->err, parser->lexer.text, sign->source, sign->length,
                            "write a unit after the number: 50us, 5ms, 100 cycles", "times combine with times only");
    enum es_value_type type;
    if (a->type == ES_VALUE_TIME) {
        *is_signed = false;
        return true;
    }
    if (is_number(a->type) || is_number(b->type)) {
        type = a->type == ES_VALUE_DOUBLE || b->type == ES_VALUE_DOUBLE ? ES_VALUE_DOUBLE : ES_VALUE_FLOAT;
        *is_signed = true;
    } else if (a->type == ES_VALUE_64 || b->type == ES_VALUE_64) {
        type = ES_VALUE_64;
        *is_signed = (a->type != ES_VALUE_64 || a->is_signed) && (b->type != ES_VALUE_64 || b->is_signed);
    } else {
        *is_signed = a->is_signed && b->is_signed;
        return true;
    }
    *lhs = es_node_convert(parser, *lhs, type, *is_signed);
    *rhs = es_node_convert(parser, *rhs, type, *is_signed);
    return true;
}

/* The operand of a conversion from 32 to 64 bits, or from float to double; NULL: node is none. */
static es_node *widened(const es_node *node)
{
    if (node->expr.kind != ES_EXPR_CONVERT)
        return NULL;
    es_expr *from = node->expr.lhs;
    bool widens = (node->expr.type == ES_VALUE_64 && from->type == ES_VALUE_32) ||
                  (node->expr.type == ES_VALUE_DOUBLE && from->type == ES_VALUE_FLOAT);
    return widens ? (es_node *)from : NULL;
}

/* The next float above or below a finite one that is not 0. */
static float neighbour(float number, bool above)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits = (number > 0) == above ? bits + 1 : bits - 1;
    memcpy(&number, &bits, sizeof bits);
    return number;
}

/* A float beside which comparing gives what comparing with `number` would: no float lies between it and the number, so
 * x > 0.1 is x > (the largest float below 0.1) for a float x. False: there is none. */
static bool float_like(enum es_op op, double number, bool constant_right, float *like)
{
    *like = (float)number;
    if ((double)*like == number)
        return true;
    bool finite = *like - *like == 0; /* neither NaN nor infinite */
    if (op == ES_OP_EQ || op == ES_OP_NE || !finite || *like == 0)
        return false;
    /* x > c and x <= c ask about the float below c, x >= c and x < c about the one above; mirrored with c on the left
     */
    bool below = (op == ES_OP_GT || op == ES_OP_LE) == constant_right;
    if (((double)*like < number) != below)
        *like = neighbour(*like, !below);
    return *like - *like == 0;
}

void es_node_narrow(es_parser *parser, enum es_op op, es_node **lhs, es_node **rhs, bool *is_signed)
{
    bool constant_right = (*rhs)->expr.kind == ES_EXPR_CONST;
    es_node **wide = constant_right ? lhs : rhs, **constant = constant_right ? rhs : lhs;
    es_node *narrow = widened(*wide);
    if (!narrow)
        return;
    if ((*constant)->expr.kind != ES_EXPR_CONST) {
        /* two of the same narrow type: the conversions cancel */
        es_node *other = widened(*constant);
        if (other && narrow->expr.type == other->expr.type && narrow->expr.is_signed == other->expr.is_signed) {
            *wide = narrow;
            *constant = other;
            *is_signed = narrow->expr.is_signed;
        }
        return;
    }
    if (narrow->expr.type == ES_VALUE_FLOAT) {
        float like;
        if (!float_like(op, (*constant)->expr.constant.number, constant_right, &like))
            return;
        *constant = es_node_convert(parser, *constant, ES_VALUE_FLOAT, true);
        (*constant)->expr.constant.number = like;
        *wide = narrow;
        return;
    }
    uint64_t value = (*constant)->expr.constant.wide;
    bool fits = narrow->expr.is_signed ? value + 0x80000000u <= UINT32_MAX && *is_signed : value <= UINT32_MAX;
    if (!fits)
        return;
    *constant = es_node_convert(parser, *constant, ES_VALUE_32, narrow->expr.is_signed);
    *wide = narrow;
    *is_signed = narrow->expr.is_signed;
}
