#include "net/recovery/private.h"

#include <stdlib.h>
#include <string.h>

void es_recovery_ring_grow(void **items, uint32_t *first, uint32_t count, uint32_t *size, size_t item)
{
    uint32_t larger = *size ? *size * 2 : 2;
    if (larger < *size || larger > UINT32_MAX / 2)
        abort(); /* two thousand million items would need more memory than this index reaches */
    char *fresh = es_malloc(larger * item);
    uint32_t start = *size ? *first & (*size - 1) : 0;
    uint32_t upper = count < *size - start ? count : *size - start;
    if (count) {
        memcpy(fresh, (char *)*items + start * item, upper * item);
        memcpy(fresh + upper * item, *items, (count - upper) * item);
    }
    free(*items);
    *items = fresh;
    *first = 0;
    *size = larger;
}

void es_recovery_grow_answers(stretch *at, uint32_t decisions)
{
    uint32_t first = at->measures.first, size = at->measures.size;
    es_recovery_ring_grow((void **)&at->answers, &first, at->measures.count, &size, decisions * sizeof *at->answers);
}
