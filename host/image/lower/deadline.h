/* Deadlines of statements (host/image/times/deadline.h): code that notes writes, asks which deadlines have passed, and
 * tells their time. */
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

/* Code: goes on while it waits for the deadline, whose time is in t1 and t2 then; else jumps to `no`. Takes t0 to
 * t4. */
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
