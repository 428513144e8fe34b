/* Reads one JSON object (RFC 8259) member by member. */
#ifndef ES_NET_TRACE_JSON_H
#define ES_NET_TRACE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum es_json_kind {
    ES_JSON_STRING,
    ES_JSON_INTEGER,
    ES_JSON_NUMBER,
    ES_JSON_TRUE,
    ES_JSON_FALSE,
    ES_JSON_NULL,
    ES_JSON_ARRAY,
    ES_JSON_OBJECT
};

typedef struct es_json_reader {
    const char *start, *at, *end;
    es_text_buffer key, string; /* of the current member */
    bool first;
    const char *problem; /* what is wrong at `at`, or NULL */
    /* the current member's value */
    enum es_json_kind kind;
    int64_t integer;               /* ES_JSON_INTEGER: one that fits */
    const char *value, *value_end; /* its text; of arrays and objects too */
} es_json_reader;

/* Begins at the '{' of an object. False with a problem when there is none. Keeps the buffers of earlier use; all zero
 * is a new reader. */
bool es_json_open(es_json_reader *reader, const char *text, size_t length);

/* Moves to the next member: key, kind and value. False after the last one, where nothing but blanks may follow, and
 * with a problem. */
bool es_json_member(es_json_reader *reader);

/* Moves through the integers of an array that is the current value: *at begins as NULL. False after the last, with a
 * problem when an element is no integer. */
bool es_json_integers(es_json_reader *reader, const char **at, int64_t *integer);

void es_json_close(es_json_reader *reader);

#endif
