/* Elements with a variable index after a pointer, or on the way to one: p[i], p->a[i], a[i]->x, p[a[i]].
 *
 * Where such an element lies is followed as if it were what a pointer points to: a record among the plan's pointers
 * whose value is computed, by code of its own, from the pointer before it (or an address) and the variables of the
 * index. Writes to these have it computed again, so only the element that is meant is armed, and there may be any
 * number of others. */
#ifndef ES_IMAGE_PLACES_INDEXED_H
#define ES_IMAGE_PLACES_INDEXED_H

#include "image/plan/plan.h"

/* Finds them in all statements: plan->indices. In plan->program they become references without subscripts that go
 * through a pointer (those of static storage: through themselves, until es_pointers_plan knows better). Fails with
 * ES_USAGE and a caret for an index that cannot be followed. */
bool es_indexed_find(image_plan *plan, es_error *err);

/* Whether a statement changes a counter that such an index names; the pointers that move then, as bits. */
bool es_indexed_counts(const image_plan *plan, size_t statement);

uint32_t es_indexed_moved_by(const image_plan *plan, size_t statement);

/* Of a statement's reference; NULL: it has none. */
const plan_index *es_indexed_of(const image_plan *plan, size_t statement, size_t reference);

/* How elements are aligned, as far as words of 4 bytes are concerned, in what is aligned to `align`. */
unsigned es_indexed_align(const plan_index *index, unsigned align);

/* Whether indices of two statements' references are the same; pointers: of the second one, as of plan_statement. */
bool es_indexed_same(const image_plan *plan, const plan_pointer *pointer, size_t statement, const plan_index *index,
                     const uint16_t *pointers);

/* Adds the events of an index's expressions to what the statement uses. */
struct plan_uses;

void es_indexed_uses(image_plan *plan, size_t statement, size_t reference, struct plan_uses *uses);

/* Calls a function for each reference that the index of `pointer` names. */
void es_indexed_references(const image_plan *plan, const plan_pointer *pointer, void (*with)(void *, size_t reference),
                           void *context);

#endif
