/* Integers of 64 bits in pairs of registers. */
#include "image/codegen.h"

static void move(generator *g, unsigned rd, unsigned rs)
{
    if (rd != rs)
        es_rv_i(g->code, RV_ADDI, rd, rs, 0);
}

/* Shifts a pair by register `by`, modulo 64. */
static void shift(generator *g, codegen_pair value, unsigned by, bool left, bool arithmetic)
{
    unsigned far = es_rv_label(g->code), done = es_rv_label(g->code);
    unsigned from = left ? value.low : value.high, to = left ? value.high : value.low; /* bits go from the one to the other */
    enum rv_op op = left ? RV_SLL : arithmetic ? RV_SRA : RV_SRL;
    es_rv_i(g->code, RV_ANDI, RV_T6, by, 32);
    es_rv_branch(g->code, RV_BNE, RV_T6, RV_ZERO, far);
    es_rv_r(g->code, left ? RV_SLL : RV_SRL, to, to, by);
    es_rv_i(g->code, RV_XORI, RV_T3, by, -1);
    es_rv_i(g->code, left ? RV_SRLI : RV_SLLI, RV_T6, from, 1); /* by 32 - n in two steps, as n may be 0 */
    es_rv_r(g->code, left ? RV_SRL : RV_SLL, RV_T6, RV_T6, RV_T3);
    es_rv_r(g->code, RV_OR, to, to, RV_T6);
    es_rv_r(g->code, op, from, from, by);
    es_rv_jump(g->code, done);
    es_rv_place(g->code, far);
    es_rv_r(g->code, op, to, from, by);
    if (arithmetic)
        es_rv_i(g->code, RV_SRAI, from, from, 31);
    else
        es_rv_li(g->code, from, 0);
    es_rv_place(g->code, done);
}

static void shift_binary(generator *g, const es_expr *expr, codegen_pair rd, codegen_pair left, unsigned by)
{
    if (by == RV_ZERO) {
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
    rv_code *code = g->code;
    es_codegen_operands(g, expr, depth, &left, &right);
    enum rv_op op;
    switch (expr->op) {
    case ES_OP_ADD:
        es_rv_r(code, RV_ADD, RV_T3, left.low, right.low);
        es_rv_r(code, RV_SLTU, RV_T6, RV_T3, left.low);
        es_rv_r(code, RV_ADD, rd.high, left.high, right.high);
        es_rv_r(code, RV_ADD, rd.high, rd.high, RV_T6);
        move(g, rd.low, RV_T3);
        return;
    case ES_OP_SUB:
        es_rv_r(code, RV_SLTU, RV_T6, left.low, right.low);
        es_rv_r(code, RV_SUB, rd.low, left.low, right.low);
        es_rv_r(code, RV_SUB, rd.high, left.high, right.high);
        es_rv_r(code, RV_SUB, rd.high, rd.high, RV_T6);
        return;
    case ES_OP_SHL:
    case ES_OP_SHR: shift_binary(g, expr, rd, left, right.low); return;
    case ES_OP_AND: op = RV_AND; break;
    case ES_OP_OR: op = RV_OR; break;
    default: op = RV_XOR; break;
    }
    es_rv_r(code, op, rd.low, left.low, right.low);
    es_rv_r(code, op, rd.high, left.high, right.high);
}

void es_wide_unary(generator *g, const es_expr *expr, unsigned depth)
{
    unsigned low = es_codegen_register(g, depth), high = es_codegen_register(g, depth + 1);
    if (expr->op == ES_OP_NOT) {
        es_rv_i(g->code, RV_XORI, low, low, -1);
        es_rv_i(g->code, RV_XORI, high, high, -1);
    } else {
        es_rv_r(g->code, RV_SLTU, RV_T6, RV_ZERO, low);
        es_rv_r(g->code, RV_SUB, low, RV_ZERO, low);
        es_rv_r(g->code, RV_SUB, high, RV_ZERO, high);
        es_rv_r(g->code, RV_SUB, high, high, RV_T6);
    }
}

void es_wide_compare(generator *g, enum es_op op, bool is_signed, codegen_pair left, codegen_pair right, unsigned label,
                  bool when)
{
    rv_code *code = g->code;
    if (op == ES_OP_EQ || op == ES_OP_NE) {
        es_rv_r(code, RV_XOR, RV_T6, left.low, right.low);
        es_rv_r(code, RV_XOR, RV_T3, left.high, right.high);
        es_rv_r(code, RV_OR, RV_T6, RV_T6, RV_T3);
        es_rv_branch(code, (op == ES_OP_NE) == when ? RV_BNE : RV_BEQ, RV_T6, RV_ZERO, label);
        return;
    }
    if (op == ES_OP_GT || op == ES_OP_LE) {
        codegen_pair other = left;
        left = right, right = other;
    }
    bool less = (op == ES_OP_LT || op == ES_OP_GT) == when; /* jump when left is less, or when it is not */
    unsigned past = es_rv_label(code), yes = less ? label : past, no = less ? past : label;
    es_rv_branch(code, is_signed ? RV_BLT : RV_BLTU, left.high, right.high, yes);
    es_rv_branch(code, RV_BNE, left.high, right.high, no);
    if (less)
        es_rv_branch(code, RV_BLTU, left.low, right.low, yes);
    else
        es_rv_branch(code, RV_BGEU, left.low, right.low, no);
    es_rv_place(code, past);
}
