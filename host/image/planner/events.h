/* The events of a statement: writes, reads and control events that can make it true, and the bits by which its routine
 * tells them apart. */
#ifndef ES_IMAGE_PLANNER_EVENTS_H
#define ES_IMAGE_PLANNER_EVENTS_H

#include "image/plan/plan_private.h"

/* Adds those of statement `number` to the plan. Fails where it tells too many apart. */
bool es_events_add(image_plan *plan, size_t number, const plan_uses *uses, es_error *err);

#endif
