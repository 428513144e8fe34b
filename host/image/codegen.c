#include "image/codegen.h"
#include "image/times.h"

#include <string.h>

/* Registers for values, used as a stack. a0 holds the event bits, t6 is for addresses. */
static const uint8_t pool[CODEGEN_REGISTERS] = {11, 12, 13, 14, 15, 16, 17, 5, 6, 7, 28, 29, 30};

#define OLD_KNOWN_BYTE 1 /* of HIT_FLAGS: holds ES_HIT_OLD_KNOWN */
_Static_assert(ES_HIT_OLD_KNOWN == 0x100, "the flag is bit 0 of the flags' second byte");

unsigned codegen_register(generator *g, unsigned depth)
{
    if (depth >= CODEGEN_REGISTERS) {
        g->no_register = true;
        return pool[0];
    }
    return pool[depth];
}

unsigned codegen_ram(rv_code *code, const image_plan *plan, uint32_t offset, unsigned rd, int32_t *low)
{
    uint32_t from_tp = offset - ES_MI_RAM_POINTER;
    if (rv_fits(from_tp)) {
        *low = (int32_t)from_tp;
        return RV_TP;
    }
    uint32_t address = plan->ram_at + offset;
    rv_lui(code, rd, rv_high(address));
    *low = rv_low(address);
    return rd;
}

/* --- values of references -------------------------------------------------------------------------------- */

static bool is_signed(const es_type *type)
{
    return (type->kind == ES_TYPE_INT || type->kind == ES_TYPE_CHAR || type->kind == ES_TYPE_ENUM) && type->is_signed;
}

static void load_scalar(generator *g, const es_reference *reference, unsigned rd, unsigned base, int32_t offset)
{
    bool sign = is_signed(reference->type) && reference->bit_size == 0;
    enum rv_op op = reference->size == 4 ? RV_LW : reference->size == 2 ? (sign ? RV_LH : RV_LHU) :
        (sign ? RV_LB : RV_LBU);
    rv_i(g->code, op, rd, base, offset);
    if (reference->bit_size) {
        int up = 32 - reference->bit_offset - reference->bit_size;
        if (up)
            rv_i(g->code, RV_SLLI, rd, rd, up);
        if (reference->bit_size < 32)
            rv_i(g->code, is_signed(reference->type) ? RV_SRAI : RV_SRLI, rd, rd, 32 - reference->bit_size);
    }
}

void codegen_cell(generator *g, const es_procedure *procedure, unsigned rd)
{
    int32_t low;
    unsigned base = codegen_ram(g->code, g->plan, plan_frame_of(g->plan, procedure)->cell, rd, &low);
    rv_i(g->code, RV_LW, rd, base, low);
}

static void load_phantom(generator *g, const es_reference *reference, unsigned rd)
{
    g->reads = true;
    if (!reference->frame) {
        uint32_t address = ES_PHANTOM_BASE + (reference->address - g->limits->window_base);
        rv_lui(g->code, rd, rv_high(address));
        load_scalar(g, reference, rd, rd, rv_low(address));
        return;
    }
    codegen_cell(g, reference->frame, rd);
    if (rv_fits(reference->address)) {
        load_scalar(g, reference, rd, rd, (int32_t)reference->address);
        return;
    }
    rv_lui(g->code, RV_T6, rv_high(reference->address));
    rv_r(g->code, RV_ADD, rd, rd, RV_T6);
    load_scalar(g, reference, rd, rd, rv_low(reference->address));
}

static void load_new(generator *g, const es_reference *reference, unsigned rd)
{
    load_scalar(g, reference, rd, RV_REGS, (int32_t)(ES_REG_HIT_NEW + (reference->address & 3)));
}

/* The word before the event is at low(base), the hit's flags of then at flags(base). */
static void load_before(generator *g, const es_reference *reference, unsigned rd, unsigned base, int32_t flags, int32_t low)
{
    if (g->checks_old) {
        rv_i(g->code, RV_LBU, RV_T6, base, flags + OLD_KNOWN_BYTE);
        rv_i(g->code, RV_ANDI, RV_T6, RV_T6, 1);
        rv_branch(g->code, RV_BEQ, RV_T6, RV_ZERO, g->unknown);
    }
    load_scalar(g, reference, rd, base, low + (int32_t)(reference->address & 3));
}

static void load_old(generator *g, const es_reference *reference, unsigned rd)
{
    const plan_write *first = plan_first_part(g->plan, reference);
    unsigned at_once = rv_label(g->code), done = rv_label(g->code);
    if (first) { /* before the first of several writes */
        int32_t low;
        rv_i(g->code, RV_ANDI, RV_T6, RV_PARTS, first->bit);
        rv_branch(g->code, RV_BEQ, RV_T6, RV_ZERO, at_once);
        unsigned base = codegen_ram(g->code, g->plan, first->first, rd, &low);
        rv_i(g->code, RV_ADDI, rd, base, low);
        load_before(g, reference, rd, rd, 0, 4);
        rv_jump(g->code, done);
    }
    rv_place(g->code, at_once);
    load_before(g, reference, rd, RV_REGS, ES_REG_HIT_FLAGS, ES_REG_HIT_OLD);
    rv_place(g->code, done);
}

/* Puts a bit of a0 into the sign of t6. */
static void test_event(generator *g, int bit)
{
    rv_i(g->code, RV_SLLI, RV_T6, RV_A0, 31 - bit);
}

void codegen_reference(generator *g, size_t index, bool old, unsigned rd)
{
    const es_reference *reference = &g->statement->statement->references[index];
    if (g->statement->direct) {
        if (old)
            load_old(g, reference, rd);
        else
            load_new(g, reference, rd);
    } else if (!old || g->statement->old_bit[index] < 0) {
        load_phantom(g, reference, rd);
    } else {
        unsigned current = rv_label(g->code), done = rv_label(g->code);
        test_event(g, g->statement->old_bit[index]);
        rv_branch(g->code, RV_BGE, RV_T6, RV_ZERO, current);
        load_old(g, reference, rd);
        rv_jump(g->code, done);
        rv_place(g->code, current);
        load_phantom(g, reference, rd);
        rv_place(g->code, done);
    }
}

/* --- expressions ----------------------------------------------------------------------------------------- */

static bool is_leaf(const es_expr *expr)
{
    return expr->kind != ES_EXPR_UNARY && expr->kind != ES_EXPR_BINARY;
}

static bool is_compare(const es_expr *expr)
{
    return expr->kind == ES_EXPR_BINARY && expr->op >= ES_OP_EQ && expr->op <= ES_OP_GE;
}

static bool is_logic(const es_expr *expr)
{
    return expr->kind == ES_EXPR_BINARY && (expr->op == ES_OP_LOGAND || expr->op == ES_OP_LOGOR);
}

/* Registers that an expression's value needs when the hungrier operand goes first (Sethi and Ullman). */
static unsigned need(const es_expr *expr)
{
    if (is_leaf(expr))
        return 1;
    unsigned left = need(expr->lhs);
    if (expr->kind == ES_EXPR_UNARY)
        return left;
    unsigned right = need(expr->rhs);
    if (is_logic(expr))
        return left > right ? left : right;
    return left == right ? left + 1 : left > right ? left : right;
}

static void value(generator *g, const es_expr *expr, unsigned depth);

/* Both operands into registers; says which. */
static void operands(generator *g, const es_expr *expr, unsigned depth, unsigned *left, unsigned *right)
{
    if (expr->rhs->kind == ES_EXPR_CONST && expr->rhs->value == 0) {
        value(g, expr->lhs, depth);
        *left = codegen_register(g, depth), *right = RV_ZERO;
    } else if (need(expr->rhs) > need(expr->lhs)) {
        value(g, expr->rhs, depth);
        value(g, expr->lhs, depth + 1);
        *left = codegen_register(g, depth + 1), *right = codegen_register(g, depth);
    } else {
        value(g, expr->lhs, depth);
        value(g, expr->rhs, depth + 1);
        *left = codegen_register(g, depth), *right = codegen_register(g, depth + 1);
    }
}

int codegen_control_bit(const generator *g, const es_procedure *procedure, bool leave)
{
    for (size_t i = 0; i < g->plan->control_count; i++) {
        const plan_control *control = &g->plan->controls[i];
        if (control->statement == g->number && control->procedure == procedure && control->leave == leave)
            return __builtin_ctz(control->events);
    }
    return -1; /* this event alone cannot make the predicate true, so it never triggers an evaluation */
}

static int event_bit(const generator *g, const es_expr *expr)
{
    return expr->kind == ES_EXPR_WRITE ? g->statement->write_bit[expr->index]
                                       : codegen_control_bit(g, expr->procedure, expr->kind == ES_EXPR_LEAVE);
}

/* Jumps to label when the expression's truth is `when`, else goes on. */
void codegen_condition(generator *g, const es_expr *expr, unsigned depth, unsigned label, bool when)
{
    unsigned left, right;
    if (expr->kind == ES_EXPR_CONST) {
        if ((expr->value != 0) == when)
            rv_jump(g->code, label);
    } else if (expr->kind == ES_EXPR_UNARY && expr->op == ES_OP_LOGNOT) {
        codegen_condition(g, expr->lhs, depth, label, !when);
    } else if (is_logic(expr)) {
        if ((expr->op == ES_OP_LOGOR) == when) { /* either side decides */
            codegen_condition(g, expr->lhs, depth, label, when);
            codegen_condition(g, expr->rhs, depth, label, when);
        } else {
            unsigned past = rv_label(g->code);
            codegen_condition(g, expr->lhs, depth, past, !when);
            codegen_condition(g, expr->rhs, depth, label, when);
            rv_place(g->code, past);
        }
    } else if (is_compare(expr) && expr->lhs->type == ES_VALUE_TIME) {
        times_compare(g, expr, depth, label, when);
    } else if (is_compare(expr)) {
        operands(g, expr, depth, &left, &right);
        bool sign = expr->operand_signed;
        enum rv_op less = sign ? RV_BLT : RV_BLTU, not_less = sign ? RV_BGE : RV_BGEU;
        switch (expr->op) {
        case ES_OP_EQ: rv_branch(g->code, when ? RV_BEQ : RV_BNE, left, right, label); break;
        case ES_OP_NE: rv_branch(g->code, when ? RV_BNE : RV_BEQ, left, right, label); break;
        case ES_OP_LT: rv_branch(g->code, when ? less : not_less, left, right, label); break;
        case ES_OP_GE: rv_branch(g->code, when ? not_less : less, left, right, label); break;
        case ES_OP_GT: rv_branch(g->code, when ? less : not_less, right, left, label); break;
        default: rv_branch(g->code, when ? not_less : less, right, left, label); break; /* LE */
        }
    } else {
        value(g, expr, depth);
        rv_branch(g->code, when ? RV_BNE : RV_BEQ, codegen_register(g, depth), RV_ZERO, label);
    }
}

static void compare_value(generator *g, const es_expr *expr, unsigned depth)
{
    unsigned left, right, rd = codegen_register(g, depth);
    operands(g, expr, depth, &left, &right);
    enum rv_op less = expr->operand_signed ? RV_SLT : RV_SLTU;
    switch (expr->op) {
    case ES_OP_EQ:
        rv_r(g->code, RV_SUB, rd, left, right);
        rv_i(g->code, RV_SLTIU, rd, rd, 1);
        break;
    case ES_OP_NE:
        rv_r(g->code, RV_SUB, rd, left, right);
        rv_r(g->code, RV_SLTU, rd, RV_ZERO, rd);
        break;
    case ES_OP_LT: rv_r(g->code, less, rd, left, right); break;
    case ES_OP_GT: rv_r(g->code, less, rd, right, left); break;
    case ES_OP_GE:
        rv_r(g->code, less, rd, left, right);
        rv_i(g->code, RV_XORI, rd, rd, 1);
        break;
    default: /* LE */
        rv_r(g->code, less, rd, right, left);
        rv_i(g->code, RV_XORI, rd, rd, 1);
        break;
    }
}

/* The form with a constant operand, where the instruction set has it. */
static bool immediate_value(generator *g, const es_expr *expr, unsigned depth)
{
    if (expr->rhs->kind != ES_EXPR_CONST)
        return false;
    uint32_t constant = expr->rhs->value;
    enum rv_op op;
    switch (expr->op) {
    case ES_OP_ADD: op = RV_ADDI; break;
    case ES_OP_SUB: op = RV_ADDI, constant = 0u - constant; break;
    case ES_OP_AND: op = RV_ANDI; break;
    case ES_OP_OR: op = RV_ORI; break;
    case ES_OP_XOR: op = RV_XORI; break;
    case ES_OP_SHL: op = RV_SLLI, constant &= 31; break;
    case ES_OP_SHR: op = expr->is_signed ? RV_SRAI : RV_SRLI, constant &= 31; break;
    default: return false;
    }
    if (!rv_fits(constant))
        return false;
    value(g, expr->lhs, depth);
    rv_i(g->code, op, codegen_register(g, depth), codegen_register(g, depth), (int32_t)constant);
    return true;
}

static void binary_value(generator *g, const es_expr *expr, unsigned depth)
{
    unsigned left, right, rd = codegen_register(g, depth);
    if (is_logic(expr) || (is_compare(expr) && expr->lhs->type == ES_VALUE_TIME)) {
        unsigned no = rv_label(g->code), done = rv_label(g->code);
        codegen_condition(g, expr, depth, no, false);
        rv_li(g->code, rd, 1);
        rv_jump(g->code, done);
        rv_place(g->code, no);
        rv_li(g->code, rd, 0);
        rv_place(g->code, done);
    } else if (is_compare(expr)) {
        compare_value(g, expr, depth);
    } else if (!immediate_value(g, expr, depth)) {
        operands(g, expr, depth, &left, &right);
        enum rv_op op = RV_ADD;
        switch (expr->op) {
        case ES_OP_SUB: op = RV_SUB; break;
        case ES_OP_AND: op = RV_AND; break;
        case ES_OP_OR: op = RV_OR; break;
        case ES_OP_XOR: op = RV_XOR; break;
        case ES_OP_SHL: op = RV_SLL; break;
        case ES_OP_SHR: op = expr->is_signed ? RV_SRA : RV_SRL; break;
        default: break; /* ADD */
        }
        rv_r(g->code, op, rd, left, right);
    }
}

static void value(generator *g, const es_expr *expr, unsigned depth)
{
    unsigned rd = codegen_register(g, depth);
    int bit;
    switch (expr->kind) {
    case ES_EXPR_CONST:
        rv_li(g->code, rd, expr->value);
        break;
    case ES_EXPR_REFERENCE:
    case ES_EXPR_OLD:
        codegen_reference(g, expr->index, expr->kind == ES_EXPR_OLD, rd);
        break;
    case ES_EXPR_ENTER:
    case ES_EXPR_LEAVE:
    case ES_EXPR_WRITE:
        bit = event_bit(g, expr);
        if (bit < 0) {
            rv_li(g->code, rd, 0);
        } else {
            test_event(g, bit);
            rv_i(g->code, RV_SRLI, rd, RV_T6, 31);
        }
        break;
    case ES_EXPR_COUNTER: {
        int32_t low;
        unsigned base = codegen_ram(g->code, g->plan, 4 * (uint32_t)expr->index, rd, &low);
        rv_i(g->code, RV_LW, rd, base, low);
        break;
    }
    case ES_EXPR_UNARY:
        value(g, expr->lhs, depth);
        if (expr->op == ES_OP_NEG)
            rv_r(g->code, RV_SUB, rd, RV_ZERO, rd);
        else if (expr->op == ES_OP_NOT)
            rv_i(g->code, RV_XORI, rd, rd, -1);
        else
            rv_i(g->code, RV_SLTIU, rd, rd, 1);
        break;
    case ES_EXPR_BINARY:
        binary_value(g, expr, depth);
        break;
    default: /* es_image_build has refused what uses other nodes */
        break;
    }
}
