/* The current-task pointer in the image: struct es_mi_tasks, and the routine behind its word's statements. */
#ifndef ES_IMAGE_TASKS_H
#define ES_IMAGE_TASKS_H

#include "image/layout.h"

#define TASKS_KEPT 8u /* tasks besides the one that runs */

/* Plans the writes to the pointer. Fails with ES_USAGE when it lies outside of phantom memory. */
bool es_tasks_plan(image_plan *plan, const es_probe_limits *limits, es_error *err);

/* Places what is kept of tasks that do not run in RAM from `at` on; returns its end. */
uint32_t es_tasks_place(image_plan *plan, uint32_t at);

/* Code of the pointer's routine. */
void es_tasks_written(es_ir_code *code, const firmware_routines *routines);

/* Writes the table; the frames are there. Returns its address, 0: no tasks. */
uint16_t es_tasks_write(image_builder *b);

#endif
