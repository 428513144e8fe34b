/* What the files of host/symbols share. Nothing outside this folder includes it.
 *
 * es_symbols_open runs the stages in the order in which they stand here: each needs only those before it.
 */
#ifndef ES_SYMBOLS_INTERNAL_H
#define ES_SYMBOLS_INTERNAL_H

#include <elfutils/libdw.h>
#include <libelf.h>

#include "base/arena.h"
#include "base/text.h"
#include "isa/flow.h"
#include "symbols/code.h"
#include "symbols/symbols.h"

/* A list that grows in the arena. Pointers to its items are valid until the next push. */
/* clang-format off */
#define SYMBOLS_LIST(type) struct { type *items; size_t count; }
/* clang-format on */
/* NOLINTBEGIN(bugprone-sizeof-expression): items may be pointers */
#define SYMBOLS_PUSH(symbols, list, ...) \
    ((list)->items = es_arena_grow((symbols)->arena, (list)->items, (list)->count, sizeof *(list)->items), \
     (list)->items[(list)->count++] = (__VA_ARGS__))
#define SYMBOLS_SORT(list, compare) \
    ((list)->count > 1 ? qsort((list)->items, (list)->count, sizeof *(list)->items, (compare)) : (void)0)
/* NOLINTEND(bugprone-sizeof-expression) */

/* Deeper nesting of scopes or types than this is taken for damage. No compiler's output comes near. */
enum { SYMBOLS_MAX_DEPTH = 128 };

/* A loadable segment where the program sees it; es_segment has the place where it is loaded. */
typedef struct symbols_load {
    uint32_t address, size; /* size: bytes present in the file */
    const uint8_t *bytes;
    bool executable; /* it may be a part of another one that is not */
} symbols_load;

typedef struct symbols_elf_symbol {
    const char *name;
    uint32_t value, size;
    uint8_t type, binding; /* STT_*, STB_* */
    uint16_t section;
    uint32_t section_end; /* first address after the symbol's section; 0: no section */
    bool in_code;         /* its section holds instructions */
    const char *file;     /* of a local symbol: name of the source file, without folders; NULL unknown */
} symbols_elf_symbol;

typedef struct symbols_procedure {
    es_procedure public; /* first: public pointers are cast back */
    uint32_t described;  /* if not 0: where debug information lets it begin, after instructions that do nothing */
    uint32_t frame_size;
    bool frame_known;
    bool is_part;
    bool is_clone;        /* the compiler has made it of a procedure, and may have changed how it is called */
    bool helper_known;    /* slots.c has looked for a helper that saves registers: */
    int32_t helper_moves; /* ... so many bytes it moves the stack pointer; 0: there is none */
    bool may_drop;        /* ... and may have left out its result, which debug information still has */
    bool sized;           /* its end comes from DWARF or the symbol, not from the next symbol */
    const void *origin;   /* the abstract DIE, which may describe other procedures' code, too; NULL: none */
    const char *inlined;  /* what was inlined where, in words; NULL nothing */
    /* its name, which names.c spells */
    const char *unit;                       /* file that was compiled, NULL unknown */
    const char *linkage;                    /* C++'s name for the linker; NULL: C */
    const char *scoped;                     /* with scopes, without parameters */
    const char *parameters;                 /* "(int const&)", "" C */
    const char *normal, *normal_parameters; /* as es_cxx_normal has them */
    /* call graph */
    size_t index;
    /* what es_symbols_stores tells */
    bool looked_at;      /* es_symbols_follow went through it */
    bool followed;       /* its code can be followed, seen from itself ... */
    bool entered_inside; /* ... and code that is not followed, or another procedure, jumps to it or into it */
    size_t first_store, store_count;
} symbols_procedure;

/* An instruction that gives the stack pointer a value not made from the one on entry. */
typedef struct symbols_switch {
    uint32_t address;
    const symbols_procedure *procedure; /* NULL: code that is not followed */
    enum {
        SYMBOLS_SWITCH_ANY,
        SYMBOLS_SWITCH_BUT_INTERRUPTS, /* an interrupt handler takes a stack of its own in that way */
        /* ... or goes back from it: the value is loaded from `place`, where it was put */
        SYMBOLS_SWITCH_KEPT,
    } of;
    uint32_t place;
} symbols_switch;

/* Code that belongs to a procedure: its own range, or a part that the compiler moved away ("f.cold"). */
typedef struct symbols_range {
    uint32_t low, high;
    symbols_procedure *procedure;
} symbols_range;

typedef struct symbols_name {
    const char *name;
    symbols_procedure *procedure;
    unsigned rank; /* lower is preferred among equal names */
} symbols_name;

/* Which procedure a DW_TAG_subprogram describes. */
typedef struct symbols_subprogram {
    const void *die;
    symbols_procedure *procedure;
} symbols_subprogram;

typedef struct symbols_variable {
    es_variable public; /* first */
    size_t order;       /* as met in the DWARF */
    const void *die;
    bool dropped;       /* another one stands for it */
    bool library;       /* of a library, not of the program itself */
    const char *normal; /* C++'s name with scopes, as es_cxx_normal has it; NULL: it has none */
    /* what es_symbols_value_copies tells */
    bool copied;
    const struct es_value_copy *copies;
    size_t copy_count;
} symbols_variable;

/* A DIE of a local or parameter: in its procedure's own code, or in an inlined copy. */
typedef struct symbols_instance {
    const void *origin;           /* the abstract DIE, or its own */
    void *die;                    /* its own */
    void *function;               /* of the subprogram whose frame is its */
    void *inlined;                /* of the innermost inlined copy; NULL: it is in none */
    void *block;                  /* of the innermost block within the function or copy; NULL: it is in none */
    symbols_procedure *procedure; /* whose code */
} symbols_instance;

/* A variable of a unit's own scope whose DIE only adds to another one, the origin, where it is. */
typedef struct symbols_placed {
    const void *origin;
    symbols_variable *variable;
    bool local; /* it is a procedure's */
} symbols_placed;
typedef SYMBOLS_LIST(symbols_placed) symbols_placed_list;

typedef struct symbols_span {
    uint32_t low, high;
} symbols_span;

typedef struct symbols_line {
    uint32_t address;
    unsigned line;   /* 0: no line (compiler generated, or the end of a sequence) */
    unsigned column; /* 0: not told */
    const char *file;
    bool end;       /* end of a sequence */
    bool statement; /* a debugger may stop here: the code of a statement begins */
    size_t order;
} symbols_line;

typedef struct symbols_enumerator {
    const es_enumerator *enumerator;
    const es_type *type;
    size_t order;
    bool library; /* of a library */
} symbols_enumerator;

typedef struct symbols_type_entry {
    const void *die;
    es_type *type;
    bool complete;
} symbols_type_entry;

typedef struct symbols_inlined_copy {
    es_inlined_copy public; /* first */
    const void *die;
    const void *origin;              /* DIE of what was inlined */
    const char *scoped;              /* of C++: its name with scopes, in normal form; else NULL */
    bool looked_at;                  /* for its entries */
    unsigned end_line;               /* the lines of what was inlined end before it; 0: nobody has asked */
    const struct es_copy_ends *ends; /* NULL: nobody has asked */
    SYMBOLS_LIST(symbols_span) code;
} symbols_inlined_copy;

/* A part of a procedure that the compiler had taken out of it, and has put back: no call. */
typedef struct symbols_put_back {
    const void *die;
    const es_inlined_copy *within; /* the copy of the procedure; NULL: its own code */
} symbols_put_back;

/* Where a procedure is declared. */
typedef struct symbols_declared_at {
    const char *file;
    unsigned line;
} symbols_declared_at;

/* A struct, union, class or enumeration that has a name. */
typedef struct symbols_named_type {
    const char *name; /* with its namespaces: "net::queue" */
    Dwarf_Die die;
    bool declared; /* only that: "struct queue;" */
    bool library;  /* of a library */
} symbols_named_type;

typedef struct symbols_cleared {
    uint32_t low, size;
} symbols_cleared;

/* A unit whose debug information is not all there. */
enum symbols_lack {
    SYMBOLS_LACKS_ALL,   /* -gsplit-dwarf: it is in another file */
    SYMBOLS_LACKS_TYPES, /* -g1 and the like */
};
typedef struct symbols_lacking {
    enum symbols_lack lack;
    const char *name; /* the other file, or the unit */
    SYMBOLS_LIST(symbols_span) code;
} symbols_lacking;

typedef struct symbols_pointee {
    es_type *pointer;
    Dwarf_Die target;
} symbols_pointee;

/* A parameter that a call does not pass, though the source does. */
typedef struct symbols_left_out {
    const void *parameter; /* its abstract DIE */
    bool constant;         /* it would be this number, or address; else something else */
    uint64_t number;
} symbols_left_out;

struct es_symbols {
    es_arena *arena;
    const char *path;
    bool names_only; /* es_symbols_open_names */
    uint8_t *file;
    size_t file_size;
    bool big_endian; /* data of the program; its instructions are of the instruction set's order */
    Elf *elf;
    Dwarf *dwarf;
    Dwarf_CFI *cfi_debug, *cfi_eh; /* either may be NULL */
    uint32_t entry;
    const es_isa *isa; /* as the ELF header says */

    const char *arch; /* instruction set as the compiler named it, NULL unknown */
    SYMBOLS_LIST(struct Dwarf_CU *) library_units;
    SYMBOLS_LIST(symbols_span) library_code;

    SYMBOLS_LIST(symbols_lacking) lacking; /* as met */

    SYMBOLS_LIST(symbols_load) loads;
    SYMBOLS_LIST(symbols_cleared) cleared; /* sections that start-up code clears */
    SYMBOLS_LIST(es_segment) segments;
    SYMBOLS_LIST(symbols_elf_symbol) elf_symbols; /* by name, globals before locals */
    SYMBOLS_LIST(symbols_line) lines;             /* by address */
    symbols_type_entry *types;                    /* hash table by DIE, open addressing */
    size_t type_count, type_room;
    SYMBOLS_LIST(symbols_pointee) pointees;       /* pointer types whose target is still to be built */
    SYMBOLS_LIST(symbols_named_type) named_types; /* by name, definitions before declarations; once types_named */
    bool types_named;
    SYMBOLS_LIST(symbols_enumerator) enumerators; /* by name */
    SYMBOLS_LIST(es_procedure *) procedures;      /* by address */
    SYMBOLS_LIST(symbols_range) ranges;           /* by address */
    SYMBOLS_LIST(symbols_name) names;             /* by name, then rank */
    SYMBOLS_LIST(symbols_subprogram) subprograms; /* by DIE */
    SYMBOLS_LIST(symbols_procedure *) inlined;    /* procedures with inlined copies, as met */
    SYMBOLS_LIST(symbols_inlined_copy *) copies;  /* of inlined procedures */
    SYMBOLS_LIST(symbols_put_back) put_back;
    SYMBOLS_LIST(symbols_left_out) left_out;       /* by all calls */
    SYMBOLS_LIST(symbols_declared_at) declared_at; /* all procedures, as met */
    SYMBOLS_LIST(es_call_site) calls;              /* by address */
    SYMBOLS_LIST(es_store) stores;                 /* by procedure, then address */
    SYMBOLS_LIST(symbols_switch) switches;         /* as met */
    bool traps;                                    /* mret or a write of mtvec is among the code */
    bool untold;                                /* ... an instruction of which the probe does not tell where it leads */
    SYMBOLS_LIST(uint32_t) code_words;          /* data words that are addresses of code, ascending */
    SYMBOLS_LIST(symbols_variable *) variables; /* by name, file scope first, then as met */
    SYMBOLS_LIST(symbols_instance) instances;   /* by origin */
    bool shadowing;                             /* es_symbols_use_shadows: cells come from here: */
    uint32_t shadow_next, shadow_end;
    SYMBOLS_LIST(struct es_shadow *) shadows; /* by address */
};

/* elf.c: the contents of a section by its name without the dot, NULL if there is none. Of a compressed one (also .z*)
 * what libdw has made of it when it opened the file. */
const Elf_Data *es_symbols_section(const es_symbols *symbols, const char *part);

/* elf.c: reads the file, checks that it is one we can use, fills loads, segments, elf_symbols. */
bool es_symbols_read_elf(es_symbols *symbols, es_error *err);
/* ram_code.c: adds loads for what is code in segments that are not executable. */
void es_symbols_find_ram_code(es_symbols *symbols);
/* attributes.c: takes what the section of build attributes says, which may be any bytes; the file's copy of them is
 * valid as long as symbols. */
void es_symbols_read_attributes(es_symbols *symbols, const uint8_t *bytes, size_t size);
/* elf.c: the word (or half-word) of code at a target address in the loaded bytes; false when not there. */
bool es_symbols_read_word(const es_symbols *symbols, uint32_t address, uint32_t *word);
bool es_symbols_read_half(const es_symbols *symbols, uint32_t address, uint16_t *half);
/* First symbol of that name, NULL none. */
const symbols_elf_symbol *es_symbols_elf_named(const es_symbols *symbols, const char *name);
/* Whether the linker kept a thing called name at address 0: debug information of what it removed claims to be there. */
bool es_symbols_kept_at_zero(const es_symbols *symbols, const char *name);

/* type_order.c: whether a type is a scalar, or an array of such, in the other order of bytes than the program's. */
bool es_symbols_is_turned(const es_symbols *symbols, const es_type *type);
/* The same type in the other order. */
const es_type *es_symbols_turned(es_symbols *symbols, const es_type *type);
bool es_symbols_is_of_enums(const es_type *type); /* an enumeration, or an array of such */

/* dwarf.c: small helpers around libdw. All bound what damaged DWARF can make them do. */
bool es_symbols_damaged(const es_symbols *symbols, es_error *err);
/* Steps to the next sibling: 1 there is one, 0 none, -1 damaged. Never steps backwards. */
int es_symbols_sibling(Dwarf_Die *die);
/* text itself, or a copy with '?' for what is no printable UTF-8. text must live as long as symbols. */
const char *es_symbols_clean(es_symbols *symbols, const char *text);
const char *es_symbols_die_name(es_symbols *symbols, Dwarf_Die *die);
const char *es_symbols_die_file(es_symbols *symbols, Dwarf_Die *die, unsigned *line);
/* A file's name as the compiler was given it: libdw puts the compilation's directory before it. Any DIE of the
 * unit will do. */
const char *es_symbols_file_name(es_symbols *symbols, Dwarf_Die *die, const char *file);
/* The file that the DIE's unit was compiled from, NULL unknown. */
const char *es_symbols_die_unit(es_symbols *symbols, Dwarf_Die *die);
bool es_symbols_die_flag(Dwarf_Die *die, unsigned attribute);
/* The number that an attribute has. It is negative only in a form with a sign: what fills the bits of another one is
 * positive. */
bool es_symbols_number(Dwarf_Attribute *attribute, uint64_t *number);
bool es_symbols_die_number(Dwarf_Die *die, unsigned attribute, uint64_t *number);
bool es_symbols_die_reference(Dwarf_Die *die, unsigned attribute, Dwarf_Die *target);
/* Follows DW_AT_abstract_origin and DW_AT_specification to their end. */
Dwarf_Die es_symbols_die_origin(Dwarf_Die *die);

/* units.c: which units belong to libraries. */
void es_symbols_find_libraries(es_symbols *symbols);
bool es_symbols_die_in_library(const es_symbols *symbols, const Dwarf_Die *die);
bool es_symbols_code_in_library(const es_symbols *symbols, uint32_t address);

/* missing.c: which units lack debug information. */
void es_symbols_find_lacking(es_symbols *symbols);

/* search.c. The index of the first item with that name, count when there is none; the items are sorted by what name_of
 * gives for a pointer to one. */
typedef const char *symbols_name_fn(const void *item);
size_t es_symbols_first_named(const void *items, size_t count, size_t size, symbols_name_fn *name_of, const char *name);
/* The index of the last item at or below the address, count when there is none; each item begins with its uint32_t
 * address, and they ascend. */
size_t es_symbols_last_at(const void *items, size_t count, size_t size, uint32_t address);
#define SYMBOLS_FIRST_NAMED(list, name_of, name) \
    es_symbols_first_named((list)->items, (list)->count, sizeof *(list)->items, name_of, name)
#define SYMBOLS_LAST_AT(list, address) es_symbols_last_at((list)->items, (list)->count, sizeof *(list)->items, address)

/* lines.c */
bool es_symbols_read_lines(es_symbols *symbols, es_error *err);
/* Lines of [low, high) as "file.c:31-36"; empty when unknown. */
void es_symbols_describe_lines(const es_symbols *symbols, uint32_t low, uint32_t high, char *text, size_t size);

/* The rows of one address become rows of a lower one, unless there are others from there to here. */
void es_symbols_move_lines(es_symbols *symbols, uint32_t from, uint32_t to);

/* types.c: the type that a DIE's DW_AT_type names; never NULL. */
const es_type *es_symbols_type_of(es_symbols *symbols, Dwarf_Die *die);
bool es_symbols_has_type(Dwarf_Die *die);
/* The type that a type's DIE describes; never NULL. depth: of the types that it is a part of. */
const es_type *es_symbols_type_at(es_symbols *symbols, Dwarf_Die *die, unsigned depth);
/* complete.c: of a type that the DIE only declares, the DIE that defines it. False: the DIE is no declaration, or there
 * is no such DIE; then *why says why in words, if there is more to say: "is only declared in ..." */
bool es_symbols_complete_type(es_symbols *symbols, Dwarf_Die *die, unsigned depth, Dwarf_Die *definition,
                              const char **why);
/* types.c: builds what pointers point to; afterwards all types are complete. */
void es_symbols_finish_types(es_symbols *symbols);
/* Registers the enumerators of a DW_TAG_enumeration_type that no variable may use. */
void es_symbols_note_enumeration(es_symbols *symbols, Dwarf_Die *die);
void es_symbols_sort_enumerators(es_symbols *symbols);

/* type_names.c: how C writes the type. */
const char *es_symbols_type_name(es_symbols *symbols, Dwarf_Die *die);

/* procedures.c: fills procedures, ranges, names, subprograms. */
bool es_symbols_read_procedures(es_symbols *symbols, es_error *err);
symbols_procedure *es_symbols_procedure_of_die(const es_symbols *symbols, const Dwarf_Die *die);
symbols_procedure *es_symbols_procedure_starting_at(const es_symbols *symbols, uint32_t address);

/* demangle.c: a linkage name (_Z...) to the name without parameters and these, both appended. False: it is none, is no
 * name of the source, or is too long. */
bool es_symbols_demangle(const char *linkage, es_text_buffer *name, es_text_buffer *parameters);

/* names.c: gives each procedure its name: as C++ has it, and one that no other has. */
void es_symbols_name_procedures(es_symbols *symbols);
/* The name with scopes of a C++ variable at file scope, in normal form; NULL: it has none. */
const char *es_symbols_scoped_name(es_symbols *symbols, Dwarf_Die *die);

/* frame_tables.c: opens the CFI. Tables whose rules name registers that no processor has are left out: libdw would take
 * memory for all up to that one. */
void es_symbols_open_frames(es_symbols *symbols);

/* frames.c: CFI. The CFA at address is the value of register *reg plus *offset, up to address *end. */
bool es_symbols_cfa_at(const es_symbols *symbols, uint32_t address, unsigned *reg, int32_t *offset, uint32_t *end);
/* Finds reg = CFA - *below as the CFI has it once the procedure's frame is set up; false when it does not tell. */
bool es_symbols_register_below_cfa(const es_symbols *symbols, const es_procedure *procedure, unsigned reg,
                                   int32_t *below);

/* targets.c: addresses of code that calls lead to, or that instructions or data words make; ascending. */
const uint32_t *es_symbols_code_targets(es_symbols *symbols, size_t *count);

/* followed.c: what one procedure's code does, found by following the constants in its registers. */
void es_symbols_follow(es_symbols *symbols, symbols_procedure *procedure);

/* prologue.c: whether all instructions of [low, high) do nothing. */
bool es_symbols_only_nops(const es_symbols *symbols, uint32_t low, uint32_t high);

/* strays.c: code outside of what es_symbols_follow saw: notes where it jumps to, and whether it handles traps. */
void es_symbols_find_strays(es_symbols *symbols);
/* Notes a jump, call or branch to an address inside a procedure, or one of unfollowed code to a procedure. */
void es_symbols_note_stray(const es_symbols *symbols, uint32_t target);
/* Notes an instruction that tells that the program may be interrupted. */
void es_symbols_note_trap(es_symbols *symbols, es_insn insn);

/* calls.c: call sites, frame sizes, address_taken, is_interrupt, is_recursive. */
void es_symbols_find_calls(es_symbols *symbols);

/* variables.c */
bool es_symbols_read_variables(es_symbols *symbols, es_error *err);

/* origins.c: each variable that has two DIEs becomes one. */
void es_symbols_join_origins(es_symbols *symbols, const symbols_placed_list *placed);

/* unwind.c: the uppermost place, from the CFA, at which a procedure saves a register that callees have to keep; 0:
 * none. */
int32_t es_symbols_saved_top(const es_symbols *symbols, const es_procedure *procedure);

/* inlined.c: notes a DW_TAG_inlined_subroutine; and where a procedure is declared. within: the DIE of the copy that it
 * is in; NULL: of none. */
void es_symbols_note_inlined(es_symbols *symbols, Dwarf_Die *die, const Dwarf_Die *within, const es_procedure *caller);
/* The copy that a DIE is of; NULL: none. */
const es_inlined_copy *es_symbols_copy_of(const es_symbols *symbols, const void *die);
/* copy_begins.c: whether the caller decides only after this entry of a copy whether it is executed. */
bool es_symbols_begins_early(const es_symbols *symbols, symbols_inlined_copy *copy, const uint32_t *entries,
                             size_t count, uint32_t entry);
/* left_out.c: notes which parameters a call (DW_TAG_call_site) leaves out. */
void es_symbols_note_call(es_symbols *symbols, Dwarf_Die *call);
/* copy_code.c: the line of the next procedure in the file of the copy's: the lines of that one end before it. */
unsigned es_symbols_end_line(const es_symbols *symbols, const symbols_inlined_copy *copy);
/* Whether an address is of a copy's code. */
bool es_symbols_copy_holds(const symbols_inlined_copy *copy, uint32_t address);
/* Whether a row of the line table is of the procedure of which this is a copy. */
bool es_symbols_is_line_of(const es_symbols *symbols, symbols_inlined_copy *copy, const symbols_line *row);
/* The first row of the line table at or after an address. */
size_t es_symbols_row_from(const es_symbols *symbols, uint32_t address);
/* inlined.c: whether data has addresses of code within a procedure, as the tables of its switches do: where it jumps
 * by a register, that is to one of them. */
bool es_symbols_has_tables(const es_symbols *symbols, const es_procedure *procedure);
/* Finds the entries of all copies in a procedure. */
void es_symbols_find_entries(const es_symbols *symbols, const es_procedure *caller);
void es_symbols_note_declaration(es_symbols *symbols, Dwarf_Die *die);

/* places.c: where a DIE's variable (name, type, procedure already set) lives. The scope [low, high) is for messages. */
void es_symbols_place(es_symbols *symbols, Dwarf_Die *die, Dwarf_Die *function, uint32_t low, uint32_t high,
                      es_variable *variable);
/* parameters.c: structs that are in registers when their procedure is called, and stored nowhere, though debug
 * information has them in the frame, are not in the frame. */
void es_symbols_place_parameters(es_symbols *symbols);

/* held.c: the parts of its life in which a variable with a location list is in the procedure's frame: the place
 * becomes FRAME, with `life` (of which `observed` is set, not the other words) unless it is there all the time. False:
 * there are none. */
bool es_symbols_find_life(es_symbols *symbols, Dwarf_Die *function, Dwarf_Attribute *attribute, es_variable *variable);
/* places.c: stack locations that two variables share hold neither for the whole body: both become ES_PLACE_NONE. */
void es_symbols_separate_slots(es_symbols *symbols, es_variable *const *variables, size_t count);

#endif
