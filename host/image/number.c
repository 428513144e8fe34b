/* float and double (IEEE 754), compared as integers: a value's magnitude, negated when its sign is set, orders as the value does,
 * and makes -0 and 0 equal. NaN, a magnitude above infinity's, is apart. */
#include "image/codegen.h"

#define INFINITY_FLOAT 0x7F800000u
#define INFINITY_DOUBLE 0x7FF00000u /* upper word */

static void key_float(generator *g, unsigned rd, unsigned nan)
{
    rv_code *code = g->code;
    rv_lui(code, RV_T0, INFINITY_FLOAT);
    rv_i(code, RV_SRAI, RV_T6, rd, 31);
    rv_i(code, RV_SLLI, rd, rd, 1);
    rv_i(code, RV_SRLI, rd, rd, 1);
    rv_branch(code, RV_BLTU, RV_T0, rd, nan);
    rv_r(code, RV_XOR, rd, rd, RV_T6);
    rv_r(code, RV_SUB, rd, rd, RV_T6);
}

static void key_double(generator *g, codegen_pair rd, unsigned nan)
{
    rv_code *code = g->code;
    unsigned finite = rv_label(code);
    rv_lui(code, RV_T0, INFINITY_DOUBLE);
    rv_i(code, RV_SRAI, RV_T6, rd.high, 31);
    rv_i(code, RV_SLLI, rd.high, rd.high, 1);
    rv_i(code, RV_SRLI, rd.high, rd.high, 1);
    rv_branch(code, RV_BLTU, RV_T0, rd.high, nan);
    rv_branch(code, RV_BNE, RV_T0, rd.high, finite);
    rv_branch(code, RV_BNE, rd.low, RV_ZERO, nan);
    rv_place(code, finite);
    rv_r(code, RV_XOR, rd.low, rd.low, RV_T6);
    rv_r(code, RV_XOR, rd.high, rd.high, RV_T6);
    rv_r(code, RV_SLTU, RV_T0, rd.low, RV_T6);
    rv_r(code, RV_SUB, rd.low, rd.low, RV_T6);
    rv_r(code, RV_SUB, rd.high, rd.high, RV_T6);
    rv_r(code, RV_SUB, rd.high, rd.high, RV_T0);
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

void number_compare(generator *g, const es_expr *expr, unsigned depth, unsigned label, bool when)
{
    codegen_pair left, right;
    unsigned past = rv_label(g->code);
    unsigned nan = (expr->op == ES_OP_NE) == when ? label : past; /* only != holds */
    codegen_operands(g, expr, depth, &left, &right);
    key(g, expr->lhs, left, nan);
    key(g, expr->rhs, right, nan);
    if (expr->lhs->type == ES_VALUE_FLOAT) {
        unsigned a = left.low, b = right.low;
        switch (expr->op) {
        case ES_OP_EQ: rv_branch(g->code, when ? RV_BEQ : RV_BNE, a, b, label); break;
        case ES_OP_NE: rv_branch(g->code, when ? RV_BNE : RV_BEQ, a, b, label); break;
        case ES_OP_LT: rv_branch(g->code, when ? RV_BLT : RV_BGE, a, b, label); break;
        case ES_OP_GE: rv_branch(g->code, when ? RV_BGE : RV_BLT, a, b, label); break;
        case ES_OP_GT: rv_branch(g->code, when ? RV_BLT : RV_BGE, b, a, label); break;
        default: rv_branch(g->code, when ? RV_BGE : RV_BLT, b, a, label); break; /* LE */
        }
    } else {
        wide_compare(g, expr->op, true, left, right, label, when);
    }
    rv_place(g->code, past);
}

void number_binary(generator *g, const es_expr *expr, unsigned depth)
{
    uint32_t what = expr->op == ES_OP_ADD ? 0 : expr->op == ES_OP_SUB ? 1 : expr->op == ES_OP_MUL ? 2 : 3;
    codegen_arithmetic(g, expr, depth, g->routines->number_arithmetic, what | (expr->type == ES_VALUE_DOUBLE) << 2);
}

/* The value stands in register `depth` (and the next); the result comes there. */
void number_convert(generator *g, const es_expr *expr, unsigned depth)
{
    const es_expr *from = expr->lhs;
    bool to_number = expr->type == ES_VALUE_FLOAT || expr->type == ES_VALUE_DOUBLE;
    bool from_number = from->type == ES_VALUE_FLOAT || from->type == ES_VALUE_DOUBLE;
    uint32_t routine;
    rv_i(g->code, RV_ADDI, RV_T1, codegen_register(g, depth), 0);
    if (codegen_width(from->type) == 2)
        rv_i(g->code, RV_ADDI, RV_T2, codegen_register(g, depth + 1), 0);
    else if (!from_number && from->is_signed)
        rv_i(g->code, RV_SRAI, RV_T2, RV_T1, 31);
    else
        rv_li(g->code, RV_T2, 0);
    if (!from_number) {
        rv_li(g->code, RV_T3, (expr->type == ES_VALUE_DOUBLE) | (uint32_t)from->is_signed << 1);
        routine = g->routines->number_of_integer;
    } else if (to_number) {
        rv_li(g->code, RV_T3, 0);
        routine = expr->type == ES_VALUE_DOUBLE ? g->routines->double_of_float : g->routines->float_of_double;
    } else {
        if (from->type == ES_VALUE_FLOAT) {
            rv_li(g->code, RV_T6, g->routines->double_of_float);
            rv_call(g->code, RV_T0, g->routines->compute);
        }
        rv_li(g->code, RV_T3, (expr->type == ES_VALUE_64 ? 64u : 32u) | (uint32_t)expr->is_signed << 8);
        routine = g->routines->integer_of_double;
    }
    rv_li(g->code, RV_T6, routine);
    rv_call(g->code, RV_T0, g->routines->compute);
    rv_i(g->code, RV_ADDI, codegen_register(g, depth), RV_T1, 0);
    if (codegen_width(expr->type) == 2)
        rv_i(g->code, RV_ADDI, codegen_register(g, depth + 1), RV_T2, 0);
}
