#include "check/target/number.h"

number es_number_range(int64_t low, int64_t high, uint8_t base)
{
    if (low < INT32_MIN || high > INT32_MAX)
        return es_number_any();
    return (number){.low = (int32_t)low, .high = (int32_t)high, .base = base};
}

number es_number_any(void)
{
    return (number){.low = INT32_MIN, .high = INT32_MAX};
}

bool es_number_is_any(number n)
{
    return n.low == INT32_MIN && n.high == INT32_MAX;
}

bool es_number_same(number a, number b)
{
    return a.low == b.low && a.high == b.high && a.base == b.base;
}

static bool is_constant(number n)
{
    return n.low == n.high && !n.base;
}

static number constant(uint32_t value)
{
    return es_number_range((int32_t)value, (int32_t)value, 0);
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

number es_number_join(number a, number b)
{
    if (a.base != b.base)
        return es_number_any();
    return es_number_range(least(a.low, b.low), most(a.high, b.high), a.base);
}

/* --- arithmetic ----------------------------------------------------------------------------------------------- */

static number sum(number a, number b)
{
    if (a.base && b.base)
        return es_number_any();
    return es_number_range((int64_t)a.low + b.low, (int64_t)a.high + b.high, a.base ? a.base : b.base);
}

static number difference(number a, number b)
{
    if (b.base && a.base != b.base)
        return es_number_any();
    return es_number_range((int64_t)a.low - b.high, (int64_t)a.high - b.low, b.base ? 0 : a.base);
}

static number shifted(es_insn_op op, number a, number b)
{
    if (!is_constant(b) || a.base)
        return es_number_any();
    unsigned by = (unsigned)b.low & 31;
    if (op == ES_ALU_SHIFT_LEFT)
        return is_constant(a)
                   ? constant((uint32_t)a.low << by)
                   : es_number_range((int64_t)a.low * (INT64_C(1) << by), (int64_t)a.high * (INT64_C(1) << by), 0);
    if (op == ES_ALU_SHIFT_ARITHMETIC)
        return es_number_range(a.low >> by, a.high >> by, 0);
    if (is_constant(a))
        return constant((uint32_t)a.low >> by);
    if (a.low >= 0)
        return es_number_range(a.low >> by, a.high >> by, 0);
    return by ? es_number_range(0, UINT32_MAX >> by, 0) : a;
}

/* Bits up to the highest one. */
static int32_t filled(int32_t n)
{
    uint32_t bits = (uint32_t)n;
    for (unsigned by = 1; by < 32; by *= 2)
        bits |= bits >> by;
    return (int32_t)bits;
}

static number bitwise(es_insn_op op, number a, number b)
{
    if (is_constant(a) && is_constant(b)) {
        uint32_t left = (uint32_t)a.low, right = (uint32_t)b.low;
        return constant(op == ES_ALU_AND ? left & right : op == ES_ALU_OR ? left | right : left ^ right);
    }
    if (op != ES_ALU_AND && is_constant(b) && !b.low)
        return a;
    bool left = !a.base && a.low >= 0, right = !b.base && b.low >= 0;
    if (op == ES_ALU_AND)
        return left && right ? es_number_range(0, least(a.high, b.high), 0)
               : left        ? es_number_range(0, a.high, 0)
               : right       ? es_number_range(0, b.high, 0)
                             : es_number_any();
    return left && right ? es_number_range(0, filled(most(a.high, b.high)), 0) : es_number_any();
}

/* 1 or 0. */
static number truth(es_insn_condition condition, number a, number b)
{
    enum number_truth is = es_number_branch(condition, a, b);
    return es_number_range(is == NUMBER_TRUE, is != NUMBER_FALSE, 0);
}

number es_number_compute(es_insn_op op, number a, number b)
{
    switch (op) {
    case ES_ALU_ADD: return sum(a, b);
    case ES_ALU_SUBTRACT: return difference(a, b);
    case ES_ALU_MULTIPLY:
        return is_constant(a) && is_constant(b) ? constant((uint32_t)a.low * (uint32_t)b.low) : es_number_any();
    case ES_ALU_SHIFT_LEFT:
    case ES_ALU_SHIFT_RIGHT:
    case ES_ALU_SHIFT_ARITHMETIC: return shifted(op, a, b);
    case ES_ALU_LESS: return truth(ES_IF_LESS, a, b);
    case ES_ALU_LESS_UNSIGNED: return truth(ES_IF_LESS_UNSIGNED, a, b);
    case ES_ALU_AND:
    case ES_ALU_OR:
    case ES_ALU_XOR: return bitwise(op, a, b);
    default: return es_number_any();
    }
}

number es_number_stored(number n, unsigned bytes)
{
    if (bytes >= 4)
        return n;
    int32_t last = bytes == 1 ? 0xFF : 0xFFFF;
    if (n.base)
        return es_number_range(0, last, 0);
    if (n.low == n.high)
        return constant((uint32_t)n.low & (uint32_t)last);
    return n.low >= 0 && n.high <= last ? n : es_number_range(0, last, 0);
}

number es_number_loaded(number n, unsigned bytes, bool is_signed)
{
    if (bytes >= 4 || !is_signed)
        return n;
    int32_t half = bytes == 1 ? 0x80 : 0x8000;
    if (n.high < half)
        return n;
    return n.low >= half ? es_number_range(n.low - 2 * half, n.high - 2 * half, 0)
                         : es_number_range(-half, half - 1, 0);
}

/* --- branches ------------------------------------------------------------------------------------------------- */

static enum number_truth negated(enum number_truth is)
{
    return is == NUMBER_PERHAPS ? is : is == NUMBER_TRUE ? NUMBER_FALSE : NUMBER_TRUE;
}

static enum number_truth equal(number a, number b)
{
    if (a.base != b.base)
        return NUMBER_PERHAPS;
    if (a.low == a.high && b.low == b.high && a.low == b.low)
        return NUMBER_TRUE;
    return a.high < b.low || b.high < a.low ? NUMBER_FALSE : NUMBER_PERHAPS;
}

static enum number_truth below(int64_t a_low, int64_t a_high, int64_t b_low, int64_t b_high)
{
    return a_high < b_low ? NUMBER_TRUE : a_low >= b_high ? NUMBER_FALSE : NUMBER_PERHAPS;
}

static enum number_truth below_unsigned(number a, number b)
{
    if (is_constant(b) && !b.low)
        return NUMBER_FALSE;
    if ((a.low < 0 && a.high >= 0) || (b.low < 0 && b.high >= 0))
        return NUMBER_PERHAPS;
    return below((uint32_t)a.low, (uint32_t)a.high, (uint32_t)b.low, (uint32_t)b.high);
}

enum number_truth es_number_branch(es_insn_condition condition, number a, number b)
{
    if (condition == ES_IF_EQUAL)
        return equal(a, b);
    if (condition == ES_IF_SOMETHING || (condition != ES_IF_NOT_EQUAL && (a.base || b.base)))
        return NUMBER_PERHAPS;
    if (condition == ES_IF_LESS)
        return below(a.low, a.high, b.low, b.high);
    if (condition == ES_IF_LESS_UNSIGNED)
        return below_unsigned(a, b);
    return negated(es_number_branch((es_insn_condition)(condition ^ 1), a, b));
}

/* a < b, in numbers that are all signed, or all unsigned and below 2^31. */
static bool refine_below(number *a, number *b)
{
    if (b->high == INT32_MIN || a->low == INT32_MAX)
        return false;
    a->high = least(a->high, b->high - 1);
    b->low = most(b->low, a->low + 1);
    return a->low <= a->high && b->low <= b->high;
}

static bool refine_not_below(number *a, number *b)
{
    a->low = most(a->low, b->low);
    b->high = least(b->high, a->high);
    return a->low <= a->high && b->low <= b->high;
}

static void take_off(number *a, number b)
{
    if (b.low != b.high || a->low == a->high)
        return;
    if (a->low == b.low)
        a->low++;
    else if (a->high == b.low)
        a->high--;
}

bool es_number_refine(es_insn_condition condition, bool taken, number *a, number *b)
{
    enum number_truth is = es_number_branch(condition, *a, *b);
    if (is != NUMBER_PERHAPS)
        return (is == NUMBER_TRUE) == taken;
    if (a->base != b->base || condition == ES_IF_SOMETHING)
        return true;
    bool equality = condition == ES_IF_EQUAL || condition == ES_IF_NOT_EQUAL;
    bool holds = taken == !(condition & 1); /* the condition that is not the opposite of another one */
    if (equality && holds) {
        a->low = b->low = most(a->low, b->low);
        a->high = b->high = least(a->high, b->high);
        return a->low <= a->high;
    }
    if (equality) {
        take_off(a, *b);
        take_off(b, *a);
        return true;
    }
    if (a->base)
        return true;
    if (condition >= ES_IF_LESS_UNSIGNED) {
        if (b->low >= 0 && a->low < 0 && a->high >= 0 && holds) /* below a number that is none of the upper half */
            a->low = 0;
        if (a->low < 0 || b->low < 0)
            return true;
    }
    return holds ? refine_below(a, b) : refine_not_below(a, b);
}
