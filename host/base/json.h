/* Writes JSON values, one after the other, into a text buffer. Commas come by themselves. */
#ifndef ES_BASE_JSON_H
#define ES_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef struct es_json {
    es_text_buffer *out;
    bool comma; /* the next value follows another one */
} es_json;

/* kind is '{' or '['; the end takes the matching '}' or ']'. */
void es_json_begin(es_json *json, char kind);
void es_json_end(es_json *json, char kind);

void es_json_key(es_json *json, const char *key);

/* Any bytes; what is not UTF-8 becomes U+FFFD. text NULL: null. */
void es_json_string(es_json *json, const char *text);
void es_json_bytes(es_json *json, const char *bytes, size_t size);
void es_json_int(es_json *json, int64_t value);
void es_json_uint(es_json *json, uint64_t value);
void es_json_bool(es_json *json, bool value);
/* the shortest number that reads back the same; NaN and infinities: "nan", "inf", "-inf" */
void es_json_float(es_json *json, float value);
void es_json_double(es_json *json, double value);
void es_json_null(es_json *json);
/* A value that is JSON already. */
void es_json_raw(es_json *json, const char *text);

/* A key with its value. */
static inline void es_json_put_string(es_json *json, const char *key, const char *text)
{
    es_json_key(json, key);
    es_json_string(json, text);
}

static inline void es_json_put_int(es_json *json, const char *key, int64_t value)
{
    es_json_key(json, key);
    es_json_int(json, value);
}

static inline void es_json_put_uint(es_json *json, const char *key, uint64_t value)
{
    es_json_key(json, key);
    es_json_uint(json, value);
}

static inline void es_json_put_bool(es_json *json, const char *key, bool value)
{
    es_json_key(json, key);
    es_json_bool(json, value);
}

static inline void es_json_put_double(es_json *json, const char *key, double value)
{
    es_json_key(json, key);
    es_json_double(json, value);
}

/* Writes a finite float in the fewest digits that read back the same, with '.' whatever the locale, into at least 32
 * bytes. */
void es_float_text(char text[32], float value);
void es_double_text(char text[32], double value);

#endif
