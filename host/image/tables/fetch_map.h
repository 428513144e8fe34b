/* The address map of fetches and reads: its cells lead to what happens when execution comes to an instruction, or when
 * a data word is read. */
#ifndef ES_IMAGE_TABLES_FETCH_MAP_H
#define ES_IMAGE_TABLES_FETCH_MAP_H

#include "image/tables/layout.h"

/* Writes the map with the code that its cells lead to, and tells what is to be armed. Fails with ES_USAGE when
 * something cannot be watched. */
bool es_fetch_map_write(image_builder *b, plane_arm **arms, size_t *count);

#endif
