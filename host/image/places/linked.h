/* Which statements of a program depend on each other. */
#ifndef ES_IMAGE_PLACES_LINKED_H
#define ES_IMAGE_PLACES_LINKED_H

#include "base/arena.h"
#include "lang/statement.h"

/* What a statement has to do with counters, each use of one: whether it needs it, which is to say it asks for it, shows
 * it or sets it, or only counts it. */
typedef void es_counter_use(void *context, size_t counter, bool needs);
void es_linked_counters(const es_statement *statement, es_counter_use *use, void *context);

/* What else counts. Where deadlines have to be told in their order (image/times/order.h), any statement that has to do
 * with it tells all that have passed: between which of the other statements' hits those are told, and after which of
 * these `stop` comes; that deadlines are in their order; nothing. */
enum es_linked_by { ES_LINKED_BY_HITS, ES_LINKED_BY_DEADLINES, ES_LINKED_ALONE };

/* By statement, in the arena: the number of the first one of those that it has to be with. */
size_t *es_linked_find(const es_program *program, es_arena *arena, enum es_linked_by by);

#endif
