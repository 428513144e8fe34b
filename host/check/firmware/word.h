/* Words of which some bits are known, and what the soft core computes from them. */
#ifndef ES_CHECK_WORD_H
#define ES_CHECK_WORD_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/insn.h"

/* A 32-bit word of which the bits in `known` are as in `bits`; all others are 0 there. */
typedef struct es_check_word {
    uint32_t bits, known;
} es_check_word;

static inline es_check_word check_known(uint32_t bits)
{
    return (es_check_word){bits, 0xFFFFFFFFu};
}

static inline bool word_is_known(es_check_word w)
{
    return w.known == 0xFFFFFFFFu;
}

static inline es_check_word word_masked(uint32_t bits, uint32_t known)
{
    return (es_check_word){bits & known, known};
}

es_check_word es_word_sum(es_check_word a, es_check_word b, uint32_t carry);
/* Comparisons: 0, 1, or -1 for unknown. */
int es_word_less(es_check_word a, es_check_word b, bool is_signed);
int es_word_equal(es_check_word a, es_check_word b);
/* By 0 to 31 bits; op: one of those that shift. */
es_check_word es_word_shift(es_check_word a, unsigned by, es_insn_op op);
/* The result of a COMPUTE; b: its second operand. */
es_check_word es_word_compute(es_insn_op op, es_check_word a, es_check_word b);

#endif
