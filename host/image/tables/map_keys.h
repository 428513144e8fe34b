/* The keys of an address map while it is being made, and the map itself. */
#ifndef ES_IMAGE_TABLES_MAP_KEYS_H
#define ES_IMAGE_TABLES_MAP_KEYS_H

#include "image/tables/layout.h"
#include "image/tables/map.h"

typedef struct map_keys {
    map_key *keys;
    size_t count;
    bool fetches; /* and reads */
} map_keys;

/* An armed word, and the cell that its hits lead to. */
void es_map_keys_add(image_builder *b, map_keys *keys, uint32_t address, struct es_mi_cell cell);

/* Adds an armed word to es_image.keys; frame and cfa_offset: where it stands in a frame, else NULL and 0. */
void es_map_keys_note(image_builder *b, uint32_t address, bool fetch, const es_procedure *frame, int32_t cfa_offset);

/* Writes the cells; the map's rows are the ES_ROWS from `rows` on. */
void es_map_keys_write(image_builder *b, map_keys *keys, uint16_t *rows);

#endif
