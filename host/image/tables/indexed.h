/* Elements with a variable index after a pointer, or on the way to one: p[i], p->a[i], a[i]->x, p[a[i]].
 *
 * Where such an element lies is followed as if it were what a pointer points to: a record among the plan's pointers
 * whose value is computed, by code of its own, from the pointer before it (or an address) and the variables of the
 * index. Writes to these have it computed again, so only the element that is meant is armed, and there may be any
 * number of others. */
#ifndef ES_IMAGE_TABLES_INDEXED_H
#define ES_IMAGE_TABLES_INDEXED_H

#include "image/plan/plan.h"
#include "image/tables/layout.h"

/* Writes the code that computes the place; tells its address. */
void es_indexed_write(image_builder *b, const plan_pointer *pointer, uint16_t *address);

#endif
