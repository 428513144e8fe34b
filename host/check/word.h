/* Words of which some bits are known, and what the soft core computes from them. */
#ifndef ES_CHECK_WORD_H
#define ES_CHECK_WORD_H

#include <stdbool.h>
#include <stdint.h>

/* A 32-bit word of which the bits in `known` are as in `bits`; all others are 0 there. */
typedef struct check_word {
    uint32_t bits, known;
} check_word;

static inline check_word check_known(uint32_t bits)
{
    return (check_word){ bits, 0xFFFFFFFFu };
}

static inline bool word_is_known(check_word w)
{
    return w.known == 0xFFFFFFFFu;
}

static inline check_word word_masked(uint32_t bits, uint32_t known)
{
    return (check_word){ bits & known, known };
}

check_word word_sum(check_word a, check_word b, uint32_t carry);
/* Comparisons: 0, 1, or -1 for unknown. */
int word_less(check_word a, check_word b, bool is_signed);
int word_equal(check_word a, check_word b);
/* funct3 as instructions have it: 1 to the left, else to the right. */
check_word word_shift(check_word a, unsigned by, unsigned funct3, bool arithmetic);
/* The result of an instruction of class op or op-imm; b: its second operand. */
check_word word_compute(uint32_t insn, check_word a, check_word b);

#endif
