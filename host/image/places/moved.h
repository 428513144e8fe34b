/* Why a procedure's frame moves (host/image/places/moving.h), its entry in the plan, and which procedure a copy stands
 * for. */
#ifndef ES_IMAGE_PLACES_MOVED_H
#define ES_IMAGE_PLACES_MOVED_H

#include "image/places/moving.h"
#include "image/plan/plan.h"

/* Why the procedure's frame has no fixed place; NULL: it has, or is none. */
const plan_moved *es_moving_why(const image_plan *plan, const es_procedure *procedure);

/* Of the index-th procedure; never NULL. */
const moving_procedure *es_moving_of(const image_plan *plan, size_t index);

/* The program's procedure for one in references of the plan's program, which may be a copy for one of several paths;
 * NULL for NULL. */
const es_procedure *es_moving_original(const image_plan *plan, const es_procedure *procedure);

#endif
