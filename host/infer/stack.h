/* Stacks as values: each distinct one has a number. For machines that must know what is outside of a state. */
#ifndef ES_INFER_STACK_H
#define ES_INFER_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define ES_INFER_STACKS_MAX (1u << 20) /* distinct ones that are known */
#define ES_INFER_STACK_EMPTY 0

typedef struct es_infer_stack es_infer_stack;

es_infer_stack *es_infer_stack_new(es_arena *arena); /* lives as long as the arena */

/* The stack with one more on it; false: there are too many. */
bool es_infer_stack_push(es_infer_stack *stacks, int64_t stack, uint32_t top, int64_t *pushed);

/* What is on top of a stack, and the stack under it; false: it is empty. */
bool es_infer_stack_pop(const es_infer_stack *stacks, int64_t stack, uint32_t *top, int64_t *popped);

#endif
