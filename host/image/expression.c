/* Expressions: trees to code. Values live in a stack of registers (es_codegen_register). */
#include <string.h>

#include "image/codegen.h"
#include "image/paths.h"
#include "image/routines.h"
#include "image/times.h"

static bool is_compare(const es_expr *expr)
{
    return expr->kind == ES_EXPR_BINARY && expr->op >= ES_OP_EQ && expr->op <= ES_OP_GE;
}

static bool is_logic(const es_expr *expr)
{
    return expr->kind == ES_EXPR_BINARY && (expr->op == ES_OP_LOGAND || expr->op == ES_OP_LOGOR);
}

static bool is_number(const es_expr *expr)
{
    return expr->type == ES_VALUE_FLOAT || expr->type == ES_VALUE_DOUBLE;
}

static unsigned most(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* Registers that an expression's value needs when the hungrier operand goes first (Sethi and Ullman). */
static unsigned need(const es_expr *expr)
{
    unsigned width = codegen_width(expr->type);
    if (expr->kind == ES_EXPR_UNARY || expr->kind == ES_EXPR_CONVERT)
        return most(width, need(expr->lhs));
    if (expr->kind == ES_EXPR_CHOICE)
        return most(need(expr->condition), most(need(expr->lhs), need(expr->rhs)));
    if (expr->kind != ES_EXPR_BINARY)
        return width;
    unsigned left = need(expr->lhs), right = need(expr->rhs);
    if (is_logic(expr))
        return most(left, right);
    unsigned left_first = most(left, codegen_width(expr->lhs->type) + right);
    unsigned right_first = most(right, codegen_width(expr->rhs->type) + left);
    return most(width, left_first < right_first ? left_first : right_first);
}

static uint64_t constant_bits(const es_expr *expr)
{
    uint64_t bits = 0;
    float narrow = (float)expr->constant.number;
    if (expr->type == ES_VALUE_64)
        return expr->constant.wide;
    if (expr->type == ES_VALUE_DOUBLE)
        memcpy(&bits, &expr->constant.number, sizeof bits);
    else if (expr->type == ES_VALUE_FLOAT)
        memcpy(&bits, &narrow, sizeof narrow);
    else
        bits = expr->value;
    return bits;
}

static codegen_pair pair_at(generator *g, const es_expr *expr, unsigned depth)
{
    return (codegen_pair){es_codegen_register(g, depth),
                          codegen_width(expr->type) == 2 ? es_codegen_register(g, depth + 1) : ES_IR_ZERO};
}

void es_codegen_operands(generator *g, const es_expr *expr, unsigned depth, codegen_pair *left, codegen_pair *right)
{
    const es_expr *l = expr->lhs, *r = expr->rhs;
    unsigned left_need = need(l), right_need = need(r);
    if (r->kind == ES_EXPR_CONST && constant_bits(r) == 0) {
        es_codegen_value(g, l, depth);
        *left = pair_at(g, l, depth), *right = (codegen_pair){ES_IR_ZERO, ES_IR_ZERO};
    } else if (most(right_need, codegen_width(r->type) + left_need) <
               most(left_need, codegen_width(l->type) + right_need)) {
        es_codegen_value(g, r, depth);
        es_codegen_value(g, l, depth + codegen_width(r->type));
        *left = pair_at(g, l, depth + codegen_width(r->type)), *right = pair_at(g, r, depth);
    } else {
        es_codegen_value(g, l, depth);
        es_codegen_value(g, r, depth + codegen_width(l->type));
        *left = pair_at(g, l, depth), *right = pair_at(g, r, depth + codegen_width(l->type));
    }
}

void es_codegen_arithmetic(generator *g, const es_expr *expr, unsigned depth, uint32_t routine, uint32_t what)
{
    codegen_pair left, right;
    es_ir_code *code = g->code;
    es_codegen_operands(g, expr, depth, &left, &right);
    if (expr->type == ES_VALUE_64 && expr->op != ES_OP_MUL) {
        es_ir_value(code, ES_IR_OR, ES_IR_T6, right.low, right.high);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, g->unknown);
    }
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T1, right.low, 0);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T2, right.high, 0);
    es_routine_call(code, g->routines, ROUTINE_operand);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T1, left.low, 0);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T2, left.high, 0);
    es_ir_const(code, ES_IR_T3, what);
    es_ir_const(code, ES_IR_T6, routine);
    es_routine_call(code, g->routines, ROUTINE_compute);
    es_ir_immediate(code, ES_IR_ADD_I, es_codegen_register(g, depth), ES_IR_T1, 0);
    if (codegen_width(expr->type) == 2)
        es_ir_immediate(code, ES_IR_ADD_I, es_codegen_register(g, depth + 1), ES_IR_T2, 0);
}

/* --- events ---------------------------------------------------------------------------------------------- */

int es_codegen_control_bit(const generator *g, const plan_control *event)
{
    for (size_t i = 0; i < g->plan->control_count; i++) {
        const plan_control *control = &g->plan->controls[i];
        if (control->statement == g->number && es_plan_same_control(control, event))
            return __builtin_ctz(control->events);
    }
    return -1; /* this event alone cannot make the predicate true, so it never triggers an evaluation */
}

static int event_bit(const generator *g, const es_expr *expr)
{
    plan_control control = es_plan_control_of(expr);
    if (expr->kind == ES_EXPR_WRITE)
        return g->statement->write_bit[expr->index];
    return expr->kind == ES_EXPR_READ ? g->statement->read_bit[expr->index] : es_codegen_control_bit(g, &control);
}

/* --- conditions ------------------------------------------------------------------------------------------ */

static void compare_condition(generator *g, const es_expr *expr, unsigned depth, unsigned label, bool when)
{
    codegen_pair left, right;
    if (expr->lhs->type == ES_VALUE_TIME) {
        es_times_compare(g, expr, depth, label, when);
        return;
    }
    if (is_number(expr->lhs)) {
        es_number_compare(g, expr, depth, label, when);
        return;
    }
    es_codegen_operands(g, expr, depth, &left, &right);
    bool sign = expr->operand_signed;
    if (expr->lhs->type == ES_VALUE_64) {
        es_wide_compare(g, expr->op, sign, left, right, label, when);
        return;
    }
    enum es_ir_op less = sign ? ES_IR_IF_LESS : ES_IR_IF_BELOW,
                  not_less = sign ? ES_IR_IF_NOT_LESS : ES_IR_IF_NOT_BELOW;
    switch (expr->op) {
    case ES_OP_EQ: es_ir_branch(g->code, when ? ES_IR_IF_EQ : ES_IR_IF_NE, left.low, right.low, label); break;
    case ES_OP_NE: es_ir_branch(g->code, when ? ES_IR_IF_NE : ES_IR_IF_EQ, left.low, right.low, label); break;
    case ES_OP_LT: es_ir_branch(g->code, when ? less : not_less, left.low, right.low, label); break;
    case ES_OP_GE: es_ir_branch(g->code, when ? not_less : less, left.low, right.low, label); break;
    case ES_OP_GT: es_ir_branch(g->code, when ? less : not_less, right.low, left.low, label); break;
    default: es_ir_branch(g->code, when ? not_less : less, right.low, left.low, label); break; /* LE */
    }
}

/* Whether a value differs from 0. */
static void value_condition(generator *g, const es_expr *expr, unsigned depth, unsigned label, bool when)
{
    es_codegen_value(g, expr, depth);
    unsigned rd = es_codegen_register(g, depth);
    if (codegen_width(expr->type) == 2) {
        unsigned high = es_codegen_register(g, depth + 1);
        if (expr->type == ES_VALUE_DOUBLE) /* -0 is 0 */
            es_ir_immediate(g->code, ES_IR_SHL_I, high, high, 1);
        es_ir_value(g->code, ES_IR_OR, rd, rd, high);
    } else if (expr->type == ES_VALUE_FLOAT) {
        es_ir_immediate(g->code, ES_IR_SHL_I, rd, rd, 1);
    }
    es_ir_branch(g->code, when ? ES_IR_IF_NE : ES_IR_IF_EQ, rd, ES_IR_ZERO, label);
}

void es_codegen_condition(generator *g, const es_expr *expr, unsigned depth, unsigned label, bool when)
{
    if (expr->kind == ES_EXPR_CONST) {
        uint64_t bits = constant_bits(expr);
        bool truth = is_number(expr) ? expr->constant.number != 0 : bits != 0;
        if (truth == when)
            es_ir_jump(g->code, label);
    } else if (expr->kind == ES_EXPR_UNARY && expr->op == ES_OP_LOGNOT) {
        es_codegen_condition(g, expr->lhs, depth, label, !when);
    } else if (is_logic(expr)) {
        if ((expr->op == ES_OP_LOGOR) == when) { /* either side decides */
            es_codegen_condition(g, expr->lhs, depth, label, when);
            es_codegen_condition(g, expr->rhs, depth, label, when);
        } else {
            unsigned past = es_ir_label(g->code);
            es_codegen_condition(g, expr->lhs, depth, past, !when);
            es_codegen_condition(g, expr->rhs, depth, label, when);
            es_ir_here(g->code, past);
        }
    } else if (is_compare(expr)) {
        compare_condition(g, expr, depth, label, when);
    } else {
        value_condition(g, expr, depth, label, when);
    }
}

/* A condition's truth as 0 or 1. */
static void truth_value(generator *g, const es_expr *expr, unsigned depth)
{
    unsigned rd = es_codegen_register(g, depth), no = es_ir_label(g->code), done = es_ir_label(g->code);
    es_codegen_condition(g, expr, depth, no, false);
    es_ir_const(g->code, rd, 1);
    es_ir_jump(g->code, done);
    es_ir_here(g->code, no);
    es_ir_const(g->code, rd, 0);
    es_ir_here(g->code, done);
}

/* --- values ---------------------------------------------------------------------------------------------- */

static void compare_value(generator *g, const es_expr *expr, unsigned depth)
{
    codegen_pair left, right;
    if (expr->lhs->type != ES_VALUE_32) {
        truth_value(g, expr, depth);
        return;
    }
    unsigned rd = es_codegen_register(g, depth);
    es_codegen_operands(g, expr, depth, &left, &right);
    enum es_ir_op less = expr->operand_signed ? ES_IR_LESS : ES_IR_BELOW;
    switch (expr->op) {
    case ES_OP_EQ:
        es_ir_value(g->code, ES_IR_SUB, rd, left.low, right.low);
        es_ir_immediate(g->code, ES_IR_BELOW_I, rd, rd, 1);
        break;
    case ES_OP_NE:
        es_ir_value(g->code, ES_IR_SUB, rd, left.low, right.low);
        es_ir_value(g->code, ES_IR_BELOW, rd, ES_IR_ZERO, rd);
        break;
    case ES_OP_LT: es_ir_value(g->code, less, rd, left.low, right.low); break;
    case ES_OP_GT: es_ir_value(g->code, less, rd, right.low, left.low); break;
    case ES_OP_GE:
        es_ir_value(g->code, less, rd, left.low, right.low);
        es_ir_immediate(g->code, ES_IR_XOR_I, rd, rd, 1);
        break;
    default: /* LE */
        es_ir_value(g->code, less, rd, right.low, left.low);
        es_ir_immediate(g->code, ES_IR_XOR_I, rd, rd, 1);
        break;
    }
}

/* The form with a constant operand, where the instruction set has it. */
static bool immediate_value(generator *g, const es_expr *expr, unsigned depth)
{
    if (expr->rhs->kind != ES_EXPR_CONST)
        return false;
    uint32_t constant = expr->rhs->value;
    enum es_ir_op op;
    switch (expr->op) {
    case ES_OP_ADD: op = ES_IR_ADD_I; break;
    case ES_OP_SUB: op = ES_IR_ADD_I, constant = 0u - constant; break;
    case ES_OP_AND: op = ES_IR_AND_I; break;
    case ES_OP_OR: op = ES_IR_OR_I; break;
    case ES_OP_XOR: op = ES_IR_XOR_I; break;
    case ES_OP_SHL: op = ES_IR_SHL_I, constant &= 31; break;
    case ES_OP_SHR: op = expr->is_signed ? ES_IR_SAR_I : ES_IR_SHR_I, constant &= 31; break;
    default: return false;
    }
    if (!es_ir_fits(constant))
        return false;
    es_codegen_value(g, expr->lhs, depth);
    es_ir_immediate(g->code, op, es_codegen_register(g, depth), es_codegen_register(g, depth), (int32_t)constant);
    return true;
}

static void binary_value(generator *g, const es_expr *expr, unsigned depth)
{
    if (is_logic(expr)) {
        truth_value(g, expr, depth);
    } else if (is_compare(expr)) {
        compare_value(g, expr, depth);
    } else if (is_number(expr)) {
        es_number_binary(g, expr, depth);
    } else if (expr->type == ES_VALUE_64) {
        es_wide_binary(g, expr, depth);
    } else if (expr->op >= ES_OP_MUL) {
        es_multiply_binary(g, expr, depth);
    } else if (!immediate_value(g, expr, depth)) {
        codegen_pair left, right;
        es_codegen_operands(g, expr, depth, &left, &right);
        enum es_ir_op op = ES_IR_ADD;
        switch (expr->op) {
        case ES_OP_SUB: op = ES_IR_SUB; break;
        case ES_OP_AND: op = ES_IR_AND; break;
        case ES_OP_OR: op = ES_IR_OR; break;
        case ES_OP_XOR: op = ES_IR_XOR; break;
        case ES_OP_SHL: op = ES_IR_SHL; break;
        case ES_OP_SHR: op = expr->is_signed ? ES_IR_SAR : ES_IR_SHR; break;
        default: break; /* ADD */
        }
        es_ir_value(g->code, op, es_codegen_register(g, depth), left.low, right.low);
    }
}

static void unary_value(generator *g, const es_expr *expr, unsigned depth)
{
    unsigned rd = es_codegen_register(g, depth);
    if (expr->op == ES_OP_LOGNOT && expr->lhs->type != ES_VALUE_32) {
        truth_value(g, expr, depth);
        return;
    }
    es_codegen_value(g, expr->lhs, depth);
    if (expr->type == ES_VALUE_FLOAT || expr->type == ES_VALUE_DOUBLE) { /* only - */
        unsigned top = es_codegen_register(g, depth + codegen_width(expr->type) - 1);
        es_ir_const(g->code, ES_IR_T6, 0x80000000u);
        es_ir_value(g->code, ES_IR_XOR, top, top, ES_IR_T6);
    } else if (expr->type == ES_VALUE_64) {
        es_wide_unary(g, expr, depth);
    } else if (expr->op == ES_OP_NEG) {
        es_ir_value(g->code, ES_IR_SUB, rd, ES_IR_ZERO, rd);
    } else if (expr->op == ES_OP_NOT) {
        es_ir_immediate(g->code, ES_IR_XOR_I, rd, rd, -1);
    } else {
        es_ir_immediate(g->code, ES_IR_BELOW_I, rd, rd, 1);
    }
}

static void convert_value(generator *g, const es_expr *expr, unsigned depth)
{
    es_codegen_value(g, expr->lhs, depth);
    if (is_number(expr) || is_number(expr->lhs)) {
        es_number_convert(g, expr, depth);
    } else if (expr->type == ES_VALUE_64 && expr->lhs->type == ES_VALUE_32) {
        unsigned high = es_codegen_register(g, depth + 1);
        if (expr->lhs->is_signed)
            es_ir_immediate(g->code, ES_IR_SAR_I, high, es_codegen_register(g, depth), 31);
        else
            es_ir_const(g->code, high, 0);
    }
}

static void choice_value(generator *g, const es_expr *expr, unsigned depth)
{
    unsigned no = es_ir_label(g->code), done = es_ir_label(g->code);
    es_codegen_condition(g, expr->condition, depth, no, false);
    es_codegen_value(g, expr->lhs, depth);
    es_ir_jump(g->code, done);
    es_ir_here(g->code, no);
    es_codegen_value(g, expr->rhs, depth);
    es_ir_here(g->code, done);
}

void es_codegen_value(generator *g, const es_expr *expr, unsigned depth)
{
    unsigned rd = es_codegen_register(g, depth);
    unsigned high = codegen_width(expr->type) == 2 ? es_codegen_register(g, depth + 1) : ES_IR_T6;
    int bit;
    switch (expr->kind) {
    case ES_EXPR_CONST:
        es_ir_const(g->code, rd, (uint32_t)constant_bits(expr));
        if (codegen_width(expr->type) == 2)
            es_ir_const(g->code, high, (uint32_t)(constant_bits(expr) >> 32));
        break;
    case ES_EXPR_REFERENCE:
    case ES_EXPR_OLD:
        es_codegen_reference(g, expr->index, expr->kind == ES_EXPR_OLD, rd, high);
        if (expr->type == ES_VALUE_64 && plan_bits(&g->statement->statement->references[expr->index]) <= 32) {
            if (expr->is_signed)
                es_ir_immediate(g->code, ES_IR_SAR_I, high, rd, 31);
            else
                es_ir_const(g->code, high, 0);
        }
        break;
    case ES_EXPR_ENTER:
    case ES_EXPR_LEAVE:
    case ES_EXPR_AT:
    case ES_EXPR_WRITE:
    case ES_EXPR_READ:
        bit = event_bit(g, expr);
        if (bit < 0) {
            es_ir_const(g->code, rd, 0);
        } else {
            es_codegen_event(g, bit);
            es_ir_immediate(g->code, ES_IR_SHR_I, rd, ES_IR_T6, 31);
        }
        break;
    case ES_EXPR_ACTIVE:
        es_paths_test(g->code, g->plan, expr->path, expr->exact ? AUTOMATON_DENOTES : AUTOMATON_EXISTS, rd);
        es_ir_immediate(g->code, ES_IR_SHR_I, rd, rd, 31);
        break;
    case ES_EXPR_UNCHANGED: /* such a statement is evaluated at its deadline only */ es_ir_const(g->code, rd, 1); break;
    case ES_EXPR_COUNTER: {
        int32_t low;
        unsigned base = es_codegen_ram(g->code, g->plan, 4 * (uint32_t)expr->index, rd, &low);
        es_ir_load(g->code, ES_IR_LOAD, rd, base, low);
        break;
    }
    case ES_EXPR_UNARY: unary_value(g, expr, depth); break;
    case ES_EXPR_BINARY: binary_value(g, expr, depth); break;
    case ES_EXPR_CONVERT: convert_value(g, expr, depth); break;
    case ES_EXPR_CHOICE: choice_value(g, expr, depth); break;
    default: break; /* es_image_build has refused what uses other nodes */
    }
}
