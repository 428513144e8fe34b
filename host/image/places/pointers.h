/* Pointers that statements follow (struct es_mi_pointer): p->x, *p, p[2], p->next->x.
 *
 * Each pointer variable is one record, whichever statements name it. A note of its own among the writes to the
 * variable makes firmware look where it points to before any statement is evaluated, and move the slots of what
 * statements refer to there. */
#ifndef ES_IMAGE_PLACES_POINTERS_H
#define ES_IMAGE_PLACES_POINTERS_H

#include "image/plan/plan.h"
#include "lang/statement.h"

/* Finds the pointers that a statement follows; planned->pointers is set when there are any. Fails with ES_USAGE
 * and a caret for what cannot be watched. `old`: by reference, whether that is asked for. */
bool es_pointers_plan(image_plan *plan, size_t number, const bool *old, es_error *err);

/* Adds the writes to a reference through pointer number `pointer`. */
void es_pointers_add_writes(image_plan *plan, plan_write write, const es_reference *reference, size_t pointer);

/* Adds the notes of writes to the pointers themselves. */
void es_pointers_add_notes(image_plan *plan);

/* Places pointers' states in RAM from `at` on; returns the end. */
uint32_t es_pointers_place(image_plan *plan, uint32_t at);

/* The pointers that are variables of a frame, as bits. */
uint32_t es_pointers_in_frame(const image_plan *plan, const es_procedure *frame);

#endif
