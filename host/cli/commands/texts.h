/* Statements from the command line: -e and -s, in the order in which they stand there. */
#ifndef ES_CLI_TEXTS_H
#define ES_CLI_TEXTS_H

#include "base/text.h"
#include "lang/statement.h"

typedef struct es_texts {
    es_text *items;
    es_text_buffer *files; /* one for each item: owns its text, or the name of a numbered -e */
    size_t count;
    size_t expressions, first; /* how many of them come from -e; which is the first of these */
} es_texts;

/* The argument of -e; it is not copied. */
void es_texts_add(es_texts *texts, const char *statement);

/* The argument of -s: reads the file. */
bool es_texts_add_file(es_texts *texts, const char *path, es_error *err);

/* The argument of --task: as a file with `tasks VARIABLE`. */
void es_texts_add_task(es_texts *texts, const char *variable);

/* es_program_parse, of all errors at once: tells all but the last on stderr, which is left to err. */
bool es_texts_parse(const es_symbols *symbols, const es_text *texts, size_t count, es_program *program, es_error *err);

void es_texts_free(es_texts *texts);

#endif
