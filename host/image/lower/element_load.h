/* Elements with a variable index: code that loads their addresses, and their values before the event. */
#ifndef ES_IMAGE_LOWER_ELEMENT_LOAD_H
#define ES_IMAGE_LOWER_ELEMENT_LOAD_H

#include "image/lower/generator.h"
#include "ir/ir.h"

/* Loads the address of element references[index] in phantom memory. */
void es_element_load(generator *g, size_t index, es_ir_reg rd);

/* Loads its value before the event, which has written it. */
void es_element_load_old(generator *g, size_t index, es_ir_reg rd);

#endif
