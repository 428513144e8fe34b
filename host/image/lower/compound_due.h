/* Compound events (host/image/times/compound.h): code for the deadlines of their parts. */
#ifndef ES_IMAGE_LOWER_COMPOUND_DUE_H
#define ES_IMAGE_LOWER_COMPOUND_DUE_H

#include "image/lower/generator.h"

/* Code of an event's routine, with `held`: deadlines that have passed come first. Keeps a0 and ra. */
void es_compound_before(generator *g);

/* Code: goes on when deadlines of parts have passed, with those that are the first, else jumps to `no`. */
void es_compound_due(generator *g, unsigned no);

/* Code: jumps to g->unknown when a value is not known that is to be shown at this deadline. */
void es_compound_check_shown(generator *g);

/* The code that all deadlines of a statement's parts are looked at with, one after another; late_at: the one that looks
 * for the first. */
void es_compound_deadlines(generator *g, uint32_t late_at);

/* The statement's k-th deadline, and the bit of its condition; NULL: there is none. */
const plan_deadline *es_compound_part(const generator *g, size_t k, uint32_t *bit);

#endif
