/* What the words of each statement's HIT frames hold, found once before they come. */
#ifndef ES_SESSION_TOLD_H
#define ES_SESSION_TOLD_H

#include "base/arena.h"
#include "lang/statement.h"
#include "record/record.h"

typedef struct es_told_value {
    const es_print_item *item;
    const es_type *type; /* of a variable's value; else NULL */
    size_t words;        /* of the frame */
    bool is_parts;       /* which members of an area were accessed */
    bool is_backtrace;   /* nothing of it is in the frame's words */
    bool is_plain;       /* what the words hold is the value, and all that is said of it */
} es_told_value;

/* Of one statement. */
typedef struct es_told {
    es_told_value *values;
    size_t value_count;
    const es_snapshot **snapshots; /* after the values */
    size_t snapshot_count;
    size_t words;  /* of all of them */
    size_t marks;  /* words that a frame has more when some values are not known */
    bool is_plain; /* nothing but plain values */
    bool is_cover; /* it follows no calls: its hits have neither path nor task */
} es_told;

/* By statement, in the arena; the program must stay. `schema`: the program's. */
const es_told *es_told_all(const es_program *program, const es_schema *schema, es_arena *arena);

#endif
