/* What the passes of the monitor IR share. */
#ifndef ES_IR_PASSES_H
#define ES_IR_PASSES_H

#include "ir/ir.h"

/* Registers that an instruction reads: up to two operands, and a set of the soft core's. */
typedef struct es_ir_reads {
    es_ir_reg operand[2];
    unsigned count;
    uint32_t set;
} es_ir_reads;

es_ir_reads es_ir_reads_of(const es_ir_insn *insn);

/* The register that it writes; false: none. What a call gives and spoils is beside it. */
bool es_ir_writes(const es_ir_insn *insn, es_ir_reg *rd);

bool es_ir_is_call(const es_ir_insn *insn); /* CALL that comes back, LINK */
bool es_ir_goes_on(const es_ir_insn *insn); /* ... at the next instruction, perhaps among others */
bool es_ir_goes_to_label(const es_ir_insn *insn);
bool es_ir_is_entry(const es_ir_code *code, size_t at); /* code elsewhere may go there */
bool es_ir_is_pure(const es_ir_insn *insn); /* nothing but its result: it may be left out when nobody takes that */
bool es_ir_is_useless(const es_ir_code *code, size_t at); /* a jump to the place right after it */

/* What the code after the end, which may be run into, takes: a routine of a statement. */
#define ES_IR_AFTER_END (ES_IR_SET(ES_IR_A0) | ES_IR_SET(ES_IR_RA))

/* Index of each label's instruction; code->count: it is not placed. */
size_t *es_ir_places(const es_ir_code *code, es_arena *arena);

/* Which registers are live after each instruction: sets of `words` words each. */
typedef struct es_ir_liveness {
    size_t words;
    uint64_t *after; /* [instruction * words] */
    uint64_t *begin; /* before the first, and where else the code is entered */
} es_ir_liveness;

void es_ir_find_live(es_ir_liveness *live, const es_ir_code *code, es_arena *arena);

static inline bool es_ir_has(const uint64_t *set, size_t number)
{
    return set[number / 64] >> number % 64 & 1;
}

static inline void es_ir_put(uint64_t *set, size_t number)
{
    set[number / 64] |= (uint64_t)1 << number % 64;
}

/* Inserts into the list while it is walked: `from` instructions of the old list have been taken. */
typedef struct es_ir_rewrite {
    es_ir_code *code;
    es_ir_insn *old;
    size_t count;
} es_ir_rewrite;

/* Takes the list away, so that it can be built anew by the functions of ir.h and es_ir_keep. */
void es_ir_rewrite_begin(es_ir_rewrite *rewrite, es_ir_code *code);
void es_ir_keep(es_ir_code *code, const es_ir_insn *insn);
void es_ir_rewrite_end(es_ir_rewrite *rewrite);

#endif
