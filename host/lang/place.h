/* A place in the target's memory on the way from a variable to the scalar that a reference means. Private to host/lang.
 */
#ifndef ES_LANG_PLACE_H
#define ES_LANG_PLACE_H

#include "lang/parser.h"

#define ES_PLACE_RANGES 4    /* of elements, in one place */
#define ES_PLACE_FOLLOWED 32 /* pointers on the way of one reference */

/* Elements first, first + 1, ... of which the place is the first one. */
typedef struct es_place_range {
    uint32_t first, count, stride;
} es_place_range;

/* A place on the way from a variable to a scalar: a reference that has no size yet, and its type. */
typedef struct es_place {
    es_reference at;
    const es_type *type;
    const es_variable *variable; /* the one that it began with */
    const char *feature_text;
    const char *prefix; /* what factoring put before the text */
    unsigned followed;
    es_place_range ranges[ES_PLACE_RANGES]; /* where the parser takes them */
    size_t range_count;
} es_place;

/* Parses a place; *from: where it begins. */
typedef bool es_place_parser(es_parser *parser, es_span *from, es_place *p);

/* Takes (TYPE *) and the place after it, which `parse` does. */
bool es_parse_cast_place(es_parser *parser, es_place_parser *parse, es_place *p);

/* Parses any place, down to no scalar. */
bool es_parse_place(es_parser *parser, es_span *from, es_place *p);

/* Checks that the place is a scalar that can be watched, and sets its size. `text` names it in messages. */
bool es_place_scalar(es_parser *parser, es_span from, const char *text, es_place *p);

/* The text of a reference up to the last token taken, factoring undone. */
const char *es_place_written(es_parser *parser, es_span from, const es_place *p);

/* From a pointer, which `text` names, to what it points to. */
bool es_place_follow(es_parser *parser, es_span from, const char *text, es_place *p);

/* From a reference of C++ to what it stands for. */
bool es_place_refer(es_parser *parser, es_span from, es_place *p);

/* Takes `.name` or `->name`. */
bool es_place_member(es_parser *parser, es_span from, es_place *p);

/* Takes `[index]`, or `[first..last]` where the parser takes ranges. */
bool es_place_element(es_parser *parser, es_span from, es_place *p);

/* Whether it is an array of characters. */
bool es_place_is_text(const es_place *p);

/* What is shown of an array of characters, or of what a pointer to characters points to; NULL with an error when it is
 * neither. */
const es_snapshot *es_place_text(es_parser *parser, es_span from, const es_place *p);

/* Adds a scalar to the statement's references unless it is there already; its index. */
size_t es_place_add(es_parser *parser, es_span from, const es_place *p);

/* The member called name, looked for in anonymous structs and unions and in base classes too; adds its offset to the
 * place. */
bool es_find_member(const es_type *type, const char *name, es_place *p);

/* `this` of a procedure that has no local called name, when what it points to has a member called so; else NULL. */
const es_variable *es_find_self(const es_parser *parser, const es_procedure *procedure, const char *name);

/* A type's name, or what stands for it. */
const char *es_type_text(const es_type *type);

#endif
