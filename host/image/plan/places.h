/* Of a plan: places that are found at run time, and frames. */
#ifndef ES_IMAGE_PLAN_PLACES_H
#define ES_IMAGE_PLAN_PLACES_H

#include "base/error.h"
#include "lang/statement.h"

/* The variable index of a reference that goes through a pointer or leads to one (host/image/places/indexed.h). */
typedef struct plan_index {
    const es_subscript *subscripts;
    size_t count;     /* 0: none */
    bool fixed;       /* of a variable of static storage, at: */
    uint32_t address; /* target address of its first element */
} plan_index;

/* A pointer variable that is followed, or an element whose place is computed (host/image/places/pointers.h). Its
 * handler runs first. */
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

/* Words whose address moves: the plan writes with its number (host/image/places/slots.h). */
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
    bool moves;          /* no path fixes its place: it is the slot's (host/image/places/moving.h) */
    size_t slot;
    uint32_t meant;             /* RAM offset of its es_mi_meant */
    uint32_t cell;              /* RAM offsets of its cell, ... */
    uint32_t marks, mark_words; /* ... of its words' marks (host/image/places/written.h), ... */
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

/* A word of static storage that statements refer to, and which lanes (host/image/planner/trust.h). */
typedef struct plan_fresh {
    uint32_t word; /* target address */
    uint8_t lanes;
} plan_fresh;

#endif
