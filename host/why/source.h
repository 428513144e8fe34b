/* Lines of the program's source files. */
#ifndef ES_WHY_SOURCE_H
#define ES_WHY_SOURCE_H

#include <stddef.h>

#include "base/text.h"

typedef struct es_why_source_file {
    char *name;
    es_text_buffer text; /* empty: it could not be read */
} es_why_source_file;

typedef struct es_why_source {
    es_why_source_file *files;
    size_t count;
} es_why_source; /* all zero: nothing is read yet */

/* A line without the blanks around it, counted from 1; NULL: the file cannot be read, or has fewer. Files are looked
 * for as the compiler was given them, from the present folder. */
const char *es_why_source_line(es_why_source *source, const char *file, unsigned line, size_t *length);
/* All of a file; empty: it cannot be read. */
const es_text_buffer *es_why_source_file_text(es_why_source *source, const char *file);
void es_why_source_free(es_why_source *source);

#endif
