/* Inside of values: compiled location expressions. */
#ifndef ES_SYMBOLS_VALUES_PRIVATE_H
#define ES_SYMBOLS_VALUES_PRIVATE_H

#include "symbols/internal.h"
#include "symbols/values.h"

/* What an operation works on: DWARF's generic type, an address's size, or a base type. */
typedef struct value_type {
    uint8_t bits; /* 8 to 64 */
    bool is_signed;
    bool is_float; /* its bits are moved, and nothing is computed */
} value_type;

/* number2 of DW_OP_regval_type: 0, or a number of 64 bits is in this register and the next one. */
enum { PAIR_LOWER_FIRST = 1, PAIR_UPPER_FIRST };

typedef struct value_op {
    uint8_t atom;    /* DW_OP_*; registers as DW_OP_bregx, DW_OP_regx, frame base and CFA expressed by them */
    bool generic;    /* of the generic type; else `type` */
    value_type type; /* of DW_OP_convert, _regval_type, _deref_type, _const_type */
    uint32_t at;     /* bytes from the expression's start, which jumps count by */
    uint64_t number, number2;
} value_op;

enum value_kind { VALUE_NOWHERE, VALUE_REGISTER, VALUE_MEMORY, VALUE_STACK, VALUE_BYTES };

typedef struct value_piece {
    enum value_kind kind;
    uint32_t offset, size; /* bytes of the variable; size 0: all that follow */
    uint32_t skip;         /* REGISTER: of its bytes, from the least significant one on, so many are not meant */
    unsigned reg;          /* REGISTER */
    const uint8_t *bytes;  /* BYTES: size is byte_count at most */
    uint32_t byte_count;
    const value_op *ops; /* MEMORY: make its address; STACK: the value */
    size_t op_count;
} value_piece;

struct es_value {
    const char *reason, *words;
    uint64_t registers, entry;
    bool big_endian; /* numbers in memory, and the value's own bytes */
    const value_piece *pieces;
    size_t piece_count;
    bool by_convention; /* of a parameter at the procedure's first instruction: debug information does not have it */
    bool guarded;       /* where the procedure may not have put it yet */
    bool in_frame;      /* it is an object in the frame, and nothing else */
};

/* Where an expression is compiled. */
typedef struct value_place {
    es_symbols *symbols;
    Dwarf_Die *function;        /* the subprogram whose frame is meant; NULL: none */
    Dwarf_Attribute *attribute; /* that the expression comes from */
    uint32_t low, *high;        /* the address; *high becomes less where the CFA is expressed by something else */
} value_place;

/* value_compile.c. Never NULL. */
const es_value *es_symbols_compile_value(const value_place *place, const Dwarf_Op *ops, size_t count);
/* A value of these bytes, which live as long as symbols; of this number, in as many bytes as are asked for, 8 at most;
 * or one that has a reason only. */
const es_value *es_symbols_value_of_bytes(es_symbols *symbols, const uint8_t *bytes, uint32_t count, const char *words);
const es_value *es_symbols_value_of_number(es_symbols *symbols, uint64_t number, const char *words);
const es_value *es_symbols_no_value(es_symbols *symbols, const char *reason);

/* parameters.c */

/* What debug information has at the procedure's first instruction. */
typedef struct symbols_there {
    const es_value *value; /* NULL: nothing */
    bool always;           /* for all of the code, also for what comes before it is there */
} symbols_there;

/* Whether the convention is what counts at that instruction instead: *entry is its range. *guarded: what debug
 * information has is not known before the procedure has put it there. */
bool es_symbols_enters(es_symbols *symbols, const symbols_procedure *procedure, Dwarf_Die *function, const void *origin,
                       const es_type *type, const symbols_there *there, es_value_range *entry, bool *guarded);
/* left_out.c: whether what debug information has of a clone's parameter at its first instruction may be something else
 * than what calls have passed. origin: the parameter's abstract DIE; size: its bytes. */
bool es_symbols_made_after_call(const es_symbols *symbols, const void *origin, const es_value *there, uint32_t size);
/* set_up.c: takes off the ranges of a local where it is not there, where debug information has it in registers in all
 * of its block's code. function: of the source, whose local it is. Returns whether that was anything. */
bool es_symbols_drop_unset(es_symbols *symbols, const es_procedure *procedure, Dwarf_Die *die, Dwarf_Die *function,
                           es_value_range **ranges, size_t *count);
/* slots.c: whether the procedure's code stores to any of these bytes of its frame, or that cannot be told. */
bool es_symbols_stores_into(const es_symbols *symbols, const es_procedure *procedure, int32_t offset, uint32_t size);
/* Places in the procedure's frame, of a location of a part of its code, become what they are: *ops. reg: the register
 * in which the local was before; 64: in none. False: nothing is stored there. */
bool es_symbols_right_slots(es_symbols *symbols, const symbols_procedure *procedure, Dwarf_Die *function, unsigned reg,
                            Dwarf_Op **ops, size_t count);
/* unstored.c: whether the procedure itself stores to any of `size` bytes of its frame that a location names. */
bool es_symbols_stores_at(const es_symbols *symbols, const es_procedure *procedure, const Dwarf_Op *op, uint32_t size);
/* The first address from `low` on, up to `high`, where the procedure can have stored something in all of the frame's
 * places that a location names. ops: as es_symbols_right_slots has left them. */
uint32_t es_symbols_stored_from(const es_symbols *symbols, const es_procedure *procedure, const Dwarf_Op *ops,
                                size_t count, uint32_t low, uint32_t high);
/* What the convention has in registers for floating point: bytes that fit one; and whether a type has such values. */
unsigned es_symbols_float_registers(const es_symbols *symbols);
bool es_symbols_holds_floats(const es_type *type, unsigned depth);

/* contradictions.c: cuts ranges with a constant where a jump comes with another value. The first one of these in words;
 * NULL: there is none. */
const char *es_symbols_drop_contradicted(es_symbols *symbols, const es_procedure *procedure, es_value_range *ranges,
                                         size_t count);

/* value_stack.c: runs a piece's operations. False: they cannot be told. */
typedef struct value_word {
    uint64_t value, unknown;
    value_type type;
    bool generic;
} value_word;
bool es_value_run(const es_value *value, const value_piece *piece, const es_value_context *context, value_word *top);

/* taken.c: whether a procedure returns what the source says. False: it is a clone of which the compiler may have left
 * out the result ("f.isra.0"), and no caller of it is seen to read the register that would have it. */
bool es_symbols_keeps_result(const es_symbols *symbols, const es_procedure *procedure, unsigned reg, bool in_memory);

#endif
