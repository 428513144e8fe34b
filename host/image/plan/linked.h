/* Which statements of a program depend on each other. */
#ifndef ES_IMAGE_PLAN_LINKED_H
#define ES_IMAGE_PLAN_LINKED_H

#include "base/arena.h"
#include "lang/statement.h"

/* By statement, in the arena: the number of the first one of those that it has to be with. ordered: of deadlines, too,
 * that have to be told in their order. */
size_t *es_linked_find(const es_program *program, es_arena *arena, bool ordered);

#endif
