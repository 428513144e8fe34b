/* Paths of two scenarios that cannot both be so, because they would be in the same exclusive states at the same
 * time. */
#ifndef ES_INFER_CONTRADICT_H
#define ES_INFER_CONTRADICT_H

#include "infer/together.h"

/* Weighs the stretch's paths in `weighed` anew by the states in which others' paths are: adds to their costs. */
void es_infer_weigh_exclusive(const es_infer_model *model, es_infer_solved *weighed, es_infer_solved *const *others,
                              uint32_t other_count);

#endif
