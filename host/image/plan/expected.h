/* What an image keeps of expectations, so that they can be judged however the run ends: when each was met first, how
 * many of its hits are uncertain, how often it could not be evaluated. Layout: es_mi_expected in interface/image.h. */
#ifndef ES_IMAGE_PLAN_EXPECTED_H
#define ES_IMAGE_PLAN_EXPECTED_H

#include "image/plan/plan.h"

/* Places the records, and the switches of these statements, after all totals; returns their end, a RAM offset. */
uint32_t es_expected_place(image_plan *plan);

#endif
