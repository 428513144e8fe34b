/* After a loss on the bus: what has to be seen again before a statement's hits are certain (firmware/doubt.c). */
#ifndef ES_IMAGE_PLANNER_TRUST_H
#define ES_IMAGE_PLANNER_TRUST_H

#include "image/plan/plan.h"

/* Room in RAM for the words that statements refer to, from `at` on; returns its end. */
uint32_t es_trust_place(image_plan *plan, uint32_t at);

#define TRUST_NEVER 0xFFu /* instead of ES_MI_TRUST_*: after a loss it is uncertain for good */

uint8_t es_trust_flags(const image_plan *plan, size_t number);

/* The words of a statement, as es_mi_trust has them; adds them to the plan's list. False: there are too many. */
bool es_trust_words(image_plan *plan, size_t number, uint16_t out[UINT8_MAX], uint8_t *count);

#endif
