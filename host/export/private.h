/* Inside of exports: what the formats have in common. */
#ifndef ES_EXPORT_PRIVATE_H
#define ES_EXPORT_PRIVATE_H

#include "base/text.h"
#include "export/export.h"

/* A value that is exported under one name, by whichever statements it is printed. */
typedef struct es_series {
    const char *name;      /* the field's; with "_ns" for lengths of time */
    const es_field *field; /* the first of its kind */
} es_series;

/* All series of a schema, and which of them each field is. */
typedef struct es_all_series {
    es_series *items;
    size_t count;
    size_t **of_field; /* by statement, by field */
} es_all_series;

/* In the arena. Fields of one name and type are one series; those of one name and different types have numbers. */
es_all_series es_series_of(const es_schema *schema, es_arena *arena);

typedef struct es_export_form {
    /* `state` is what begin returns; `out` is written to the file and emptied after each call. */
    void *(*begin)(es_text_buffer *out, const es_schema *schema, int64_t origin_ns);
    void (*take)(void *state, es_text_buffer *out, const es_record *record);
    void (*end)(void *state, es_text_buffer *out); /* and frees */
} es_export_form;

extern const es_export_form es_export_json, es_export_csv, es_export_vcd, es_export_perfetto, es_export_lcov;

/* Words that have a meaning: letters, digits, _ and $; never empty. */
void es_export_word(es_text_buffer *out, const char *text);

#endif
