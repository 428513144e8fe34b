/* The evaluation condition of one part of a compound event: what is evaluated exists. */
#ifndef ES_IMAGE_LOWER_EXISTS_H
#define ES_IMAGE_LOWER_EXISTS_H

#include "image/lower/generator.h"
#include "lang/statement.h"

/* Code: jumps to `no` unless the activations are there, and their frames known, whose locals an expression names, also as pointers
 * and indices on the way; with `shown` also those whose locals the statement's actions show. Uses t6. */
void es_exists_check(generator *g, const es_expr *expr, bool shown, unsigned no);

#endif
