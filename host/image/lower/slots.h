/* Words whose address moves (struct es_mi_slot): frames whose place no path fixes, what pointers point to.
 *
 * Whoever owns a slot adds it to the plan before its plan writes, which bear 1 + its number, and has firmware move
 * it by slot_move. In an image with slots, each routine that a write may run begins with a look at `gathering`: at
 * a hit of a word that slots lie over, it is only noted, and run when all that the write concerns is known
 * (firmware/slots.c). */
#ifndef ES_IMAGE_LOWER_SLOTS_H
#define ES_IMAGE_LOWER_SLOTS_H

#include "image/lower/generator.h"

/* Code at the beginning of routine g->number. */
void es_slots_gather(generator *g);

#endif
