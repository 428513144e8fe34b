/* Pointers that statements follow (struct es_mi_pointer): p->x, *p, p[2], p->next->x.
 *
 * Each pointer variable is one record, whichever statements name it. A note of its own among the writes to the
 * variable makes firmware look where it points to before any statement is evaluated, and move the slots of what
 * statements refer to there. */
#ifndef ES_IMAGE_TABLES_POINTERS_H
#define ES_IMAGE_TABLES_POINTERS_H

#include "image/tables/layout.h"

/* Writes the code that is run when what a pointer points to changes, before es_slots_write. */
void es_pointers_moved(image_builder *b);

/* Writes the tables and tells the header of them, which must not move meanwhile: it is no part of the image yet.
 * Fails with ES_USAGE. */
bool es_pointers_write(image_builder *b, struct es_mi_header *header);

#endif
