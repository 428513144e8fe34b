/* The program's code as it is executed: for each place what is there, and how often it was executed. */
#ifndef ES_PROF_CODE_H
#define ES_PROF_CODE_H

#include "isa/isa.h"
#include "machine/machine.h"
#include "symbols/symbols.h"

/* How execution may go on after an instruction other than to the next one, as far as calls are concerned. */
enum es_prof_kind {
    ES_PROF_PLAIN, /* also branches, and jumps to a place that the instruction names */
    ES_PROF_CALL,
    ES_PROF_HELPER_RETURN, /* of a compiler's helper, which may have moved the stack pointer */
    ES_PROF_BY_REGISTER,   /* returns and computed jumps */
    ES_PROF_TRAP_RETURN,
};

/* A place of code, of 2 bytes. */
typedef struct es_prof_cell {
    uint64_t count;     /* of executions */
    uint64_t clocks;    /* that these took, times 2^ES_REPLAY_PACE_BITS */
    uint32_t word;      /* the instruction that `kind` and `size` are of */
    uint32_t procedure; /* a number of es_prof_code.names */
    uint8_t kind, size; /* size 0: nothing was executed there */
    bool switches;      /* the stack may become another one there */
} es_prof_cell;

enum { ES_PROF_PAGE_BITS = 11 }; /* places of a page */

typedef struct es_prof_code {
    const es_symbols *symbols;
    const es_isa *isa;
    es_prof_cell **pages;   /* by address; NULL: nothing of it was executed */
    const char **names;     /* of procedures; the last one is of code that belongs to none */
    uint32_t *starts;       /* of procedures: their first instructions */
    size_t procedure_count; /* ... that one with them */
    es_arena *arena;
    es_switch *switches;
    size_t switch_count;
} es_prof_code;

/* Of a program whose symbols stay open as long. */
void es_prof_code_init(es_prof_code *code, const es_symbols *symbols);
void es_prof_code_free(es_prof_code *code);

/* Makes a cell of the instruction `word` at a place of which nothing is known, or another one. */
es_prof_cell *es_prof_cell_make(es_prof_code *code, uint32_t pc, uint32_t word);

/* The cell of the place, or NULL. */
static inline es_prof_cell *es_prof_cell_at(const es_prof_code *code, uint32_t pc)
{
    es_prof_cell *page = code->pages[pc >> (ES_PROF_PAGE_BITS + 1)];
    return page ? &page[pc >> 1 & ((1u << ES_PROF_PAGE_BITS) - 1)] : NULL;
}

/* The number of the procedure that has an address; moved parts ("f.cold") belong to f. */
uint32_t es_prof_procedure(const es_prof_code *code, uint32_t pc);

/* Hands all places that were executed to `each`, by ascending address. */
void es_prof_each_cell(const es_prof_code *code, void (*each)(void *context, uint32_t pc, const es_prof_cell *cell),
                       void *context);

#endif
