/* What the target's ELF and DWARF say: variables, their types and places, procedures, lines, frames, bytes to load.
 *
 * All objects handed out belong to the es_symbols and live until es_symbols_close. Strings are UTF-8.
 */
#ifndef ES_SYMBOLS_H
#define ES_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

typedef struct es_symbols es_symbols;

/* --- types ---------------------------------------------------------------------------------- */

enum es_type_kind {
    ES_TYPE_INT,  /* any integer but char and bool (int8_t and uint8_t too); see is_signed */
    ES_TYPE_CHAR, /* plain, signed or unsigned char: shown as a character where printable */
    ES_TYPE_BOOL,
    ES_TYPE_FLOAT, /* 32 or 64 bit */
    ES_TYPE_ENUM,
    ES_TYPE_POINTER, /* the pointer's own value */
    ES_TYPE_STRUCT,  /* struct, union, class */
    ES_TYPE_ARRAY,
    ES_TYPE_OTHER, /* function, void, ...: cannot be watched */
};

typedef struct es_type es_type;

typedef struct es_enumerator {
    const char *name;
    int64_t value;
} es_enumerator;

typedef struct es_member {
    const char *name; /* NULL for an anonymous struct or union, whose members are found through it */
    const es_type *type;
    uint32_t offset;    /* bytes from the struct's start, of the storage unit for a bit-field */
    uint8_t bit_offset; /* bit-field: least significant bit within the storage unit of type's size, as a number */
    uint8_t bit_size;   /* 0: no bit-field */
} es_member;

struct es_type {
    enum es_type_kind kind;
    const char *name;  /* as C writes it: "int16_t", "enum mode", "struct plant *" */
    uint32_t size;     /* bytes */
    bool is_signed;    /* INT, CHAR, ENUM */
    bool big_endian;   /* a scalar: its first byte in memory is the most significant; bit-fields begin with that bit */
    bool is_reference; /* POINTER: C++'s reference, which stands for what it points to */
    const es_type *of; /* ARRAY: element; POINTER: pointed-to (may be NULL for void) */
    uint32_t count;    /* ARRAY: elements, 0 unknown */
    const es_enumerator *enumerators; /* ENUM */
    size_t enumerator_count;
    const es_member *members; /* STRUCT */
    size_t member_count;
    const char *incomplete; /* a type that is only declared: why nothing is known of it, in words; else NULL */
};

/* Where a value begins in its storage unit of `size` bytes, in bits from the unit's first byte on: bits of a byte are
 * counted from that end at which bit-fields of the type begin. bit_offset: its least significant bit in the unit. type
 * NULL: bytes. */
static inline unsigned es_type_first_bit(const es_type *type, unsigned size, unsigned bit_offset, unsigned bits)
{
    return type && type->big_endian ? size * 8u - bit_offset - bits : bit_offset;
}

/* --- procedures ----------------------------------------------------------------------------- */

typedef struct es_procedure {
    const char *name;   /* that no other procedure has, but for clones: "control", "Clamp::feed(int)", "a.c\\step" */
    uint32_t low, high; /* code: [low, high) */
    bool has_debug;     /* described by DWARF, not only by the symbol table */
    bool is_interrupt;  /* contains mret: entered by interrupts */
    bool address_taken; /* data or code holds its address: may be called through a pointer. Errs towards true */
    bool is_recursive;  /* on a cycle of calls; indirect ones reach all address-taken but interrupt handlers */
    const char *file;   /* where it is declared, NULL unknown */
    unsigned line;
} es_procedure;

/* One call instruction (or tail-calling jump) in the target's code. */
typedef struct es_call_site {
    uint32_t site; /* address of the jal/jalr */
    uint8_t size;  /* bytes of that instruction: a return address lies after it */
    const es_procedure *caller;
    const es_procedure *callee; /* NULL: indirect */
    bool is_tail;               /* jump without link to another procedure's start */
} es_call_site;

/* What one store instruction writes, whichever way execution came to it. */
enum es_store_kind {
    ES_STORE_FRAME,    /* at a known place of the procedure's own frame: below its CFA, not below its stack pointer */
    ES_STORE_CONSTANT, /* at a known address */
    ES_STORE_UNKNOWN,  /* anywhere; or it keeps the procedure's return address elsewhere than in its frame */
};

typedef struct es_store {
    uint32_t site; /* address of the instruction */
    enum es_store_kind kind;
    uint8_t size;       /* bytes: 1, 2, 4, 8; 0 for UNKNOWN */
    uint32_t address;   /* CONSTANT */
    int32_t cfa_offset; /* FRAME: negative; UNKNOWN with `above` */
    bool above;         /* UNKNOWN: at a known place at or above the CFA, of an argument on the stack */
    bool in_frame;      /* UNKNOWN: in the procedure's own frame if indices stay within their arrays */
} es_store;

/* A store as one of those that make up an assignment. */
#define ES_PART_REACH 8 /* bytes before and after a store's first one that are reported */
typedef struct es_part {
    es_store store;
    uint8_t size; /* bytes written, also where store.kind is UNKNOWN */
    /* a number of the straight piece of code, with its calls: no other store's between two of one */
    uint32_t way;
    uint32_t assignment; /* a number, the same of all stores of one assignment */
    bool alters;         /* what is stored is made of what was there: other bytes in it are meant to stay as they are */
    bool run;            /* in a loop, whose rounds store one after the other: how many there are is not known, ... */
    bool rising;         /* ... each at a higher address than the one before */
    bool perhaps;        /* what comes later may not come: a branch can leave it out */
    /* bytes that stores before and after it write for the same assignment: bit ES_PART_REACH + distance from its own
     * first byte */
    uint16_t earlier, later;
} es_part;

/* --- variables ------------------------------------------------------------------------------ */

enum es_place_kind {
    ES_PLACE_STATIC, /* address */
    ES_PLACE_FRAME,  /* offset from the procedure's CFA, during the whole body or, with `life`, a part of it */
    ES_PLACE_NONE,   /* not observable; `why` says it in words for the user */
};

/* Where optimised code has a local in memory: moments of an instruction, by its address; ES_MOMENT_DURING by the call's
 * end, where it returns to. Of what is no call, nothing but a return can take the variable away. */
enum es_moment {
    ES_MOMENT_DURING,  /* while what the call that ends there has called runs */
    ES_MOMENT_BEFORE,  /* before the instruction is executed; after the one before it, when execution went on here */
    ES_MOMENT_PERHAPS, /* an interrupt came when it was fetched last: before it, or after it */
    ES_MOMENT_SURELY,  /* the same: before it, and after it whichever way it goes on */
    ES_MOMENT_AFTER,   /* no call and no jump: before the instruction after it */
};

enum {
    ES_MOMENT_SHIFT = 2,
    ES_MOMENT_MASK = 7
}; /* of an address, a multiple of two; bits of a moment that say which */

typedef struct es_life_span {
    uint32_t low, high; /* [low, high): by es_moment_at */
} es_life_span;

/* The parts of a local's life in which the stack holds it: where its location list says that it is there or in a
 * register, and the code shows, on every way, that the last store to its place was of its value as it is. The list
 * alone is not enough: compilers let it begin before the store. So each part begins with a store (or, of an argument on
 * the stack, with the procedure). */
typedef struct es_life {
    const es_life_span *spans; /* ascending, apart */
    size_t count;
    const char *observed;  /* in words: "control.c:31-36" */
    const char *elsewhere; /* ... what it is in the rest: "is in register a5 in control.c:28-36" */
    const char *advice;    /* "compile this file with -O0, or ..." */
} es_life;

typedef struct es_variable {
    const char *name;
    const es_type *type;
    const es_procedure *procedure; /* NULL: file scope; else a local, parameter or static local of it */
    const char *file;
    unsigned line;
    enum es_place_kind place;
    uint32_t address;    /* STATIC */
    int32_t cfa_offset;  /* FRAME */
    const char *why;     /* NONE: "is in register a5 in control.c:31-36: compile this file with -O0, or ..." */
    const es_life *life; /* FRAME: the parts of the body in which it is there; NULL: all of it */
    /* STATIC: the address is that of a cell which only the replay fills (symbols/shadows.h); NULL: the target's
     * memory */
    const struct es_shadow *shadow;
} es_variable;

/* --- operations ------------------------------------------------------------------------------ */

/* Reads path. Fails with ES_USAGE when it cannot be read, is no ELF, is not a 32-bit RISC-V executable,
 * or has no DWARF ("compile with -g"). Malformed files fail, never crash. */
es_symbols *es_symbols_open(const char *path, es_error *err);

/* The same in a third of the time, for who only asks what things are called: variables with their types and static
 * places, and procedures. The line table and location lists are not read (what has one is of ES_PLACE_NONE), and the
 * program's code is not followed: calls, stores, frames, recursion and inlined copies stay unknown. */
es_symbols *es_symbols_open_names(const char *path, es_error *err);
void es_symbols_close(es_symbols *symbols);

uint32_t es_symbols_entry(const es_symbols *symbols);

/* Data of the program, with what its registers are saved as, have the most significant byte first; es_type.big_endian
 * says the same of each type, some of which may differ. */
bool es_symbols_big_endian(const es_symbols *symbols);

/* The instruction set that the program says it was compiled for, as the compiler writes it: "rv32i2p1_zicsr2p0". NULL:
 * it does not say. */
const char *es_symbols_arch(const es_symbols *symbols);

/* Initial stack pointer: the value of symbol __stack_top, or __stack; false when there is none. */
bool es_symbols_stack_top(const es_symbols *symbols, uint32_t *address);

/* The value of any ELF symbol. */
bool es_symbols_value(const es_symbols *symbols, const char *name, uint32_t *value);

/* Bytes that the ELF loads (PT_LOAD file contents), ascending addresses. */
typedef struct es_segment {
    uint32_t address; /* where they are loaded (p_paddr) */
    uint32_t size;    /* bytes present in the file */
    const uint8_t *bytes;
    bool executable, writable;
} es_segment;
size_t es_symbols_segments(const es_symbols *symbols, const es_segment **segments);

/* Whether a segment is loaded elsewhere than the program expects it: its start-up code copies it from there. */
bool es_symbols_copied(const es_symbols *symbols, const es_segment *segment);

/* Whether the words from an address on lie in memory that start-up code clears: in a section .bss, .sbss or .tbss. */
bool es_symbols_cleared(const es_symbols *symbols, uint32_t address, uint32_t size);

/* All procedures by ascending address (DWARF and symbol table merged; aliases once). */
size_t es_symbols_procedures(const es_symbols *symbols, const es_procedure *const **procedures);
/* The index of a procedure in that list, or in any in this order; count: it is not there, or NULL. */
size_t es_procedure_index(const es_procedure *const *procedures, size_t count, const es_procedure *procedure);
const es_procedure *es_symbols_procedure_at(const es_symbols *symbols, uint32_t address); /* containing, or NULL */
const es_procedure *es_symbols_procedure_named(const es_symbols *symbols, const char *name);

/* The procedures that a name means, in the order of their addresses. Names are as C++ has them (base/cxx_name.h), with
 * parameters or without; the scopes to the left may be left out, and template arguments. Those of which the whole name
 * was given hide the others, and the program's own hide those of libraries. file: NULL, or a part of the path of the
 * file that has it, or that was compiled. Also the linker's names. Returns how many there are; stores at most max. */
size_t es_symbols_procedures_named(const es_symbols *symbols, const char *file, const char *name,
                                   const es_procedure **found, size_t max);

/* Whether the text, with template arguments or parameters, is part of a C++ name of the program: whole components,
 * parameters at their end. */
bool es_symbols_spells(const es_symbols *symbols, const char *text, size_t length);

/* Constructors and destructors of C++ have several procedures: of complete objects and of base objects, and of objects
 * that are deleted. */
enum es_structor { ES_STRUCTOR_NONE, ES_STRUCTOR_BODY, ES_STRUCTOR_DELETING };
enum es_structor es_symbols_structor(const es_symbols *symbols, const es_procedure *procedure);

/* The file that was compiled into the procedure: not the header that has it. NULL unknown. */
const char *es_symbols_unit(const es_symbols *symbols, const es_procedure *procedure);

/* Whether two procedures were made of one of the source: clones, copies in several units, C1 and C2. */
bool es_symbols_same_source(const es_symbols *symbols, const es_procedure *a, const es_procedure *b);

/* The name that the linker has for a C++ procedure; NULL: it has none of its own. */
const char *es_symbols_linkage(const es_symbols *symbols, const es_procedure *procedure);

/* A C++ variable's name with its scopes: "app::total", "Clamp::count"; NULL: it is in no scope. */
const char *es_symbols_scoped(const es_symbols *symbols, const es_variable *variable);

/* When a procedure of that name was inlined somewhere (calls of it there cannot be seen): says where and what to do,
 * for messages. NULL: nowhere. A variable of a procedure that has no code of its own has procedure->low ==
 * procedure->high. */
const char *es_symbols_inlined(const es_symbols *symbols, const char *name);

/* A call that the compiler has replaced by the procedure's instructions. */
typedef struct es_inlined_copy es_inlined_copy;
struct es_inlined_copy {
    const char *name;              /* of what was inlined */
    const es_procedure *caller;    /* whose code it is in */
    const es_inlined_copy *within; /* the copy that called it; NULL: the caller itself */
    const char *file;              /* where what was inlined is declared; NULL unknown */
    unsigned declared_line;
    const char *call_file;   /* where that is called; NULL unknown */
    unsigned call_line;      /* line of the call, in the caller's file or that of another inlined copy; 0 unknown */
    unsigned line;           /* of the first statement */
    const uint32_t *entries; /* where it begins: one of them is executed once for each such call. Ascending */
    size_t entry_count;      /* 0: the debug information does not tell */
};

/* "f.part.0": the rest of procedure f, whose beginning was inlined into its callers. */
bool es_symbols_is_part(const es_procedure *procedure);

/* Both are code of one procedure of the source, compiled in one unit: "f" and the clone "f.constprop.0". Their
 * variables are each other's copies (es_symbols_value_copies). */
bool es_symbols_are_clones(const es_procedure *a, const es_procedure *b);

/* All copies of what a name means, as es_symbols_procedures_named has it: returns how many there are, stores at most
 * max. Calls that the compiler has evaluated, or of which no instruction is left, are not among them. */
size_t es_symbols_copies(const es_symbols *symbols, const char *file, const char *name, const es_inlined_copy **copies,
                         size_t max);

/* The inlined copies that an instruction is of, from the outermost on: each is called in the one before, the first
 * one in the procedure. Returns how many, `max` at most. */
size_t es_symbols_inlined_at(const es_symbols *symbols, uint32_t address, const es_inlined_copy **copies, size_t max);

/* Why the debug information may not have a variable or procedure of that name (procedure != NULL: a local of it; file
 * != NULL: of that file), and what to do, in words: how the program was compiled. NULL: nothing is known to be
 * missing. */
const char *es_symbols_missing(const es_symbols *symbols, const es_procedure *procedure, const char *file,
                               const char *name);

/* All call sites by ascending address, found in the code. */
size_t es_symbols_calls(const es_symbols *symbols, const es_call_site **sites);

/* Bytes of the procedure's frame: how far below its CFA its callees' CFA lies. False: not constant, unknown. */
bool es_symbols_frame_size(const es_symbols *symbols, const es_procedure *procedure, uint32_t *bytes);

/* All stores of the procedure's own code (not of its callees) by ascending address, and *count how many. False: its
 * code cannot be followed, there may be others. It can be when
 *  - nothing jumps into it but to its first instruction, as far as the program's code shows;
 *  - each of its instructions is decoded, is reached from the first one, and there the stack pointer lies a constant
 *    distance at or below where it was on entry;
 *  - it is left only by calls with link register ra, and, with the stack pointer as on entry, by `ret` or by jumps to
 *    the first instruction of another procedure: es_symbols_calls has the calls and these jumps;
 *  - it holds no ecall, ebreak, wfi or return from a trap.
 * Callees are taken to keep what the ABI says. */
bool es_symbols_stores(const es_symbols *symbols, const es_procedure *procedure, const es_store **stores,
                       size_t *count);

/* All of the procedure's own stores that can be told apart, ascending, with what belongs to them. Returns how many.
 * The list is the arena's. */
size_t es_symbols_parts(const es_symbols *symbols, const es_procedure *procedure, es_arena *arena, es_part **parts);

/* The stores that a procedure begins with: those that are made one after the other at each entry, all of them into its
 * own frame, ascending; returns how many. Nothing but them is stored, and nothing is called or jumped to, from the
 * procedure's first instruction up to *end. Also of procedures that cannot be followed as a whole, such as interrupt
 * handlers. */
size_t es_symbols_prologue(const es_symbols *symbols, const es_procedure *procedure, const es_store **stores,
                           uint32_t *end);

/* Where debuggers stop at a procedure: after its prologue, at the second row that the line table has of it, but not
 * after its first jump or call; without such a row, where its arguments have been put on the stack. Execution comes
 * from the instruction before to here exactly once after each entry, and in no other way. The procedure's first
 * instruction: there is no such place after it. */
uint32_t es_symbols_begin(const es_symbols *symbols, const es_procedure *procedure);

/* Whether the stores before that place write all bytes of the procedure's frame from an offset from its CFA on. */
bool es_symbols_begins_written(const es_symbols *symbols, const es_procedure *procedure, int32_t cfa_offset,
                               uint32_t size);

/* The program may be interrupted: some code returns from a trap (mret) or sets the trap vector (mtvec). */
bool es_symbols_traps(const es_symbols *symbols);

/* An instruction at which the stack may become another one: the stack pointer gets a value that was not made from the
 * one with which the procedure began. Not: start-up code, which makes its own stack, interrupt handlers that take one
 * of their own and give it back, alloca and its like. */
typedef struct es_switch {
    uint32_t address;
    const es_procedure *procedure; /* NULL: not known */
    bool longjmp; /* of a procedure called so: back on the same stack, unless jmp_bufs are used to switch stacks */
} es_switch;
/* All of them, by ascending address; the list is the arena's. */
size_t es_symbols_switches(const es_symbols *symbols, es_arena *arena, es_switch **switches);

/* Variables that may say which stack runs: pointers of static storage, to structs, that the code there or what calls it
 * directly writes. Returns how many, at most `max`. */
size_t es_symbols_switched_by(const es_symbols *symbols, const es_variable **found, size_t max);

/* Variables called name, which may have scopes as C++ writes them (one without means one outside of all scopes first).
 * procedure != NULL: its locals and parameters only. procedure == NULL: file-scope ones first,
 * then locals and statics of all procedures; of libraries (compiled elsewhere than main, such as libc and libgcc) only
 * those of file scope, where the program itself has none of that name. Returns how many were found; stores at most max
 * of them. */
size_t es_symbols_find(const es_symbols *symbols, const es_procedure *procedure, const char *name,
                       const es_variable **found, size_t max);

/* All variables by name, those of file scope before others of that name. */
size_t es_symbols_variables(const es_symbols *symbols, const es_variable *const **variables);

/* Whether it is of a library (compiled elsewhere than main, such as libc and libgcc), and not the program's own. */
bool es_symbols_variable_in_library(const es_variable *variable);
bool es_symbols_procedure_in_library(const es_symbols *symbols, const es_procedure *procedure);

/* The procedures that were inlined somewhere, as met. Those without code of their own (low == high) are not among
 * es_symbols_procedures. */
const char *es_symbols_inlined_into(const es_procedure *procedure); /* where, as es_symbols_inlined; NULL nowhere */
size_t es_symbols_inlined_procedures(const es_symbols *symbols, const es_procedure *const **procedures);

/* The variable of static storage that begins at the address, of file scope if there is one; NULL none. */
const es_variable *es_symbols_variable_at(const es_symbols *symbols, uint32_t address);

/* A moment of a procedure's instruction at an address as one number: lives are spans of such numbers. */
static inline uint32_t es_moment_at(const es_procedure *procedure, uint32_t address, enum es_moment which)
{
    return (address - procedure->low) << ES_MOMENT_SHIFT | which;
}

/* Whether a life has a moment. */
bool es_life_has(const es_life *life, uint32_t moment);

/* Objects of static storage as the symbol table has them, of the program and its libraries, by ascending address
 * (aliases are there twice). The list is the arena's. */
typedef struct es_object {
    uint32_t address, size; /* size: bytes, not 0 */
} es_object;
size_t es_symbols_objects(const es_symbols *symbols, es_arena *arena, es_object **objects);

/* The type that C or C++ calls so: "struct msg", "msg_t", "unsigned int", a class; of those that variables have. Scopes
 * are not looked at. NULL: there is none. *ambiguous: there are several that differ. */
const es_type *es_symbols_type(const es_symbols *symbols, const char *name, bool *ambiguous);

/* The enumerator called name anywhere in the program; NULL none. */
const es_enumerator *es_symbols_enumerator(const es_symbols *symbols, const char *name, const es_type **type);

/* Up to max names of the program's own (not of libraries') variables, enumerators (and procedures when procedures is
 * true) near to `name`, best first. */
size_t es_symbols_near(const es_symbols *symbols, const char *name, bool procedures, const char **near, size_t max);

/* The word at a code address, or the half-word that is left at the end of the code. False: no loaded byte is there. */
bool es_symbols_word(const es_symbols *symbols, uint32_t address, uint32_t *word);

/* The number that four loaded bytes are to the program, those after the end of what is loaded being 0. False: none is
 * loaded. */
bool es_symbols_data_word(const es_symbols *symbols, uint32_t address, uint32_t *word);

/* The extensions of the instruction set whose instructions the program has, and of which the probe does not tell where
 * they lead: "Zcmp and Zcmt"; NULL: it has none. */
const char *es_symbols_untold(const es_symbols *symbols);

/* The program may hold compressed instructions. */
bool es_symbols_compressed(const es_symbols *symbols);

/* Words of data that are addresses of code, ascending: pointers to procedures, jump tables. */
size_t es_symbols_code_words(const es_symbols *symbols, const uint32_t **words);

/* Source position of an instruction; false when unknown. file as the compiler was given it. */
bool es_symbols_line(const es_symbols *symbols, uint32_t address, const char **file, unsigned *line);

/* Addresses in [low, high) where, as the compiler says, a statement of that line begins: where debuggers stop.
 * Ascending, at most max of them; returns how many there are. Optimised code has instructions of a line at other
 * places, too, and statements of several lines may begin at one address. file: as es_symbols_line gives it. */
size_t es_symbols_statements(const es_symbols *symbols, const char *file, unsigned line, uint32_t low, uint32_t high,
                             uint32_t *addresses, size_t max);

/* A place of that kind, of any line. */
typedef struct es_begin_row {
    uint32_t address;
    const char *file;
    unsigned line;
} es_begin_row;

/* Hands those in [low, high) to `each`, by address; several lines may begin at one address. */
void es_symbols_each_statement(const es_symbols *symbols, uint32_t low, uint32_t high,
                               void (*each)(void *context, const es_begin_row *row), void *context);

#endif
