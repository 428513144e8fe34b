/* Inside of the search for when a place holds a variable: what its files share. */
#ifndef ES_SYMBOLS_HELD_H
#define ES_SYMBOLS_HELD_H

#include "symbols/location.h"

enum kind { SOMEWHERE, ON_STACK, IN_REGISTER };

typedef struct entry {
    uint32_t low, high;
    enum kind kind;
    int32_t offset; /* ON_STACK: from the CFA */
    unsigned reg;   /* IN_REGISTER, of any file (insn.h); 0: it is the constant 0 */
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
    es_insn *insns;
    uint32_t *at;            /* by instruction: its address; after the last one, the procedure's end */
    size_t *numbers;         /* by the smallest instruction's size from the procedure's first one on: 1 + the
                              * instruction that begins there; 0: none does */
    int32_t *depth;          /* by instruction: bytes from the stack pointer to the CFA; -1: not expressed by it */
    const es_store **stores; /* by instruction: what it stores, NULL nothing */
    bool *table;             /* by instruction: a jump table leads there */
    place *listed;           /* by instruction: what the list says before it */
    bool *holds;             /* by instruction: the fact before it */
    int32_t offset;          /* the place in question, and its size */
    unsigned size;
} search;

/* Calls leave what the register holds: the constant 0, or what callees keep. */
static inline bool lives_is_kept(const search *s, unsigned reg)
{
    return reg == 0 || es_isa_keeps(s->symbols->isa, reg);
}

/* held_code.c: the procedure's code. Instructions by their number in it. */

/* The instruction that begins at an address; the procedure's number of them: none does. */
size_t es_lives_number_of(const search *s, uint32_t address);
/* False: the procedure's code cannot be followed. */
bool es_lives_read_code(search *s);
/* Calls `visit` for each instruction of the procedure at which execution may go on after instruction `from`. */
void es_lives_each_way(const search *s, size_t from, void (*visit)(void *context, size_t to), void *context);
/* Whether the instruction, which is no call, loads register reg from the place. */
bool es_lives_loads_place(const search *s, size_t i, unsigned reg);
/* Bytes that a store writes of the place: 0 none, 1 some, 2 all from its first one on. */
int es_lives_stores_place(const search *s, size_t i);
/* Whether the register that an instruction writes reaches the place, itself or a copy, on any way. */
bool es_lives_is_stored_later(const search *s, size_t from);

#endif
