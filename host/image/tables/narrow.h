/* A bus of 8 or 16 bits: what an instruction stores in a word comes as several writes, one directly after the other,
 * from the lowest byte up. They are one event, at the last of them, as if all had come with it. */
#ifndef ES_IMAGE_TABLES_NARROW_H
#define ES_IMAGE_TABLES_NARROW_H

#include "image/tables/layout.h"

/* Writes the routine that looks at a write, where the plan needs it. */
void es_narrow_reserve(image_builder *b);

/* Code: t1 becomes not 0 when the write at hand is the last of its store, t2 when it is the first. Takes t0 to t6, a0
 * to a7. From here on es_codegen_store is about all of the store. */
void es_narrow_look(image_builder *b);

#endif
