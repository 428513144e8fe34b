/* Makes the plan of a program of statements. */
#ifndef ES_IMAGE_PLANNER_MAKE_H
#define ES_IMAGE_PLANNER_MAKE_H

#include "image/plan/plan.h"

/* Fails with ES_USAGE when a statement cannot be put into an image. The plan's memory is the arena's. */
bool es_plan_make(image_plan *plan, es_arena *arena, const es_symbols *symbols, const es_program *program,
                  const es_probe_limits *limits, const plan_options *options, es_error *err);

#endif
