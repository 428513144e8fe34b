/* Numbers in bytes of either order. What a program's bytes mean is a fact of each value's type (es_type.big_endian). */
#ifndef ES_BASE_ENDIAN_H
#define ES_BASE_ENDIAN_H

#include <stdbool.h>
#include <stdint.h>

/* The number that `size` bytes (at most 8) are; big: the first one is the most significant. */
static inline uint64_t es_endian_get(const uint8_t *bytes, unsigned size, bool big)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * (big ? size - 1 - i : i);
    return value;
}

static inline void es_endian_put(uint8_t *bytes, unsigned size, uint64_t value, bool big)
{
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> 8 * (big ? size - 1 - i : i));
}

/* The lowest `size` bytes (at most 8) of a number the other way round; 0 above them. */
static inline uint64_t es_endian_turned(uint64_t value, unsigned size)
{
    return size ? __builtin_bswap64(value) >> (64 - 8 * size) : 0;
}

#endif
