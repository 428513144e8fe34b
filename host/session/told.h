/* What the words of each statement's HIT frames hold, found once before they come. */
#ifndef ES_SESSION_TOLD_H
#define ES_SESSION_TOLD_H

#include "base/arena.h"
#include "lang/statement.h"

typedef struct es_told_value {
    const es_print_item *item;
    const es_type *type; /* of a variable's value; else NULL */
    size_t words;        /* of the frame */
    bool is_parts;       /* which members of an area were accessed */
} es_told_value;

/* Of one statement. */
typedef struct es_told {
    es_told_value *values;
    size_t value_count;
    const es_snapshot **snapshots; /* after the values */
    size_t snapshot_count;
    size_t words; /* of all of them */
} es_told;

/* By statement, in the arena; the program must stay. */
const es_told *es_told_all(const es_program *program, es_arena *arena);

#endif
