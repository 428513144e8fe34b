#include <stdlib.h>

#include "net/model/net.h"

static int ascending(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return one < other ? -1 : one > other;
}

uint32_t *es_net_by_priority(const es_net *net, es_arena *arena)
{
    uint64_t *keys = es_arena_alloc(arena, ((size_t)net->transition_count + 1) * sizeof *keys);
    uint32_t *order = es_arena_alloc(arena, ((size_t)net->transition_count + 1) * sizeof *order);
    for (uint32_t t = 0; t < net->transition_count; t++)
        keys[t] = (uint64_t)net->transitions[t].priority << 32 | t;
    qsort(keys, net->transition_count, sizeof *keys, ascending);
    for (uint32_t t = 0; t < net->transition_count; t++)
        order[t] = (uint32_t)keys[t];
    return order;
}
