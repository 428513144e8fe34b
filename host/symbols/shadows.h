/* Shadow cells: addresses, beyond the target's memory, at which what is not in memory can be watched on the replay
 * (docs/replay.md, "Shadow cells"). Whoever names a variable gets it with a cell for its place, as if it were of static
 * storage; es_symbols_shadows tells afterwards which cells have to be filled. */
#ifndef ES_SYMBOLS_SHADOWS_H
#define ES_SYMBOLS_SHADOWS_H

#include "symbols/symbols.h"

enum es_shadow_kind {
    ES_SHADOW_VARIABLE, /* of `variable` */
    ES_SHADOW_RESULT,   /* what `procedure` returns */
    ES_SHADOW_REGISTER, /* a register */
    ES_SHADOW_STACK,    /* bytes of the stack that runs: reg 0 those in use, 1 the most that were */
    ES_SHADOW_COPIES,   /* activations of `copies`: reg is an es_shadow_copies */
};

/* What a cell tells of activations of inlined copies (copies.h). */
enum es_shadow_copies {
    ES_SHADOW_BEGINS, /* written, with a 1, where one begins: after the fetch of its entry */
    ES_SHADOW_ENDS,   /* ... ends */
    ES_SHADOW_ACTIVE, /* how many there are on the stack that runs; written where one begins */
};

/* Code that returns a RESULT. */
typedef struct es_shadow_source {
    const es_procedure *procedure;
    const char *why; /* NULL; else its result is not known, as the compiler may have left it out: why, in words */
} es_shadow_source;

typedef struct es_shadow {
    enum es_shadow_kind kind;
    uint32_t address,
        size; /* bytes; address is a multiple of 4 (of 8 where size is 8 at least), as is the next one's */
    const es_variable *variable;     /* place is ES_PLACE_STATIC: the cell */
    const es_procedure *procedure;   /* RESULT: the first of the sources */
    const es_shadow_source *sources; /* RESULT: of several copies of a procedure all, in the order of their addresses */
    size_t source_count;
    const es_inlined_copy *const *copies;   /* COPIES: which, at least one; RESULT: which return it, too; VARIABLE: in
                                             which alone it is meant */
    const struct es_copy_ends *const *ends; /* COPIES, RESULT: ... where each ends (copies.h) */
    size_t copy_count;
    const es_variable *whole; /* VARIABLE, of some copies: of all of them; else NULL */
    unsigned reg;             /* REGISTER: DWARF's number; RESULT: of the first one; STACK, COPIES: which figure */
    bool in_memory;           /* RESULT: es_result.in_memory */
    const char *words;        /* VARIABLE: where it lives, in words: "is in register a0 in calc.c:15-18" */
} es_shadow;

/* Why a cell is unknown. Each unknown byte of a cell that is told to a probe in software holds it, so that hits tell
 * why. */
enum es_shadow_why {
    ES_SHADOW_OPTIMISED_OUT = 1, /* debug information has no place for it there */
    ES_SHADOW_UNSET,             /* nothing has set its registers or memory since the reset */
    ES_SHADOW_INACTIVE,          /* no activation of its procedure, or of an inlined copy of it, is known */
    ES_SHADOW_EARLY,             /* its register holds what the procedure has found there */
    ES_SHADOW_IN_PARTS,          /* one of its two words was set, the other one not yet */
    ES_SHADOW_INLINED,           /* RESULT: of an inlined copy, which is nowhere by what debug information says */
};

enum { ES_SHADOW_SIZE_MAX = 4096 }; /* bytes; what is larger has no cell */

/* From now on what is not in memory, or in memory for a part of its life only, gets a cell in [base, base + size),
 * which are multiples of 8. Not to be called twice. */
void es_symbols_use_shadows(es_symbols *symbols, uint32_t base, uint32_t size);
bool es_symbols_uses_shadows(const es_symbols *symbols);

/* Its procedure has other code, too, that is called: clones (es_symbols_are_clones) in which the variable has
 * copies. */
bool es_symbols_in_clones(const es_symbols *symbols, const es_variable *variable);

/* A variable that somebody names: gives it its cell, if it needs one, can have one and there is room. The variable
 * changes; it belongs to symbols as before. */
void es_symbols_name_variable(const es_symbols *symbols, const es_variable *named);

/* A variable of these inlined copies alone, that has a cell. Variables of static storage, and those that cannot have
 * one, are what they were. */
const es_variable *es_symbols_variable_of_copies(const es_symbols *symbols, const es_variable *variable,
                                                 const es_inlined_copy *const *copies, size_t count);

/* Whether the procedure's code has assignments to a variable that has a cell. */
bool es_symbols_assigns(const es_symbols *symbols, const es_procedure *procedure, const es_variable *variable);

/* What stands for the result of a procedure, or for a register, with a cell. NULL: there is none, and *why says why in
 * words ("returns nothing"). procedures: of several that were made of one of the source all, by address. */
const es_variable *es_symbols_result_shadow(const es_symbols *symbols, const es_procedure *const *procedures,
                                            size_t count, const char **why);
const es_variable *es_symbols_register_shadow(const es_symbols *symbols, const char *name, const char **why);

/* ... for the depth of the stack that runs; peak: the most that it was. */
const es_variable *es_symbols_stack_shadow(const es_symbols *symbols, bool peak, const char **why);

/* ... for activations of inlined copies, whose entries are known; text: as the variable's name. */
const es_variable *es_symbols_copies_shadow(const es_symbols *symbols, const es_inlined_copy *const *copies,
                                            size_t count, enum es_shadow_copies what, const char *text,
                                            const char **why);

/* All cells that somebody has named so far, by address. */
size_t es_symbols_shadows(const es_symbols *symbols, const es_shadow *const **shadows);
/* Whether there are any, in a program that uses them. */
bool es_symbols_has_shadows(const es_symbols *symbols);

#endif
