/* What is kept of when a variable was written: for age(x), and for an old value that another variable may have left. */
#ifndef ES_IMAGE_TIMES_AGES_H
#define ES_IMAGE_TIMES_AGES_H

#include "image/plan/plan.h"

/* Keeps it of a statement's reference. old: its old value is asked for, and its place may hold another variable. */
void es_ages_add(image_plan *plan, const plan_statement *of, size_t index, bool old);

#endif
