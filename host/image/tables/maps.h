/* The address maps, whose cells lead from an address on the bus to the code of what happened there, and what is needed
 * at the start. */
#ifndef ES_IMAGE_TABLES_MAPS_H
#define ES_IMAGE_TABLES_MAPS_H

#include "image/firmware.h"
#include "image/tables/layout.h"
#include "ir/ir.h"

/* Write the address maps' cells with what they point to, and tell what is to be armed. Fail with ES_USAGE when
 * something cannot be watched. */
bool es_layout_data_map(image_builder *b, plane_arm **arms, size_t *count);

bool es_layout_fetch_map(image_builder *b, plane_arm **arms, size_t *count);

/* Writes what is needed at the start only: rows and arm lists. */
void es_layout_start(image_builder *b, const plane_arm *data, size_t data_count, const plane_arm *fetch,
                     size_t fetch_count, struct es_mi_header *header);

#endif
