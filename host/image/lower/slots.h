/* Words whose address moves (host/image/places/slots.h): code that has routines wait until all of a write is known. */
#ifndef ES_IMAGE_LOWER_SLOTS_H
#define ES_IMAGE_LOWER_SLOTS_H

#include "image/lower/generator.h"

/* Code at the beginning of routine g->number. */
void es_slots_gather(generator *g);

#endif
