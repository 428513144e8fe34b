/* Words whose address moves (host/image/places/slots.h): their tables. */
#ifndef ES_IMAGE_TABLES_SLOTS_H
#define ES_IMAGE_TABLES_SLOTS_H

#include "image/tables/layout.h"

/* Makes room for the tables; addresses of slots are known from then on. */
void es_slots_reserve(image_builder *b);

/* The address of a slot's es_mi_slot. */
uint16_t es_slots_address(const image_builder *b, size_t slot);

/* Writes the tables; the words' and statements' code is there. */
void es_slots_write(image_builder *b);

void es_slots_header(const image_builder *b, struct es_mi_header *header);

#endif
