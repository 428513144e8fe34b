/* What each statement needs: which events trigger it, how its code tells them apart, where it takes values from. */
#ifndef ES_IMAGE_PLAN_PLAN_H
#define ES_IMAGE_PLAN_PLAN_H

#include "base/arena.h"
#include "image/bits.h"
#include "image/image.h"
#include "image/plan/handlers.h"
#include "image/plan/places.h"
#include "image/plan/times.h"
#include "lang/statement.h"
#include "probe_defs.h"
#include <image.h>

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
    uint8_t *checks; /* by reference: what has to be asked of a local's mark (host/image/places/written.h) */
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

struct moving_procedure;

typedef struct image_plan {
    es_arena *arena;
    const es_symbols *symbols;
    const es_program
        *program; /* may be a copy (host/image/places/moving.h): references to one procedure may have several */
    plan_statement *statements;
    plan_handler *handlers;
    size_t handler_count;
    plan_age *ages;
    size_t age_count;
    plan_deadline *deadlines;
    size_t deadline_count;
    uint32_t deadline_shared; /* RAM offset */
    uint32_t tells,
        tells_at;        /* RAM offset of what is known of paths that they ask for; code (host/image/times/tells.h) */
    bool ordered;        /* deadlines are told in their order among what they matter to (host/image/times/order.h) */
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
    uint32_t lives_at; /* the routine that looks into them (host/image/places/lives.c) */
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

/* 1 + the number of the pointer that a statement's reference goes through; 0: none. */
static inline size_t plan_pointer_of(const plan_statement *of, size_t reference)
{
    return of->pointers ? of->pointers[reference] : 0;
}

#endif
