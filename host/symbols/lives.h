/* Inside of the search for when a place holds a variable: what its files share. */
#ifndef ES_SYMBOLS_LIVES_H
#define ES_SYMBOLS_LIVES_H

#include "symbols/location.h"

enum kind { SOMEWHERE, ON_STACK, IN_REGISTER };

typedef struct entry {
    uint32_t low, high;
    enum kind kind;
    int32_t offset; /* ON_STACK: from the CFA */
    unsigned reg;   /* IN_REGISTER; 0: it is the constant 0 */
} entry;

typedef struct place {
    enum kind kind;
    unsigned reg;
} place;

typedef struct search {
    es_symbols *symbols;
    const es_procedure *procedure;
    SYMBOLS_LIST(entry) entries;
    size_t count; /* instructions */
    symbols_insn *insns;
    uint32_t *words;
    int32_t *depth;          /* by instruction: bytes from the stack pointer to the CFA; -1: not expressed by it */
    const es_store **stores; /* by instruction: what it stores, NULL nothing */
    bool *table;             /* by instruction: a jump table leads there */
    place *listed;           /* by instruction: what the list says before it */
    bool *holds;             /* by instruction: the fact before it */
    int32_t offset;          /* the place in question, and its size */
    unsigned size;
} search;

static inline bool lives_is_link(unsigned reg)
{
    return reg == 1 || reg == 5;
}

static inline bool lives_is_call(const symbols_insn *insn)
{
    return (insn->op == SYMBOLS_OP_JAL || insn->op == SYMBOLS_OP_JALR) && lives_is_link(insn->rd);
}

static inline bool lives_is_jump(const symbols_insn *insn)
{
    return (insn->op == SYMBOLS_OP_JAL || insn->op == SYMBOLS_OP_JALR) && !lives_is_link(insn->rd);
}

static inline bool lives_is_kept(unsigned reg) /* by calls */
{
    return reg == 0 || reg == 8 || reg == 9 || (reg >= 18 && reg <= 27);
}

/* lives_code.c: the procedure's code. Instructions by their number in it. */

uint32_t es_lives_address_of(const search *s, size_t index);
/* False: the procedure's code cannot be followed. */
bool es_lives_read_code(search *s);
/* Whether execution may go on at instruction `to` behind `from`. */
bool es_lives_goes_on_at(const search *s, size_t from, size_t to);
/* Whether the instruction, which is no call, loads register reg from the place. */
bool es_lives_loads_place(const search *s, size_t i, unsigned reg);
/* Bytes that a store writes of the place: 0 none, 1 some, 2 all from its first one on. */
int es_lives_stores_place(const search *s, size_t i);
/* Whether the register that an instruction writes reaches the place, itself or a copy, on any way. */
bool es_lives_is_stored_later(const search *s, size_t from);

#endif
