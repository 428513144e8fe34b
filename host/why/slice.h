/* Where a value comes from: a dynamic backward slice over data. From a moment back, the instructions that made the
 * value and those that made what these used, through registers and memory, to where values come into the program. */
#ifndef ES_WHY_SLICE_H
#define ES_WHY_SLICE_H

#include "isa/isa.h"
#include "replay/timeline.h"
#include "symbols/symbols.h"

enum es_why_node_kind {
    ES_WHY_ASKED,   /* the value that is asked for; the first node */
    ES_WHY_MADE,    /* an instruction, executed */
    ES_WHY_INPUT,   /* a read outside of memory, of a device */
    ES_WHY_START,   /* memory as it was when the recording began: what was loaded, or never written */
    ES_WHY_RESET,   /* a register that nothing had set since the recording began */
    ES_WHY_CONTROL, /* a control register of the processor */
    ES_WHY_OUTSIDE, /* memory that something else than the program has changed; `moment`: when it read that */
    ES_WHY_FOUND,   /* memory of which nothing was known before the program read it, at `moment` */
    ES_WHY_UNTOLD,  /* an instruction of which it is not known what it uses */
    ES_WHY_CUT,     /* was not followed any further: there were enough nodes */
    ES_WHY_DECIDED, /* a branch, or jump through a table, executed; data: 1 if it did not go on after itself */
    ES_WHY_UNASKED, /* what a branch compared, where decisions are not followed */
};

/* A register, or bytes of a word in memory. */
typedef struct es_why_place {
    bool memory;
    uint8_t lanes;  /* of a word in memory; of a register 15 */
    uint32_t where; /* the register, 0 to 63; the word's address */
} es_why_place;

typedef struct es_why_node {
    enum es_why_node_kind kind;
    uint64_t moment; /* before the instruction; of START and RESET 0 */
    uint32_t pc;
    es_why_place place; /* what it made, or what of it was used first */
    uint32_t data;      /* of memory: the word, bytes that are not used are 0 */
    uint32_t unknown;
    uint64_t since; /* OUTSIDE: it was changed after this moment; 0: not known */
} es_why_node;

/* `user` used what `maker` made, from this place. */
typedef struct es_why_edge {
    size_t user, maker;
    es_why_place place;
} es_why_edge;

/* That `node` was executed at all is due to the branch `by`, the last one before it that could have led past it. */
typedef struct es_why_decision {
    size_t node, by;
} es_why_decision;

typedef struct es_why_slice {
    es_why_node *nodes; /* the makers after their users: by falling moments */
    size_t node_count;
    es_why_edge *edges;
    size_t edge_count;
    es_why_decision *decisions;
    size_t decision_count;
    bool undecided;    /* of some nodes it is not known who decided: code or stacks could not be followed */
    uint64_t searched; /* instructions that were looked at */
    bool stopped;      /* somebody wanted it to end */
} es_why_slice;

typedef struct es_why_options {
    size_t most;         /* nodes that are followed */
    bool control;        /* also where what branches compared comes from, and who decided about these */
    bool addresses;      /* also where the addresses come from with which values were loaded and stored */
    bool (*asked)(void); /* looked at all the time: true ends the search; may be NULL */
} es_why_options;

/* The slice of what is in the places at a moment. False: the replay failed. */
bool es_why_slice_take(es_why_slice *slice, es_timeline *timeline, const es_symbols *symbols, uint64_t moment,
                       const es_why_place *places, size_t place_count, const es_why_options *options, es_error *err);
void es_why_slice_free(es_why_slice *slice);

#endif
