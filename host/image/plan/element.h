/* Elements with a variable index, whose place is computed when a statement is evaluated: how many one can be, which are
 * refused, and RAM for their addresses. */
#ifndef ES_IMAGE_PLAN_ELEMENT_H
#define ES_IMAGE_PLAN_ELEMENT_H

#include "image/plan/plan.h"
#include "lang/statement.h"

#define ELEMENTS_MAX 1024 /* that one reference can mean: each is armed */

/* How many elements a reference can mean; 1 without subscripts. */
size_t es_element_count(const es_reference *reference);

/* The n-th of them, as a reference without subscripts. */
es_reference es_element_at(const es_reference *reference, size_t n);

/* Fails with ES_USAGE when a reference with subscripts cannot be put into an image. */
bool es_element_check(const image_plan *plan, const es_statement *statement, size_t index, bool old, bool waits,
                      es_error *err);

/* Places the addresses of elements in RAM from `at` on; returns their end. */
uint32_t es_element_place(image_plan *plan, uint32_t at);

#endif
