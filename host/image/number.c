/* float and double (IEEE 754), compared as integers: a value's magnitude, negated when its sign is set, orders as the value does,
 * and makes -0 and 0 equal. NaN, a magnitude above infinity's, is apart. */
#include "image/codegen.h"

#define INFINITY_FLOAT 0x7F800000u
#define INFINITY_DOUBLE 0x7FF00000u /* upper word */

static void key_float(generator *g, unsigned rd, unsigned nan)
{
    rv_code *code = g->code;
    es_rv_lui(code, RV_T0, INFINITY_FLOAT);
    es_rv_i(code, RV_SRAI, RV_T6, rd, 31);
    es_rv_i(code, RV_SLLI, rd, rd, 1);
    es_rv_i(code, RV_SRLI, rd, rd, 1);
    es_rv_branch(code, RV_BLTU, RV_T0, rd, nan);
    es_rv_r(code, RV_XOR, rd, rd, RV_T6);
    es_rv_r(code, RV_SUB, rd, rd, RV_T6);
}

static void key_double(generator *g, codegen_pair rd, unsigned nan)
{
    rv_code *code = g->code;
    unsigned finite = es_rv_label(code);
    es_rv_lui(code, RV_T0, INFINITY_DOUBLE);
    es_rv_i(code, RV_SRAI, RV_T6, rd.high, 31);
    es_rv_i(code, RV_SLLI, rd.high, rd.high, 1);
    es_rv_i(code, RV_SRLI, rd.high, rd.high, 1);
    es_rv_branch(code, RV_BLTU, RV_T0, rd.high, nan);
    es_rv_branch(code, RV_BNE, RV_T0, rd.high, finite);
    es_rv_branch(code, RV_BNE, rd.low, RV_ZERO, nan);
    es_rv_place(code, finite);
    es_rv_r(code, RV_XOR, rd.low, rd.low, RV_T6);
    es_rv_r(code, RV_XOR, rd.high, rd.high, RV_T6);
    es_rv_r(code, RV_SLTU, RV_T0, rd.low, RV_T6);
    es_rv_r(code, RV_SUB, rd.low, rd.low, RV_T6);
    es_rv_r(code, RV_SUB, rd.high, rd.high, RV_T6);
    es_rv_r(code, RV_SUB, rd.high, rd.high, RV_T0);
}

static void key(generator *g, const es_expr *expr, codegen_pair rd, unsigned nan)
{
    if (rd.low == RV_ZERO)
        return;
    if (expr->type == ES_VALUE_FLOAT)
        key_float(g, rd.low, nan);
    else
        key_double(g, rd, nan);
}

void es_number_compare(generator *g, const es_expr *expr, unsigned depth, unsigned label, bool when)
{
    codegen_pair left, right;
    unsigned past = es_rv_label(g->code);
    unsigned nan = (expr->op == ES_OP_NE) == when ? label : past; /* only != holds */
    es_codegen_operands(g, expr, depth, &left, &right);
    key(g, expr->lhs, left, nan);
    key(g, expr->rhs, right, nan);
    if (expr->lhs->type == ES_VALUE_FLOAT) {
        unsigned a = left.low, b = right.low;
        switch (expr->op) {
        case ES_OP_EQ: es_rv_branch(g->code, when ? RV_BEQ : RV_BNE, a, b, label); break;
        case ES_OP_NE: es_rv_branch(g->code, when ? RV_BNE : RV_BEQ, a, b, label); break;
        case ES_OP_LT: es_rv_branch(g->code, when ? RV_BLT : RV_BGE, a, b, label); break;
        case ES_OP_GE: es_rv_branch(g->code, when ? RV_BGE : RV_BLT, a, b, label); break;
        case ES_OP_GT: es_rv_branch(g->code, when ? RV_BLT : RV_BGE, b, a, label); break;
        default: es_rv_branch(g->code, when ? RV_BGE : RV_BLT, b, a, label); break; /* LE */
        }
    } else {
        es_wide_compare(g, expr->op, true, left, right, label, when);
    }
    es_rv_place(g->code, past);
}

void es_number_binary(generator *g, const es_expr *expr, unsigned depth)
{
    uint32_t what = expr->op == ES_OP_ADD ? 0 : expr->op == ES_OP_SUB ? 1 : expr->op == ES_OP_MUL ? 2 : 3;
    es_codegen_arithmetic(g, expr, depth, g->routines->number_arithmetic, what | (expr->type == ES_VALUE_DOUBLE) << 2);
}

/* The value stands in register `depth` (and the next); the result comes there. */
void es_number_convert(generator *g, const es_expr *expr, unsigned depth)
{
    const es_expr *from = expr->lhs;
    bool to_number = expr->type == ES_VALUE_FLOAT || expr->type == ES_VALUE_DOUBLE;
    bool from_number = from->type == ES_VALUE_FLOAT || from->type == ES_VALUE_DOUBLE;
    uint32_t routine;
    es_rv_i(g->code, RV_ADDI, RV_T1, es_codegen_register(g, depth), 0);
    if (codegen_width(from->type) == 2)
        es_rv_i(g->code, RV_ADDI, RV_T2, es_codegen_register(g, depth + 1), 0);
    else if (!from_number && from->is_signed)
        es_rv_i(g->code, RV_SRAI, RV_T2, RV_T1, 31);
    else
        es_rv_li(g->code, RV_T2, 0);
    if (!from_number) {
        es_rv_li(g->code, RV_T3, (expr->type == ES_VALUE_DOUBLE) | (uint32_t)from->is_signed << 1);
        routine = g->routines->number_of_integer;
    } else if (to_number) {
        es_rv_li(g->code, RV_T3, 0);
        routine = expr->type == ES_VALUE_DOUBLE ? g->routines->double_of_float : g->routines->float_of_double;
    } else {
        if (from->type == ES_VALUE_FLOAT) {
            es_rv_li(g->code, RV_T6, g->routines->double_of_float);
            es_rv_call(g->code, RV_T0, g->routines->compute);
        }
        es_rv_li(g->code, RV_T3, (expr->type == ES_VALUE_64 ? 64u : 32u) | (uint32_t)expr->is_signed << 8);
        routine = g->routines->integer_of_double;
    }
    es_rv_li(g->code, RV_T6, routine);
    es_rv_call(g->code, RV_T0, g->routines->compute);
    es_rv_i(g->code, RV_ADDI, es_codegen_register(g, depth), RV_T1, 0);
    if (codegen_width(expr->type) == 2)
        es_rv_i(g->code, RV_ADDI, es_codegen_register(g, depth + 1), RV_T2, 0);
}
