/* Statements about what happens when nothing happens: `x unchanged for 10ms`, `x > 80 && y < 3 for 10ms`.
 *
 * What they wait for has a record in RAM: since when it has been so, and copies of the values that will be shown,
 * as phantom memory may be ahead of a mark. Writes that matter are noted in it. Whether the time is over is asked
 * at each of them, before it counts, and at every MARK_EPOCH. The hit tells the deadline as its time; the path and
 * the position of then are not known.
 *
 * Here is the plan of what is the same for all, and of the plainest: one variable of static storage, of at most a word,
 * unchanged. What the others need besides is in host/image/times/holds.h; host/image/lower/deadline.h has the code. */
#ifndef ES_IMAGE_TIMES_DEADLINE_H
#define ES_IMAGE_TIMES_DEADLINE_H

#include "image/plan/plan.h"
#include "lang/statement.h"
#include "symbols/symbols.h"

/* A record: time of the last change (two words), state, the variable's word, where to go on. */
#define DEADLINE_STATE 8u

#define DEADLINE_VALUE 12u

#define DEADLINE_BACK 16u

#define DEADLINE_RECORD_BYTES 20u

#define DEADLINE_DONE 1 /* it has been told, until the next change */

#define DEADLINE_WRITTEN 2 /* the value is that of the variable; copies are those of the variables */

#define DEADLINE_HOLDS 4 /* where it is evaluated: it has been so since the time */

#define DEADLINE_ENDED 8 /* ... until DEADLINE_END, when something that it needs ceased to exist */

#define DEADLINE_UNKNOWN 16 /* a copy of what is only shown is not known */

#define DEADLINE_UNSEEN 32 /* x is not known, as only others have been written yet */

#define DEADLINE_ANEW 64 /* not WRITTEN since the program started anew: the next write counts as a change */

/* In records of those that are evaluated: what the note was told; the time. */
#define DEADLINE_EVENTS 12u

#define DEADLINE_END 20u

#define DEADLINE_COPIES 28u

/* RAM shared by all, from plan->deadline_shared on: the time that is asked for; the deadline that has passed; and where
 * they are told in their order (host/image/times/order.h) the time until which, and the low half of one before which
 * none is over. */
#define DEADLINE_NOW 0u

#define DEADLINE_PASSED 8u

#define DEADLINE_LIMIT 16u

#define DEADLINE_NEXT 24u

struct plan_uses;

/* Fails with ES_USAGE and a caret for forms of `unchanged for` and `for` that are not available. */
bool es_deadline_check(const image_plan *plan, const es_statement *statement, es_error *err);

/* Makes the plan of such a statement; out->statement is set, and its pointers and frames are known. Fails with
 * ES_USAGE. */
bool es_deadline_plan(image_plan *plan, size_t number, uint64_t bus_hz, es_error *err);

/* The same for the parts of a compound event that are such deadlines. */
bool es_deadline_plan_parts(image_plan *plan, size_t number, uint64_t bus_hz, es_error *err);

/* Adds the notes of writes. */
void es_deadline_add_notes(image_plan *plan);

/* Finds the variables' first values in the program file; hush: and those that start-up code clears, as its writes are
 * no events. */
void es_deadline_initial(image_plan *plan, const es_symbols *symbols, bool hush);

/* Places records in RAM from `at` on; returns their end. */
uint32_t es_deadline_place(image_plan *plan, uint32_t at);

#endif
