/* Where a variable's value is at each instruction: what debug information says of registers, memory, constants and
 * expressions, for who has registers and memory at hand (the replay).
 *
 * A variable has *copies*: its procedure's own code, and each place into which the procedure was inlined. A copy has
 * ranges of addresses, each with an es_value: how to get the value before the instruction there is executed, in the
 * innermost activation of copy->procedure. In an activation that has called something, what counts is the range of the
 * call's last byte: the address where it returns to, minus 1. */
#ifndef ES_SYMBOLS_VALUES_H
#define ES_SYMBOLS_VALUES_H

#include "symbols/symbols.h"

typedef struct es_value es_value;

typedef struct es_code_range {
    uint32_t low, high; /* [low, high) */
} es_code_range;

typedef struct es_value_range {
    uint32_t low, high; /* [low, high) */
    const es_value *value;
} es_value_range;

typedef struct es_value_copy {
    const es_procedure *procedure; /* whose code and activations; NULL: of static storage, valid everywhere */
    bool parameter;                /* it has its first value from the call */
    bool inlined;                  /* into the procedure: active only in `code` */
    const es_inlined_copy *of;     /* ... which copy; NULL: none that is known */
    const es_code_range *code;     /* of an inlined copy */
    size_t code_count;
    const es_code_range *scope; /* the block that declares it, in that copy, or all of the procedure */
    size_t scope_count;
    const es_value_range *ranges; /* ascending and apart; where there is none, it was optimised away */
    size_t count;
    /* of a parameter: its value where the procedure is called, before its first instruction, where debug information
     * has that apart from what it has at that instruction; NULL: it has not */
    const es_value *entry;
    bool later; /* debug information also has it in code before it is there, which is not among `ranges` */
    /* where debug information contradicts itself, so that a constant of its is not among `ranges`: "is the constant
     * 0 in a.c:12, and is in register a4 where a jump leads there"; NULL: nowhere */
    const char *contradiction;
} es_value_copy;

/* All copies that have code; returns how many. */
size_t es_symbols_value_copies(const es_symbols *symbols, const es_variable *variable, const es_value_copy **copies);

/* es_value_copy.contradiction of any copy; NULL: there is none. */
const char *es_symbols_contradiction(const es_symbols *symbols, const es_variable *variable);

/* Whether some instruction at least has a value for it. */
bool es_symbols_has_value(const es_symbols *symbols, const es_variable *variable);

/* The range that has an address; NULL: none, there it was optimised away. */
const es_value_range *es_value_at(const es_value_copy *copy, uint32_t address);

/* What is known there where the procedure is called: es_value_copy.entry, or the range's; NULL: nothing. */
const es_value *es_value_at_entry(const es_value_copy *copy);

/* NULL: it can be read. Else why not, in words: "was optimised away", "is thread-local ...". */
const char *es_value_reason(const es_value *value);

/* It is not debug information that says so, but the calling convention: of a parameter, at its procedure's first
 * instruction only. */
bool es_value_by_convention(const es_value *value);

/* Of a parameter, which the procedure was called with somewhere else, or of a local in the frame: what of the frame's
 * memory it has not stored since its beginning is not known, nor is what stands on registers none of which it has
 * set. */
bool es_value_guarded(const es_value *value);

/* It is an object in the frame: the registers on which it depends are those that tell where the frame is. */
bool es_value_in_frame(const es_value *value);

/* In words: "is in register a5", "is the constant 5, stored nowhere". */
const char *es_value_words(const es_value *value);

/* The registers on which it depends, bits by DWARF's number (0 to 31: x0 to x31, 32 to 63: f0 to f31). Those as they
 * were when the procedure was entered: *entry. */
uint64_t es_value_registers(const es_value *value, uint64_t *entry);

/* Whether reading it asks for memory. */
bool es_value_reads_memory(const es_value *value);

/* What reading asks for. Bits that are not known are ones in `unknown`, and zeros in the value. */
typedef struct es_value_context {
    void (*reg)(void *context, unsigned reg, uint64_t *value, uint64_t *unknown);
    /* ... as it was when the procedure's first instruction was about to be executed */
    void (*entry)(void *context, unsigned reg, uint64_t *value, uint64_t *unknown);
    void (*memory)(void *context, uint32_t address, uint32_t size, uint8_t *bytes, uint8_t *unknown);
    void *context;
} es_value_context;

enum es_value_place {
    ES_VALUE_NOWHERE,     /* these bytes were optimised away */
    ES_VALUE_IN_REGISTER, /* where: its number */
    ES_VALUE_IN_MEMORY,   /* where: the address */
    ES_VALUE_COMPUTED,    /* a constant, or made of registers and memory */
};

/* Some of a value's bytes, which have one place. */
typedef struct es_value_part {
    uint32_t offset, size; /* bytes */
    enum es_value_place place;
    uint32_t where;
} es_value_part;

enum { ES_VALUE_PARTS = 16 };

/* Reads `size` bytes of it; what cannot be told is unknown. parts: NULL, or room for ES_VALUE_PARTS; *part_count how
 * many there are, those after the last one that has room are NOWHERE and unknown. */
void es_value_read(const es_value *value, const es_value_context *context, uint32_t size, uint8_t *bytes,
                   uint8_t *unknown, es_value_part *parts, size_t *part_count);

/* How a procedure returns its result. */
typedef struct es_result {
    const es_type *type;
    /* DWARF's number of the register. Of more than 4 bytes in x registers the next one has the upper half; of
     * big-endian data the lower one, and a struct is the lowest bytes of both together. */
    unsigned reg;
    /* it is in its caller's memory: the register has had the address when the procedure was entered */
    bool in_memory;
    const char *why; /* NULL; else it cannot be told, in words: "returns nothing" */
} es_result;
es_result es_symbols_result(const es_symbols *symbols, const es_procedure *procedure);

#endif
