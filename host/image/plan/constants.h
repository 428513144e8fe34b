/* Statements that could never be evaluated because nothing writes their variables. */
#ifndef ES_IMAGE_PLAN_CONSTANTS_H
#define ES_IMAGE_PLAN_CONSTANTS_H

#include "image/plan/plan.h"

/* Fails with ES_USAGE, the place and a caret, when all events of a statement are writes to bytes that the program loads
 * and cannot write (segments without write permission): constants in ROM. */
bool es_constants_refuse(const es_symbols *symbols, const image_plan *plan, es_error *err);

/* Whether the program cannot write a word. */
bool es_constants_is(const es_symbols *symbols, uint32_t word);

#endif
