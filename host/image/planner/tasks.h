/* The current-task pointer: the writes to it, and what RAM keeps of tasks that do not run. */
#ifndef ES_IMAGE_PLANNER_TASKS_H
#define ES_IMAGE_PLANNER_TASKS_H

#include "image/image.h"
#include "image/plan/plan.h"

#define TASKS_KEPT 8u /* tasks besides the one that runs */

/* Plans the writes to the pointer. Fails with ES_USAGE when it lies outside of phantom memory. */
bool es_tasks_plan(image_plan *plan, const es_probe_limits *limits, es_error *err);

/* Places what is kept of tasks that do not run in RAM from `at` on; returns its end. */
uint32_t es_tasks_place(image_plan *plan, uint32_t at);

/* What is kept of a task that does not run. */
typedef struct task_sizes {
    size_t frames;        /* with a fixed place */
    uint16_t cfas, lives; /* words of each */
    uint32_t marks, flow; /* bytes of marks; of all of it */
    uint32_t pointers;    /* bits of those that are locals of such frames */
} task_sizes;

task_sizes es_tasks_sizes(const image_plan *plan);

#endif
