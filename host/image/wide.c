/* Integers of 64 bits in pairs of registers. */
#include "image/codegen.h"

static void move(generator *g, unsigned rd, unsigned rs)
{
    if (rd != rs)
        es_ir_immediate(g->code, ES_IR_ADD_I, rd, rs, 0);
}

/* Shifts a pair by register `by`, modulo 64. */
static void shift(generator *g, codegen_pair value, unsigned by, bool left, bool arithmetic)
{
    unsigned far = es_ir_label(g->code), done = es_ir_label(g->code);
    /* bits go from the one to the other */
    unsigned from = left ? value.low : value.high, to = left ? value.high : value.low;
    enum es_ir_op op = left ? ES_IR_SHL : arithmetic ? ES_IR_SAR : ES_IR_SHR;
    es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T6, by, 32);
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, far);
    es_ir_value(g->code, left ? ES_IR_SHL : ES_IR_SHR, to, to, by);
    es_ir_immediate(g->code, ES_IR_XOR_I, ES_IR_T3, by, -1);
    /* by 32 - n in two steps, as n may be 0 */
    es_ir_immediate(g->code, left ? ES_IR_SHR_I : ES_IR_SHL_I, ES_IR_T6, from, 1);
    es_ir_value(g->code, left ? ES_IR_SHR : ES_IR_SHL, ES_IR_T6, ES_IR_T6, ES_IR_T3);
    es_ir_value(g->code, ES_IR_OR, to, to, ES_IR_T6);
    es_ir_value(g->code, op, from, from, by);
    es_ir_jump(g->code, done);
    es_ir_here(g->code, far);
    es_ir_value(g->code, op, to, from, by);
    if (arithmetic)
        es_ir_immediate(g->code, ES_IR_SAR_I, from, from, 31);
    else
        es_ir_const(g->code, from, 0);
    es_ir_here(g->code, done);
}

static void shift_binary(generator *g, const es_expr *expr, codegen_pair rd, codegen_pair left, unsigned by)
{
    if (by == ES_IR_ZERO) {
        move(g, rd.low, left.low);
        move(g, rd.high, left.high);
        return;
    }
    shift(g, left, by, expr->op == ES_OP_SHL, expr->op == ES_OP_SHR && expr->is_signed);
    move(g, rd.low, left.low);
    move(g, rd.high, left.high);
}

void es_wide_binary(generator *g, const es_expr *expr, unsigned depth)
{
    if (expr->op >= ES_OP_MUL) {
        uint32_t what = expr->op == ES_OP_MUL ? 2 : expr->op == ES_OP_DIV ? 3 : 0;
        es_codegen_arithmetic(g, expr, depth, g->routines->wide_arithmetic, what | (uint32_t)expr->is_signed << 2);
        return;
    }
    codegen_pair left, right, rd = {es_codegen_register(g, depth), es_codegen_register(g, depth + 1)};
    es_ir_code *code = g->code;
    es_codegen_operands(g, expr, depth, &left, &right);
    enum es_ir_op op;
    switch (expr->op) {
    case ES_OP_ADD:
        es_ir_value(code, ES_IR_ADD, ES_IR_T3, left.low, right.low);
        es_ir_value(code, ES_IR_BELOW, ES_IR_T6, ES_IR_T3, left.low);
        es_ir_value(code, ES_IR_ADD, rd.high, left.high, right.high);
        es_ir_value(code, ES_IR_ADD, rd.high, rd.high, ES_IR_T6);
        move(g, rd.low, ES_IR_T3);
        return;
    case ES_OP_SUB:
        es_ir_value(code, ES_IR_BELOW, ES_IR_T6, left.low, right.low);
        es_ir_value(code, ES_IR_SUB, rd.low, left.low, right.low);
        es_ir_value(code, ES_IR_SUB, rd.high, left.high, right.high);
        es_ir_value(code, ES_IR_SUB, rd.high, rd.high, ES_IR_T6);
        return;
    case ES_OP_SHL:
    case ES_OP_SHR: shift_binary(g, expr, rd, left, right.low); return;
    case ES_OP_AND: op = ES_IR_AND; break;
    case ES_OP_OR: op = ES_IR_OR; break;
    default: op = ES_IR_XOR; break;
    }
    es_ir_value(code, op, rd.low, left.low, right.low);
    es_ir_value(code, op, rd.high, left.high, right.high);
}

void es_wide_unary(generator *g, const es_expr *expr, unsigned depth)
{
    unsigned low = es_codegen_register(g, depth), high = es_codegen_register(g, depth + 1);
    if (expr->op == ES_OP_NOT) {
        es_ir_immediate(g->code, ES_IR_XOR_I, low, low, -1);
        es_ir_immediate(g->code, ES_IR_XOR_I, high, high, -1);
    } else {
        es_ir_value(g->code, ES_IR_BELOW, ES_IR_T6, ES_IR_ZERO, low);
        es_ir_value(g->code, ES_IR_SUB, low, ES_IR_ZERO, low);
        es_ir_value(g->code, ES_IR_SUB, high, ES_IR_ZERO, high);
        es_ir_value(g->code, ES_IR_SUB, high, high, ES_IR_T6);
    }
}

void es_wide_compare(generator *g, enum es_op op, bool is_signed, codegen_pair left, codegen_pair right, unsigned label,
                     bool when)
{
    es_ir_code *code = g->code;
    if (op == ES_OP_EQ || op == ES_OP_NE) {
        es_ir_value(code, ES_IR_XOR, ES_IR_T6, left.low, right.low);
        es_ir_value(code, ES_IR_XOR, ES_IR_T3, left.high, right.high);
        es_ir_value(code, ES_IR_OR, ES_IR_T6, ES_IR_T6, ES_IR_T3);
        es_ir_branch(code, (op == ES_OP_NE) == when ? ES_IR_IF_NE : ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, label);
        return;
    }
    if (op == ES_OP_GT || op == ES_OP_LE) {
        codegen_pair other = left;
        left = right, right = other;
    }
    bool less = (op == ES_OP_LT || op == ES_OP_GT) == when; /* jump when left is less, or when it is not */
    unsigned past = es_ir_label(code), yes = less ? label : past, no = less ? past : label;
    es_ir_branch(code, is_signed ? ES_IR_IF_LESS : ES_IR_IF_BELOW, left.high, right.high, yes);
    es_ir_branch(code, ES_IR_IF_NE, left.high, right.high, no);
    if (less)
        es_ir_branch(code, ES_IR_IF_BELOW, left.low, right.low, yes);
    else
        es_ir_branch(code, ES_IR_IF_NOT_BELOW, left.low, right.low, no);
    es_ir_here(code, past);
}
