/* Elements with a variable index, whose place is computed when a statement is evaluated: how many one can be, which are
 * refused, and RAM for their addresses. */
#ifndef ES_IMAGE_PLACES_ELEMENT_H
#define ES_IMAGE_PLACES_ELEMENT_H

#include "image/plan/plan.h"
#include "lang/statement.h"

#define PLAN_ELEMENT_PAST 16 /* bytes with the old value of one that has 64 bits: two words, each after its flags */

#define ELEMENTS_MAX 1024 /* that one reference can mean: each is armed */

/* How many elements a reference can mean; 1 without subscripts. */
size_t es_element_count(const es_reference *reference);

/* The n-th of them, as a reference without subscripts. */
es_reference es_element_at(const es_reference *reference, size_t n);

/* Whether its elements take several words, so that the old value of each is kept from the first part of a write on. */
static inline bool es_element_keeps(const es_reference *reference)
{
    return reference->subscript_count && reference->size > 4;
}

/* Fails with ES_USAGE when a reference with subscripts cannot be put into an image. waits: its statement waits for
 * deadlines, at which nothing happens. */
bool es_element_check(const image_plan *plan, const es_statement *statement, size_t index, bool waits, es_error *err);

/* The same of one index. */
bool es_element_check_index(const image_plan *plan, const es_statement *statement, const es_expr *index, bool waits,
                            es_error *err);

/* RAM offset of the first element's old value, which the others' follow in their order; 0: none are kept. */
uint32_t es_element_past(const image_plan *plan, const es_reference *reference);

/* Places the addresses of elements, and of their old values, in RAM from `at` on; returns their end. */
uint32_t es_element_place(image_plan *plan, uint32_t at);

#endif
