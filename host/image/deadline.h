/* Code of statements about what happens when nothing happens: `x unchanged for 10ms`.
 *
 * The variable's writes are noted in RAM, with its value, as phantom memory may be ahead of a mark. Whether the time is over is asked
 * at each write to it, before that counts, and at every MARK_EPOCH. The hit tells the deadline as its time; the path and the position
 * of then are not known. */
#ifndef ES_IMAGE_DEADLINE_H
#define ES_IMAGE_DEADLINE_H

#include "image/codegen.h"
#include "symbols/symbols.h"

/* A record in RAM: time of the last change (two words), state, the variable's word, where to go on. */
#define DEADLINE_STATE 8u
#define DEADLINE_VALUE 12u
#define DEADLINE_BACK 16u
#define DEADLINE_RECORD_BYTES 20u

#define DEADLINE_DONE 1    /* it has been told, until the next change */
#define DEADLINE_WRITTEN 2 /* the value is that of the variable */
#define DEADLINE_HOLDS 4   /* with `for`: the condition has been true since the time */

/* Makes the plan of a statement with `unchanged for` or `for`; out->statement is set. Fails with ES_USAGE for forms that are not available;
 * `plain`: it asks for neither paths nor ages. */
bool deadline_plan(image_plan *plan, size_t number, bool plain, uint64_t bus_hz, es_error *err);

/* Adds the notes of writes; their numbers begin with `first`. */
void deadline_add_notes(image_plan *plan, size_t first);

/* Finds the variables' first values in the program file. */
void deadline_initial(image_plan *plan, const es_symbols *symbols);

/* Places records in RAM from `at` on; returns their end. */
uint32_t deadline_place(image_plan *plan, uint32_t at);

/* Code that notes a write to the variable of `unchanged for`. */
void deadline_note_write(generator *g, const plan_deadline *deadline);

/* Code at the beginning of the statement's routine: goes on when the deadline has passed, once; else jumps to `no`. */
void deadline_check(generator *g, unsigned no);

/* The head of a HIT frame with the deadline as its time. */
void deadline_head(generator *g, uint32_t words);

/* What switch_now and switch_set of the firmware do (interface/routines.h), with the deadline as the time of the event. */
void deadline_switch_now(generator *g);
void deadline_switch_set(generator *g);

/* Loads the variable's value. */
void deadline_load(generator *g, const es_reference *reference, unsigned rd);

/* Code that asks for all deadlines at the time in a0, a1. It goes on at ra. */
void deadline_list(rv_code *code, const image_plan *plan);

#endif
