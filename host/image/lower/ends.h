/* What statements about some time wait for (host/image/times/holds.h): code at the end of an activation, and when a
 * pointer moves. */
#ifndef ES_IMAGE_LOWER_ENDS_H
#define ES_IMAGE_LOWER_ENDS_H

#include "image/plan/plan.h"
#include "ir/ir.h"

/* Code that is run when the activation ends, or is not meant any more, whose locals are those of `frame`; when a
 * pointer (1 + its number, frame NULL) moves: ends what needs these. Takes t1 to t3 and t6. */
void es_holds_end(es_ir_code *code, const image_plan *plan, const es_procedure *frame, size_t pointer);

#endif
