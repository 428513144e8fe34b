/* Filters for the probe's tracker: which values of a word can make a statement true. */
#ifndef ES_IMAGE_TABLES_FILTER_H
#define ES_IMAGE_TABLES_FILTER_H

#include "image/image.h"
#include "image/plan/plan.h"

#include <image.h>

/* Of all statements that writes from `write` to `end`, of one word and the same bytes, are for. False: there is no
 * filter, as the value alone does not tell, or something else is done at each write. narrow: ES_MI_NARROW. */
bool es_filter_of(const image_plan *plan, const plan_write *write, const plan_write *end, struct es_mi_filter *filter,
                  bool *narrow);

#endif
