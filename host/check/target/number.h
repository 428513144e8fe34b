/* Numbers in loops: a range, perhaps from what a register held at the procedure's entry. */
#ifndef ES_CHECK_NUMBER_H
#define ES_CHECK_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/insn.h"

/* Congruent modulo 2^32 to what the base stands for plus low to high. */
typedef struct number {
    int32_t low, high;
    uint8_t base; /* 0: nothing; r + 1: what register r held at the procedure's entry */
} number;

enum number_truth { NUMBER_FALSE, NUMBER_TRUE, NUMBER_PERHAPS };

/* Any word at all when the range is wider than a word. */
number es_number_range(int64_t low, int64_t high, uint8_t base);
number es_number_any(void);
bool es_number_is_any(number n);
bool es_number_same(number a, number b);
number es_number_join(number a, number b);
/* The result of a COMPUTE; b: its second operand. */
number es_number_compute(es_insn_op op, number a, number b);
/* What of a number a store of 1, 2 or 4 bytes keeps, and what a load makes of what is kept. */
number es_number_stored(number n, unsigned bytes);
number es_number_loaded(number n, unsigned bytes, bool is_signed);
/* Whether a condition holds. */
enum number_truth es_number_branch(es_insn_condition condition, number a, number b);
/* What is left of the numbers when a branch goes so. False: it cannot. */
bool es_number_refine(es_insn_condition condition, bool taken, number *a, number *b);

#endif
