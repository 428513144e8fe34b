/* What statements about some time wait for, where it takes more than one word of static storage: `x > 80 && y < 3
 * for 10ms`, and `x unchanged for 10ms` of any variable, with conditions and prints of others.
 *
 * At each write to a variable of the condition (an event of it) a note evaluates it, or x, and begins the time
 * anew unless it goes on: it was so at the event before, and nothing that it needs has ceased to exist since.
 * Values that will be shown are copied at these writes and at those to themselves.
 *
 * A local ends with its activation, and also while another one is meant; what a pointer points to when the pointer
 * moves, an element with a variable index when that changes. The first two are noted when they happen (es_holds_end):
 * the deadline may have passed before, but that is asked for later, as without them. */
#ifndef ES_IMAGE_LOWER_HOLDS_H
#define ES_IMAGE_LOWER_HOLDS_H

#include "image/lower/generator.h"
#include "image/plan/plan.h"

/* Code of the note; g->statement is the deadline's statement. */
void es_holds_note_write(generator *g, const plan_deadline *deadline);

#endif
