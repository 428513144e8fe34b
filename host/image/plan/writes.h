/* The writes and control events of a plan: adding them, telling which are the same, finding what is kept of them. */
#ifndef ES_IMAGE_PLAN_WRITES_H
#define ES_IMAGE_PLAN_WRITES_H

#include "base/arena.h"
#include "image/image.h"
#include "image/plan/plan.h"
#include "lang/statement.h"
#include "probe_defs.h"
#include <image.h>

/* Lanes of word number `word` that hold a reference's value. */
uint8_t es_plan_lanes_in(const es_reference *reference, unsigned word);

/* What plan_write.slot is for a procedure's locals. */
uint16_t es_plan_slot_of(const image_plan *plan, const es_procedure *procedure);

/* Adds a handler; returns its number. */
size_t es_plan_add_handler(image_plan *plan, plan_handler handler);

void es_plan_add_write(image_plan *plan, const plan_write *write);

/* Adds the writes to the words of a reference; write.frame, slot, pointer and phase say what its address counts from
 * (frame: set here). */
void es_plan_add_writes(image_plan *plan, plan_write write, const es_reference *reference);

/* The same event, whichever statement they concern. */
bool es_plan_same_control(const plan_control *a, const plan_control *b);

/* The event that an expression (ENTER, LEAVE, AT) or a trigger of these names. */
plan_control es_plan_control_of(const es_expr *expr);

plan_control es_plan_control_at(const es_trigger *trigger);

/* Whether the word of a write has to be armed with lock. */
bool es_plan_locks(const image_plan *plan, const plan_write *write);

const plan_frame *es_plan_frame_of(const image_plan *plan, const es_procedure *procedure);

/* The first write with the lanes of a reference (through a pointer: 1 + its number), where its first part's old word is
 * kept; NULL when it is not. */
const plan_write *es_plan_first_part(const image_plan *plan, const es_reference *reference, size_t pointer);

/* The age that is kept for a statement's reference. */
const plan_age *es_plan_age_of(const image_plan *plan, const plan_statement *of, size_t index);

/* Lanes of its word that hold a reference's value. */
uint8_t es_plan_lanes(const es_reference *reference);

/* Whether two references of a statement mean the same bits, wherever these are. */
bool es_plan_same_variable(const es_statement *statement, size_t left, size_t right);

#endif
