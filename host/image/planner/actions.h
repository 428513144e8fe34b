/* What statements do at a hit besides sending it: RAM of switches and kept counters. */
#ifndef ES_IMAGE_PLANNER_ACTIONS_H
#define ES_IMAGE_PLANNER_ACTIONS_H

#include "image/plan/plan.h"

/* Gives switches and kept counters their places in RAM, from `at` on. Returns the end. */
uint32_t es_actions_place(image_plan *plan, uint32_t at);

#endif
