/* What a statement names, and so what it has to be told. */
#ifndef ES_IMAGE_PLANNER_USES_H
#define ES_IMAGE_PLANNER_USES_H

#include "image/plan/plan_private.h"

/* Finds what statement `number` names; makes the plan of its compound event, if it is one. */
bool es_uses_find(image_plan *plan, size_t number, const es_probe_limits *limits, plan_uses *uses, es_error *err);

#endif
