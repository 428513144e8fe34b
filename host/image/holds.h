/* Code of statements about a condition that holds for some time: `x > 80 && y < 3 for 10ms`.
 *
 * The condition is evaluated at each write to one of its variables, by a note as for `unchanged for` (host/image/deadline.h), and what will
 * be printed is copied to RAM then: phantom memory may be ahead of the deadline. */
#ifndef ES_IMAGE_HOLDS_H
#define ES_IMAGE_HOLDS_H

#include "image/codegen.h"

/* Whether a statement is a single condition with `for`. */
bool holds_is(const es_statement *statement);

/* Fails with ES_USAGE and a caret for forms that are not available. */
bool holds_check(const image_plan *plan, const es_statement *statement, es_error *err);

/* Bytes of RAM for the copies. */
uint32_t holds_copies(const es_statement *statement);

/* Code that notes a write to one of the variables; g->statement is the statement. */
void holds_note_write(generator *g, const plan_deadline *deadline);

/* Loads what is to be printed as of the condition's last event. */
void holds_load(generator *g, const plan_deadline *deadline, size_t index, unsigned rd, unsigned high);

#endif
