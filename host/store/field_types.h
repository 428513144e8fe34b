/* TSDL types of a statement's values and objects. */
#ifndef ES_STORE_FIELD_TYPES_H
#define ES_STORE_FIELD_TYPES_H

#include "base/text.h"
#include "record/record.h"

/* The names of a struct's members so far, so that none comes twice. All zero: none. */
typedef struct es_members {
    es_text_buffer names; /* each with a blank after it */
} es_members;

/* Adds a member's name made from any text, with a number after it where it is not the first of its kind. */
void es_members_add(es_members *members, es_text_buffer *out, const char *text);
void es_members_free(es_members *members);

/* "        struct { ... } _values;\n" */
void es_field_types(es_text_buffer *out, const es_schema_statement *statement);

#endif
