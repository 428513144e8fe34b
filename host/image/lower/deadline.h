/* Statements about what happens when nothing happens: `x unchanged for 10ms`, `x > 80 && y < 3 for 10ms`.
 *
 * What they wait for has a record in RAM: since when it has been so, and copies of the values that will be shown,
 * as phantom memory may be ahead of a mark. Writes that matter are noted in it. Whether the time is over is asked
 * at each of them, before it counts, and at every MARK_EPOCH. The hit tells the deadline as its time; the path and
 * the position of then are not known.
 *
 * Here is what is the same for all, and the note of the plainest: one variable of static storage, of at most a
 * word, unchanged. The others are in host/image/plan/holds.h. */
#ifndef ES_IMAGE_LOWER_DEADLINE_H
#define ES_IMAGE_LOWER_DEADLINE_H

#include "image/lower/generator.h"
#include "image/plan/plan.h"
#include "ir/ir.h"
#include "symbols/symbols.h"

/* Code that notes a write to the variable of the plainest `unchanged for`. */
void es_deadline_note_write(generator *g, const plan_deadline *deadline);

/* Code at the beginning of the statement's routine: goes on when the deadline has passed, once; else jumps to `no`. */
void es_deadline_passed(generator *g, unsigned no);

/* Code: goes on while it waits for the deadline, whose time is in t1 and t2 then; else jumps to `no`. Takes t0 to t4. */
void es_deadline_pending(generator *g, const plan_deadline *deadline, unsigned no);

/* Code: goes on when the deadline has passed and has not been told, its time in t1 and t2; else jumps to `no`.
 * Takes t0 to t4. */
void es_deadline_due(generator *g, const plan_deadline *deadline, unsigned no);

/* The head of a HIT frame with the deadline as its time. */
void es_deadline_head(generator *g, uint32_t words);

/* What switch_now and switch_set of the firmware do (interface/routines.h), with the deadline as the time of the
 * event. */
void es_deadline_switch_now(generator *g);

void es_deadline_switch_set(generator *g);

/* Code of a note: the time of the event is the one that is asked for. */
void es_deadline_ask_now(generator *g);

/* Code at the beginning of a note: what has passed by the time of the event is told. It keeps a0 only where deadlines
 * are told in their order. */
void es_deadline_ask(generator *g, const plan_deadline *deadline);

/* Code that asks for all deadlines at the time in DEADLINE_NOW. */
void es_deadline_check_all(generator *g);

/* Code that asks for all deadlines at the time in a0, a1. It goes on at ra. */
void es_deadline_list(es_ir_code *code, const image_plan *plan);

/* Code of another deadline that has passed: jumps to `no` unless this one has by then. Takes t0 to t4. */
void es_deadline_unless_over(generator *g, const plan_deadline *deadline, unsigned no);

#endif
