/* Events of interest: what a statement waits for. */
#ifndef ES_LANG_CONDITION_H
#define ES_LANG_CONDITION_H

#include <stddef.h>
#include <stdint.h>

#include "lang/activations.h"
#include "lang/expression.h"
#include "lang/source.h"

enum es_trigger_kind {
    ES_TRIGGER_WRITE, /* of references[index] */
    ES_TRIGGER_READ,  /* of references[index] */
    ES_TRIGGER_ENTER, /* of procedure, on path if there is one */
    ES_TRIGGER_LEAVE,
    ES_TRIGGER_AT,        /* position, in an activation of path if there is one */
    ES_TRIGGER_UNCHANGED, /* references[index] for duration */
};

/* An event at which a predicate has to be evaluated. */
typedef struct es_trigger {
    enum es_trigger_kind kind;
    size_t index;
    const es_procedure *procedure;
    const es_path *path;
    const es_position *position;
    es_duration duration;
} es_trigger;

/* A primitive event: occurs when one of the triggers happens, all of `exists` do, and the expression is not 0. Triggers
 * at which the expression is surely 0 are left out. */
typedef struct es_condition {
    const char *text; /* as written, with its `for` */
    es_expr *expr;
    const es_trigger *triggers;
    size_t trigger_count;
    /* Plattner's evaluation condition: there must be an activation of each. None of them follows from another. Names
     * that are not on a path stand here as *:f. */
    const es_path *const *exists;
    size_t exists_count;
    /* `for`: occurs when the expression has not been 0 for that long; once, until it was 0 again */
    es_duration holds_for;
} es_condition;

enum es_event_tree_kind {
    ES_EVENT_WHEN, /* condition */
    ES_EVENT_THEN, /* first, then second, and in between no other event of those that the statement names */
    ES_EVENT_AND,  /* both, in any order; occurs with the later */
    ES_EVENT_OR,   /* either */
};

typedef struct es_event_tree es_event_tree;
struct es_event_tree {
    enum es_event_tree_kind kind;
    const es_condition *condition; /* WHEN */
    const es_event_tree *first, *second;
    es_duration within; /* lifetime: from its first event to its last; 0: not limited */
    unsigned depth;     /* of the tree, 1 for WHEN */
};

#endif
