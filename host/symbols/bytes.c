#include "symbols/bytes.h"

#include "base/endian.h"

uint64_t es_bytes_number(es_bytes *b, size_t width)
{
    uint64_t value = 0;
    if ((size_t)(b->end - b->at) < width) {
        b->over = true;
        b->at = b->end;
        return 0;
    }
    value = es_endian_get(b->at, (unsigned)(width < 8 ? width : 8), b->big_endian);
    b->at += width;
    return value;
}

uint64_t es_bytes_uleb(es_bytes *b)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint64_t byte = es_bytes_number(b, 1);
        if (shift < 64)
            value |= (byte & 0x7F) << shift;
        if (!(byte & 0x80))
            return value;
    }
}

int64_t es_bytes_sleb(es_bytes *b)
{
    uint64_t value = 0;
    for (unsigned shift = 0;;) {
        uint64_t byte = es_bytes_number(b, 1);
        if (shift < 64)
            value |= (byte & 0x7F) << shift;
        shift += 7;
        if (byte & 0x80)
            continue;
        if (shift < 64 && (byte & 0x40))
            value |= ~UINT64_C(0) << shift;
        return (int64_t)value;
    }
}

void es_bytes_skip(es_bytes *b, uint64_t count)
{
    b->over |= count > (uint64_t)(b->end - b->at);
    b->at = b->over ? b->end : b->at + count;
}
