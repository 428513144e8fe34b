/* Inside of the page's making: what records have become so far. */
#ifndef ES_EXPORT_HTML_PRIVATE_H
#define ES_EXPORT_HTML_PRIVATE_H

#include "base/json.h"
#include "export/html/column.h"
#include "export/html/html.h"
#include "export/html/texts.h"

/* Of all hits, in the order in which they came; and the file's layout: script/data.js has the same names. */
enum es_page_column {
    ES_PAGE_TIME,         /* difference to the hit before */
    ES_PAGE_STATEMENT,    /* number */
    ES_PAGE_FLAGS,        /* ES_HIT_* */
    ES_PAGE_PATH,         /* text, as es_path_text joins it */
    ES_PAGE_TASK,         /* text */
    ES_PAGE_TASK_POINTER, /* where schema.task_pointers */
    ES_PAGE_FILE,         /* text */
    ES_PAGE_LINE,
    ES_PAGE_PC,
    ES_PAGE_INLINED,     /* text */
    ES_PAGE_RECOGNITION, /* after the hit's time; where schema.times */
    ES_PAGE_ACTION_START,
    ES_PAGE_ACTION_END,
    ES_PAGE_COLUMNS
};

typedef struct es_page_object {
    es_text_buffer state;   /* 0: found, 1: it did not come, 2 + text: not found, and why */
    es_text_buffer address; /* of its first byte */
} es_page_object;

typedef struct es_page_statement {
    uint64_t hits;
    es_value_column *fields;
    es_page_object *objects;
} es_page_statement;

typedef struct es_page_loss {
    es_lost lost;
    uint64_t hits; /* before it */
} es_page_loss;

struct es_html {
    const es_schema *schema; /* NULL: nothing came */
    es_arena *arena;
    es_page_texts texts;
    uint64_t hits, last_time;
    bool full, beyond; /* beyond: a time that the page cannot show */
    es_text_buffer columns[ES_PAGE_COLUMNS];
    es_page_statement *statements;
    es_page_loss *losses;
    size_t loss_count;
    es_text_buffer inferred; /* JSON: [time, statement, only, path, probability, ...], ...; paths by their texts */
    es_text_buffer messages; /* JSON: [hits before, kind, text], ... */
    es_text_buffer summary;  /* JSON, empty: none came */
    es_text_buffer progress; /* JSON of the last one */
};

/* Adds the head, and says of each column where in `data` it stands, which gets them all. */
void es_page_head(es_html *html, const es_html_about *about, es_text_buffer *head, es_text_buffer *data);

#endif
