/* What each statement needs: which events trigger it, how its code tells them apart, where it takes values from. */
#ifndef ES_IMAGE_PLAN_PLAN_H
#define ES_IMAGE_PLAN_PLAN_H

#include "base/arena.h"
#include "image/bits.h"
#include "image/image.h"
#include "lang/statement.h"
#include "probe_defs.h"
#include <image.h>

/* What a piece of code is for that events run, in the order in which they run: where pointers lead to now, what was due
 * before the event, then statements, then the times of writes, and the task. */
enum plan_purpose { PLAN_POINTER, PLAN_DEADLINE, PLAN_STATEMENT, PLAN_AGE, PLAN_TASK };

/* A statement's evaluation, or what keeps a cell up to date that statements ask for. Those of statements are the first
 * and have the statements' numbers. */
typedef struct plan_handler {
    enum plan_purpose purpose;
    size_t number;    /* among the plan's pointers, deadlines, statements, ages */
    size_t statement; /* whose it is */
    bool locks;       /* it looks at phantom memory, so that the event has to be the last */
    bool has_events;  /* it tells events apart: it is handed event bits */
    uint16_t order;   /* in which it runs */
} plan_handler;

/* A write that concerns a handler. `word` is a target address, or an offset from the CFA of `frame`. With `cover` it
 * concerns none (host/image/plan/written.h): `lanes` are those of all referenced locals of the frame in the word, which
 * becomes known when some are written; `handler` is a statement that refers to one of them. */
typedef struct plan_write {
    size_t handler;
    bool cover;
    bool marks;     /* of a cover: it keeps a mark, at `pending`, ... */
    bool needed;    /* ... its word has to be known, */
    uint32_t until; /* and up to here stand elements, of which marks stand in the same order */
    const es_procedure *frame;
    uint16_t slot; /* 1 + the number of the slot that it is a word of (word is an offset from its base); 0: none */
    uint32_t word; /* multiple of 4 */
    uint8_t lanes;
    uint16_t events; /* event bits */
    uint16_t order;  /* the handler's */
    bool old;        /* the statement takes an old value from the word */
    /* Lanes of several bytes that can be written one by one: RAM offsets, shared by all writes with the same lanes.
     * pending: byte of what was written (host/image/tables/parts.c); first: two words for the hit's flags and old word
     * as of the first part, 0: nobody takes an old value. bit: what tells them from other lanes of the word in
     * ES_IR_LIST and ES_IR_PARTS. */
    uint32_t pending, first;
    uint16_t bit;
    /* Of a variable across words (plan_is_large) there is a write for each word, all with the same `start`, address of
     * its first byte, and `bytes`; pending then has a bit for each byte from the first one on, and `first` is there for
     * each word. 0: the variable lies in this word. */
    uint32_t start;
    uint8_t bytes;
    /* Through a pointer: 1 + its number, and how many bytes the slot's base lies before its value; pending and first
     * are the same in all of its slots. */
    uint16_t pointer;
    uint8_t phase;
} plan_write;

/* A path of activations that statements ask about (host/image/plan/paths.h). */
typedef struct plan_path {
    const es_path *path;
    uint8_t asked;   /* AUTOMATON_*, ... */
    unsigned bit[2]; /* ... and by bit of it the bit of a node's `tells` */
    bool refers;     /* there is a reference to a local on it */
} plan_path;

/* An enter, leave or at that concerns a handler. */
typedef struct plan_control {
    size_t handler;
    const es_procedure *procedure; /* NULL: at */
    const es_position *position;   /* at: where execution comes to */
    const es_path *path;           /* NULL: whichever way the procedure was called */
    bool leave;
    uint16_t events;
    /* not 0: it happens there instead of at the procedure's first instruction `instead` (host/image/plan/begins.h) */
    uint32_t begin, instead;
    /* of a statement of `cover`, at one of its places: RAM offset of the byte that says that this one has been told; 0:
     * the word is disarmed then */
    uint32_t covered;
} plan_control;

/* Data reads that concern a handler: of any of these lanes. */
typedef struct plan_read {
    size_t handler;
    uint16_t slot; /* 1 + the number of the slot that it is a word of; 0: none */
    uint32_t word; /* target address, or offset from the slot's base: a multiple of 4 */
    uint8_t lanes;
    uint16_t events;
} plan_read;

struct compound_event;

typedef struct plan_statement {
    const es_statement *statement;
    /* Event bit numbers by reference, -1: none. write: "the event is a write to it"; old: "the event is a write to
     * its word"; read: "the event is a read of it". */
    int8_t *write_bit, *old_bit, *read_bit;
    int8_t *write_any_bit, *read_any_bit; /* by area: of the events at any of its members */
    /* all values lie in the same lanes of one word, whose write triggers it: they come from the hit's registers */
    bool direct;
    bool has_controls;               /* it is evaluated at control events too */
    bool asks_paths;                 /* its evaluation looks at NP's state */
    bool own_frame;                  /* only writes to the one frame that all its locals lie in trigger it */
    size_t deadline;                 /* 1 + its number among plan->deadlines; 0: none */
    struct compound_event *compound; /* NULL: a single condition, the predicate */
    bool needs_known;                /* the values' words have to be known: it is not direct, or takes an old value */
    const bool *olds;                /* by reference: its old value is asked for; NULL: of none */
    uint8_t *checks; /* by reference: what has to be asked of a local's mark (host/image/plan/written.h) */
    /* by reference: 1 + the number of the pointer that it goes through, 0: none. NULL: there are none */
    const uint16_t *pointers;
    /* by snapshot: 1 + the number of the pointer that it goes through, 0: none. NULL: there are none */
    const uint16_t *shown;
    uint32_t expected;      /* RAM offset of the es_mi_expected; 0: it is no expectation */
    uint32_t unknown;       /* RAM offset of the count of evaluations that met what is not known; 0: there is none */
    bool after_deadlines;   /* with plan->ordered: before its events, deadlines that have passed are told */
    uint32_t switch_record; /* RAM offset of its EXPECTED_SWITCH_BYTES; 0: it is enabled all the time */
    uint32_t covered; /* of `cover`: RAM offset of a byte for each of its addresses (host/image/plan/cover.h); else 0 */
    const es_stack *stack; /* of `stack`: its words are armed, each until its first write; else NULL */
} plan_statement;

/* A variable of whose writes the times are kept, for age(), and for old() of a local that is held at times. Its handler
 * runs after all others of the word but the task's, so at a write to it the age is that before. */
typedef struct plan_age {
    const es_reference *reference; /* one that stands for all of the same bytes */
    size_t pointer;                /* 1 + the pointer that it goes through; 0: none */
    size_t handler;
    uint32_t record; /* RAM offset: time of the last write, two words; PLAN_AGE_NONE or ... */
    bool stays;      /* it asks whether what was written last is still there: all bytes' writes tell it */
} plan_age;

enum { PLAN_AGE_NONE, PLAN_AGE_THERE, PLAN_AGE_GONE };

/* Event bits of a note of one that `stays`: all of it was written, some bytes were. */
enum { PLAN_AGE_WHOLE = 1, PLAN_AGE_SOME = 2 };

#define PLAN_AGE_BYTES 12

#define PLAN_AGE_WRITTEN 8

/* A reference of a statement with such a deadline. */
typedef struct plan_held {
    bool event;          /* a write to it is an event of the condition: else it is only shown */
    bool needed;         /* it has to exist, for the condition or to be shown */
    bool aged;           /* its age is asked for: its writes come after a deadline that has passed before */
    uint32_t copy;       /* offset of a copy of its value, 0: it is not needed */
    uint32_t shown;      /* of a part: offset from plan_deadline.copies of a copy to be shown; 0: it is not */
    uint32_t element;    /* with a variable index: of the element's address as of the last event; */
    uint8_t element_bit; /* ... the note's event bit of a write to what may be it */
    uint32_t initial[2]; /* its value in the program file, when it is `known` */
    bool known;
} plan_held;

/* What `x unchanged for 10ms` or `x > 3 for 10ms` of a statement waits for. Its handler, which runs before those of
 * statements, notes the events that matter to it. */
typedef struct plan_deadline {
    const es_reference *reference; /* of `unchanged for`: x */
    size_t statement;
    const es_condition *condition;
    bool holds; /* it waits for a condition to have held so long, `for` */
    bool part;  /* of a compound event, which has others */
    bool shows; /* with it the event may be complete: what is shown has to exist, and is copied */
    /* at each event what it waits for is evaluated, and what it shows is copied (host/image/plan/holds.h); else x is
     * all that there is, and at most a word of static storage */
    bool evaluated;
    bool ends;         /* something may cease to exist that it needs: a local, what a pointer points to */
    bool from_start;   /* `unchanged for` of what is there all the time: it counts from the monitoring's beginning */
    uint64_t clocks;   /* of the bus */
    uint32_t record;   /* RAM offset: host/image/lower/deadline.c */
    uint32_t bytes;    /* ... of so many bytes */
    uint32_t copies;   /* ... from which plan_held.shown counts */
    uint32_t check_at; /* the statement's routine */
    uint32_t initial;  /* what the program file has at the variable's word, when it is `known` */
    bool known;
    struct plan_held *held; /* when it is evaluated: by reference */
} plan_deadline;

/* The variable index of a reference that goes through a pointer or leads to one (host/image/plan/indexed.h). */
typedef struct plan_index {
    const es_subscript *subscripts;
    size_t count;     /* 0: none */
    bool fixed;       /* of a variable of static storage, at: */
    uint32_t address; /* target address of its first element */
} plan_index;

/* A pointer variable that is followed, or an element whose place is computed (host/image/plan/pointers.h). Its handler
 * runs first. */
typedef struct plan_pointer {
    const es_reference *reference; /* one that stands for all of this variable */
    size_t statement;              /* whose it is */
    size_t base;                   /* 1 + the pointer through which it is reached; 0: none */
    const plan_index *index;       /* of an element, `reference`; NULL: a variable */
    unsigned align;                /* of what it points to: 1, 2, 4 */
    size_t slot;                   /* the first of 4 / align */
    int64_t low, high;             /* bytes from its value on, with all that are referred to, and itself */
    uint32_t state;                /* RAM offsets: es_mi_pointer_state; pending bytes */
    uint32_t pending, pending_words;
} plan_pointer;

/* Words whose address moves: the plan writes with its number (host/image/plan/slots.h). */
typedef struct plan_slot {
    uint32_t state;    /* RAM offset of its es_mi_slot_state */
    uint16_t moved_at; /* code that is run before it leaves a place; 0: none */
    size_t pointer;    /* 1 + the pointer whose object it lies over; 0: none */
    bool guards;       /* the first two words from the base on are armed too, without code */
    bool reads;        /* its words are those of plan reads */
    size_t also;       /* 1 + the one with the reads of the same object or frame, which moves with it; 0: none */
} plan_slot;

/* Of a snapshot with a variable index: bytes from the first element on; not 0: why there is none
 * (host/image/hit/snapshot.h). */
#define PLAN_SHOT_BYTES 8u

/* What es_lives_check asks for a variable. */
typedef struct plan_life {
    const es_life *life;
    uint32_t at; /* its es_mi_life */
} plan_life;

/* A procedure whose locals are referenced. */
typedef struct plan_frame {
    const es_procedure *procedure;
    const es_path *path; /* of all references to its locals, when it is the same; else NULL: */
    bool anywhere;       /* some are to those of the innermost activation, whichever way it was called */
    bool moves;          /* no path fixes its place: it is the slot's (host/image/plan/moving.h) */
    size_t slot;
    uint32_t meant;             /* RAM offset of its es_mi_meant */
    uint32_t cell;              /* RAM offsets of its cell, ... */
    uint32_t marks, mark_words; /* ... of its words' marks (host/image/plan/written.h), ... */
    uint32_t kept, kept_shift;  /* ... of them by activation, 1 << kept_shift bytes each; 0: they are not kept */
    uint32_t saved;             /* bytes from an activation's marks in a task's record to these */
    uint32_t before;            /* ... of the mark, as of before the event, of the word written; 0: not asked for */
    uint32_t pending, pending_words; /* ... and with those of its variables */
} plan_frame;

/* A procedure whose frame has no fixed place, and why. */
typedef struct plan_moved {
    const es_procedure *procedure;
    es_error why;
} plan_moved;

/* A word of static storage that statements refer to, and which lanes (host/image/plan/trust.h). */
typedef struct plan_fresh {
    uint32_t word; /* target address */
    uint8_t lanes;
} plan_fresh;

struct moving_procedure;

typedef struct image_plan {
    es_arena *arena;
    const es_symbols *symbols;
    const es_program
        *program; /* may be a copy (host/image/plan/moving.h): references to one procedure may have several */
    plan_statement *statements;
    plan_handler *handlers;
    size_t handler_count;
    plan_age *ages;
    size_t age_count;
    plan_deadline *deadlines;
    size_t deadline_count;
    uint32_t deadline_shared; /* RAM offset */
    uint32_t tells,
        tells_at;        /* RAM offset of what is known of paths that they ask for; code (host/image/plan/tells.h) */
    bool ordered;        /* deadlines are told in their order among what they matter to (host/image/plan/order.h) */
    uint32_t ordered_at; /* ... by this code, as of a time; */
    uint32_t settle_at;  /* ... as of the event */
    plan_write *writes;
    size_t write_count;
    plan_read *reads;
    size_t read_count;
    plan_control *controls;
    size_t control_count;
    plan_frame *frames;
    size_t frame_count;
    plan_moved *moved;
    size_t moved_count;
    struct moving_procedure *moving; /* by procedure: what moving frames need to know; NULL: none moves */
    /* target addresses of the CFA of what start-up code calls and jumps to; 0: not known */
    uint32_t root_cfa, root_jump_cfa;
    plan_slot *slots;
    size_t slot_count;
    plan_pointer *pointers;
    size_t pointer_count;
    bool counts;          /* some statement changes a counter that says where an element is */
    uint32_t moving_on;   /* RAM offset: where a statement goes on once it has moved what its counters lead to */
    bool allocates;       /* the program has an allocator, so that what pointers point to may be freed */
    plan_index **indices; /* by statement, then reference; NULL: none */
    plan_life *lives;
    size_t life_count;
    uint32_t lives_at; /* the routine that looks into them (host/image/plan/lives.c) */
    uint32_t gathered; /* RAM offset of header.gathered_at, with slots */
    plan_path *paths;
    size_t path_count;
    unsigned path_bits;
    bool lean;         /* what could be left out is, for lack of room: */
    plan_fresh *fresh; /* words that are doubtful after a loss; NULL: nothing is known of them */
    size_t fresh_count;
    uint32_t stale;      /* RAM offset of what the firmware knows of them */
    uint32_t unknown;    /* RAM offset of the count of evaluations that met unknown memory */
    uint32_t incomplete; /* ... of the count of writes in parts that were given up */
    uint32_t pending;    /* ... of all variables' pending bytes, which stand last */
    uint32_t pending_words;
    uint32_t tags; /* ... each has a second byte that far after it (host/image/tables/parts.c) */
    /* routines that look at writes in parts (host/image/tables/parts.c): of variables in one word; of those across
     * words; what keeps the word as it was */
    uint32_t parts_at, parts_across_at, parts_keep_at;
    /* on a bus that is narrower than words RAM offset of what is known of the store at hand
     * (host/image/tables/narrow.h); else 0 */
    uint32_t store;
    uint32_t narrow_at;     /* ... and the routine that looks at it */
    uint32_t elements;      /* ... of where elements with a variable index are, by reference of the statement at work */
    uint32_t element_pasts; /* ... of where their old values are kept, with 64 bits */
    bool traps;             /* the program may be interrupted */
    bool narrow;            /* a store may come as several writes, and the code tells how many */
    bool stacks;            /* some statement is of `stack` */
    bool untracked;         /* nobody asks for call paths or tasks: calls are not followed */
    const es_blindness *blind; /* why fetches prove nothing, so that nobody can: and untracked; NULL: they do */
    bool tells_times;          /* hits tell when they were recognised and acted on */
    uint32_t times;            /* RAM offset of two of these times: as of REG_TIME_NOW */
    uint32_t shots;            /* ... of where in their arrays elements in snapshots are, PLAN_SHOT_BYTES each */
    uint32_t kept;             /* ... of counters' values that a hit prints as they were before its later actions */
    uint32_t flows;            /* ... of what is kept of tasks that do not run */
    unsigned marks_shift; /* log2 of the bytes with marks of an activation's locals among these; 0: there are none */
    uint16_t task_places; /* activations that are kept of each */
    uint32_t spill, spill_words; /* ... of values for which routines have no register */
    uint32_t ram_size;           /* bytes: counters, totals, these counts, cells, marks, first parts, pending bytes */
    uint32_t ram_at;             /* soft core address, once the owner has placed it */
} image_plan;

/* What a first attempt at an image has shown to be needed, or to be too much. */
typedef struct plan_options {
    uint16_t task_places; /* activations that are kept of a task that does not run */
    bool dense;           /* tables of nodes are made small, at the price of time (tables/nodes.c) */
    bool lean;            /* what could be left out is */
    uint32_t spill_words; /* for values for which routines have no register */
    uint32_t library;     /* bytes of the firmware's library */
} plan_options;

/* Fails with ES_USAGE when a statement cannot be put into an image. The plan's memory is the arena's. */
bool es_plan_make(image_plan *plan, es_arena *arena, const es_symbols *symbols, const es_program *program,
                  const es_probe_limits *limits, const plan_options *options, es_error *err);

/* What is known of a store that comes as several writes (plan->store). */
enum {
    PLAN_STORE_FLAGS = 0, /* HIT_FLAGS as of the first write, with the lanes of all of them */
    PLAN_STORE_OLD = 4,   /* HIT_OLD of the first */
    PLAN_STORE_CAME = 8,  /* lanes that have come, as in HIT_FLAGS; 0: all have */
    PLAN_STORE_TIME = 12, /* HIT_TIME of the last that was looked at, and what was said of it: */
    PLAN_STORE_ENDS = 16,
    PLAN_STORE_BEGINS = 20,
    PLAN_STORE_BYTES = 24,
};

/* Whether what is written can be written in parts. */
static inline bool plan_in_parts(const plan_write *write)
{
    return write->bytes || write->lanes & (write->lanes - 1);
}

/* The bytes of the variable that a write is to: `start` counts as its word does. */
typedef struct plan_span {
    uint32_t start;
    unsigned bytes;
} plan_span;

static inline plan_span plan_span_of(const plan_write *write)
{
    plan_span span = {write->start, write->bytes};
    if (!span.bytes) { /* lanes of one word, next to each other */
        span.start = write->word + (write->lanes & 1 ? 0u : write->lanes & 2 ? 1u : write->lanes & 4 ? 2u : 3u);
        for (unsigned lanes = write->lanes; lanes; lanes >>= 1)
            span.bytes += lanes & 1;
    }
    return span;
}

/* Whether two writes are to one word, as far as the plan knows: slots may meet anywhere. */
static inline bool plan_same_word(const plan_write *a, const plan_write *b)
{
    return a->frame == b->frame && a->slot == b->slot && a->word == b->word;
}

/* Whether two writes to one word are of the same bytes. */
static inline bool plan_same_bytes(const plan_write *a, const plan_write *b)
{
    return a->lanes == b->lanes && a->bytes == b->bytes && a->start == b->start;
}

/* 1 + the number of the pointer that a statement's reference goes through; 0: none. */
static inline size_t plan_pointer_of(const plan_statement *of, size_t reference)
{
    return of->pointers ? of->pointers[reference] : 0;
}

#endif
