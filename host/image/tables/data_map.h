/* The address map of writes: MSEL. Its cells lead from a word to the code of the statements that a write to it
 * concerns. */
#ifndef ES_IMAGE_TABLES_DATA_MAP_H
#define ES_IMAGE_TABLES_DATA_MAP_H

#include "image/tables/layout.h"

/* Writes the map with the code that its cells lead to, and tells what is to be armed. Fails with ES_USAGE when
 * something cannot be watched. */
bool es_data_map_write(image_builder *b, plane_arm **arms, size_t *count);

#endif
