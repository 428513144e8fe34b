/* Integers of 64 bits in pairs of registers. */
#include "image/lower/wide.h"

#include "image/lower/arithmetic.h"
#include "image/lower/generator.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* A pair shifted by a register, modulo 64. */
static codegen_pair shift(generator *g, codegen_pair value, es_ir_reg by, bool left, bool arithmetic)
{
    es_ir_code *code = g->code;
    unsigned far = es_ir_label(code), done = es_ir_label(code);
    es_ir_reg from = left ? value.low : value.high,
              to = left ? value.high : value.low; /* bits go from one to the other */
    es_ir_reg new_from = es_ir_new(code), new_to = es_ir_new(code);
    enum es_ir_op op = left ? ES_IR_SHL : arithmetic ? ES_IR_SAR : ES_IR_SHR;
    enum es_ir_op out = left ? ES_IR_SHL : ES_IR_SHR;
    es_ir_branch(code, ES_IR_IF_NE, es_ir_make_immediate(code, ES_IR_AND_I, by, 32), ES_IR_ZERO, far);
    es_ir_reg kept = es_ir_make(code, out, to, by);
    /* by 32 - n in two steps, as n may be 0 */
    es_ir_reg moved = es_ir_make_immediate(code, left ? ES_IR_SHR_I : ES_IR_SHL_I, from, 1);
    moved = es_ir_make(code, left ? ES_IR_SHR : ES_IR_SHL, moved, es_ir_make_immediate(code, ES_IR_XOR_I, by, ~0u));
    es_ir_value(code, ES_IR_OR, new_to, kept, moved);
    es_ir_value(code, op, new_from, from, by);
    es_ir_jump(code, done);
    es_ir_here(code, far);
    es_ir_value(code, op, new_to, from, by);
    if (arithmetic)
        es_ir_immediate(code, ES_IR_SAR_I, new_from, from, 31);
    else
        es_ir_const(code, new_from, 0);
    es_ir_here(code, done);
    return left ? (codegen_pair){new_from, new_to} : (codegen_pair){new_to, new_from};
}

codegen_pair es_wide_binary(generator *g, const es_expr *expr, codegen_pair left, codegen_pair right)
{
    es_ir_code *code = g->code;
    enum es_ir_op op = expr->op == ES_OP_AND ? ES_IR_AND : expr->op == ES_OP_OR ? ES_IR_OR : ES_IR_XOR;
    codegen_pair out;
    switch (expr->op) {
    case ES_OP_MUL:
    case ES_OP_DIV:
    case ES_OP_REM: {
        uint32_t what = expr->op == ES_OP_MUL ? 2 : expr->op == ES_OP_DIV ? 3 : 0;
        return es_codegen_arithmetic(g, expr, left, right, ROUTINE_wide_arithmetic,
                                     what | (uint32_t)expr->is_signed << 2);
    }
    case ES_OP_ADD:
        out.low = es_ir_make(code, ES_IR_ADD, left.low, right.low);
        out.high = es_ir_make(code, ES_IR_ADD, left.high, right.high);
        out.high = es_ir_make(code, ES_IR_ADD, out.high, es_ir_make(code, ES_IR_BELOW, out.low, left.low));
        return out;
    case ES_OP_SUB:
        out.low = es_ir_make(code, ES_IR_SUB, left.low, right.low);
        out.high = es_ir_make(code, ES_IR_SUB, left.high, right.high);
        out.high = es_ir_make(code, ES_IR_SUB, out.high, es_ir_make(code, ES_IR_BELOW, left.low, right.low));
        return out;
    case ES_OP_SHL:
    case ES_OP_SHR:
        return right.low == ES_IR_ZERO
                   ? left
                   : shift(g, left, right.low, expr->op == ES_OP_SHL, expr->op == ES_OP_SHR && expr->is_signed);
    default:
        return (codegen_pair){es_ir_make(code, op, left.low, right.low), es_ir_make(code, op, left.high, right.high)};
    }
}

codegen_pair es_wide_unary(generator *g, const es_expr *expr, codegen_pair of)
{
    es_ir_code *code = g->code;
    if (expr->op == ES_OP_NOT)
        return (codegen_pair){es_ir_make_immediate(code, ES_IR_XOR_I, of.low, ~0u),
                              es_ir_make_immediate(code, ES_IR_XOR_I, of.high, ~0u)};
    es_ir_reg borrow = es_ir_make(code, ES_IR_BELOW, ES_IR_ZERO, of.low);
    return (codegen_pair){es_ir_make(code, ES_IR_SUB, ES_IR_ZERO, of.low),
                          es_ir_make(code, ES_IR_SUB, es_ir_make(code, ES_IR_SUB, ES_IR_ZERO, of.high), borrow)};
}

void es_wide_compare(generator *g, enum es_op op, bool is_signed, codegen_pair left, codegen_pair right, unsigned label,
                     bool when)
{
    es_ir_code *code = g->code;
    if (op == ES_OP_EQ || op == ES_OP_NE) {
        es_ir_reg low = es_ir_make(code, ES_IR_XOR, left.low, right.low);
        es_ir_reg high = es_ir_make(code, ES_IR_XOR, left.high, right.high);
        es_ir_branch(code, (op == ES_OP_NE) == when ? ES_IR_IF_NE : ES_IR_IF_EQ, es_ir_make(code, ES_IR_OR, low, high),
                     ES_IR_ZERO, label);
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
    es_ir_branch(code, less ? ES_IR_IF_BELOW : ES_IR_IF_NOT_BELOW, left.low, right.low, label);
    es_ir_here(code, past);
}
