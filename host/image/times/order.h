/* Deadlines among events: what a statement does when its time is over comes before what happens later.
 *
 * The probe notices that a deadline has passed when something is written that it waits for, and at every MARK_EPOCH, so
 * statements whose events come in between would run first. Where that makes a difference, because the two share a
 * counter, one enables or disables the other, or the deadline ends the monitoring, these statements begin with a look
 * at the time, and all deadlines that have passed by then are told first, the earliest before the others. So counters
 * are as of each event, also those that are printed. Elsewhere nothing of it is made, and hits at deadlines come
 * late. */
#ifndef ES_IMAGE_TIMES_ORDER_H
#define ES_IMAGE_TIMES_ORDER_H

#include "image/plan/plan.h"

/* Finds out which statements have to come after deadlines that have passed: plan->ordered, after_deadlines. */
void es_order_plan(image_plan *plan);

#endif
