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
#ifndef ES_IMAGE_LOWER_ENDS_H
#define ES_IMAGE_LOWER_ENDS_H

#include "image/plan/plan.h"
#include "ir/ir.h"

/* Code that is run when the activation ends, or is not meant any more, whose locals are those of `frame`; when a
 * pointer (1 + its number, frame NULL) moves: ends what needs these. Takes t1 to t3 and t6. */
void es_holds_end(es_ir_code *code, const image_plan *plan, const es_procedure *frame, size_t pointer);

#endif
