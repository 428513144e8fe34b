/* Pointers that statements follow (host/image/plan/pointers.h): code that notes writes to them, and asks whether they
 * lead to an object. */
#ifndef ES_IMAGE_LOWER_POINTERS_H
#define ES_IMAGE_LOWER_POINTERS_H

#include "image/lower/generator.h"
#include "lang/statement.h"

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

#endif
