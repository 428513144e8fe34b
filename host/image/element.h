/* Elements with a variable index: where they are is computed when a statement is evaluated. */
#ifndef ES_IMAGE_ELEMENT_H
#define ES_IMAGE_ELEMENT_H

#include "image/codegen.h"

#define ELEMENTS_MAX 1024 /* that one reference can mean: each is armed */

/* How many elements a reference can mean; 1 without subscripts. */
size_t es_element_count(const es_reference *reference);

/* The n-th of them, as a reference without subscripts. */
es_reference es_element_at(const es_reference *reference, size_t n);

/* Fails with ES_USAGE when a reference with subscripts cannot be put into an image. */
bool es_element_check(const image_plan *plan, const es_statement *statement, size_t index, bool old, bool compound,
                      es_error *err);

/* Places the addresses of elements in RAM from `at` on; returns their end. */
uint32_t es_element_place(image_plan *plan, uint32_t at);

/* Code: computes the addresses of all elements that the statement refers to, and takes from a0 the bits of writes to
 * others. Jumps to `no` when one does not exist, or no event is left. */
void es_element_find(generator *g, unsigned no);

/* Loads the address of element references[index] in phantom memory. */
void es_element_load(generator *g, size_t index, unsigned rd);

/* Loads its value before the event, which has written it. */
void es_element_load_old(generator *g, size_t index, unsigned rd);

#endif
