/* Where stores write, and which bytes of one lie in another. */
#include "symbols/parts_private.h"

place es_parts_place_of(const one_store *s)
{
    if (s->part.store.kind == ES_STORE_CONSTANT)
        return (place){BASE_CONSTANT, (int32_t)s->part.store.address};
    if (s->part.store.kind == ES_STORE_FRAME || s->part.store.above)
        return (place){BASE_FRAME, s->part.store.cfa_offset};
    return s->at;
}

bool es_parts_overlap(place x, unsigned x_size, place y, unsigned y_size)
{
    return x.base == y.base && (int64_t)x.offset < (int64_t)y.offset + y_size &&
           (int64_t)y.offset < (int64_t)x.offset + x_size;
}

uint16_t es_parts_bytes_from(place from, place of, unsigned size)
{
    int64_t distance = (int64_t)of.offset - from.offset;
    uint32_t bytes = 0;
    for (unsigned i = 0; i < size; i++)
        if (distance + i >= -REACH && distance + i < REACH)
            bytes |= 1u << (distance + i + REACH);
    return (uint16_t)bytes;
}
