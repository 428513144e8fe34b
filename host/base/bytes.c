#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

void es_bytes_free(es_bytes *bytes)
{
    free(bytes->data);
    *bytes = (es_bytes){0};
}

uint8_t *es_bytes_add(es_bytes *bytes, size_t size)
{
    if (bytes->room - bytes->size < size) {
        bytes->room = 2 * bytes->room > bytes->size + size ? 2 * bytes->room : bytes->size + size + 64;
        bytes->data = es_realloc(bytes->data, bytes->room);
    }
    bytes->size += size;
    return bytes->data + (bytes->size - size);
}

void es_bytes_put(es_bytes *bytes, const void *from, size_t size)
{
    if (size)
        memcpy(es_bytes_add(bytes, size), from, size);
}

static void put(es_bytes *bytes, uint64_t value, size_t size)
{
    uint8_t *to = es_bytes_add(bytes, size);
    for (size_t i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

void es_bytes_put_u8(es_bytes *bytes, uint8_t value)
{
    put(bytes, value, 1);
}

void es_bytes_put_u32(es_bytes *bytes, uint32_t value)
{
    put(bytes, value, 4);
}

void es_bytes_put_u64(es_bytes *bytes, uint64_t value)
{
    put(bytes, value, 8);
}

const uint8_t *es_bytes_take(es_bytes_reader *reader, size_t size)
{
    if (reader->bad || (size_t)(reader->end - reader->at) < size) {
        reader->bad = true;
        return NULL;
    }
    reader->at += size;
    return reader->at - size;
}

static uint64_t take(es_bytes_reader *reader, size_t size)
{
    const uint8_t *from = es_bytes_take(reader, size);
    uint64_t value = 0;
    for (size_t i = 0; from && i < size; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

uint8_t es_bytes_take_u8(es_bytes_reader *reader)
{
    return (uint8_t)take(reader, 1);
}

uint32_t es_bytes_take_u32(es_bytes_reader *reader)
{
    return (uint32_t)take(reader, 4);
}

uint64_t es_bytes_take_u64(es_bytes_reader *reader)
{
    return take(reader, 8);
}
