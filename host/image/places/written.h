/* Locals are known from their first write in an activation on. Of each word of a frame that a statement may look at
 * before, RAM holds a mark: a byte with the lanes that this activation has not written yet. */
#ifndef ES_IMAGE_PLACES_WRITTEN_H
#define ES_IMAGE_PLACES_WRITTEN_H

#include "image/plan/plan.h"

/* Bits of plan_statement.checks: a reference's value has to be asked of its mark; its value before the event. */
enum { WRITTEN_CHECK_NOW = 1, WRITTEN_CHECK_BEFORE = 2 };

/* Finds the statements that may meet a local that is not written, and adds covers to the plan: writes of no statement,
 * which keep a word's mark and make it known. */
void es_written_plan(image_plan *plan);

/* Gives the marks of a frame's words, and the one as of before the event, RAM from `at` on; returns its end. */
uint32_t es_written_place(image_plan *plan, plan_frame *frame, uint32_t at);

/* Gives those of frames that move RAM for what they were in outer activations, and tells where tasks' records have
 * them; returns its end. */
uint32_t es_written_keep(image_plan *plan, uint32_t at);

#endif
