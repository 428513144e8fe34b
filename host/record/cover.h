/* Which lines ran, from the hits of statements of `cover`: of one, or of all of one or several runs. */
#ifndef ES_RECORD_COVER_H
#define ES_RECORD_COVER_H

#include "record/record.h"

typedef struct es_covered es_covered;

typedef struct es_covered_line {
    const char *file;
    unsigned line;
    bool ran;
} es_covered_line;

typedef struct es_covered_function {
    const char *file; /* "" when it is not known */
    unsigned line;
    const char *name;
    bool ran; /* a line in it did */
} es_covered_function;

es_covered *es_covered_new(void);
void es_covered_free(es_covered *covered);

/* What there is to be covered, too. Lines that are there already stay as they are. */
void es_covered_add(es_covered *covered, const es_cover *cover);
/* The same of all of a schema's statements; how many of them cover something. */
size_t es_covered_add_schema(es_covered *covered, const es_schema *schema);

/* A place of the cover was come to. */
void es_covered_ran(es_covered *covered, const es_cover *cover, uint32_t pc);
/* The same of a hit, whatever statement's it is. */
void es_covered_take(es_covered *covered, const es_schema *schema, const es_hit *hit);

/* All lines by file and number; all functions by file, line and name. Valid until more are added. */
size_t es_covered_lines(const es_covered *covered, const es_covered_line **lines);
size_t es_covered_functions(const es_covered *covered, const es_covered_function **functions);

#endif
