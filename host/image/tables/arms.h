/* What is needed at the start only: the rows of the address maps, and which bits of the planes are armed. */
#ifndef ES_IMAGE_TABLES_ARMS_H
#define ES_IMAGE_TABLES_ARMS_H

#include "image/tables/layout.h"

/* Writes it; `data` and `fetch` in ascending order of their addresses. */
void es_arms_write(image_builder *b, const plane_arm *data, size_t data_count, const plane_arm *fetch,
                   size_t fetch_count, struct es_mi_header *header);

#endif
