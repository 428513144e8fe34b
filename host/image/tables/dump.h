/* The monitor IR of an image as text, for people: what `earshot watch --dump-ir` prints (docs/compiler.md). */
#ifndef ES_IMAGE_TABLES_DUMP_H
#define ES_IMAGE_TABLES_DUMP_H

#include "image/tables/layout.h"

/* A range of the image's RAM, up to the next one. */
typedef struct dump_cell {
    uint32_t at;
    const char *name;
} dump_cell;

typedef struct image_dump {
    const char *pass;     /* after which code is printed, or "build" */
    es_text_buffer out;   /* of this attempt at an image */
    es_text_buffer title; /* of the code that is being made; empty: it has none */
    dump_cell *cells;     /* ascending; the builder's arena's */
    size_t cell_count;
} image_dump;

/* Begins with the statements, what they are evaluated at, and what RAM holds. Once plan.ram_at is final. */
void es_dump_begin(image_builder *b);

/* What the code that is being made is. Nothing is done when there is no dump. */
void es_dump_title(image_builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "statement 0 (overheat)", "note of writes to x": what a handler is. */
const char *es_dump_routine(image_builder *b, size_t number);

/* Of es_ir_code: prints it after the pass that was asked for. context: the image_builder. */
void es_dump_see(void *context, const es_ir_code *code, const char *pass);

#endif
