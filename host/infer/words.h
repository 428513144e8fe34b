/* What traces and machines speak of: names of events and fields, and texts that are values. */
#ifndef ES_INFER_WORDS_H
#define ES_INFER_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ES_INFER_NONE UINT32_MAX
#define ES_INFER_FIELDS_MAX 64u       /* that machines look at */
#define ES_INFER_EVENTS_MAX 65536u    /* names of events */
#define ES_INFER_TEXTS_MAX (4u << 20) /* distinct texts; what comes after them is one text, "..." */

/* A field's value: a whole number, or one of the texts. Numbers as low as texts become the lowest that is none. */
typedef int64_t es_infer_value;
#define ES_INFER_TEXT_END (INT64_MIN + (INT64_C(1) << 32))

typedef struct es_infer_table es_infer_table;

typedef struct es_infer_words {
    es_infer_table *events, *fields, *texts;
    bool open; /* names of events that no machine has named are taken in, too */
} es_infer_words;

void es_infer_words_begin(es_infer_words *words);
void es_infer_words_end(es_infer_words *words);

/* The number of a name; `add`: makes one where there is none. ES_INFER_NONE: there is none, or no room for one. */
uint32_t es_infer_event_number(es_infer_words *words, const char *name, size_t length, bool add);
uint32_t es_infer_field_number(es_infer_words *words, const char *name, size_t length, bool add);
const char *es_infer_event_name(const es_infer_words *words, uint32_t event);
const char *es_infer_field_name(const es_infer_words *words, uint32_t field);
uint32_t es_infer_event_count(const es_infer_words *words);
uint32_t es_infer_field_count(const es_infer_words *words);

/* Values from and to what they stand for. */
es_infer_value es_infer_text_value(es_infer_words *words, const char *text, size_t length);
static inline es_infer_value es_infer_number_value(int64_t number)
{
    return number < ES_INFER_TEXT_END ? ES_INFER_TEXT_END : number;
}
static inline bool es_infer_is_text(es_infer_value value)
{
    return value < ES_INFER_TEXT_END;
}
const char *es_infer_value_text(const es_infer_words *words, es_infer_value value); /* of a text */

#endif
