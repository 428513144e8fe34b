#include "stream/frame.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

/* after[k][i]: what is left of byte i with k bytes after it, its high byte low: as it is sent, lowest first. */
static const uint16_t after[8][256] = {
    TABLE(0x2110, 0x4220, 0x8440, 0x0881, 0x3112, 0x6224, 0xC448, 0x8891),
    TABLE(0x3133, 0x6266, 0xC4CC, 0xA989, 0x7303, 0xE606, 0xCC0D, 0x981B),
    TABLE(0x3037, 0x606E, 0xC0DC, 0xA1A9, 0x6343, 0xC686, 0xAD1D, 0x5A3B),
    TABLE(0xB476, 0x68ED, 0xF1CA, 0xC385, 0xA71B, 0x4E37, 0x9C6E, 0x38DD),
    TABLE(0x51AA, 0x8344, 0x0689, 0x2D02, 0x5A04, 0xB408, 0x6811, 0xD022),
    TABLE(0xA045, 0x408B, 0xA106, 0x420D, 0x841A, 0x0835, 0x106A, 0x20D4),
    TABLE(0x61B8, 0xE360, 0xC6C1, 0xAD93, 0x7B37, 0xF66E, 0xECDD, 0xF9AB),
    TABLE(0xD347, 0xA68F, 0x6D0F, 0xDA1E, 0xB43D, 0x687B, 0xD0F6, 0x81FD),
};

#define CRC_BEGIN 0xFFFFu
_Static_assert(CRC_BEGIN == (ES_CRC_INIT >> 8 | (ES_CRC_INIT & 0xFF) << 8), "the bytes of ES_CRC_INIT, swapped");

/* What is left of eight bytes, the first one lowest; what was left before is in the first two already. The eight
 * look-ups need not wait for each other. */
static inline uint32_t divided(uint64_t w)
{
    return after[7][w & 0xFF] ^ after[6][w >> 8 & 0xFF] ^ after[5][w >> 16 & 0xFF] ^ after[4][w >> 24 & 0xFF] ^
           after[3][w >> 32 & 0xFF] ^ after[2][w >> 40 & 0xFF] ^ after[1][w >> 48 & 0xFF] ^ after[0][w >> 56];
}

/* Eight bytes, the first one lowest. */
static inline uint64_t eight_at(const uint8_t *b)
{
    return b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 |
           (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

uint16_t es_crc16(const uint8_t *bytes, size_t size)
{
    uint32_t crc = CRC_BEGIN;
    for (; size >= 8; size -= 8, bytes += 8)
        crc = divided(eight_at(bytes) ^ crc);
    for (; size; size--, bytes++)
        crc = crc >> 8 ^ after[0][(crc & 0xFF) ^ *bytes];
    return (uint16_t)(crc >> 8 | crc << 8);
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

/* spread[m]: eight bytes, all ones where m has a bit and 0 elsewhere. */
#define ONES(m, bit) ((uint64_t)((m) >> (bit)&1 ? 0xFF : 0) << 8 * (bit))
#define SPREAD(m) \
    (ONES(m, 0) | ONES(m, 1) | ONES(m, 2) | ONES(m, 3) | ONES(m, 4) | ONES(m, 5) | ONES(m, 6) | ONES(m, 7))
#define SPREAD_4(m) SPREAD(m), SPREAD((m) + 1), SPREAD((m) + 2), SPREAD((m) + 3)
#define SPREAD_16(m) SPREAD_4(m), SPREAD_4((m) + 4), SPREAD_4((m) + 8), SPREAD_4((m) + 12)
#define SPREAD_64(m) SPREAD_16(m), SPREAD_16((m) + 16), SPREAD_16((m) + 32), SPREAD_16((m) + 48)
#define PADDING 8 /* bytes after a frame that can be read: it is taken by eights */
static const uint64_t spread[256] = {SPREAD_64(0), SPREAD_64(64), SPREAD_64(128), SPREAD_64(192)};

/* Where zeros are in the `used` bytes of content after a frame's first code. False: these are no COBS. */
static bool find_zeros(const uint8_t *bytes, size_t used, uint64_t zeros[(CONTENT_MAX + 63) / 64])
{
    const uint8_t *content = bytes + 1;
    size_t at = bytes[0] - 1u;
    memset(zeros, 0, (used + 63) / 64 * sizeof *zeros);
    for (; at < used; at += content[at]) /* how far it is to the next zero is in the place of each */
        zeros[at / 64] |= UINT64_C(1) << at % 64;
    return at == used;
}

/* Takes a frame's content by eights, so that no byte is looked at alone, with its zeros where `zeros` has bits, or,
 * where there is a layout, as that. Returns the number of words, 0 when the frame is damaged or has another layout. */
static inline size_t take_content(const uint8_t *content, size_t used, const uint64_t *zeros,
                                  const es_cobs_layout *layout, uint32_t words[ES_FRAME_MAX_WORDS])
{
    size_t count = used / 4, at = 0;
    uint64_t others = 0;
    uint32_t crc = CRC_BEGIN;
    for (;; at += 8) {
        uint64_t eight = eight_at(content + at);
        /* cppcheck-suppress nullPointer ; one of the two is there */
        uint64_t code = eight & (layout ? layout->zeros[at / 8] : spread[zeros[at / 64] >> at % 64 & 0xFF]);
        eight ^= code;
        others |= layout ? code ^ layout->codes[at / 8] : 0;
        if (at + 8 > used) {
            /* What comes before the first byte does not count, as long as it is 0. */
            crc = divided((eight ^ crc) << 8 * (8 - used % 8));
            if (used % 8 > 4)
                words[count - 1] = (uint32_t)eight;
            break;
        }
        crc = divided(eight ^ crc);
        words[at / 4] = (uint32_t)eight;
        words[at / 4 + 1] = (uint32_t)(eight >> 32);
    }
    /* A CRC that follows what it was made of leaves the remainder 0. */
    return !others && crc == 0 && (words[0] >> 8 & 0xFF) == count - 1 ? count : 0;
}

#if defined(__x86_64__)

#define MOST 8u /* eights before the last one */
_Static_assert(ES_COBS_WORDS <= MOST, "layouts are of short frames");

/* x^(8n) by the polynomial, where n bytes follow: the last 2 or 6, and eights between. */
static const uint16_t after_2[MOST] = {0x1021, 0xEB23, 0x10E2, 0x45B4, 0x8DDC, 0xB8E0, 0xBD64, 0x9FE5};
static const uint16_t after_6[MOST] = {0xAA51, 0x4563, 0xD5F6, 0xF0E6, 0xF44B, 0xD423, 0x8FFC, 0x59B0};
#define X_64 0xB861 /* x^64 */

/* take_content of a frame that has a layout, by the processor's own multiplication of polynomials: each eight by what
 * the bytes after it make of it, and none waits for another. */
static __attribute__((target("pclmul"))) size_t
take_quickly(const uint8_t *content, size_t used, const es_cobs_layout *layout, uint32_t words[ES_FRAME_MAX_WORDS])
{
    size_t count = used / 4, last = used / 8, rest = used % 8;
    const uint16_t *factor = (rest == 2 ? after_2 : after_6) + last;
    uint64_t begin = (uint64_t)ES_CRC_INIT << 48, others = 0;
    __m128i sum = _mm_setzero_si128();
    for (size_t i = 0; i < last; i++, begin = 0) {
        uint64_t eight = eight_at(content + 8 * i), code = eight & layout->zeros[i];
        others |= code ^ layout->codes[i];
        eight ^= code;
        memcpy(words + 2 * i, &eight, sizeof eight);
        __m128i bytes = _mm_cvtsi64_si128((long long)(__builtin_bswap64(eight) ^ begin));
        sum = _mm_xor_si128(sum, _mm_clmulepi64_si128(bytes, _mm_cvtsi32_si128(*--factor), 0));
    }
    uint64_t eight = eight_at(content + 8 * last), code = eight & layout->zeros[last];
    others |= code ^ layout->codes[last];
    eight ^= code;
    if (rest == 6)
        words[count - 1] = (uint32_t)eight;
    sum = _mm_xor_si128(sum, _mm_cvtsi64_si128((long long)(__builtin_bswap64(eight) >> 8 * (8 - rest))));
    sum = _mm_xor_si128(sum, _mm_clmulepi64_si128(sum, _mm_cvtsi32_si128(X_64), 1));
    uint32_t crc = divided(__builtin_bswap64((uint64_t)_mm_cvtsi128_si64(sum)));
    return !others && crc == 0 && (words[0] >> 8 & 0xFF) == count - 1 ? count : 0;
}

static bool is_quick(void)
{
    return __builtin_cpu_supports("pclmul");
}

#else

static size_t take_quickly(const uint8_t *content, size_t used, const es_cobs_layout *layout,
                           uint32_t words[ES_FRAME_MAX_WORDS])
{
    return take_content(content, used, NULL, layout, words);
}

static bool is_quick(void)
{
    return false;
}

#endif

static size_t take_alike(const es_deframer *deframer, const uint8_t *content, size_t used, const es_cobs_layout *layout,
                         uint32_t words[ES_FRAME_MAX_WORDS])
{
    return deframer->is_quick ? take_quickly(content, used, layout, words)
                              : take_content(content, used, NULL, layout, words);
}

/* Where frames are looked for that had their zeros in the same places: by what does not change with every hit of a
 * statement. */
static es_cobs_layout *layout_of(es_deframer *deframer, const uint8_t *content, size_t used)
{
    uint64_t last = eight_at(content + used - 10) & UINT64_C(0xFFFFE000FFFFE000); /* two words, but for low bits */
    uint64_t first = used < 22 ? 0 : eight_at(content + 8);                       /* of a HIT: which statement's */
    uint64_t hash = (last ^ used) * UINT64_C(0x9E3779B97F4A7C15) ^ first * UINT64_C(0xC2B2AE3D27D4EB4F);
    return &deframer->layouts[hash >> 58 & (ES_COBS_LAYOUTS - 1)];
}

static void learn(es_cobs_layout *layout, const uint8_t *bytes, size_t used, uint64_t zeros)
{
    if (layout->used && !layout->failed) {
        layout->failed = true; /* once may be an exception */
        return;
    }
    *layout = (es_cobs_layout){.first = bytes[0], .used = (uint8_t)used};
    for (size_t at = 0; at < used; at += 8) {
        layout->zeros[at / 8] = spread[zeros >> at & 0xFF];
        layout->codes[at / 8] = eight_at(bytes + 1 + at) & layout->zeros[at / 8];
    }
}

/* A frame that is as none before. */
static __attribute__((noinline)) size_t decode_anew(const uint8_t *bytes, size_t used, es_cobs_layout *layout,
                                                    uint32_t words[ES_FRAME_MAX_WORDS])
{
    uint64_t zeros[(CONTENT_MAX + 63) / 64];
    size_t count = find_zeros(bytes, used, zeros) ? take_content(bytes + 1, used, zeros, NULL, words) : 0;
    if (layout && count)
        learn(layout, bytes, used, zeros[0]);
    return count;
}

/* Words in the encoded frame at bytes (of `size` without its delimiter; PADDING more can be read); 0 when it is
 * damaged.
 *
 * To follow COBS from zero to zero is what takes longest. Most frames have their zeros where one before had them: with
 * the same codes in these places, and as no other byte is 0, they are the same. */
static inline size_t decode(es_deframer *deframer, const uint8_t *bytes, size_t size,
                            uint32_t words[ES_FRAME_MAX_WORDS])
{
    if (size < 1 + 4 + 2 || size > CONTENT_MAX + 1 || size % 4 != 3)
        return 0;
    size_t used = size - 1;
    if (used < 14 || used > 64)
        return decode_anew(bytes, used, NULL, words);
    es_cobs_layout *layout = layout_of(deframer, bytes + 1, used);
    if (layout->used == used && layout->first == bytes[0]) {
        size_t count = take_alike(deframer, bytes + 1, used, layout, words);
        if (count) {
            layout->failed = false;
            deframer->alike++;
            return count;
        }
    }
    return decode_anew(bytes, used, layout, words);
}

void es_deframer_init(es_deframer *deframer)
{
    deframer->used = 0;
    deframer->skipping = false;
    deframer->is_quick = is_quick();
    deframer->good = deframer->alike = 0;
    deframer->bad = 0;
    memset(deframer->layouts, 0, sizeof deframer->layouts);
}

/* Keeps a frame's part until the rest comes; a frame that grows too long cannot be good any more. */
static void keep(es_deframer *deframer, const uint8_t *bytes, size_t size)
{
    if (size > ES_FRAME_WIRE_MAX - deframer->used) {
        deframer->skipping = true;
        return;
    }
    memcpy(deframer->buffer + deframer->used, bytes, size);
    deframer->used += size;
}

/* The end of a frame that had come in parts or is too near to the end of what has come; `bytes`: its last part. */
static __attribute__((noinline)) size_t end_kept(es_deframer *deframer, const uint8_t *bytes, size_t part,
                                                 uint32_t words[ES_FRAME_MAX_WORDS])
{
    size_t count = 0;
    if (part && !deframer->skipping)
        keep(deframer, bytes, part);
    if (!deframer->skipping)
        count = decode(deframer, deframer->buffer, deframer->used, words);
    if (count)
        deframer->good++;
    else if (deframer->used || deframer->skipping)
        deframer->bad++;
    deframer->used = 0;
    deframer->skipping = false;
    return count;
}

size_t es_deframer_push(es_deframer *deframer, const uint8_t *bytes, size_t size, uint32_t words[ES_FRAME_MAX_WORDS],
                        size_t *count)
{
    *count = 0;
    if (!size)
        return 0;
    const uint8_t *end = memchr(bytes, 0, size);
    if (!end) {
        if (!deframer->skipping)
            keep(deframer, bytes, size);
        return size;
    }
    size_t part = (size_t)(end - bytes);
    if (__builtin_expect(deframer->used || deframer->skipping || size - part < PADDING, false)) {
        *count = end_kept(deframer, bytes, part, words);
    } else if (part) { /* decoded where it lies; delimiters in a row are idle time, not frames */
        *count = decode(deframer, bytes, part, words);
        if (*count)
            deframer->good++;
        else
            deframer->bad++;
    }
    return part + 1;
}
