/* Inside of the tracker of shadow cells. */
#ifndef ES_REPLAY_SHADOW_PRIVATE_H
#define ES_REPLAY_SHADOW_PRIVATE_H

#include "base/arena.h"
#include "isa/isa.h"
#include "replay/shadow.h"
#include "replay/shadow_notes.h"
#include "symbols/allocator.h"
#include "symbols/copies.h"
#include "symbols/values.h"

#define NOBODY UINT32_MAX
enum { STORES_MAX = 64 };

/* --- what is known before the program runs: shadow_plan.c ------------------------------------------------- */

/* A variable that has a cell, and what the cell holds as it was told. */
typedef struct cell {
    const es_shadow *shadow;
    bool scalar;              /* its words are assigned together */
    uint8_t *bytes, *unknown; /* of all words that it has bytes in */
    uint8_t *freed;           /* by a word's first byte: what it points to was freed since it was assigned */
    enum es_shadow_why why;   /* ... why bits are unknown */
} cell;

/* A variable in a procedure's code. */
typedef struct instance {
    size_t cell;
    const es_value_copy *copy;
    uint32_t offset; /* of its bytes among those of an activation */
} instance;

/* A result that somebody asks for. */
typedef struct returned {
    const es_shadow *shadow;
    bool kept; /* false: of this copy of the procedure nothing tells it */
} returned;

/* An inlined copy whose activations somebody asks for. */
typedef struct inlined {
    const es_inlined_copy *copy;
    const es_copy_ends *ends;
} inlined;

/* What comes of a copy where execution comes to a segment. */
enum { COPY_BEGINS = 1, COPY_ENDS = 2, COPY_LIES = 4 /* its code, and nobody knows where it begins */ };

typedef struct procedure {
    const es_procedure *procedure;
    instance *instances;
    size_t count;
    inlined *copies; /* in its code, each before those in it */
    size_t copy_count;
    uint32_t bytes;    /* of all instances */
    uint64_t entry;    /* registers whose values at entry count */
    uint64_t given;    /* registers in which the caller may have given what a local is made of */
    returned *results; /* asked for by its name alone, and with its file's, are two */
    size_t result_count;
} procedure;

/* Where instance i of the segment's procedure is. */
typedef struct place {
    const es_value *value; /* NULL: nowhere */
    bool active;           /* false: of an inlined copy, and this is none of its code */
    bool memory;           /* its value stands on memory */
    uint64_t registers;    /* ... and on these */
} place;

/* Code in which nothing changes but values. All segments together are all addresses. */
typedef struct segment {
    uint32_t low, last; /* addresses: [low, last] */
    uint32_t procedure; /* its number; NOBODY */
    place *places;
    uint64_t registers;      /* on which any of the values stands */
    bool memory;             /* ... whether any stands on memory */
    bool entry;              /* the procedure's first instruction */
    bool after_call;         /* where a call returns to */
    bool trap_return;        /* the end of an interrupt */
    bool switches;           /* gives the stack pointer a new value */
    bool begins, ends, lies; /* any of the copies */
    uint8_t *copies;         /* of the procedure: COPY_BEGINS and COPY_ENDS; NULL: nothing comes of them */
} segment;

typedef struct plan {
    es_arena *arena;
    cell *cells;
    size_t cell_count;
    procedure *procedures;
    size_t procedure_count;
    segment *segments;
    size_t segment_count;
    uint64_t shown;           /* registers that have cells of their own */
    bool depths;              /* stacks are measured */
    bool copies;              /* activations of inlined copies are counted */
    uint64_t needed;          /* registers that are looked at, ever */
    bool memory;              /* ... and memory is */
    es_code_piece *allocator; /* the code of malloc, free and the like */
    size_t allocator_count;
    uint8_t *jumps; /* by two bytes of code from `code` on, a bit each: a jump or branch; NULL: nobody wants to know */
    uint32_t code, code_end;
} plan;

void es_shadow_plan(plan *p, const es_symbols *symbols);

/* --- which instructions matter: shadow_filter.c ------------------------------------------------------------- */

/* Why something is to be looked at before an instruction. */
enum due {
    DUE_SHOWN = 1, /* the last one has set a register that has a cell, or the stack's pointer that is measured */
    DUE_LOOK = 2,  /* ... or something on which values stand */
    DUE_MOVED = 4, /* it is of another segment, or comes after a trap */
};

/* What decides on it needs nothing but the instructions that are executed from some moment on, no matter which. */
typedef struct filter {
    const plan *plan;
    unsigned stack;    /* the register */
    const segment *at; /* of the last instruction; NULL: there was none */
    uint32_t before;   /* ... its address */
    uint64_t set;      /* registers that it has set */
    bool stored;       /* it has stored something */
    bool trapped;
    uint64_t since;       /* registers that were set since that was asked */
    uint64_t dirty;       /* registers that were set since they were taken */
    uint64_t uncertain;   /* ... some of whose bits were unknown when values were looked at last: they can become known
                             when they are stored (es_machine_assume_zeros), which is no setting */
    uint64_t unknown[64]; /* as they were taken last */
} filter;

void es_shadow_filter_begin(filter *f, const plan *p, const es_isa *isa);
/* The instruction has set a register. */
static inline void es_shadow_filter_set(filter *f, unsigned reg)
{
    f->set |= UINT64_C(1) << reg;
    f->dirty |= UINT64_C(1) << reg;
}
/* All that were set up to the instruction at hand, since the last time. */
static inline uint64_t es_shadow_filter_since(filter *f)
{
    uint64_t since = f->since;
    f->since = 0;
    return since;
}
/* Before an instruction: a set of `enum due`. */
unsigned es_shadow_due(filter *f, uint32_t pc);
/* Afterwards. */
void es_shadow_filter_next(filter *f, uint32_t pc);
/* Takes the registers that may have changed; notes: NULL, or where they are noted. */
void es_shadow_filter_take(filter *f, const es_machine *machine, bool looks, es_shadow_notes *notes);

/* --- while it runs ----------------------------------------------------------------------------------------- */

enum record_kind { RECORD_ACTIVATION, RECORD_TRAP };

/* The state of an instance in an activation. */
typedef struct state {
    bool met;              /* it had a value before in this activation: `bytes` have the last one */
    bool known;            /* it has one now */
    bool unset;            /* it has a place, but nothing has set that */
    bool early;            /* it has a register that its procedure has not set yet */
    bool assigned;         /* ... which is not told yet */
    const es_value *value; /* where it was looked for last; NULL: nowhere */
    uint8_t torn;          /* of a number of two words: a bit for each that was set, the other one was not yet */
    /* of what is guarded (es_value_guarded): bytes that the activation has stored, a bit each; it has set a register;
     * and it is a local, whose other bytes are unknown */
    uint8_t stored;
    bool set, guarded;
    es_value_part parts[ES_VALUE_PARTS];
    size_t part_count;
} state;

typedef struct record {
    enum record_kind kind;
    uint32_t procedure;
    uint32_t cfa, link; /* stack pointer and return address when it began */
    bool whole;         /* it was seen from its beginning on */
    bool suspended;
    uint32_t sp, resume; /* SUSPENDED, TRAP: where execution will come back to it */
    bool called;         /* suspended by a call: what callees need not keep is gone */
    bool helped;         /* ... by one of a compiler's helper, which saves registers and moves the stack pointer */
    es_machine_registers *entry;
    state *states;
    bool *active;                     /* copies of procedure.copies */
    uint8_t *bytes, *unknown, *freed; /* procedure.bytes; freed: as of cells */
    const segment *at;
} record;

typedef struct stack {
    record *records;
    size_t count, room;
} stack;

/* A stack as it is measured: what its pointer was at most and at least. */
typedef struct extent {
    uint32_t low, top;
} extent;

enum { EXTENTS_MAX = 256 };

struct es_shadow_tracker {
    const es_symbols *symbols;
    const es_machine *machine; /* that is looked at; NULL: it follows notes */
    es_machine *memory;        /* ... and this has memory as it was then; NULL: nobody needs it */
    es_shadow_told told;
    enum es_shadow_why why; /* of what is being told: bits are unknown */
    const es_isa *isa;
    plan plan;
    stack *stacks;
    size_t stack_count;
    size_t now; /* the stack on which it runs; stack_count: not known */

    extent *extents;                 /* shadow_depths.c */
    size_t extent_count, extent_now; /* extent_now == extent_count: none is known to run */
    bool half;                       /* the pointer has the upper bits of an address, and is about to get the others */

    filter filter;     /* of the machine's instructions */
    const segment *at; /* of the last instruction */
    uint32_t before;   /* the last instruction's address */
    bool trapped;
    uint32_t interrupted; /* what the trap has interrupted; 0: that is not known */
    bool late;            /* it comes back from a call: what that changes is told after the fetch at: */
    uint32_t late_pc;
    bool begins;    /* copies begin in the running activation: told after the fetch */
    uint64_t set;   /* registers that it has set */
    uint64_t since; /* registers that were set since the running activation began */
    bool in_parts;  /* a number of two words may be torn; */
    bool jumps;     /* ... and the instruction at hand ends the straight line */
    struct {
        uint32_t low, size;
    } stores[STORES_MAX];
    size_t store_count;
    bool many_stores;
    uint32_t watched_low, watched_high; /* memory that has variables of activations that wait for a call */
    bool watched_hit;

    es_machine_registers registers; /* as they are now, when `fresh`; following notes: always, as far as needed */
    bool fresh;
    bool begun;                        /* following notes: something was followed */
    es_shadow_place place;             /* following notes: of what is being told */
    const es_machine_registers *entry; /* of the activation that is looked at; NULL: not seen */
    /* for a value; written: 1 for its bytes that were assigned */
    uint8_t room[ES_SHADOW_SIZE_MAX + 4], room_unknown[ES_SHADOW_SIZE_MAX + 4], written[ES_SHADOW_SIZE_MAX + 4];
    uint8_t *assigned; /* `written` of all instances that an instruction has assigned, as a procedure's bytes */
};

/* Before an instruction: what the last one has done. looks: it has set something on which values stand. */
void es_shadow_step(es_shadow_tracker *t, uint32_t pc, bool looks);
/* ... and that is over: now it is the last one, and has done nothing so far. */
void es_shadow_done(es_shadow_tracker *t, uint32_t pc);

/* --- cells, and what is known of them: shadow_cells.c -------------------------------------------------------- */

/* The register file at this moment. */
const es_machine_registers *es_shadow_registers(es_shadow_tracker *t);
/* One of these: 0 to 31, and 32 to 63 of floating point; of any other nothing is known. */
void es_shadow_register(const es_machine_registers *r, unsigned reg, uint64_t *value, uint64_t *unknown);
/* Memory at this moment; where there is none, it is unknown. */
void es_shadow_read(const es_shadow_tracker *t, uint32_t address, uint32_t size, uint8_t *bytes, uint8_t *unknown);
/* Where values are read from: registers, memory, and registers at the entry of t->entry. */
es_value_context es_shadow_value_context(es_shadow_tracker *t);
static inline bool es_shadow_any(const uint8_t *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        if (bytes[i])
            return true;
    return false;
}
/* The stack on which it runs; an empty one: that is not known. */
const stack *es_shadow_stack_now(const es_shadow_tracker *t);
/* The cell gets these bytes. written: by byte, those that were assigned; NULL: none. freed: by word; NULL: none. */
void es_shadow_tell(es_shadow_tracker *t, cell *c, const uint8_t *bytes, const uint8_t *unknown, const uint8_t *written,
                    const uint8_t *freed);
void es_shadow_tell_unknown(es_shadow_tracker *t, cell *c, enum es_shadow_why why);
/* What is known of an instance, if its activation is the one that the cell shows. written: as above. */
void es_shadow_tell_instance(es_shadow_tracker *t, const record *r, size_t k, const uint8_t *written);
/* All cells as the innermost activations have them: pokes. */
void es_shadow_show(es_shadow_tracker *t);
/* All is unknown. */
void es_shadow_forget(es_shadow_tracker *t);

/* shadow_shown.c. of: the activation that returns it; NULL: that is not known. */
void es_shadow_show_result(es_shadow_tracker *t, const es_shadow *shadow, const record *of);
void es_shadow_show_registers(es_shadow_tracker *t, uint64_t set);
void es_shadow_show_constants(es_shadow_tracker *t);
/* The result of a procedure is what an inlined copy has returned. */
void es_shadow_lose_result(es_shadow_tracker *t, cell *c);
/* A cell of copies is this; assigned: by an event. */
void es_shadow_show_number(es_shadow_tracker *t, cell *c, uint32_t number, bool assigned);
/* Cells of stacks hold these; `known` false: nothing. */
void es_shadow_show_depths(es_shadow_tracker *t, uint32_t depth, uint32_t peak, bool known);

/* shadow_values.c: what the values of one activation have become. */
enum look {
    LOOK_ENTRY, /* before its first instruction: parameters have their values; what else has one gets it afterwards */
    LOOK_QUIET, /* nothing is an assignment */
    LOOK_SET,   /* after an instruction, or what it called, which has set registers and memory */
    LOOK_ON,    /* the same, and execution has gone on from one instruction of the segment to another */
};
void es_shadow_look(es_shadow_tracker *t, record *r, const segment *at, uint64_t set, enum look look);
/* The word at an offset of a value's bytes. */
static inline uint32_t es_shadow_word(const uint8_t *bytes, uint32_t offset)
{
    return bytes[offset] | (uint32_t)bytes[offset + 1] << 8 | (uint32_t)bytes[offset + 2] << 16 |
           (uint32_t)bytes[offset + 3] << 24;
}

/* shadow_freed.c: whether this is code of malloc, free and the like. */
bool es_shadow_in_allocator(const plan *p, uint32_t pc);
/* The instruction that is executed has stored this. */
void es_shadow_note_freed(es_shadow_tracker *t, uint32_t low, uint32_t size);
/* A value was `old`, and has become `bytes`; written: its bytes that were assigned. */
void es_shadow_not_freed(uint8_t *freed, const uint8_t *old, const uint8_t *bytes, const uint8_t *written,
                         uint32_t size);

/* shadow_parts.c. Whether the last instruction has stored to any of these bytes. */
bool es_shadow_is_stored(const es_shadow_tracker *t, uint32_t address, uint32_t size);
/* Whether the instruction there is a jump; false where the plan has no numbers of two words. */
bool es_shadow_ends_line(const plan *p, uint32_t pc);
void es_shadow_find_lines(plan *p, const es_symbols *symbols);
/* Whether a number of two words is one: as after any instruction; torn; and has been assigned by this and earlier ones.
 * before: state.torn up to now; it is set in *now, of which `parts` are known. */
enum whole { WHOLE_AS_EVER, WHOLE_NOT, WHOLE_NOW };
enum whole es_shadow_whole(es_shadow_tracker *t, state *now, uint32_t size, uint8_t before, uint64_t set);

/* shadow_early.c. Of a part where debug information has it only when the activation has put it there: makes unknown, in
 * t->room, what it has not. */
void es_shadow_guard(es_shadow_tracker *t, const record *r, state *s, const es_value *value, const es_value_part *part,
                     bool parameter);
/* The same of what lies in memory, in bytes of the variable. */
void es_shadow_hide(const es_shadow_tracker *t, const record *r, state *s, const es_value_part *part, uint8_t *bytes,
                    uint8_t *unknown, bool parameter);
/* Whether a local's part is what the caller has left in a register. */
bool es_shadow_too_early(const es_shadow_tracker *t, const record *r, const es_value_copy *copy,
                         const es_value_part *part);

/* shadow_memory.c: notes where variables of activations that wait for a call lie (watched_low, watched_high); and
 * looks at what the last instruction has stored there. */
void es_shadow_watch_memory(es_shadow_tracker *t);
void es_shadow_look_at_memory(es_shadow_tracker *t);
/* shadow_depths.c: the last instruction has set the stack pointer; and before any has. */
void es_shadow_measure(es_shadow_tracker *t);
void es_shadow_forget_depths(es_shadow_tracker *t);
/* shadow_copies.c: the running activation's execution comes to a segment; `at` NULL: it is left. Ends its copies. */
void es_shadow_end_copies(es_shadow_tracker *t, record *r, const segment *at);
/* ... and was fetched there: they begin. running: its activation, NULL none */
void es_shadow_begin_copies(es_shadow_tracker *t, record *running);
/* As es_shadow_show, of cells of copies. */
void es_shadow_show_copies(es_shadow_tracker *t);
/* Variables of copies that end, before it is told: as the last instruction has left them. */
void es_shadow_show_last(es_shadow_tracker *t, record *r, const segment *at);

/* shadow_stacks.c: calls, returns, traps, switches of stacks. */
const segment *es_shadow_segment(const plan *p, uint32_t address);
void es_shadow_arrive(es_shadow_tracker *t, uint32_t pc);
/* ... the rest, after the fetch. */
void es_shadow_arrive_late(es_shadow_tracker *t);
void es_shadow_drop_stacks(es_shadow_tracker *t);
/* The activation whose code runs; NULL: none that is known. */
record *es_shadow_running(es_shadow_tracker *t);

#endif
