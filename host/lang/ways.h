/* The ways in which a path can be meant, while it is parsed. Private to host/lang. */
#ifndef ES_LANG_WAYS_H
#define ES_LANG_WAYS_H

#include "lang/parser.h"

#define ES_WAYS_MAX 32

/* Activations, and perhaps an inlined copy in the last one. */
typedef struct es_way {
    es_step *steps;
    size_t count;
    const es_inlined_copy **copies; /* any of them; NULL: the last step is meant */
    size_t copy_count;
} es_way;

typedef struct es_ways_list {
    es_way items[ES_WAYS_MAX];
    size_t count; /* more than ES_WAYS_MAX: too many to be kept */
} es_ways_list;

/* A procedure's name in a path. */
typedef struct es_named {
    const es_step *step;            /* its own code; NULL: it has none */
    const es_inlined_copy **copies; /* its inlined copies */
    size_t copy_count;
} es_named;

/* The way with another step. */
es_way es_way_and(es_parser *parser, const es_way *way, es_step step);

/* Adds the ways that go on with one: with the procedure's own code, which may be called there; and with its inlined
 * copies. */
void es_ways_add_own(es_parser *parser, es_ways_list *ways, const es_way *from, const es_named *named);
void es_ways_add_copies(es_parser *parser, es_ways_list *ways, const es_way *from, const es_named *named);

#endif
