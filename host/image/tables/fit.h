/* A monitor image is built again while it is larger than the probe's memory and something in it can be less, or while
 * its code needs more than it was given. */
#ifndef ES_IMAGE_TABLES_FIT_H
#define ES_IMAGE_TABLES_FIT_H

#include "image/tables/layout.h"

#define TASK_PLACES 32u /* activations that are kept of a task that does not run, before anything has to be less */

/* Fails: the tables need `need` bytes and do not fit. Says what of them there is. */
bool es_fit_refuse(image_builder *b, size_t need);

/* Makes less of what is kept of tasks, or for losses; at last, of what nodes take. False: all is as little as
 * possible. */
bool es_fit_less(plan_options *options, const es_program *program);

/* Only a whole build tells what its code needs. True: more than it was given, which changes where everything stands. */
bool es_fit_more(const image_builder *b, plan_options *options);

#endif
