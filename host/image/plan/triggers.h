/* Which events can make a statement's predicate true, and what its expressions use. */
#ifndef ES_IMAGE_PLAN_TRIGGERS_H
#define ES_IMAGE_PLAN_TRIGGERS_H

#include "image/plan/plan_private.h"
#include "lang/statement.h"

/* Whether the event can make the predicate true, as far as it alone tells. */
bool es_plan_can_be_true(const es_expr *predicate, const plan_assumption *event);

void es_plan_find_uses(const es_expr *expr, es_arena *arena, plan_uses *uses);

/* Of all conditions. */
void es_plan_find_event_uses(const es_event_tree *event, es_arena *arena, plan_uses *uses);

/* Events that expressions do not name: where a path begins, when a condition consists of paths. */
void es_plan_find_triggers(const es_event_tree *event, es_arena *arena, plan_uses *uses);

#endif
