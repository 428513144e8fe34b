/* Pointers that statements follow (struct es_mi_pointer): p->x, *p, p[2], p->next->x.
 *
 * Each pointer variable is one record, whichever statements name it. A note of its own among the writes to the
 * variable makes firmware look where it points to before any statement is evaluated, and move the slots of what
 * statements refer to there. */
#ifndef ES_IMAGE_POINTERS_H
#define ES_IMAGE_POINTERS_H

#include "image/codegen.h"
#include "image/layout.h"

/* Finds the pointers that a statement follows; planned->pointers is set when there are any. Fails with ES_USAGE
 * and a caret for what cannot be watched. `old`: by reference, whether that is asked for. */
bool es_pointers_plan(image_plan *plan, size_t number, const bool *old, es_error *err);

/* Adds the writes to a reference through pointer number `pointer`. */
void es_pointers_add_writes(image_plan *plan, plan_write write, const es_reference *reference, size_t pointer);

/* Adds the notes of writes to the pointers themselves; their numbers begin with `first`. */
void es_pointers_add_notes(image_plan *plan, size_t first);

/* Places pointers' states in RAM from `at` on; returns the end. */
uint32_t es_pointers_place(image_plan *plan, uint32_t at);

/* Code of the note of pointer number `pointer`. */
void es_pointers_note_write(generator *g, size_t pointer);

/* Code: jumps to `no` when something that the reference goes through points to nothing. */
void es_pointers_check(generator *g, size_t index, unsigned no);

/* The same for all old() of an expression. */
void es_pointers_check_old_expr(generator *g, const es_expr *expr, unsigned no);

/* Jumps to `no` when something points to nothing that an expression refers to; of what the statement's actions show. */
void es_pointers_check_expr(generator *g, const es_expr *expr, unsigned no);
void es_pointers_check_shown(generator *g, unsigned no);

/* Code: jumps to `no` when the reference's pointer has just moved from nowhere, so that there is no value before. */
void es_pointers_check_old(generator *g, size_t index, unsigned no);

/* Loads the pointer's value as of before the event. */
void es_pointers_base_before(generator *g, size_t index, unsigned rd);

/* Loads what the address of a reference counts from: its pointer's value, or its frame's cell. */
void es_pointers_base(generator *g, const es_reference *reference, unsigned rd);

/* The pointers that are variables of a frame, as bits. */
uint32_t es_pointers_in_frame(const image_plan *plan, const es_procedure *frame);

/* Writes the code that is run when what a pointer points to changes, before es_slots_write. */
void es_pointers_moved(image_builder *b);

/* Writes the tables and tells the header of them, which must not move meanwhile: it is no part of the image yet.
 * Fails with ES_USAGE. */
bool es_pointers_write(image_builder *b, struct es_mi_header *header);

#endif
