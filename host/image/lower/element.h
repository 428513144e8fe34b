/* Elements with a variable index: code that computes where they are, and whether the event concerns them. */
#ifndef ES_IMAGE_LOWER_ELEMENT_H
#define ES_IMAGE_LOWER_ELEMENT_H

#include "image/lower/generator.h"

/* Code: computes the addresses of all elements that the statement refers to, and takes from a0 the bits of writes to
 * others. Jumps to `no` when one does not exist, or no event is left. */
void es_element_find(generator *g, unsigned no);

/* The same for what a condition of a compound event names, and what is shown with it. Returns whether writes or reads of
 * elements are among its events, so that bits of a0 have been cleared. */
bool es_element_find_in(generator *g, const es_expr *expr, bool shown, unsigned no);

#endif
