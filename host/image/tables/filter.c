#include "image/tables/filter.h"

#include "base/endian.h"
#include "image/lower/expression.h"
#include "image/places/indexed.h"
#include "lang/statement.h"

/* Values of `bits` bits from `low` on, `span` more of them, modulo 2^bits. Sets of values are enclosed by one: what
 * is in it beside them costs time, and nothing else. */
typedef struct arc {
    uint32_t low, span;
} arc;

static const arc everything = {0, 0xFFFFFFFFu};

static bool is_everything(arc a)
{
    return a.span == 0xFFFFFFFFu;
}

static bool has(arc a, uint32_t value)
{
    return value - a.low <= a.span;
}

/* The smaller one encloses both sets' intersection. */
static arc both(arc a, arc b)
{
    return a.span <= b.span ? a : b;
}

/* The smallest one around two. */
static arc either(arc a, arc b)
{
    arc from_a = {a.low, b.low + b.span - a.low}, from_b = {b.low, a.low + a.span - b.low};
    if (has(a, b.low) && b.low - a.low + (uint64_t)b.span <= a.span)
        return a;
    if (has(b, a.low) && a.low - b.low + (uint64_t)a.span <= b.span)
        return b;
    bool a_fits = from_a.span >= a.span, b_fits = from_b.span >= b.span; /* else it does not reach around the other */
    if (!a_fits && !b_fits)
        return everything;
    return !b_fits || (a_fits && from_a.span <= from_b.span) ? from_a : from_b;
}

/* Values less than a constant, or not greater. */
static arc below(uint32_t constant, bool as_signed, bool equal)
{
    uint32_t least = as_signed ? 0x80000000u : 0;
    if (equal)
        return (arc){least, constant - least};
    return constant == least ? everything : (arc){least, constant - least - 1}; /* never true: not worth a filter */
}

static arc outside(arc a)
{
    return is_everything(a) || !(a.span + 1) ? everything : (arc){a.low + a.span + 1, 0xFFFFFFFEu - a.span};
}

static arc compared(enum es_op op, uint32_t constant, bool as_signed)
{
    switch (op) {
    case ES_OP_EQ: return (arc){constant, 0};
    case ES_OP_NE: return (arc){constant + 1, 0xFFFFFFFEu};
    case ES_OP_LT: return below(constant, as_signed, false);
    case ES_OP_LE: return below(constant, as_signed, true);
    case ES_OP_GE: return outside(below(constant, as_signed, false));
    case ES_OP_GT: return outside(below(constant, as_signed, true));
    default: return everything;
    }
}

static enum es_op negated(enum es_op op)
{
    switch (op) {
    case ES_OP_EQ: return ES_OP_NE;
    case ES_OP_NE: return ES_OP_EQ;
    case ES_OP_LT: return ES_OP_GE;
    case ES_OP_GE: return ES_OP_LT;
    case ES_OP_GT: return ES_OP_LE;
    default: return ES_OP_GT;
    }
}

/* To evaluate it counts nothing as unknown. */
static bool is_harmless(const es_expr *expr)
{
    switch (expr->kind) {
    case ES_EXPR_CONST:
    case ES_EXPR_REFERENCE:
    case ES_EXPR_WRITE:
    case ES_EXPR_ACTIVE: return true;
    case ES_EXPR_UNARY:
    case ES_EXPR_CONVERT: return is_harmless(expr->lhs);
    case ES_EXPR_BINARY:
        return expr->op != ES_OP_DIV && expr->op != ES_OP_REM && is_harmless(expr->lhs) && is_harmless(expr->rhs);
    default: return false;
    }
}

/* Around the values, all 32 bits of them, for which the expression is not 0 (when: false: is 0). */
static arc values_for(const es_expr *expr, bool when)
{
    if (expr->kind == ES_EXPR_UNARY && expr->op == ES_OP_LOGNOT)
        return values_for(expr->lhs, !when);
    if (expr->kind != ES_EXPR_BINARY)
        return expr->kind == ES_EXPR_REFERENCE && expr->type == ES_VALUE_32
                   ? (when ? (arc){1, 0xFFFFFFFEu} : (arc){0, 0})
                   : everything;
    if (expr->op == ES_OP_LOGAND || expr->op == ES_OP_LOGOR) {
        arc left = values_for(expr->lhs, when),
            right = is_harmless(expr->lhs) ? values_for(expr->rhs, when) : everything;
        if ((expr->op == ES_OP_LOGAND) == when)
            return both(left, right);
        return is_everything(left) || is_everything(right) ? everything : either(left, right);
    }
    const es_expr *left = expr->lhs, *right = expr->rhs;
    enum es_op op = expr->op;
    if (op < ES_OP_EQ || op > ES_OP_GE || left->type != ES_VALUE_32 || right->type != ES_VALUE_32)
        return everything;
    if (left->kind == ES_EXPR_CONST) {
        const es_expr *constant = left;
        left = right;
        right = constant;
        op = es_op_turned(op);
    }
    if (left->kind != ES_EXPR_REFERENCE || right->kind != ES_EXPR_CONST)
        return everything;
    return compared(when ? op : negated(op), right->value, expr->operand_signed);
}

/* The same of a variable of 4 bytes whose most significant one comes first, as the bus has them: one value stays one,
 * and all but one. Others are anywhere. */
static arc turned_word(arc a)
{
    if (a.span == 0)
        return (arc){(uint32_t)es_endian_turned(a.low, 4), 0};
    return a.span == 0xFFFFFFFEu ? (arc){(uint32_t)es_endian_turned(a.low - 1, 4) + 1, a.span} : everything;
}

/* The smallest arc of a variable of one or two bytes, as the bus has them, around the values that lie in one of 32
 * bits. */
static arc narrowed(arc a, unsigned bits, bool as_signed, bool is_turned)
{
    uint32_t count = 1u << bits, first = count, last = 0, gap = 0, gap_ends = 0;
    for (uint32_t raw = 0; raw < count; raw++) {
        uint32_t number = is_turned ? (uint32_t)es_endian_turned(raw, bits / 8) : raw;
        uint32_t value = as_signed && number >> (bits - 1) ? number | ~(count - 1) : number;
        if (!has(a, value))
            continue;
        if (first == count) {
            first = raw;
        } else if (raw - last > gap) {
            gap = raw - last;
            gap_ends = raw;
        }
        last = raw;
    }
    if (first == count)
        return everything; /* never true */
    if (first + count - last >= gap)
        return last - first == count - 1 ? everything : (arc){first, last - first};
    return (arc){gap_ends, count - gap};
}

/* Nothing is done at a write but to look whether the statement is true. */
static bool is_plain(const image_plan *plan, const plan_write *write)
{
    const plan_handler *handler = &plan->handlers[write->handler];
    if (handler->purpose != PLAN_STATEMENT || write->cover || write->slot || write->bytes || write->old)
        return false;
    const plan_statement *planned = &plan->statements[handler->statement];
    for (size_t i = 0; planned->olds && i < planned->statement->reference_count; i++)
        if (planned->olds[i])
            return false;
    return planned->direct && !planned->deadline && !planned->compound && !planned->after_deadlines &&
           !planned->covered && !planned->stack && planned->statement->predicate &&
           !es_indexed_counts(plan, handler->statement);
}

bool es_filter_of(const image_plan *plan, const plan_write *write, const plan_write *end, struct es_mi_filter *filter,
                  bool *narrow)
{
    const es_reference *variable = NULL;
    arc all = everything;
    for (const plan_write *w = write; w < end; w++) {
        if (!is_plain(plan, w) || w->lanes != write->lanes)
            return false;
        const es_statement *statement = plan->statements[plan->handlers[w->handler].statement].statement;
        for (size_t i = 0; i < statement->reference_count; i++) {
            const es_reference *own = &statement->references[i];
            if (own->bit_size || own->size == 8 || own->address % own->size ||
                (variable && (own->size != variable->size || plan_is_turned(own) != plan_is_turned(variable) ||
                              plan_is_signed(own->type) != plan_is_signed(variable->type))))
                return false;
            variable = own;
        }
        arc values = values_for(statement->predicate, true);
        all = w == write ? values : is_everything(values) ? everything : either(all, values);
        if (is_everything(all))
            return false;
    }
    if (!variable)
        return false;
    *narrow = variable->size < 4;
    if (*narrow)
        all = narrowed(all, variable->size * 8, plan_is_signed(variable->type), plan_is_turned(variable));
    else if (plan_is_turned(variable))
        all = turned_word(all);
    if (is_everything(all))
        return false;
    unsigned byte = variable->address & 3;
    *filter = (struct es_mi_filter){all.span, all.low};
    if (*narrow)
        filter->low |= (byte & 1 ? ES_MI_FILTER_ODD : 0) | (byte & 2 ? ES_MI_FILTER_UPPER : 0) |
                       (variable->size == 2 ? ES_MI_FILTER_TWO : 0) |
                       (uint32_t)write->lanes << ES_MI_FILTER_LANES_SHIFT;
    return true;
}
