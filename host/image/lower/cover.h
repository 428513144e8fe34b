/* Code of `cover` (host/image/plan/cover.h). */
#ifndef ES_IMAGE_LOWER_COVER_H
#define ES_IMAGE_LOWER_COVER_H

#include "image/lower/generator.h"

/* Goes to `label` when the event queue may have no room: the place stays armed. Keeps a0. */
void es_cover_room(generator *g, unsigned label);

/* The place has been told: a0 is the address of the byte that says so, or 0 where the hit's word is to be disarmed. */
void es_cover_told(generator *g);

#endif
