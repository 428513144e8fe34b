/* The code of entries, exits and places in the code: which statements they are events of. */
#ifndef ES_IMAGE_TABLES_CONTROLS_H
#define ES_IMAGE_TABLES_CONTROLS_H

#include "image/plan/plan.h"
#include "image/tables/layout.h"

/* Writes the code that runs the statements of the control events of one place, after es_words_statements; returns its
 * address. */
uint16_t es_controls_write(image_builder *b, const plan_control *controls, size_t count);

#endif
