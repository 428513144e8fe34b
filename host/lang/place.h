/* A place in the target's memory on the way from a variable to the scalar that a reference means. Private to host/lang.
 */
#ifndef ES_LANG_PLACE_H
#define ES_LANG_PLACE_H

#include "lang/parser.h"

/* A place on the way from a variable to a scalar: a reference that has no size yet, and its type. */
typedef struct es_place {
    es_reference at;
    const es_type *type;
    const es_variable *variable; /* the one that it began with */
    const char *feature_text;
    const char *prefix;          /* what factoring put before the text */
    unsigned followed;
} es_place;

/* Checks that the place is a scalar that can be watched, and sets its size. `text` names it in messages. */
bool es_place_scalar(es_parser *parser, es_span from, const char *text, es_place *p);

/* Adds a scalar to the statement's references unless it is there already; its index. */
size_t es_place_add(es_parser *parser, es_span from, const es_place *p);

/* A type's name, or what stands for it. */
const char *es_type_text(const es_type *type);

#endif
