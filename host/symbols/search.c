/* Looking things up in sorted lists. */
#include <string.h>

#include "symbols/internal.h"

size_t es_symbols_first_named(const void *items, size_t count, size_t size, symbols_name_fn *name_of, const char *name)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(name_of((const char *)items + middle * size), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && strcmp(name_of((const char *)items + low * size), name) == 0 ? low : count;
}

size_t es_symbols_last_at(const void *items, size_t count, size_t size, uint32_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t at;
        memcpy(&at, (const char *)items + middle * size, sizeof at);
        if (at <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : count;
}
