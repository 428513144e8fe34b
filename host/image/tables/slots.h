/* Words whose address moves (struct es_mi_slot): frames whose place no path fixes, what pointers point to.
 *
 * Whoever owns a slot adds it to the plan before its plan writes, which bear 1 + its number, and has firmware move
 * it by slot_move. In an image with slots, each routine that a write may run begins with a look at `gathering`: at
 * a hit of a word that slots lie over, it is only noted, and run when all that the write concerns is known
 * (firmware/slots.c). */
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
