/* Pointers that statements follow (host/image/places/pointers.h): code that notes writes to them, and asks whether they
 * lead to an object. */
#ifndef ES_IMAGE_LOWER_POINTERS_H
#define ES_IMAGE_LOWER_POINTERS_H

#include "image/lower/generator.h"
#include "ir/ir.h"

/* Code of the note of pointer number `pointer`. */
void es_pointers_note_write(generator *g, size_t pointer);

/* Code: jumps to `no` when something that references[index] goes through points to nothing. */
void es_pointers_check(generator *g, size_t index, unsigned no);

/* Code: jumps to `no` when its pointer has just moved from nowhere, so that there is no value before. */
void es_pointers_check_old(generator *g, size_t index, unsigned no);

/* Code: goes on when the pointer has moved at this event, else jumps. Takes rd and t6. */
void es_pointers_unless_moved(generator *g, const plan_pointer *pointer, es_ir_reg rd, unsigned label);

/* Code: loads where its pointer leads to, or led to before the event. Uses t6. */
void es_pointers_load(generator *g, size_t index, bool before, es_ir_reg rd);

#endif
