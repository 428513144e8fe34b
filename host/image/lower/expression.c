/* Expressions: trees to code. */
#include "image/lower/expression.h"

#include <string.h>

#include "image/lower/arithmetic.h"
#include "image/lower/deadline.h"
#include "image/lower/generator.h"
#include "image/lower/multiply.h"
#include "image/lower/number.h"
#include "image/lower/paths.h"
#include "image/lower/place.h"
#include "image/lower/times.h"
#include "image/lower/wide.h"
#include "image/paths/automaton.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "ir/ir.h"
#include "lang/statement.h"

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

static void operands(generator *g, const es_expr *expr, codegen_pair *left, codegen_pair *right)
{
    const es_expr *l = expr->lhs, *r = expr->rhs;
    if (most(need(r), codegen_width(r->type) + need(l)) < most(need(l), codegen_width(l->type) + need(r))) {
        *right = es_codegen_value(g, r);
        *left = es_codegen_value(g, l);
    } else {
        *left = es_codegen_value(g, l);
        *right = es_codegen_value(g, r);
    }
}

/* --- events ---------------------------------------------------------------------------------------------- */

int es_codegen_control_bit(const generator *g, const plan_control *event)
{
    for (size_t i = 0; i < g->plan->control_count; i++) {
        const plan_control *control = &g->plan->controls[i];
        if (control->handler == g->handler && es_plan_same_control(control, event))
            return __builtin_ctz(control->events);
    }
    return -1; /* this event alone cannot make the predicate true, so it never triggers an evaluation */
}

/* Whether the event is this one: 0 or 1. */
static es_ir_reg event_value(generator *g, const es_expr *expr)
{
    plan_control control = es_plan_control_of(expr);
    bool write = expr->kind == ES_EXPR_WRITE;
    int bit = expr->area ? (write ? g->statement->write_any_bit : g->statement->read_any_bit)[expr->area - 1]
              : write    ? g->statement->write_bit[expr->index]
              : expr->kind == ES_EXPR_READ ? g->statement->read_bit[expr->index]
                                           : es_codegen_control_bit(g, &control);
    if (bit < 0 || g->late) /* nothing happens at a deadline */
        return ES_IR_ZERO;
    es_ir_reg top = es_ir_make_immediate(g->code, ES_IR_SHL_I, ES_IR_A0, 31 - (uint32_t)bit);
    return es_ir_make_immediate(g->code, ES_IR_SHR_I, top, 31);
}

/* Which deadline an `unchanged for` waits for. */
static const plan_deadline *deadline_of(const generator *g, const es_expr *expr)
{
    const es_statement *statement = g->statement->statement;
    const plan_deadline *found = NULL;
    for (size_t i = 0; i < g->plan->deadline_count && !found; i++) {
        const plan_deadline *deadline = &g->plan->deadlines[i];
        if (statement == g->plan->statements[deadline->statement].statement && !deadline->holds &&
            es_plan_same_variable(statement, (size_t)(deadline->reference - statement->references), expr->index) &&
            deadline->clocks == es_duration_cycles(expr->duration, g->limits->bus_hz))
            found = deadline;
    }
    return found;
}

/* Whether a variable has been unchanged for so long: 1 at its own deadline, which is an event; at another's it may have
 * been; at other events it is not. */
static es_ir_reg unchanged_value(generator *g, const es_expr *expr)
{
    const plan_deadline *deadline = g->late ? deadline_of(g, expr) : NULL;
    if (!g->late)
        return ES_IR_ZERO;
    if (!deadline || deadline == g->late || !g->late->part)
        return es_ir_make_const(g->code, 1);
    unsigned no = es_ir_label(g->code);
    es_ir_reg rd = es_ir_new(g->code);
    es_ir_const(g->code, rd, 0);
    es_deadline_unless_over(g, deadline, no);
    es_ir_const(g->code, rd, 1);
    es_ir_here(g->code, no);
    return rd;
}

/* --- conditions ------------------------------------------------------------------------------------------ */

static void compare_condition(generator *g, const es_expr *expr, unsigned label, bool when)
{
    codegen_pair left, right;
    if (expr->lhs->type == ES_VALUE_TIME) {
        es_times_compare(g, expr, label, when);
        return;
    }
    operands(g, expr, &left, &right);
    if (is_number(expr->lhs))
        es_number_compare(g, expr, left, right, label, when);
    else if (expr->lhs->type == ES_VALUE_64)
        es_wide_compare(g, expr->op, expr->operand_signed, left, right, label, when);
    else
        es_codegen_compare(g->code, expr->op, expr->operand_signed, left.low, right.low, label, when);
}

/* Whether a value differs from 0. */
static void value_condition(generator *g, const es_expr *expr, unsigned label, bool when)
{
    codegen_pair value = es_codegen_value(g, expr);
    es_ir_code *code = g->code;
    if (expr->type == ES_VALUE_DOUBLE) /* -0 is 0 */
        value.high = es_ir_make_immediate(code, ES_IR_SHL_I, value.high, 1);
    if (expr->type == ES_VALUE_FLOAT)
        value.low = es_ir_make_immediate(code, ES_IR_SHL_I, value.low, 1);
    if (codegen_width(expr->type) == 2)
        value.low = es_ir_make(code, ES_IR_OR, value.low, value.high);
    es_ir_branch(code, when ? ES_IR_IF_NE : ES_IR_IF_EQ, value.low, ES_IR_ZERO, label);
}

static void logic_condition(generator *g, const es_expr *expr, unsigned label, bool when)
{
    if ((expr->op == ES_OP_LOGOR) == when) { /* either side decides */
        es_codegen_condition(g, expr->lhs, label, when);
        es_codegen_condition(g, expr->rhs, label, when);
        return;
    }
    unsigned past = es_ir_label(g->code);
    es_codegen_condition(g, expr->lhs, past, !when);
    es_codegen_condition(g, expr->rhs, label, when);
    es_ir_here(g->code, past);
}

void es_codegen_condition(generator *g, const es_expr *expr, unsigned label, bool when)
{
    if (expr->kind == ES_EXPR_CONST) {
        bool truth = is_number(expr) ? expr->constant.number != 0 : constant_bits(expr) != 0;
        if (truth == when)
            es_ir_jump(g->code, label);
    } else if (expr->kind == ES_EXPR_UNARY && expr->op == ES_OP_LOGNOT) {
        es_codegen_condition(g, expr->lhs, label, !when);
    } else if (is_logic(expr)) {
        logic_condition(g, expr, label, when);
    } else if (is_compare(expr)) {
        compare_condition(g, expr, label, when);
    } else {
        value_condition(g, expr, label, when);
    }
}

/* A condition's truth as 0 or 1. */
static codegen_pair truth_value(generator *g, const es_expr *expr)
{
    unsigned no = es_ir_label(g->code), done = es_ir_label(g->code);
    es_ir_reg rd = es_ir_new(g->code);
    es_codegen_condition(g, expr, no, false);
    es_ir_const(g->code, rd, 1);
    es_ir_jump(g->code, done);
    es_ir_here(g->code, no);
    es_ir_const(g->code, rd, 0);
    es_ir_here(g->code, done);
    return (codegen_pair){rd, ES_IR_ZERO};
}

/* --- values ---------------------------------------------------------------------------------------------- */

static es_ir_reg compare_value(generator *g, const es_expr *expr)
{
    es_ir_code *code = g->code;
    codegen_pair left, right;
    operands(g, expr, &left, &right);
    enum es_ir_op less = expr->operand_signed ? ES_IR_LESS : ES_IR_BELOW;
    switch (expr->op) {
    case ES_OP_EQ:
        return es_ir_make_immediate(code, ES_IR_BELOW_I, es_ir_make(code, ES_IR_SUB, left.low, right.low), 1);
    case ES_OP_NE: return es_ir_make(code, ES_IR_BELOW, ES_IR_ZERO, es_ir_make(code, ES_IR_SUB, left.low, right.low));
    case ES_OP_LT: return es_ir_make(code, less, left.low, right.low);
    case ES_OP_GT: return es_ir_make(code, less, right.low, left.low);
    case ES_OP_GE: return es_ir_make_immediate(code, ES_IR_XOR_I, es_ir_make(code, less, left.low, right.low), 1);
    default: return es_ir_make_immediate(code, ES_IR_XOR_I, es_ir_make(code, less, right.low, left.low), 1); /* LE */
    }
}

/* The form with a constant operand, where the instruction set has it; false: it does not. */
static bool immediate_value(generator *g, const es_expr *expr, es_ir_reg *rd)
{
    uint32_t constant = expr->rhs->value;
    enum es_ir_op op;
    if (expr->rhs->kind != ES_EXPR_CONST)
        return false;
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
    *rd = es_ir_make_immediate(g->code, op, es_codegen_value(g, expr->lhs).low, constant);
    return true;
}

/* * / % of 32 bits: by a constant, or by the firmware's routines. */
static es_ir_reg multiply_value(generator *g, const es_expr *expr)
{
    codegen_pair left, right;
    bool constant = expr->rhs->kind == ES_EXPR_CONST;
    if (expr->op == ES_OP_MUL && (constant || expr->lhs->kind == ES_EXPR_CONST))
        return es_multiply_constant(g, es_codegen_value(g, constant ? expr->lhs : expr->rhs).low,
                                    constant ? expr->rhs->value : expr->lhs->value);
    if (es_divides_by_power(expr))
        return es_divide_by_power(g, expr, es_codegen_value(g, expr->lhs).low);
    operands(g, expr, &left, &right);
    return es_multiply_binary(g, expr, left.low, right.low);
}

static enum es_ir_op operation(const es_expr *expr)
{
    switch (expr->op) {
    case ES_OP_SUB: return ES_IR_SUB;
    case ES_OP_AND: return ES_IR_AND;
    case ES_OP_OR: return ES_IR_OR;
    case ES_OP_XOR: return ES_IR_XOR;
    case ES_OP_SHL: return ES_IR_SHL;
    case ES_OP_SHR: return expr->is_signed ? ES_IR_SAR : ES_IR_SHR;
    default: return ES_IR_ADD;
    }
}

static codegen_pair binary_value(generator *g, const es_expr *expr)
{
    codegen_pair left, right;
    es_ir_reg rd;
    if (is_logic(expr) || (is_compare(expr) && expr->lhs->type != ES_VALUE_32))
        return truth_value(g, expr);
    if (is_compare(expr))
        return (codegen_pair){compare_value(g, expr), ES_IR_ZERO};
    if (is_number(expr) || expr->type == ES_VALUE_64) {
        operands(g, expr, &left, &right);
        return is_number(expr) ? es_number_binary(g, expr, left, right) : es_wide_binary(g, expr, left, right);
    }
    if (expr->op >= ES_OP_MUL)
        return (codegen_pair){multiply_value(g, expr), ES_IR_ZERO};
    if (immediate_value(g, expr, &rd))
        return (codegen_pair){rd, ES_IR_ZERO};
    operands(g, expr, &left, &right);
    return (codegen_pair){es_ir_make(g->code, operation(expr), left.low, right.low), ES_IR_ZERO};
}

static codegen_pair unary_value(generator *g, const es_expr *expr)
{
    es_ir_code *code = g->code;
    if (expr->op == ES_OP_LOGNOT && expr->lhs->type != ES_VALUE_32)
        return truth_value(g, expr);
    codegen_pair value = es_codegen_value(g, expr->lhs);
    if (is_number(expr)) { /* only - */
        es_ir_reg *top = expr->type == ES_VALUE_FLOAT ? &value.low : &value.high;
        *top = es_ir_make(code, ES_IR_XOR, *top, es_ir_make_const(code, 0x80000000u));
        return value;
    }
    if (expr->type == ES_VALUE_64)
        return es_wide_unary(g, expr, value);
    if (expr->op == ES_OP_NEG)
        value.low = es_ir_make(code, ES_IR_SUB, ES_IR_ZERO, value.low);
    else if (expr->op == ES_OP_NOT)
        value.low = es_ir_make_immediate(code, ES_IR_XOR_I, value.low, ~0u);
    else
        value.low = es_ir_make_immediate(code, ES_IR_BELOW_I, value.low, 1);
    return value;
}

/* The upper word of what was 32 bits. */
static es_ir_reg extension(generator *g, bool is_signed, es_ir_reg low)
{
    return is_signed ? es_ir_make_immediate(g->code, ES_IR_SAR_I, low, 31) : ES_IR_ZERO;
}

static codegen_pair convert_value(generator *g, const es_expr *expr)
{
    codegen_pair value = es_codegen_value(g, expr->lhs);
    if (is_number(expr) || is_number(expr->lhs))
        return es_number_convert(g, expr, value);
    if (expr->type == ES_VALUE_64 && expr->lhs->type == ES_VALUE_32)
        value.high = extension(g, expr->lhs->is_signed, value.low);
    return value;
}

static void copy_pair(generator *g, codegen_pair to, codegen_pair from)
{
    es_ir_copy(g->code, to.low, from.low);
    if (to.high != ES_IR_ZERO)
        es_ir_copy(g->code, to.high, from.high);
}

static codegen_pair choice_value(generator *g, const es_expr *expr)
{
    unsigned no = es_ir_label(g->code), done = es_ir_label(g->code);
    codegen_pair out = {es_ir_new(g->code), codegen_width(expr->type) == 2 ? es_ir_new(g->code) : ES_IR_ZERO};
    es_codegen_condition(g, expr->condition, no, false);
    copy_pair(g, out, es_codegen_value(g, expr->lhs));
    es_ir_jump(g->code, done);
    es_ir_here(g->code, no);
    copy_pair(g, out, es_codegen_value(g, expr->rhs));
    es_ir_here(g->code, done);
    return out;
}

static codegen_pair constant_value(generator *g, const es_expr *expr)
{
    uint64_t bits = constant_bits(expr);
    es_ir_reg low = (uint32_t)bits ? es_ir_make_const(g->code, (uint32_t)bits) : ES_IR_ZERO;
    return (codegen_pair){low, bits >> 32 ? es_ir_make_const(g->code, (uint32_t)(bits >> 32)) : ES_IR_ZERO};
}

static codegen_pair reference_value(generator *g, const es_expr *expr)
{
    const es_reference *reference = &g->statement->statement->references[expr->index];
    codegen_pair value = es_place_value(g, expr->index, expr->kind == ES_EXPR_OLD);
    if (!plan_is_wide(reference))
        value.high = expr->type == ES_VALUE_64 ? extension(g, expr->is_signed, value.low) : ES_IR_ZERO;
    return value;
}

codegen_pair es_codegen_value(generator *g, const es_expr *expr)
{
    es_ir_code *code = g->code;
    switch (expr->kind) {
    case ES_EXPR_CONST: return constant_value(g, expr);
    case ES_EXPR_REFERENCE:
    case ES_EXPR_OLD: return reference_value(g, expr);
    case ES_EXPR_ENTER:
    case ES_EXPR_LEAVE:
    case ES_EXPR_AT:
    case ES_EXPR_WRITE:
    case ES_EXPR_READ: return (codegen_pair){event_value(g, expr), ES_IR_ZERO};
    case ES_EXPR_ACTIVE: {
        uint8_t what = expr->exact ? AUTOMATON_DENOTES : AUTOMATON_EXISTS;
        es_ir_reg top =
            g->late ? es_paths_test_late(g, expr->path, what) : es_paths_test(code, g->plan, expr->path, what);
        return (codegen_pair){es_ir_make_immediate(code, ES_IR_SHR_I, top, 31), ES_IR_ZERO};
    }
    case ES_EXPR_UNCHANGED: return (codegen_pair){unchanged_value(g, expr), ES_IR_ZERO};
    case ES_EXPR_COUNTER:
        return (codegen_pair){es_ir_make_load(code, ES_IR_LOAD, ES_IR_RAM_BASE,
                                              4 * (uint32_t)es_program_counter(g->plan->program, expr->index)),
                              ES_IR_ZERO};
    case ES_EXPR_UNARY: return unary_value(g, expr);
    case ES_EXPR_BINARY: return binary_value(g, expr);
    case ES_EXPR_CONVERT: return convert_value(g, expr);
    case ES_EXPR_CHOICE: return choice_value(g, expr);
    default: return (codegen_pair){ES_IR_ZERO, ES_IR_ZERO}; /* es_image_build has refused what uses other nodes */
    }
}
