#include "check/firmware/word.h"

/* A bit of the sum is known where both operands' bits are and the carry into it is: the same for the least and the
 * greatest of their values. */
es_check_word es_word_sum(es_check_word a, es_check_word b, uint32_t carry)
{
    uint32_t most_a = a.bits | ~a.known, most_b = b.bits | ~b.known;
    uint32_t least = a.bits + b.bits + carry, most = most_a + most_b + carry;
    uint32_t no_carry = ~(most ^ most_a ^ most_b), carries = least ^ a.bits ^ b.bits;
    return word_masked(least, a.known & b.known & (no_carry | carries));
}

static es_check_word negated(es_check_word a) /* ones' complement */
{
    return word_masked(~a.bits, a.known);
}

static es_check_word conjunction(es_check_word a, es_check_word b)
{
    uint32_t zero = (a.known & ~a.bits) | (b.known & ~b.bits);
    return word_masked(a.bits & b.bits, (a.known & b.known) | zero);
}

static es_check_word disjunction(es_check_word a, es_check_word b)
{
    return negated(conjunction(negated(a), negated(b)));
}

static uint32_t lowest(es_check_word w) /* as unsigned */
{
    return w.bits;
}

static uint32_t highest(es_check_word w)
{
    return w.bits | ~w.known;
}

static int32_t lowest_signed(es_check_word w)
{
    return (int32_t)(w.bits | (~w.known & 0x80000000u));
}

static int32_t highest_signed(es_check_word w)
{
    return (int32_t)(w.bits | (~w.known & 0x7FFFFFFFu));
}

/* Comparisons: 0, 1, or -1 for unknown. */
int es_word_less(es_check_word a, es_check_word b, bool is_signed)
{
    if (is_signed)
        return highest_signed(a) < lowest_signed(b) ? 1 : lowest_signed(a) >= highest_signed(b) ? 0 : -1;
    return highest(a) < lowest(b) ? 1 : lowest(a) >= highest(b) ? 0 : -1;
}

int es_word_equal(es_check_word a, es_check_word b)
{
    if ((a.bits ^ b.bits) & a.known & b.known)
        return 0;
    return word_is_known(a) && word_is_known(b) ? 1 : -1;
}

static es_check_word flag(int truth)
{
    return truth < 0 ? (es_check_word){0, ~1u} : check_known((uint32_t)truth);
}

es_check_word es_word_shift(es_check_word a, unsigned by, es_insn_op op)
{
    if (op == ES_ALU_SHIFT_LEFT)
        return word_masked(a.bits << by, a.known << by | ((1u << by) - 1));
    uint32_t filled = by ? ~(0xFFFFFFFFu >> by) : 0;
    if (op == ES_ALU_SHIFT_RIGHT)
        return word_masked(a.bits >> by, a.known >> by | filled);
    return word_masked((uint32_t)((int32_t)a.bits >> by), (uint32_t)((int32_t)a.known >> by));
}

es_check_word es_word_compute(es_insn_op op, es_check_word a, es_check_word b)
{
    switch (op) {
    case ES_ALU_ADD: return es_word_sum(a, b, 0);
    case ES_ALU_SUBTRACT: return es_word_sum(a, negated(b), 1);
    case ES_ALU_LESS: return flag(es_word_less(a, b, true));
    case ES_ALU_LESS_UNSIGNED: return flag(es_word_less(a, b, false));
    case ES_ALU_XOR: return word_masked(a.bits ^ b.bits, a.known & b.known);
    case ES_ALU_OR: return disjunction(a, b);
    case ES_ALU_AND: return conjunction(a, b);
    case ES_ALU_SHIFT_LEFT:
    case ES_ALU_SHIFT_RIGHT:
    case ES_ALU_SHIFT_ARITHMETIC:
        return (b.known & 31) == 31 ? es_word_shift(a, b.bits & 31, op) : (es_check_word){0, 0};
    default: return (es_check_word){0, 0};
    }
}
