/* How records lie in a trace's packets. The metadata's writer, the encoder and the decoder go by this, so that the
 * three cannot disagree. All is little endian and begins at a byte.
 *
 * An event: number of its class (16 bits), time (64), fields. */
#ifndef ES_STORE_LAYOUT_H
#define ES_STORE_LAYOUT_H

#include "record/record.h"
#include "store/packet.h"

#define ES_TRACE_FORMAT 2u        /* 1 is read, too: it has no reasons */
#define ES_TRACE_REASONS_MAX 255u /* of a hit: why values are not known */
#define ES_TRACE_REASON_SIZE 6u
#define ES_TRACE_EVENT_HEAD 10u

/* Classes of events that are not hits of a statement. */
enum es_trace_class {
    ES_TRACE_EXACT, /* before another one, and about it: its time, which is not in order; how many values it has */
    ES_TRACE_LOST,
    ES_TRACE_CONSOLE,
    ES_TRACE_NOTE,
    ES_TRACE_WARNING,
    ES_TRACE_PROGRESS,
    ES_TRACE_SUMMARY,
    ES_TRACE_CLOCK,
    ES_TRACE_INFERRED,
    ES_TRACE_STATEMENTS = 16 /* hits: and the statement's number */
};
#define ES_TRACE_STATEMENTS_MAX (65536u - ES_TRACE_STATEMENTS)

/* Numbers of names in a chunk: from 1 on, 0 for none. */
#define ES_TRACE_NO_NAME UINT32_MAX /* what it would name is not known */

/* How a field's value is stored. */
typedef struct es_slot {
    uint8_t bytes; /* 1, 2, 4, 8; 0: text up to a NUL */
    uint8_t shift; /* 64 - bits */
    bool is_signed;
    bool about;    /* a name follows it */
    bool is_whole; /* its bytes have no bits but the value's */
} es_slot;

es_slot es_slot_of(const es_field *field);

/* Of a statement's hits. */
typedef struct es_hit_layout {
    es_slot *slots;  /* by field */
    size_t unknown;  /* bytes of the bits that say which fields are not known, field 0 in the lowest: 0, 1, 2, 4, 8n */
    size_t least;    /* bytes of a hit without its texts (but their NULs) and reasons, after the event's head */
    size_t reasons;  /* the most of them that a hit has; 0: nothing of them is there */
    size_t fields;   /* values and objects' leaves, */
    size_t objects;  /* and objects: as many as a hit has when nothing of it is missing */
    bool only_slots; /* no texts, no names beside values, no objects */
} es_hit_layout;

/* By statement, in the arena. */
es_hit_layout *es_hit_layouts(const es_schema *schema, es_arena *arena);

#endif
