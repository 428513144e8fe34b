#include "export/protobuf.h"

#include <string.h>

enum { VARINT = 0, FIXED64 = 1, LENGTH = 2 };

static void add_varint(es_text_buffer *out, uint64_t value)
{
    char bytes[10];
    size_t count = 0;
    do {
        bytes[count++] = (char)((value & 0x7F) | (value > 0x7F ? 0x80 : 0));
        value >>= 7;
    } while (value);
    es_text_add(out, bytes, count);
}

static void add_tag(es_text_buffer *out, unsigned field, unsigned type)
{
    add_varint(out, (uint64_t)field << 3 | type);
}

void es_pb_uint(es_text_buffer *out, unsigned field, uint64_t value)
{
    add_tag(out, field, VARINT);
    add_varint(out, value);
}

void es_pb_double(es_text_buffer *out, unsigned field, double value)
{
    uint64_t bits;
    char bytes[8];
    memcpy(&bits, &value, sizeof bits);
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (char)(bits >> 8 * i);
    add_tag(out, field, FIXED64);
    es_text_add(out, bytes, sizeof bytes);
}

void es_pb_bytes(es_text_buffer *out, unsigned field, const char *bytes, size_t size)
{
    add_tag(out, field, LENGTH);
    add_varint(out, size);
    if (size)
        es_text_add(out, bytes, size);
}

void es_pb_string(es_text_buffer *out, unsigned field, const char *text)
{
    es_pb_bytes(out, field, text, strlen(text));
}
