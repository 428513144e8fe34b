/* What is asked for: "x at 1.234ms", "plant.zone[1].power at 120000", "a0 at end", "n at recursion.c:27", "... 3rd
 * time". */
#ifndef ES_WHY_QUESTION_H
#define ES_WHY_QUESTION_H

#include "base/text.h"
#include "symbols/symbols.h"
#include "why/slice.h"

#define ES_WHY_PLACES_MAX 16 /* words of what is asked for */

typedef struct es_why_question {
    uint64_t moment;
    es_why_place places[ES_WHY_PLACES_MAX];
    size_t place_count;
    es_text_buffer shown; /* "temp = 84" */
} es_why_question;

/* Finds what it means, and leaves the recording at its moment. At a line: before its execution, the last one unless it
 * says which. False: it means nothing, or what it names cannot be seen then (ES_USAGE). */
bool es_why_question_read(es_why_question *question, es_timeline *timeline, const es_symbols *symbols,
                          const es_isa *isa, const char *text, es_error *err);
void es_why_question_free(es_why_question *question);

#endif
