/* Pointers that statements follow (host/image/places/pointers.h): their tables, and the code of when they move. */
#ifndef ES_IMAGE_TABLES_POINTERS_H
#define ES_IMAGE_TABLES_POINTERS_H

#include "image/tables/layout.h"

/* Writes the code that is run when what a pointer points to changes, before es_slots_write. */
void es_pointers_moved(image_builder *b);

/* Writes the tables and tells the header of them, which must not move meanwhile: it is no part of the image yet.
 * Fails with ES_USAGE. */
bool es_pointers_write(image_builder *b, struct es_mi_header *header);

#endif
