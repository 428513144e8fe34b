/* What a reference is found by: the pointer that leads to it, the variables of its index, and what these are found
 * by. */
#ifndef ES_IMAGE_PLACES_FOUND_H
#define ES_IMAGE_PLACES_FOUND_H

#include "image/plan/plan.h"

/* Adds a bit to the marks, by reference, of references[index] and of all that it is found by. */
void es_found_mark(const image_plan *plan, size_t statement, size_t index, uint8_t bit, uint8_t *marks);

#endif
