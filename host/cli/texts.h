/* Statements from the command line: -e and -s, in the order in which they stand there. */
#ifndef ES_CLI_TEXTS_H
#define ES_CLI_TEXTS_H

#include "base/text.h"
#include "lang/statement.h"

typedef struct es_texts {
    es_text *items;
    es_text_buffer *files; /* one for each item, which owns its text; empty for -e */
    size_t count;
} es_texts;

/* The argument of -e; it is not copied. */
void es_texts_add(es_texts *texts, const char *statement);

/* The argument of -s: reads the file. */
bool es_texts_add_file(es_texts *texts, const char *path, es_error *err);

/* The argument of --task: as a file with `tasks VARIABLE`. */
void es_texts_add_task(es_texts *texts, const char *variable);

void es_texts_free(es_texts *texts);

#endif
