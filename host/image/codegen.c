#include "image/codegen.h"

#include <string.h>

/* Registers for values, used as a stack. a0 holds the event bits, a1 the register base, t6 is for addresses. */
static const uint8_t pool[] = {12, 13, 14, 15, 16, 17, 5, 6, 7, 28, 29, 30};
#define POOL_SIZE (sizeof pool / sizeof pool[0])

#define FLAGS_OLD_KNOWN_BYTE (ES_REG_HIT_FLAGS + 1) /* byte that holds ES_HIT_OLD_KNOWN */
_Static_assert(ES_HIT_OLD_KNOWN == 0x100, "the flag is bit 0 of the flags' second byte");

typedef struct generator {
    image_plan *plan;
    plan_statement *statement;
    size_t number;
    const es_probe_limits *limits;
    rv_code *code;
    uint32_t print_at;
    unsigned unknown; /* label: a value is not known */
    bool checks_old;  /* false when the evaluation has made sure that old values are known */
    bool reads;       /* phantom memory is read */
    bool no_register; /* an expression needs more registers than there are */
} generator;

static unsigned reg(generator *g, unsigned depth)
{
    if (depth >= POOL_SIZE) {
        g->no_register = true;
        return pool[0];
    }
    return pool[depth];
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

static void load_cell(generator *g, const es_procedure *procedure, unsigned rd)
{
    uint32_t cell = g->plan->ram_at + plan_frame_of(g->plan, procedure)->cell;
    rv_lui(g->code, rd, rv_high(cell));
    rv_i(g->code, RV_LW, rd, rd, rv_low(cell));
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
    load_cell(g, reference->frame, rd);
    if (rv_fits(reference->address)) {
        load_scalar(g, reference, rd, rd, (int32_t)reference->address);
        return;
    }
    rv_lui(g->code, RV_T6, rv_high(reference->address));
    rv_r(g->code, RV_ADD, rd, rd, RV_T6);
    load_scalar(g, reference, rd, rd, rv_low(reference->address));
}

static void check_old(generator *g)
{
    if (!g->checks_old)
        return;
    rv_i(g->code, RV_LBU, RV_T6, RV_A1, FLAGS_OLD_KNOWN_BYTE);
    rv_i(g->code, RV_ANDI, RV_T6, RV_T6, 1);
    rv_branch(g->code, RV_BEQ, RV_T6, RV_ZERO, g->unknown);
}

static void load_register(generator *g, const es_reference *reference, unsigned rd, uint32_t offset)
{
    load_scalar(g, reference, rd, RV_A1, (int32_t)(offset + (reference->address & 3)));
}

/* Puts a bit of a0 into the sign of t6. */
static void test_event(generator *g, int bit)
{
    rv_i(g->code, RV_SLLI, RV_T6, RV_A0, 31 - bit);
}

static void load_reference(generator *g, size_t index, bool old, unsigned rd)
{
    const es_reference *reference = &g->statement->statement->references[index];
    if (g->statement->direct) {
        if (old)
            check_old(g);
        load_register(g, reference, rd, old ? ES_REG_HIT_OLD : ES_REG_HIT_NEW);
    } else if (!old || g->statement->old_bit[index] < 0) {
        load_phantom(g, reference, rd);
    } else {
        unsigned current = rv_label(g->code), done = rv_label(g->code);
        test_event(g, g->statement->old_bit[index]);
        rv_branch(g->code, RV_BGE, RV_T6, RV_ZERO, current);
        check_old(g);
        load_register(g, reference, rd, ES_REG_HIT_OLD);
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
        *left = reg(g, depth), *right = RV_ZERO;
    } else if (need(expr->rhs) > need(expr->lhs)) {
        value(g, expr->rhs, depth);
        value(g, expr->lhs, depth + 1);
        *left = reg(g, depth + 1), *right = reg(g, depth);
    } else {
        value(g, expr->lhs, depth);
        value(g, expr->rhs, depth + 1);
        *left = reg(g, depth), *right = reg(g, depth + 1);
    }
}

static int control_bit(const generator *g, const es_expr *expr)
{
    for (size_t i = 0; i < g->plan->control_count; i++) {
        const plan_control *control = &g->plan->controls[i];
        if (control->statement == g->number && control->procedure == expr->procedure &&
            control->leave == (expr->kind == ES_EXPR_LEAVE))
            return __builtin_ctz(control->events);
    }
    return -1; /* this event alone cannot make the predicate true, so it never triggers an evaluation */
}

static int event_bit(const generator *g, const es_expr *expr)
{
    return expr->kind == ES_EXPR_WRITE ? g->statement->write_bit[expr->index] : control_bit(g, expr);
}

/* Jumps to label when the expression's truth is `when`, else goes on. */
static void condition(generator *g, const es_expr *expr, unsigned depth, unsigned label, bool when)
{
    unsigned left, right;
    if (expr->kind == ES_EXPR_CONST) {
        if ((expr->value != 0) == when)
            rv_jump(g->code, label);
    } else if (expr->kind == ES_EXPR_UNARY && expr->op == ES_OP_LOGNOT) {
        condition(g, expr->lhs, depth, label, !when);
    } else if (is_logic(expr)) {
        if ((expr->op == ES_OP_LOGOR) == when) { /* either side decides */
            condition(g, expr->lhs, depth, label, when);
            condition(g, expr->rhs, depth, label, when);
        } else {
            unsigned past = rv_label(g->code);
            condition(g, expr->lhs, depth, past, !when);
            condition(g, expr->rhs, depth, label, when);
            rv_place(g->code, past);
        }
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
        rv_branch(g->code, when ? RV_BNE : RV_BEQ, reg(g, depth), RV_ZERO, label);
    }
}

static void compare_value(generator *g, const es_expr *expr, unsigned depth)
{
    unsigned left, right, rd = reg(g, depth);
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
    rv_i(g->code, op, reg(g, depth), reg(g, depth), (int32_t)constant);
    return true;
}

static void binary_value(generator *g, const es_expr *expr, unsigned depth)
{
    unsigned left, right, rd = reg(g, depth);
    if (is_logic(expr)) {
        unsigned no = rv_label(g->code), done = rv_label(g->code);
        condition(g, expr, depth, no, false);
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
    unsigned rd = reg(g, depth);
    int bit;
    switch (expr->kind) {
    case ES_EXPR_CONST:
        rv_li(g->code, rd, expr->value);
        break;
    case ES_EXPR_REFERENCE:
    case ES_EXPR_OLD:
        load_reference(g, expr->index, expr->kind == ES_EXPR_OLD, rd);
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

/* --- routines -------------------------------------------------------------------------------------------- */

/* Marks what an expression surely reads whenever it is evaluated: bit 0 the value, bit 1 the old value. */
static void mark_read(const es_expr *expr, uint8_t *marks)
{
    if (expr->kind == ES_EXPR_REFERENCE)
        marks[expr->index] |= 1;
    else if (expr->kind == ES_EXPR_OLD)
        marks[expr->index] |= 2;
    else if (!is_leaf(expr)) {
        mark_read(expr->lhs, marks);
        if (expr->kind == ES_EXPR_BINARY && !is_logic(expr))
            mark_read(expr->rhs, marks);
    }
}

/* A statement whose values all exist only while certain frames do is not evaluable before. */
static void check_frames(generator *g, unsigned not_evaluable)
{
    const es_statement *statement = g->statement->statement;
    for (size_t i = 0; i < statement->reference_count && !g->statement->direct; i++) {
        const es_procedure *frame = statement->references[i].frame;
        bool seen = !frame;
        for (size_t k = 0; k < i && !seen; k++)
            seen = statement->references[k].frame == frame;
        if (seen)
            continue;
        load_cell(g, frame, RV_T6);
        rv_branch(g->code, RV_BEQ, RV_T6, RV_ZERO, not_evaluable);
    }
}

/* Reads what will be printed and may not have been read yet, so that unknown memory is noticed before the frame is
 * begun. */
static void read_printed(generator *g)
{
    const es_statement *statement = g->statement->statement;
    uint8_t *marks = es_arena_alloc(g->plan->arena, statement->reference_count + 1);
    mark_read(statement->predicate, marks);
    size_t count = es_image_value_count(statement);
    for (size_t k = 0; k < count; k++) {
        const es_print_item *item = es_image_value(statement, k);
        uint8_t mark = item->old ? 2 : 1;
        if (marks[item->index] & mark || (g->statement->direct && !item->old))
            continue;
        marks[item->index] |= mark;
        load_reference(g, item->index, item->old, reg(g, 0));
    }
}

/* Jumps to `unknown` when phantom memory was read that is not known. */
static void check_known(generator *g)
{
    if (!g->reads)
        return;
    rv_i(g->code, RV_LW, RV_T6, RV_A1, (int32_t)ES_REG_UNKNOWN);
    rv_branch(g->code, RV_BNE, RV_T6, RV_ZERO, g->unknown);
}

/* Adds 1 to a word in RAM. */
static void increment(generator *g, uint32_t offset)
{
    uint32_t address = g->plan->ram_at + offset;
    unsigned rd = reg(g, 0);
    rv_lui(g->code, RV_T6, rv_high(address));
    rv_i(g->code, RV_LW, rd, RV_T6, rv_low(address));
    rv_i(g->code, RV_ADDI, rd, rd, 1);
    rv_store(g->code, rd, RV_T6, rv_low(address));
}

static void count_hit(generator *g)
{
    const es_statement *statement = g->statement->statement;
    increment(g, 4 * (uint32_t)(g->plan->program->counter_count + g->number));
    for (size_t i = 0; i < statement->action_count; i++)
        if (statement->actions[i].kind == ES_ACTION_COUNT)
            increment(g, 4 * (uint32_t)statement->actions[i].counter);
}

static void evaluate(generator *g)
{
    unsigned no = rv_label(g->code), not_evaluable = rv_label(g->code);
    g->unknown = rv_label(g->code);
    check_frames(g, not_evaluable);
    condition(g, g->statement->statement->predicate, 0, no, false);
    read_printed(g);
    check_known(g);
    count_hit(g);
    rv_li(g->code, RV_A0, g->print_at);
    rv_ret(g->code);
    rv_place(g->code, no);
    check_known(g);
    rv_place(g->code, not_evaluable);
    rv_li(g->code, RV_A0, 0);
    rv_ret(g->code);
    rv_place(g->code, g->unknown);
    if (g->reads) /* forget what else was met: the next evaluation starts afresh */
        rv_i(g->code, RV_LW, RV_T6, RV_A1, (int32_t)ES_REG_UNKNOWN);
    increment(g, g->plan->unknown);
    rv_li(g->code, RV_A0, 0);
    rv_ret(g->code);
}

static void print(generator *g)
{
    const es_statement *statement = g->statement->statement;
    size_t count = es_image_value_count(statement);
    for (size_t k = 0; k < count; k++) {
        const es_print_item *item = es_image_value(statement, k);
        load_reference(g, item->index, item->old, reg(g, 0));
        rv_store(g->code, reg(g, 0), RV_A1, (int32_t)ES_REG_EV_DATA);
    }
    rv_store(g->code, RV_ZERO, RV_A1, (int32_t)ES_REG_EV_END);
    rv_ret(g->code);
}

static bool generate(void (*routine)(generator *), generator *g, es_error *err)
{
    g->code->far = false;
    rv_reset(g->code);
    routine(g);
    if (!rv_finish(g->code)) {
        g->code->far = true;
        rv_reset(g->code);
        routine(g);
        rv_finish(g->code);
    }
    if (g->no_register)
        return plan_fail(g->statement->statement, err, "the predicate needs more than %zu intermediate values at once: "
                         "split it into several statements", POOL_SIZE);
    return true;
}

bool codegen_evaluate(image_plan *plan, size_t number, const es_probe_limits *limits, uint32_t print_at,
                      rv_code *code, es_error *err)
{
    generator g = {plan, &plan->statements[number], number, limits, code, print_at, 0, true, false, false};
    return generate(evaluate, &g, err);
}

bool codegen_print(image_plan *plan, size_t number, const es_probe_limits *limits, rv_code *code, es_error *err)
{
    generator g = {plan, &plan->statements[number], number, limits, code, 0, 0, false, false, false};
    return generate(print, &g, err);
}
