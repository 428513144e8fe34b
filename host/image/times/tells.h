/* What lasts while a path does: `main:control && x > 3 for 10ms`, `path == main:control for 10ms`, `main:control && x
 * unchanged for 10ms`.
 *
 * The truth of the paths that such conditions name is kept in RAM, as of the last event at which it changed. That is
 * when an activation that a path denotes begins or ends; of `path ==` also when what it calls does. These procedures
 * are tracked, and their entries and exits are control events of no handler, PLAN_TELLS (host/image/tables/tells.h).
 * What else moves NP (an interrupt, a longjmp, a switch of tasks, a loss) comes to C anyway, after which the same is
 * asked. */
#ifndef ES_IMAGE_TIMES_TELLS_H
#define ES_IMAGE_TIMES_TELLS_H

#include "image/plan/plan.h"
#include "lang/statement.h"

/* The handler that control events have at which paths may change: after all others. */
#define PLAN_TELLS ((size_t)-1)

/* RAM, from plan->tells on: not 0 while the path is not known; where to go on, not 0 while changes are told; then for
 * each word of a node's `tells` its bits as of the last change, and which of them have just changed. */
#define TELLS_UNKNOWN 0u
#define TELLS_BACK 4u
#define TELLS_BITS 8u
#define TELLS_CHANGED 12u
#define TELLS_WORD_BYTES 8u

/* Whether an expression asks for a path. */
bool es_tells_asks(const es_expr *expr);

/* Whether some deadline's condition does. */
bool es_tells_any(const image_plan *plan);

/* Words of a node's `tells`; which bits of one of them an expression (NULL: all deadlines' conditions) asks for. */
size_t es_tells_words(const image_plan *plan);

uint32_t es_tells_mask(const image_plan *plan, const es_expr *expr, size_t word);

/* Adds the control events. */
void es_tells_add_controls(image_plan *plan);

/* Places what is kept in RAM from `at` on; returns its end. */
uint32_t es_tells_place(image_plan *plan, uint32_t at);

#endif
