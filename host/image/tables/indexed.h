/* Elements with a variable index on the way to another (host/image/places/indexed.h): the code of their place. */
#ifndef ES_IMAGE_TABLES_INDEXED_H
#define ES_IMAGE_TABLES_INDEXED_H

#include "image/plan/plan.h"
#include "image/tables/layout.h"

/* Writes the code that computes the place; tells its address. */
void es_indexed_write(image_builder *b, const plan_pointer *pointer, uint16_t *address);

#endif
