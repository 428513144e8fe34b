/* float and double (IEEE 754), compared as integers: a value's magnitude, negated when its sign is set, orders as the
 * value does, and makes -0 and 0 equal. NaN, a magnitude above infinity's, is apart. */
#include "image/lower/number.h"

#include "image/lower/arithmetic.h"
#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/lower/wide.h"
#include "ir/ir.h"
#include "lang/statement.h"

#define INFINITY_FLOAT 0x7F800000u

#define INFINITY_DOUBLE 0x7FF00000u /* upper word */

static es_ir_reg magnitude(es_ir_code *code, es_ir_reg of)
{
    return es_ir_make_immediate(code, ES_IR_SHR_I, es_ir_make_immediate(code, ES_IR_SHL_I, of, 1), 1);
}

static es_ir_reg key_float(es_ir_code *code, es_ir_reg of, unsigned nan)
{
    es_ir_reg sign = es_ir_make_immediate(code, ES_IR_SAR_I, of, 31), positive = magnitude(code, of);
    es_ir_branch(code, ES_IR_IF_BELOW, es_ir_make_const(code, INFINITY_FLOAT), positive, nan);
    return es_ir_make(code, ES_IR_SUB, es_ir_make(code, ES_IR_XOR, positive, sign), sign);
}

static codegen_pair key_double(es_ir_code *code, codegen_pair of, unsigned nan)
{
    unsigned finite = es_ir_label(code);
    es_ir_reg sign = es_ir_make_immediate(code, ES_IR_SAR_I, of.high, 31), high = magnitude(code, of.high);
    es_ir_reg infinity = es_ir_make_const(code, INFINITY_DOUBLE);
    es_ir_branch(code, ES_IR_IF_BELOW, infinity, high, nan);
    es_ir_branch(code, ES_IR_IF_NE, infinity, high, finite);
    es_ir_branch(code, ES_IR_IF_NE, of.low, ES_IR_ZERO, nan);
    es_ir_here(code, finite);
    es_ir_reg low = es_ir_make(code, ES_IR_XOR, of.low, sign);
    high = es_ir_make(code, ES_IR_XOR, high, sign);
    es_ir_reg borrow = es_ir_make(code, ES_IR_BELOW, low, sign);
    low = es_ir_make(code, ES_IR_SUB, low, sign);
    high = es_ir_make(code, ES_IR_SUB, high, sign);
    return (codegen_pair){low, es_ir_make(code, ES_IR_SUB, high, borrow)};
}

static codegen_pair key(generator *g, enum es_value_type type, codegen_pair of, unsigned nan)
{
    if (of.low == ES_IR_ZERO && of.high == ES_IR_ZERO)
        return of;
    if (type == ES_VALUE_FLOAT)
        return (codegen_pair){key_float(g->code, of.low, nan), ES_IR_ZERO};
    return key_double(g->code, of, nan);
}

void es_number_compare(generator *g, const es_expr *expr, codegen_pair left, codegen_pair right, unsigned label,
                       bool when)
{
    unsigned past = es_ir_label(g->code);
    unsigned nan = (expr->op == ES_OP_NE) == when ? label : past; /* only != holds */
    left = key(g, expr->lhs->type, left, nan);
    right = key(g, expr->rhs->type, right, nan);
    if (expr->lhs->type == ES_VALUE_FLOAT)
        es_codegen_compare(g->code, expr->op, true, left.low, right.low, label, when);
    else
        es_wide_compare(g, expr->op, true, left, right, label, when);
    es_ir_here(g->code, past);
}

codegen_pair es_number_binary(generator *g, const es_expr *expr, codegen_pair left, codegen_pair right)
{
    uint32_t what = expr->op == ES_OP_ADD ? 0 : expr->op == ES_OP_SUB ? 1 : expr->op == ES_OP_MUL ? 2 : 3;
    return es_codegen_arithmetic(g, expr, left, right, ROUTINE_number_arithmetic,
                                 what | (expr->type == ES_VALUE_DOUBLE) << 2);
}

codegen_pair es_number_convert(generator *g, const es_expr *expr, codegen_pair of)
{
    const es_expr *from = expr->lhs;
    es_ir_code *code = g->code;
    bool to_number = expr->type == ES_VALUE_FLOAT || expr->type == ES_VALUE_DOUBLE;
    bool from_number = from->type == ES_VALUE_FLOAT || from->type == ES_VALUE_DOUBLE;
    es_ir_copy(code, ES_IR_T1, of.low);
    if (codegen_width(from->type) == 2)
        es_ir_copy(code, ES_IR_T2, of.high);
    else if (!from_number && from->is_signed)
        es_ir_immediate(code, ES_IR_SAR_I, ES_IR_T2, of.low, 31);
    else
        es_ir_const(code, ES_IR_T2, 0);
    if (!from_number) {
        es_routine_compute(code, g->routines, ROUTINE_number_of_integer,
                           (expr->type == ES_VALUE_DOUBLE) | (uint32_t)from->is_signed << 1);
    } else if (to_number) {
        es_routine_compute(code, g->routines,
                           expr->type == ES_VALUE_DOUBLE ? ROUTINE_double_of_float : ROUTINE_float_of_double, 0);
    } else {
        if (from->type == ES_VALUE_FLOAT)
            es_routine_compute(code, g->routines, ROUTINE_double_of_float, 0);
        es_routine_compute(code, g->routines, ROUTINE_integer_of_double,
                           (expr->type == ES_VALUE_64 ? 64u : 32u) | (uint32_t)expr->is_signed << 8);
    }
    return es_codegen_results(g, expr);
}
