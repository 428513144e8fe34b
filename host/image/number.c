/* float and double (IEEE 754), compared as integers: a value's magnitude, negated when its sign is set, orders as the value does,
 * and makes -0 and 0 equal. NaN, a magnitude above infinity's, is apart. */
#include "image/codegen.h"
#include "image/routines.h"

#define INFINITY_FLOAT 0x7F800000u
#define INFINITY_DOUBLE 0x7FF00000u /* upper word */

static void key_float(generator *g, unsigned rd, unsigned nan)
{
    es_ir_code *code = g->code;
    es_ir_const(code, ES_IR_T0, INFINITY_FLOAT);
    es_ir_immediate(code, ES_IR_SAR_I, ES_IR_T6, rd, 31);
    es_ir_immediate(code, ES_IR_SHL_I, rd, rd, 1);
    es_ir_immediate(code, ES_IR_SHR_I, rd, rd, 1);
    es_ir_branch(code, ES_IR_IF_BELOW, ES_IR_T0, rd, nan);
    es_ir_value(code, ES_IR_XOR, rd, rd, ES_IR_T6);
    es_ir_value(code, ES_IR_SUB, rd, rd, ES_IR_T6);
}

static void key_double(generator *g, codegen_pair rd, unsigned nan)
{
    es_ir_code *code = g->code;
    unsigned finite = es_ir_label(code);
    es_ir_const(code, ES_IR_T0, INFINITY_DOUBLE);
    es_ir_immediate(code, ES_IR_SAR_I, ES_IR_T6, rd.high, 31);
    es_ir_immediate(code, ES_IR_SHL_I, rd.high, rd.high, 1);
    es_ir_immediate(code, ES_IR_SHR_I, rd.high, rd.high, 1);
    es_ir_branch(code, ES_IR_IF_BELOW, ES_IR_T0, rd.high, nan);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T0, rd.high, finite);
    es_ir_branch(code, ES_IR_IF_NE, rd.low, ES_IR_ZERO, nan);
    es_ir_here(code, finite);
    es_ir_value(code, ES_IR_XOR, rd.low, rd.low, ES_IR_T6);
    es_ir_value(code, ES_IR_XOR, rd.high, rd.high, ES_IR_T6);
    es_ir_value(code, ES_IR_BELOW, ES_IR_T0, rd.low, ES_IR_T6);
    es_ir_value(code, ES_IR_SUB, rd.low, rd.low, ES_IR_T6);
    es_ir_value(code, ES_IR_SUB, rd.high, rd.high, ES_IR_T6);
    es_ir_value(code, ES_IR_SUB, rd.high, rd.high, ES_IR_T0);
}

static void key(generator *g, const es_expr *expr, codegen_pair rd, unsigned nan)
{
    if (rd.low == ES_IR_ZERO)
        return;
    if (expr->type == ES_VALUE_FLOAT)
        key_float(g, rd.low, nan);
    else
        key_double(g, rd, nan);
}

void es_number_compare(generator *g, const es_expr *expr, unsigned depth, unsigned label, bool when)
{
    codegen_pair left, right;
    unsigned past = es_ir_label(g->code);
    unsigned nan = (expr->op == ES_OP_NE) == when ? label : past; /* only != holds */
    es_codegen_operands(g, expr, depth, &left, &right);
    key(g, expr->lhs, left, nan);
    key(g, expr->rhs, right, nan);
    if (expr->lhs->type == ES_VALUE_FLOAT) {
        unsigned a = left.low, b = right.low;
        switch (expr->op) {
        case ES_OP_EQ: es_ir_branch(g->code, when ? ES_IR_IF_EQ : ES_IR_IF_NE, a, b, label); break;
        case ES_OP_NE: es_ir_branch(g->code, when ? ES_IR_IF_NE : ES_IR_IF_EQ, a, b, label); break;
        case ES_OP_LT: es_ir_branch(g->code, when ? ES_IR_IF_LESS : ES_IR_IF_NOT_LESS, a, b, label); break;
        case ES_OP_GE: es_ir_branch(g->code, when ? ES_IR_IF_NOT_LESS : ES_IR_IF_LESS, a, b, label); break;
        case ES_OP_GT: es_ir_branch(g->code, when ? ES_IR_IF_LESS : ES_IR_IF_NOT_LESS, b, a, label); break;
        default: es_ir_branch(g->code, when ? ES_IR_IF_NOT_LESS : ES_IR_IF_LESS, b, a, label); break; /* LE */
        }
    } else {
        es_wide_compare(g, expr->op, true, left, right, label, when);
    }
    es_ir_here(g->code, past);
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
    es_ir_immediate(g->code, ES_IR_ADD_I, ES_IR_T1, es_codegen_register(g, depth), 0);
    if (codegen_width(from->type) == 2)
        es_ir_immediate(g->code, ES_IR_ADD_I, ES_IR_T2, es_codegen_register(g, depth + 1), 0);
    else if (!from_number && from->is_signed)
        es_ir_immediate(g->code, ES_IR_SAR_I, ES_IR_T2, ES_IR_T1, 31);
    else
        es_ir_const(g->code, ES_IR_T2, 0);
    if (!from_number) {
        es_ir_const(g->code, ES_IR_T3, (expr->type == ES_VALUE_DOUBLE) | (uint32_t)from->is_signed << 1);
        routine = g->routines->number_of_integer;
    } else if (to_number) {
        es_ir_const(g->code, ES_IR_T3, 0);
        routine = expr->type == ES_VALUE_DOUBLE ? g->routines->double_of_float : g->routines->float_of_double;
    } else {
        if (from->type == ES_VALUE_FLOAT) {
            es_ir_const(g->code, ES_IR_T6, g->routines->double_of_float);
            es_routine_call(g->code, g->routines, ROUTINE_compute);
        }
        es_ir_const(g->code, ES_IR_T3, (expr->type == ES_VALUE_64 ? 64u : 32u) | (uint32_t)expr->is_signed << 8);
        routine = g->routines->integer_of_double;
    }
    es_ir_const(g->code, ES_IR_T6, routine);
    es_routine_call(g->code, g->routines, ROUTINE_compute);
    es_ir_immediate(g->code, ES_IR_ADD_I, es_codegen_register(g, depth), ES_IR_T1, 0);
    if (codegen_width(expr->type) == 2)
        es_ir_immediate(g->code, ES_IR_ADD_I, es_codegen_register(g, depth + 1), ES_IR_T2, 0);
}
