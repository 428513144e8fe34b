/* Of a plan: code that events run, and which events. */
#ifndef ES_IMAGE_PLAN_HANDLERS_H
#define ES_IMAGE_PLAN_HANDLERS_H

#include "lang/statement.h"

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
 * concerns none (host/image/places/written.h): `lanes` are those of all referenced locals of the frame in the word,
 * which becomes known when some are written; `handler` is a statement that refers to one of them. */
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

#endif
