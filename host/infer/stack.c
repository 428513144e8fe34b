#include "infer/stack.h"

#include <string.h>

typedef struct node {
    uint32_t below, top;
} node;

struct es_infer_stack {
    es_arena *arena;
    node *nodes;     /* [0]: the empty one */
    uint32_t *slots; /* by hash; 0: free. A power of two of them, at most half full */
    uint32_t count, slot_count;
};

es_infer_stack *es_infer_stack_new(es_arena *arena)
{
    es_infer_stack *s = es_arena_alloc(arena, sizeof *s);
    s->arena = arena;
    s->nodes = es_arena_grow(arena, s->nodes, 0, sizeof *s->nodes);
    s->count = 1;
    return s;
}

static uint32_t slot_of(const es_infer_stack *s, uint32_t below, uint32_t top)
{
    uint64_t hash = ((uint64_t)below << 32 | top) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t mask = s->slot_count - 1, i = (uint32_t)(hash >> 32) & mask;
    while (s->slots[i] && (s->nodes[s->slots[i]].below != below || s->nodes[s->slots[i]].top != top))
        i = (i + 1) & mask;
    return i;
}

static void grow(es_infer_stack *s)
{
    if (s->slot_count && (s->count + 1) * 2 <= s->slot_count)
        return;
    s->slot_count = s->slot_count ? s->slot_count * 2 : 64;
    s->slots = es_arena_alloc(s->arena, s->slot_count * sizeof *s->slots);
    for (uint32_t i = 1; i < s->count; i++)
        s->slots[slot_of(s, s->nodes[i].below, s->nodes[i].top)] = i;
}

bool es_infer_stack_push(es_infer_stack *s, int64_t stack, uint32_t top, int64_t *pushed)
{
    if (stack < 0 || stack >= s->count)
        return false;
    grow(s);
    uint32_t i = slot_of(s, (uint32_t)stack, top);
    if (!s->slots[i]) {
        if (s->count == ES_INFER_STACKS_MAX)
            return false;
        s->nodes = es_arena_grow(s->arena, s->nodes, s->count, sizeof *s->nodes);
        s->nodes[s->count] = (node){(uint32_t)stack, top};
        s->slots[i] = s->count++;
    }
    *pushed = s->slots[i];
    return true;
}

bool es_infer_stack_pop(const es_infer_stack *s, int64_t stack, uint32_t *top, int64_t *popped)
{
    if (stack <= 0 || stack >= s->count)
        return false;
    *top = s->nodes[stack].top;
    *popped = s->nodes[stack].below;
    return true;
}
