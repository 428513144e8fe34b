/* * / % of 32 bits: the soft core has no instructions for them. */
#include "image/codegen.h"
#include "image/routines.h"

/* Shifts, sums and differences, from the highest digit of its non-adjacent form down. */
void es_multiply_constant(generator *g, unsigned rd, uint32_t factor)
{
    int8_t digits[33];
    int count = 0;
    for (uint64_t rest = factor; rest; rest >>= 1) {
        int8_t digit = rest & 1 ? (int8_t)(2 - (int)(rest & 3)) : 0;
        rest = digit < 0 ? rest + 1 : rest - (uint64_t)digit;
        if (count < 33)
            digits[count++] = digit;
    }
    if (count == 0) {
        es_ir_const(g->code, rd, 0);
        return;
    }
    es_ir_immediate(g->code, ES_IR_ADD_I, ES_IR_T6, rd, 0);
    int gap = 0;
    if (count == 33) { /* 2^32 is 0 here: begin with the next digit; there is one, as a negative one made this one */
        count--;
        while (digits[count - 1] == 0)
            count--;
        if (digits[count - 1] < 0)
            es_ir_value(g->code, ES_IR_SUB, rd, ES_IR_ZERO, rd);
    }
    for (int i = count - 2; i >= 0; i--) {
        gap++;
        if (digits[i] == 0 && i > 0)
            continue;
        es_ir_immediate(g->code, ES_IR_SHL_I, rd, rd, gap);
        gap = 0;
        if (digits[i])
            es_ir_value(g->code, digits[i] > 0 ? ES_IR_ADD : ES_IR_SUB, rd, rd, ES_IR_T6);
    }
}

/* By a power of two; false when the divisor is none. */
static bool by_power(generator *g, const es_expr *expr, unsigned depth)
{
    uint32_t divisor = expr->rhs->value;
    if (expr->rhs->kind != ES_EXPR_CONST || divisor == 0 || divisor & (divisor - 1) || divisor >> 31)
        return false;
    int bits = __builtin_ctz(divisor);
    unsigned rd = es_codegen_register(g, depth);
    es_ir_code *code = g->code;
    es_codegen_value(g, expr->lhs, depth);
    if (bits == 0) {
        if (expr->op == ES_OP_REM)
            es_ir_const(code, rd, 0);
        return true;
    }
    if (expr->is_signed) { /* towards 0: what is negative is raised first */
        es_ir_immediate(code, ES_IR_SAR_I, ES_IR_T6, rd, 31);
        es_ir_immediate(code, ES_IR_SHR_I, ES_IR_T6, ES_IR_T6, 32 - bits);
        es_ir_value(code, ES_IR_ADD, rd, rd, ES_IR_T6);
    }
    if (expr->op == ES_OP_DIV) {
        es_ir_immediate(code, expr->is_signed ? ES_IR_SAR_I : ES_IR_SHR_I, rd, rd, bits);
        return true;
    }
    es_ir_immediate(code, ES_IR_SHL_I, rd, rd, 32 - bits);
    es_ir_immediate(code, ES_IR_SHR_I, rd, rd, 32 - bits);
    if (expr->is_signed)
        es_ir_value(code, ES_IR_SUB, rd, rd, ES_IR_T6);
    return true;
}

void es_multiply_binary(generator *g, const es_expr *expr, unsigned depth)
{
    unsigned rd = es_codegen_register(g, depth);
    if (expr->op == ES_OP_MUL && (expr->rhs->kind == ES_EXPR_CONST || expr->lhs->kind == ES_EXPR_CONST)) {
        bool right = expr->rhs->kind == ES_EXPR_CONST;
        es_codegen_value(g, right ? expr->lhs : expr->rhs, depth);
        es_multiply_constant(g, rd, right ? expr->rhs->value : expr->lhs->value);
        return;
    }
    if (expr->op != ES_OP_MUL && by_power(g, expr, depth))
        return;
    codegen_pair left, right;
    es_codegen_operands(g, expr, depth, &left, &right);
    if (expr->op != ES_OP_MUL)
        es_ir_branch(g->code, ES_IR_IF_EQ, right.low, ES_IR_ZERO, g->unknown);
    es_ir_immediate(g->code, ES_IR_ADD_I, ES_IR_T1, left.low, 0);
    es_ir_immediate(g->code, ES_IR_ADD_I, ES_IR_T2, right.low, 0);
    es_routine_call(g->code, g->routines,
                    expr->op == ES_OP_MUL ? ROUTINE_multiply
                    : expr->is_signed     ? ROUTINE_divide_signed
                                          : ROUTINE_divide);
    es_ir_immediate(g->code, ES_IR_ADD_I, rd, expr->op == ES_OP_REM ? ES_IR_T2 : ES_IR_T1, 0);
}
