/* The monitor image while it is being laid out; shared by build.c (everything but the maps) and maps.c. */
#ifndef ES_IMAGE_LAYOUT_H
#define ES_IMAGE_LAYOUT_H

#include "image/plan.h"
#include "image/ppat.h"

typedef struct image_builder {
    const es_symbols *symbols;
    const es_probe_limits *limits;
    image_plan plan;
    image_ppat ppat;
    es_arena *arena;
    uint8_t *bytes; /* the image; grows past what addresses can name, so that the size can be told */
    size_t size, room;
    const es_procedure *const *procedures;
    size_t procedure_count;
    uint32_t procedures_at, statements_at;
    struct es_mi_procedure *control_of; /* by procedure: what will be written, filled in piece by piece */
    es_image *image;
    es_error *err;
} image_builder;

/* Room for `size` zero bytes; returns its soft core address. Moves the image: pointers from layout_at end with it. */
uint32_t layout_reserve(image_builder *b, size_t size);
void *layout_at(image_builder *b, uint32_t address);
uint32_t layout_put(image_builder *b, const void *bytes, size_t size);

size_t layout_procedure_index(const image_builder *b, const es_procedure *procedure);
/* address of its record; 0 for NULL */
uint16_t layout_procedure(const image_builder *b, const es_procedure *procedure);
uint16_t layout_statement(const image_builder *b, size_t number);

/* Write the address maps with what their cells point to, and the arm lists. Fail with ES_USAGE when something cannot
 * be watched. */
bool layout_data_map(image_builder *b);
bool layout_fetch_map(image_builder *b);

#endif
