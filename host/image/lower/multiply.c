/* * / % of 32 bits: the soft core has no instructions for them. */
#include "image/lower/multiply.h"

#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "ir/ir.h"
#include "lang/statement.h"

#define DIGITS_MAX 33

/* The digits -1, 0, 1 of a factor in its non-adjacent form, the lowest first; returns how many. */
static int digits_of(uint32_t factor, int8_t digits[DIGITS_MAX])
{
    int count = 0;
    for (uint64_t rest = factor; rest && count < DIGITS_MAX; rest >>= 1) {
        int8_t digit = rest & 1 ? (int8_t)(2 - (int)(rest & 3)) : 0;
        rest = digit < 0 ? rest + 1 : rest - (uint64_t)digit;
        digits[count++] = digit;
    }
    return count;
}

/* Shifts, sums and differences, from the highest digit down. */
es_ir_reg es_multiply_constant(generator *g, es_ir_reg of, uint32_t factor)
{
    int8_t digits[DIGITS_MAX];
    int count = digits_of(factor, digits), gap = 0;
    es_ir_reg product = of;
    if (count == 0)
        return es_ir_make_const(g->code, 0);
    if (count ==
        DIGITS_MAX) { /* 2^32 is 0 here: begin with the next digit; there is one, as a negative one made this one */
        do
            count--;
        while (digits[count - 1] == 0);
        if (digits[count - 1] < 0)
            product = es_ir_make(g->code, ES_IR_SUB, ES_IR_ZERO, of);
    }
    for (int i = count - 2; i >= 0; i--) {
        gap++;
        if (digits[i] == 0 && i > 0)
            continue;
        product = es_ir_make_immediate(g->code, ES_IR_SHL_I, product, (uint32_t)gap);
        gap = 0;
        if (digits[i])
            product = es_ir_make(g->code, digits[i] > 0 ? ES_IR_ADD : ES_IR_SUB, product, of);
    }
    return product;
}

bool es_divides_by_power(const es_expr *expr)
{
    uint32_t divisor = expr->rhs->value;
    return expr->op != ES_OP_MUL && expr->rhs->kind == ES_EXPR_CONST && divisor != 0 && !(divisor & (divisor - 1)) &&
           !(divisor >> 31);
}

es_ir_reg es_divide_by_power(generator *g, const es_expr *expr, es_ir_reg of)
{
    uint32_t bits = (uint32_t)__builtin_ctz(expr->rhs->value);
    es_ir_code *code = g->code;
    if (bits == 0)
        return expr->op == ES_OP_REM ? es_ir_make_const(code, 0) : of;
    es_ir_reg raised = of, raise = ES_IR_ZERO;
    if (expr->is_signed) { /* towards 0: what is negative is raised first */
        raise = es_ir_make_immediate(code, ES_IR_SAR_I, of, 31);
        raise = es_ir_make_immediate(code, ES_IR_SHR_I, raise, 32 - bits);
        raised = es_ir_make(code, ES_IR_ADD, of, raise);
    }
    if (expr->op == ES_OP_DIV)
        return es_ir_make_immediate(code, expr->is_signed ? ES_IR_SAR_I : ES_IR_SHR_I, raised, bits);
    es_ir_reg rest = es_ir_make_immediate(code, ES_IR_SHL_I, raised, 32 - bits);
    rest = es_ir_make_immediate(code, ES_IR_SHR_I, rest, 32 - bits);
    return expr->is_signed ? es_ir_make(code, ES_IR_SUB, rest, raise) : rest;
}

es_ir_reg es_multiply_binary(generator *g, const es_expr *expr, es_ir_reg left, es_ir_reg right)
{
    es_ir_code *code = g->code;
    if (expr->op != ES_OP_MUL)
        es_ir_branch(code, ES_IR_IF_EQ, right, ES_IR_ZERO, g->unknown);
    es_ir_copy(code, ES_IR_T1, left);
    es_ir_copy(code, ES_IR_T2, right);
    es_routine_call(code, g->routines,
                    expr->op == ES_OP_MUL ? ROUTINE_multiply
                    : expr->is_signed     ? ROUTINE_divide_signed
                                          : ROUTINE_divide);
    es_ir_reg result = es_ir_new(code);
    es_ir_copy(code, result, expr->op == ES_OP_REM ? ES_IR_T2 : ES_IR_T1);
    return result;
}
