/* The page's texts: each that is needed once, with a number from 1 on. 0: none. */
#ifndef ES_EXPORT_HTML_TEXTS_H
#define ES_EXPORT_HTML_TEXTS_H

#include <stdint.h>

#include "record/names.h"

typedef struct es_page_texts {
    es_names *texts;
    const es_names *names; /* of the schema */
    uint32_t *numbers;     /* by name: the text's, or 0 where it is not known yet */
    uint32_t number_count;
} es_page_texts;

es_page_texts es_page_texts_new(void);
void es_page_texts_free(es_page_texts *texts);

/* Any text; NULL: 0. An empty one has a number of its own. */
uint32_t es_page_text(es_page_texts *texts, const char *text);

/* That of a name of the schema. */
uint32_t es_page_text_of_name(es_page_texts *texts, uint32_t name);

#endif
