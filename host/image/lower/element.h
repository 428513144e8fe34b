/* Elements with a variable index: where they are is computed when a statement is evaluated. */
#ifndef ES_IMAGE_LOWER_ELEMENT_H
#define ES_IMAGE_LOWER_ELEMENT_H

#include "image/lower/generator.h"

/* Code: computes the addresses of all elements that the statement refers to, and takes from a0 the bits of writes to
 * others. Jumps to `no` when one does not exist, or no event is left. */
void es_element_find(generator *g, unsigned no);

#endif
