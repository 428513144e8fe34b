/* All writes of the plan together: their order, and places in RAM for what is kept of them. */
#ifndef ES_IMAGE_PLANNER_ARRANGE_H
#define ES_IMAGE_PLANNER_ARRANGE_H

#include "image/plan/plan.h"

/* Sorts writes by place, joins those that always fire together, and gives them RAM. Fails with ES_USAGE when a word
 * holds parts of too many variables. */
bool es_plan_arrange(image_plan *plan, es_error *err);

#endif
