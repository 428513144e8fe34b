#include "stream/frame.h"

#include <string.h>

#define CONTENT_MAX (ES_FRAME_MAX_WORDS * 4 + 2) /* words and CRC */

_Static_assert(CONTENT_MAX < 254, "one COBS code byte of overhead is enough only below 254 bytes");
_Static_assert(ES_CRC_POLY == 0x1021 && ES_CRC_INIT == 0xFFFF, "the table below is of CRC-16/CCITT-FALSE");

/* Division is linear: what a byte leaves is what its bits leave. TABLE makes a table of all bytes from those of the
 * eight bits, lowest first. */
#define OF_BIT(byte, bit, leaves) ((byte) >> (bit)&1 ? (leaves) : 0)
#define OF_BYTE(byte, a, b, c, d, e, f, g, h) \
    (OF_BIT(byte, 0, a) ^ OF_BIT(byte, 1, b) ^ OF_BIT(byte, 2, c) ^ OF_BIT(byte, 3, d) ^ OF_BIT(byte, 4, e) ^ \
     OF_BIT(byte, 5, f) ^ OF_BIT(byte, 6, g) ^ OF_BIT(byte, 7, h))
#define OF_4(byte, ...) \
    OF_BYTE(byte, __VA_ARGS__), OF_BYTE((byte) + 1, __VA_ARGS__), OF_BYTE((byte) + 2, __VA_ARGS__), \
        OF_BYTE((byte) + 3, __VA_ARGS__)
#define OF_16(byte, ...) \
    OF_4(byte, __VA_ARGS__), OF_4((byte) + 4, __VA_ARGS__), OF_4((byte) + 8, __VA_ARGS__), \
        OF_4((byte) + 12, __VA_ARGS__)
#define OF_64(byte, ...) \
    OF_16(byte, __VA_ARGS__), OF_16((byte) + 16, __VA_ARGS__), OF_16((byte) + 32, __VA_ARGS__), \
        OF_16((byte) + 48, __VA_ARGS__)
#define TABLE(...) \
    { \
        OF_64(0, __VA_ARGS__), OF_64(64, __VA_ARGS__), OF_64(128, __VA_ARGS__), OF_64(192, __VA_ARGS__) \
    }

/* after[k][i]: what is left of byte i with k bytes after it. */
static const uint16_t after[8][256] = {
    TABLE(0x1021, 0x2042, 0x4084, 0x8108, 0x1231, 0x2462, 0x48C4, 0x9188),
    TABLE(0x3331, 0x6662, 0xCCC4, 0x89A9, 0x0373, 0x06E6, 0x0DCC, 0x1B98),
    TABLE(0x3730, 0x6E60, 0xDCC0, 0xA9A1, 0x4363, 0x86C6, 0x1DAD, 0x3B5A),
    TABLE(0x76B4, 0xED68, 0xCAF1, 0x85C3, 0x1BA7, 0x374E, 0x6E9C, 0xDD38),
    TABLE(0xAA51, 0x4483, 0x8906, 0x022D, 0x045A, 0x08B4, 0x1168, 0x22D0),
    TABLE(0x45A0, 0x8B40, 0x06A1, 0x0D42, 0x1A84, 0x3508, 0x6A10, 0xD420),
    TABLE(0xB861, 0x60E3, 0xC1C6, 0x93AD, 0x377B, 0x6EF6, 0xDDEC, 0xABF9),
    TABLE(0x47D3, 0x8FA6, 0x0F6D, 0x1EDA, 0x3DB4, 0x7B68, 0xF6D0, 0xFD81),
};

uint16_t es_crc16(const uint8_t *bytes, size_t size)
{
    uint16_t crc = ES_CRC_INIT;
    for (; size >= 8; size -= 8, bytes += 8) /* eight look-ups that need not wait for each other */
        crc = after[7][bytes[0] ^ (crc >> 8)] ^ after[6][bytes[1] ^ (crc & 0xFF)] ^ after[5][bytes[2]] ^
              after[4][bytes[3]] ^ after[3][bytes[4]] ^ after[2][bytes[5]] ^ after[1][bytes[6]] ^ after[0][bytes[7]];
    for (; size; size--, bytes++)
        crc = (uint16_t)(crc << 8) ^ after[0][(crc >> 8) ^ *bytes];
    return crc;
}

size_t es_frame_encode(const uint32_t *words, size_t count, uint8_t *out)
{
    uint8_t content[CONTENT_MAX];
    size_t size = 0;
    for (size_t i = 0; i < count && i < ES_FRAME_MAX_WORDS; i++) {
        content[size++] = (uint8_t)words[i];
        content[size++] = (uint8_t)(words[i] >> 8);
        content[size++] = (uint8_t)(words[i] >> 16);
        content[size++] = (uint8_t)(words[i] >> 24);
    }
    uint16_t crc = es_crc16(content, size);
    content[size++] = (uint8_t)(crc >> 8);
    content[size++] = (uint8_t)crc;

    size_t code_at = 0, used = 1;
    for (size_t i = 0; i < size; i++) {
        if (content[i]) {
            out[used++] = content[i];
        } else {
            out[code_at] = (uint8_t)(used - code_at);
            code_at = used++;
        }
    }
    out[code_at] = (uint8_t)(used - code_at);
    out[used++] = 0;
    return used;
}

/* Undoes COBS. Returns the size of the content, 0 when `size` bytes (without the delimiter) are no COBS of at most
 * CONTENT_MAX bytes. */
static size_t cobs_decode(const uint8_t *bytes, size_t size, uint8_t content[CONTENT_MAX])
{
    if (size < 2 || size > CONTENT_MAX + 1)
        return 0;
    memcpy(content, bytes + 1, size - 1);
    size_t code = bytes[0];                  /* where the next code is: there was a zero */
    for (; code < size; code += bytes[code]) /* no zero in bytes: it goes on */
        content[code - 1] = 0;
    return code == size ? size - 1 : 0;
}

/* Words in the encoded frame at bytes (without its delimiter); 0 when it is damaged. */
static size_t decode(const uint8_t *bytes, size_t size, uint32_t words[ES_FRAME_MAX_WORDS])
{
    uint8_t content[CONTENT_MAX];
    size_t used = cobs_decode(bytes, size, content);
    if (used < 4 + 2 || used % 4 != 2)
        return 0;
    size_t count = used / 4;
    /* A CRC that follows what it was made of leaves the remainder 0. */
    if (content[1] != count - 1 || es_crc16(content, used) != 0)
        return 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *b = content + 4 * i;
        words[i] = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    }
    return count;
}

void es_deframer_init(es_deframer *deframer)
{
    deframer->used = 0;
    deframer->skipping = false;
    deframer->good = 0;
    deframer->bad = 0;
}

/* Keeps a frame's part until the rest comes; a frame that grows too long cannot be good any more. */
static void keep(es_deframer *deframer, const uint8_t *bytes, size_t size)
{
    if (size > sizeof deframer->buffer - deframer->used) {
        deframer->skipping = true;
        return;
    }
    memcpy(deframer->buffer + deframer->used, bytes, size);
    deframer->used += size;
}

size_t es_deframer_push(es_deframer *deframer, const uint8_t *bytes, size_t size, uint32_t words[ES_FRAME_MAX_WORDS],
                        size_t *count)
{
    *count = 0;
    if (!size)
        return 0;
    const uint8_t *end = memchr(bytes, 0, size);
    size_t part = end ? (size_t)(end - bytes) : size;
    bool whole = !deframer->used && !deframer->skipping; /* decoded where it lies */
    if (!end || !whole)
        if (part && !deframer->skipping)
            keep(deframer, bytes, part);
    if (!end)
        return size;

    const uint8_t *frame = whole ? bytes : deframer->buffer;
    size_t length = whole ? part : deframer->used;
    if (length || deframer->skipping) { /* delimiters in a row are idle time, not frames */
        if (!deframer->skipping)
            *count = decode(frame, length, words);
        if (*count)
            deframer->good++;
        else
            deframer->bad++;
    }
    deframer->used = 0;
    deframer->skipping = false;
    return part + 1;
}
