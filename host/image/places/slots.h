/* Words whose address moves (struct es_mi_slot): frames whose place no path fixes, what pointers point to.
 *
 * Whoever owns a slot adds it to the plan before its plan writes, which bear 1 + its number, and has firmware move
 * it by slot_move. In an image with slots, each routine that a write may run begins with a look at `gathering`: at
 * a hit of a word that slots lie over, it is only noted, and run when all that the write concerns is known
 * (firmware/slots.c). */
#ifndef ES_IMAGE_PLACES_SLOTS_H
#define ES_IMAGE_PLACES_SLOTS_H

#include "image/plan/plan.h"

/* Adds a slot; returns its number. */
size_t es_slots_add(image_plan *plan);

/* The slot for reads that moves with a slot; returns its number. */
size_t es_slots_for_reads(image_plan *plan, size_t slot);

/* A word of a slot, and the first of the writes or reads of it; NULL: there is none. */
typedef struct slot_word {
    uint32_t offset;
    const plan_write *write;
    const plan_read *read;
} slot_word;

/* A slot's words, ascending. guards: with those that only show that the object is gone. */
slot_word *es_slots_words(const image_plan *plan, size_t slot, bool guards, size_t *count);

/* Places what is kept of slots in RAM from `at` on; returns its end. The writes are sorted. */
uint32_t es_slots_place(image_plan *plan, uint32_t at);

#endif
