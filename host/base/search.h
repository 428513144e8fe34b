/* Binary search in ascending numbers. */
#ifndef ES_BASE_SEARCH_H
#define ES_BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/* Index of the first of `count` ascending numbers that is not below `least`; count: all are. */
static inline size_t es_first_from(const uint32_t *sorted, size_t count, uint32_t least)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
