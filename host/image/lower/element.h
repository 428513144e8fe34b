/* Elements with a variable index: code that computes where they are, and whether the event concerns them. */
#ifndef ES_IMAGE_LOWER_ELEMENT_H
#define ES_IMAGE_LOWER_ELEMENT_H

#include "image/lower/generator.h"

/* Code: computes the addresses of the elements that are used (NULL: of all; host/image/lower/place.h), and takes from
 * a0 the bits of writes to others and reads of them. Jumps to `no` when one does not exist. Returns whether events of
 * elements are told apart, so that bits of a0 have been cleared. */
bool es_element_find(generator *g, const uint8_t *used, unsigned no);

#endif
