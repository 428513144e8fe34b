/* Frames whose place no path fixes (host/image/places/moving.h): their tables. */
#ifndef ES_IMAGE_TABLES_MOVING_H
#define ES_IMAGE_TABLES_MOVING_H

#include "image/tables/layout.h"

/* Writes the tables, and sets frame_at of procedures; nodes and slots have their addresses. Returns where the
 * es_mi_moving stand. */
uint16_t es_moving_write(image_builder *b);

void es_moving_header(const image_builder *b, uint16_t moving_at, struct es_mi_header *header);

#endif
