/* Active calls as states: sequences of procedures, the innermost so many of them. */
#ifndef ES_INFER_CONTEXTS_H
#define ES_INFER_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "infer/machine.h"

#define ES_INFER_DEPTH_MAX 16u
#define ES_INFER_CALLS_MAX 63u /* procedures; 0 is what is outside of all */

typedef struct es_infer_context {
    uint8_t calls[ES_INFER_DEPTH_MAX]; /* numbers from 1 on; the innermost last */
    uint8_t count;
    bool cut; /* there are more outside of these */
} es_infer_context;

/* Who may call whom: bit `callee` of [caller]; caller 0: what is outside of all procedures. */
typedef struct es_infer_calls {
    uint64_t callees[ES_INFER_CALLS_MAX + 1];
    uint32_t count; /* of procedures */
} es_infer_calls;

/* The context that a call leads to, of at most `depth` calls. */
es_infer_context es_infer_context_enter(const es_infer_context *context, uint8_t callee, uint32_t depth);

/* All contexts from that of no call on, [0], with the greatest depth at which there are at most `max`, and half
 * of ES_INFER_TRANSITIONS_MAX calls between them. Returns how many
 * there are, 0: even at depth 1 too many; *depth: at most so many calls in each. */
uint32_t es_infer_contexts_make(const es_infer_calls *calls, es_infer_context *contexts, uint32_t max, uint32_t *depth);

/* The number of a context; `count`: it is none of them. */
uint32_t es_infer_context_number(const es_infer_context *contexts, uint32_t count, const es_infer_context *context);

#endif
