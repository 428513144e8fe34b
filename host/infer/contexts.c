#include "infer/contexts.h"

#include <string.h>

es_infer_context es_infer_context_enter(const es_infer_context *context, uint8_t callee, uint32_t depth)
{
    es_infer_context to = *context;
    if (to.count == depth) {
        memmove(to.calls, to.calls + 1, depth - 1);
        to.calls[depth - 1] = callee;
        to.cut = true;
    } else {
        to.calls[to.count++] = callee;
    }
    return to;
}

static bool is_same(const es_infer_context *a, const es_infer_context *b)
{
    return a->count == b->count && a->cut == b->cut && memcmp(a->calls, b->calls, a->count) == 0;
}

uint32_t es_infer_context_number(const es_infer_context *contexts, uint32_t count, const es_infer_context *context)
{
    uint32_t i = 0;
    while (i < count && !is_same(&contexts[i], context))
        i++;
    return i;
}

/* Those of one depth; 0: more than `max`. */
static uint32_t make(const es_infer_calls *calls, es_infer_context *contexts, uint32_t max, uint32_t depth)
{
    uint32_t count = 1, entered = 0;
    contexts[0] = (es_infer_context){.count = 0};
    for (uint32_t i = 0; i < count; i++) { /* the list grows while it is walked */
        uint8_t innermost = contexts[i].count ? contexts[i].calls[contexts[i].count - 1] : 0;
        for (uint64_t left = calls->callees[innermost]; left; left &= left - 1) {
            es_infer_context to = es_infer_context_enter(&contexts[i], (uint8_t)__builtin_ctzll(left), depth);
            if (++entered > ES_INFER_TRANSITIONS_MAX / 2)
                return 0;
            if (es_infer_context_number(contexts, count, &to) < count)
                continue;
            if (count == max)
                return 0;
            contexts[count++] = to;
        }
    }
    return count;
}

uint32_t es_infer_contexts_make(const es_infer_calls *calls, es_infer_context *contexts, uint32_t max, uint32_t *depth)
{
    for (*depth = ES_INFER_DEPTH_MAX; *depth; --*depth) {
        uint32_t count = make(calls, contexts, max, *depth);
        if (count)
            return count;
    }
    return 0;
}
