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

es_check_word es_word_shift(es_check_word a, unsigned by, unsigned funct3, bool arithmetic)
{
    if (funct3 == 1)
        return word_masked(a.bits << by, a.known << by | ((1u << by) - 1));
    uint32_t filled = by ? ~(0xFFFFFFFFu >> by) : 0;
    if (!arithmetic)
        return word_masked(a.bits >> by, a.known >> by | filled);
    return word_masked((uint32_t)((int32_t)a.bits >> by), (uint32_t)((int32_t)a.known >> by));
}

es_check_word es_word_compute(uint32_t insn, es_check_word a, es_check_word b)
{
    bool alternative = insn >> 30 & 1, immediate = (insn & 0x7F) == 0x13;
    switch (insn >> 12 & 7) {
    case 0: return alternative && !immediate ? es_word_sum(a, negated(b), 1) : es_word_sum(a, b, 0);
    case 2: return flag(es_word_less(a, b, true));
    case 3: return flag(es_word_less(a, b, false));
    case 4: return word_masked(a.bits ^ b.bits, a.known & b.known);
    case 6: return disjunction(a, b);
    case 7: return conjunction(a, b);
    default: /* shifts */
        return (b.known & 31) == 31 ? es_word_shift(a, b.bits & 31, insn >> 12 & 7, alternative)
                                    : (es_check_word){0, 0};
    }
}
