/* Places in the source as events: execution comes to one of a position's addresses. */
#ifndef ES_IMAGE_PLAN_POSITION_H
#define ES_IMAGE_PLAN_POSITION_H

#include "image/plan/plan.h"
#include "lang/statement.h"

/* Whether both are NULL or have the same addresses. */
bool es_position_same(const es_position *a, const es_position *b);

/* Whether two control events can be the same fetch, without being the same: execution at a procedure's first
 * instruction is its entry too. (Its end is an event of its own, before what is fetched then.) */
bool es_position_may_coincide(const plan_control *a, const plan_control *b);

/* The events of what comes to an address, of the statements in order: in `out`, which has room for all of the plan.
 * With `entry`, of a procedure that begins there and is entered. Returns their number. */
size_t es_position_events(const image_plan *plan, uint32_t address, const es_procedure *entry, plan_control *out);

/* All events of an address to which execution has come from the instruction before it, where that matters: where a
 * procedure's prologue ends at which statements wait. 0: at no other than es_position_events has. */
size_t es_position_begins(const image_plan *plan, uint32_t address, plan_control *out);

/* The same of a procedure's end. */
size_t es_position_exits(const image_plan *plan, const es_procedure *procedure, plan_control *out);

/* Calls back with each address that any statement waits for. */
void es_position_each(const image_plan *plan, void (*each)(void *context, uint32_t address), void *context);

#endif
