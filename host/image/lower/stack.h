/* Code of `stack` (host/lang/stack.c). */
#ifndef ES_IMAGE_LOWER_STACK_H
#define ES_IMAGE_LOWER_STACK_H

#include "image/lower/generator.h"

/* At a write to an armed word of the statement's stack: goes to `label` when what was written is a pattern that kernels
 * fill stacks with; else disarms the word, and notes how many bytes are in use, or goes to `label` when they are not
 * more than before. */
void es_stack_deeper(generator *g, unsigned label);

#endif
