/* Which statements of a program depend on each other. */
#ifndef ES_IMAGE_PLAN_LINKED_H
#define ES_IMAGE_PLAN_LINKED_H

#include "base/arena.h"
#include "lang/statement.h"

/* What else counts where deadlines have to be told in their order (image/plan/order.h), as any statement that has to do
 * with it tells all deadlines that have passed: between which of the other statements' hits those are told; that they
 * are; nothing. */
enum es_linked_by { ES_LINKED_BY_HITS, ES_LINKED_BY_DEADLINES, ES_LINKED_ALONE };

/* By statement, in the arena: the number of the first one of those that it has to be with. */
size_t *es_linked_find(const es_program *program, es_arena *arena, enum es_linked_by by);

#endif
