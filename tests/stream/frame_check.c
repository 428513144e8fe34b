/* Frames on the wire: exact on good bytes, and on damaged ones what a plain decoder says. */
#include <stdlib.h>
#include <string.h>

#include "../support/check_main.h"
#include "random.h"
#include "stream/event.h"

START_TEST(test_crc)
{
    /* The catalogue's check value of CRC-16/CCITT-FALSE. */
    ck_assert_uint_eq(es_crc16((const uint8_t *)"123456789", 9), 0x29B1);
    ck_assert_uint_eq(es_crc16(NULL, 0), 0xFFFF);
    /* and the division bit by bit, of every length */
    uint8_t bytes[64];
    uint32_t rest = 0xFFFF;
    for (size_t size = 0; size < sizeof bytes; size++) {
        ck_assert_uint_eq(es_crc16(bytes, size), rest);
        bytes[size] = (uint8_t)next_random();
        rest ^= (uint32_t)bytes[size] << 8;
        for (int bit = 0; bit < 8; bit++)
            rest = (rest << 1 ^ (rest & 0x8000 ? 0x1021 : 0)) & 0xFFFF;
    }
}
END_TEST

/* docs/link.md shows these bytes. */
START_TEST(test_wire_example)
{
    static const uint32_t words[] = {ES_OP_READ | 2u << 8 | 0x0007u << 16, 0x10000048, 1};
    static const uint8_t wire[] = {0x04, 0x11, 0x02, 0x07, 0x02, 0x48, 0x01, 0x03,
                                   0x10, 0x01, 0x01, 0x01, 0x03, 0x96, 0x71, 0x00};
    uint8_t out[ES_FRAME_WIRE_MAX];
    size_t size = es_frame_encode(words, 3, out);
    ck_assert_uint_eq(size, sizeof wire);
    ck_assert_mem_eq(out, wire, sizeof wire);

    static const uint32_t answer[] = {ES_FRAME_RESPONSE | 2u << 8 | 0x0007u << 16, ES_RESP_OK, ES_PROBE_ID};
    static const uint8_t back[] = {0x04, 0x80, 0x02, 0x07, 0x01, 0x01, 0x01, 0x01,
                                   0x02, 0x02, 0x05, 0x53, 0x45, 0x3C, 0xF4, 0x00};
    size = es_frame_encode(answer, 3, out);
    ck_assert_uint_eq(size, sizeof back);
    ck_assert_mem_eq(out, back, sizeof back);
}
END_TEST

static size_t random_words(uint32_t words[ES_FRAME_MAX_WORDS])
{
    size_t count = below(8) ? 1 + below(ES_FRAME_MAX_WORDS) : ES_FRAME_MAX_WORDS;
    unsigned sort = below(4);
    for (size_t i = 0; i < count; i++)
        words[i] = sort == 0 ? 0 : sort == 1 ? 0xFFFFFFFF : sort == 2 ? next_random() & 0xFF0000FF : next_random();
    words[0] = (words[0] & 0xFFFF00FF) | (uint32_t)(count - 1) << 8;
    return count;
}

START_TEST(test_round_trip)
{
    /* In pieces of every size, so that frames end anywhere in a piece. */
    for (size_t piece = 1; piece < 600; piece = piece * 3 / 2 + 1) {
        es_deframer deframer;
        es_deframer_init(&deframer);
        uint32_t sent[200][ES_FRAME_MAX_WORDS], got[ES_FRAME_MAX_WORDS];
        size_t counts[200], size = 0, frames = 0, count;
        static uint8_t wire[200 * ES_FRAME_WIRE_MAX];
        for (size_t i = 0; i < 200; i++) {
            counts[i] = random_words(sent[i]);
            size_t length = es_frame_encode(sent[i], counts[i], wire + size);
            ck_assert_uint_le(length, ES_FRAME_WIRE_MAX);
            ck_assert(memchr(wire + size, 0, length - 1) == NULL);
            size += length;
        }
        for (size_t at = 0; at < size;) {
            size_t left = size - at < piece ? size - at : piece;
            while (left) {
                size_t taken = es_deframer_push(&deframer, wire + at, left, got, &count);
                ck_assert(taken > 0 && taken <= left);
                at += taken;
                left -= taken;
                if (count) {
                    ck_assert_uint_eq(count, counts[frames]);
                    ck_assert_mem_eq(got, sent[frames], count * 4);
                    frames++;
                }
            }
        }
        ck_assert_uint_eq(frames, 200);
        ck_assert(deframer.good == 200 && deframer.bad == 0);
    }
}
END_TEST

/* COBS and the CRC, byte by byte as docs/link.md has them. Returns the number of words, 0: damaged. */
static size_t plain_decode(const uint8_t *wire, size_t size, uint32_t words[ES_FRAME_MAX_WORDS])
{
    uint8_t content[2 * ES_FRAME_WIRE_MAX];
    size_t used = 0;
    for (size_t at = 0; at < size;) {
        unsigned code = wire[at++];
        if (code == 0 || at + code - 1 > size)
            return 0;
        for (unsigned i = 1; i < code; i++)
            content[used++] = wire[at++];
        if (at < size)
            content[used++] = 0;
    }
    uint32_t crc = 0xFFFF;
    for (size_t i = 0; i < used; i++) {
        crc ^= (uint32_t)content[i] << 8;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc << 1 ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xFFFF;
    }
    if (used < 6 || used % 4 != 2 || used > ES_FRAME_MAX_WORDS * 4 + 2 || crc || content[1] != used / 4 - 1)
        return 0;
    for (size_t i = 0; i < used / 4; i++)
        words[i] = content[4 * i] | (uint32_t)content[4 * i + 1] << 8 | (uint32_t)content[4 * i + 2] << 16 |
                   (uint32_t)content[4 * i + 3] << 24;
    return used / 4;
}

/* Frames that have their zeros where others had them are taken faster: never otherwise, and damage is seen as in any;
 * by what the processor can, and without it. */
START_TEST(test_frames_alike)
{
    es_deframer deframer, slow;
    es_deframer_init(&deframer);
    es_deframer_init(&slow);
    slow.is_quick = false;
    uint32_t kinds[10][ES_FRAME_MAX_WORDS], got[ES_FRAME_MAX_WORDS], expected[ES_FRAME_MAX_WORDS];
    size_t counts[10], good = 0;
    for (size_t k = 0; k < 10; k++)
        counts[k] = random_words(kinds[k]);
    for (size_t k = 0; k < 8; k++) { /* most are short */
        counts[k] = 3 + 2 * k - k % 3;
        kinds[k][0] = (kinds[k][0] & ~0xFF00u) | (uint32_t)(counts[k] - 1) << 8;
    }
    for (int round = 0; round < 60000; round++) {
        size_t k = below(10), count, length;
        uint8_t wire[ES_FRAME_WIRE_MAX + 40] = {0};
        kinds[k][0] = (kinds[k][0] & 0xFFFF) | (uint32_t)round << 16;
        if (counts[k] > 1)
            kinds[k][1 + below((unsigned)counts[k] - 1)] ^= below(256);
        length = es_frame_encode(kinds[k], counts[k], wire);
        for (unsigned damage = below(2) ? 0 : below(3); damage; damage--)
            wire[below((unsigned)length - 1)] = (uint8_t)(1 + below(below(2) ? 255 : 40));
        size_t room = below(40), taken = es_deframer_push(&deframer, wire, length + room, got, &count);
        ck_assert_uint_eq(taken, length);
        ck_assert_uint_eq(count, plain_decode(wire, length - 1, expected));
        ck_assert_mem_eq(got, expected, count * 4);
        good += count > 0;
        memset(got, 0, sizeof got);
        es_deframer_push(&slow, wire, length + room, got, &count);
        ck_assert_uint_eq(count, plain_decode(wire, length - 1, expected));
        ck_assert_mem_eq(got, expected, count * 4);
        ck_assert_uint_eq(deframer.alike, slow.alike);
    }
    ck_assert(deframer.good == good && deframer.bad == 60000 - good && good > 30000 && deframer.alike > 1000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frames");
    TCase *frames = tcase_create("frames");
    tcase_add_test(frames, test_crc);
    tcase_add_test(frames, test_wire_example);
    tcase_add_test(frames, test_round_trip);
    tcase_set_timeout(frames, 60);
    tcase_add_test(frames, test_frames_alike);
    suite_add_tcase(suite, frames);
    return check_main(suite);
}
