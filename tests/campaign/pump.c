/* A probe that never stops: what a recording has before its first hit, then that hit again and again, with the next value
 * and a later time each, as the frames that a probe would send.
 *
 * pump RECORDING HITS CLOCKS >FIFO: so many hits, so many clocks apart */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/frame.h"

static uint16_t number;

static void put(uint32_t *words, size_t count)
{
    uint8_t wire[ES_FRAME_WIRE_MAX];
    if ((words[0] & 0xFF) != ES_FRAME_RESPONSE) /* these have their command's */
        words[0] = (words[0] & 0xFFFF) | (uint32_t)number++ << 16;
    size_t length = es_frame_encode(words, count, wire);
    if (fwrite(wire, 1, length, stdout) != length)
        exit(1);
}

static void repeat(uint32_t *words, size_t count, unsigned long long hits, uint64_t clocks)
{
    uint64_t time = words[1] | (uint64_t)words[2] << 32;
    for (unsigned long long i = 0; i < hits; i++) {
        put(words, count);
        time += clocks;
        words[1] = (uint32_t)time;
        words[2] = (uint32_t)(time >> 32);
        words[count - 1]++; /* its only value */
    }
}

int main(int argc, char **argv)
{
    FILE *file = argc == 4 ? fopen(argv[1], "rb") : NULL;
    es_deframer deframer;
    uint32_t words[ES_FRAME_MAX_WORDS];
    if (!file) {
        fputs("usage: pump RECORDING HITS CLOCKS\n", stderr);
        return 2;
    }
    es_deframer_init(&deframer);
    for (int c; (c = getc(file)) != EOF;) {
        uint8_t byte = (uint8_t)c;
        size_t count = 0;
        es_deframer_push(&deframer, &byte, 1, words, &count);
        if (!count)
            continue;
        if ((words[0] & 0xFF) == ES_FRAME_HIT) {
            repeat(words, count, strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
            break;
        }
        put(words, count);
    }
    fclose(file);
    return fflush(stdout) != 0;
}
