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

static number shifted(uint32_t insn, number a, number b)
{
    if (!is_constant(b) || a.base)
        return es_number_any();
    unsigned by = (unsigned)b.low & 31;
    if ((insn >> 12 & 7) == 1)
        return is_constant(a)
                   ? constant((uint32_t)a.low << by)
                   : es_number_range((int64_t)a.low * (INT64_C(1) << by), (int64_t)a.high * (INT64_C(1) << by), 0);
    if (insn >> 30 & 1)
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

static number bitwise(unsigned funct3, number a, number b)
{
    if (is_constant(a) && is_constant(b)) {
        uint32_t left = (uint32_t)a.low, right = (uint32_t)b.low;
        return constant(funct3 == 7 ? left & right : funct3 == 6 ? left | right : left ^ right);
    }
    if (funct3 != 7 && is_constant(b) && !b.low)
        return a;
    bool left = !a.base && a.low >= 0, right = !b.base && b.low >= 0;
    if (funct3 == 7)
        return left && right ? es_number_range(0, least(a.high, b.high), 0)
               : left        ? es_number_range(0, a.high, 0)
               : right       ? es_number_range(0, b.high, 0)
                             : es_number_any();
    return left && right ? es_number_range(0, filled(most(a.high, b.high)), 0) : es_number_any();
}

number es_number_compute(uint32_t insn, number a, number b)
{
    unsigned funct3 = insn >> 12 & 7;
    bool immediate = !(insn & 0x20);
    if (!immediate && (insn >> 25 & 1)) /* M */
        return funct3 == 0 && is_constant(a) && is_constant(b) ? constant((uint32_t)a.low * (uint32_t)b.low)
                                                               : es_number_any();
    switch (funct3) {
    case 0: return !immediate && (insn >> 30 & 1) ? difference(a, b) : sum(a, b);
    case 1:
    case 5: return shifted(insn, a, b);
    case 2:
    case 3: {
        enum number_truth is = es_number_branch(funct3 == 2 ? 4 : 6, a, b);
        return es_number_range(is == NUMBER_TRUE, is != NUMBER_FALSE, 0);
    }
    default: return bitwise(funct3, a, b);
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

enum number_truth es_number_branch(unsigned funct3, number a, number b)
{
    enum number_truth is;
    if (funct3 < 2)
        return funct3 == 0 ? equal(a, b) : negated(equal(a, b));
    if (a.base || b.base)
        return NUMBER_PERHAPS;
    is = (funct3 & 6) == 4 ? below(a.low, a.high, b.low, b.high) : below_unsigned(a, b);
    return funct3 & 1 ? negated(is) : is;
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

bool es_number_refine(unsigned funct3, bool taken, number *a, number *b)
{
    enum number_truth is = es_number_branch(funct3, *a, *b);
    if (is != NUMBER_PERHAPS)
        return (is == NUMBER_TRUE) == taken;
    if (a->base != b->base)
        return true;
    bool holds = taken == !(funct3 & 1); /* beq, blt, bltu's condition */
    if (funct3 < 2 && holds) {
        a->low = b->low = most(a->low, b->low);
        a->high = b->high = least(a->high, b->high);
        return a->low <= a->high;
    }
    if (funct3 < 2) {
        take_off(a, *b);
        take_off(b, *a);
        return true;
    }
    if (a->base)
        return true;
    if ((funct3 & 6) == 6) {
        if (b->low >= 0 && a->low < 0 && a->high >= 0 && holds) /* below a number that is none of the upper half */
            a->low = 0;
        if (a->low < 0 || b->low < 0)
            return true;
    }
    return holds ? refine_below(a, b) : refine_not_below(a, b);
}
