/* What statements do at a hit besides sending it, and whether they are enabled: the code. */
#ifndef ES_IMAGE_LOWER_ACTIONS_H
#define ES_IMAGE_LOWER_ACTIONS_H

#include "image/lower/generator.h"
#include "ir/ir.h"

/* Jumps to label when the statement is disabled as of this event. */
void es_actions_check_enabled(generator *g, unsigned label);

/* Counts the hit and does all actions in their order, but for the frame that prints. Leaves in ra where to go on. */
void es_actions_run(generator *g);

/* Loads the counter of print item k (es_image_value) as it was after the actions before that. */
void es_actions_counter(generator *g, size_t k, es_ir_reg rd);

#endif
