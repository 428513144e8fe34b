/* Figures of the decoder: hits each second on one core, from the bytes of the link to events, beside the time that
 * copying those bytes takes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stream/event.h"

#define FRAMES (1u << 16)
#define PIECE 65536 /* bytes handed over at once */
#define ROUNDS 15
#define REPEATS 8

static uint64_t hits, sum;

static void on_event(void *context, const es_event *event)
{
    (void)context;
    if (event->kind != ES_EVENT_HIT)
        return;
    hits++;
    sum += event->time + event->words[0];
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Hits with `values` words each, as a program makes them: times that grow, a few places, small values. */
static size_t make_hits(uint8_t *wire, unsigned values)
{
    size_t size = 0;
    for (uint32_t i = 0; i < FRAMES; i++) {
        uint32_t time = 1000 + i * 397, count = 5 + values;
        uint32_t words[ES_FRAME_MAX_WORDS] = {ES_FRAME_HIT | (count - 1) << 8 | i << 16, time, 3, i % 7,
                                              0x1000 + i * 36 % 4096};
        for (unsigned k = 0; k < values; k++)
            words[5 + k] = k ? i : i % 100;
        size += es_frame_encode(words, count, wire + size);
    }
    return size;
}

static double decode(const uint8_t *wire, size_t size)
{
    es_decoder *decoder = es_decoder_new(on_event, NULL);
    double start = seconds();
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (size_t at = 0; at < size; at += PIECE)
            es_decoder_push(decoder, wire + at, size - at < PIECE ? size - at : PIECE);
    double used = seconds() - start;
    uint64_t frames, bad;
    es_decoder_totals(decoder, &frames, &bad);
    es_decoder_free(decoder);
    if (frames != (uint64_t)FRAMES * REPEATS || bad) {
        fprintf(stderr, "bench: frames were damaged\n");
        exit(EXIT_FAILURE);
    }
    return used;
}

static double copy(const uint8_t *wire, size_t size, uint8_t *to)
{
    double start = seconds();
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (size_t at = 0; at < size; at += PIECE) {
            memcpy(to, wire + at, size - at < PIECE ? size - at : PIECE);
            sum += to[at % 512];
        }
    return seconds() - start;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof *values, compare);
    return values[ROUNDS / 2];
}

int main(void)
{
    uint8_t *wire = malloc((size_t)FRAMES * ES_FRAME_WIRE_MAX), *to = malloc(PIECE);
    if (!wire || !to)
        return 1;
    printf("decoding hits, from the link's bytes to events\n");
    static const unsigned sizes[] = {1, 2, 8};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t size = make_hits(wire, sizes[i]);
        double rate[ROUNDS], ratio[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            double used = decode(wire, size);
            rate[round] = (double)FRAMES * REPEATS / used;
            ratio[round] = used / copy(wire, size, to);
        }
        printf("  %u value%-2s %3.0f bytes: %6.1f M hits/s, %5.1f times the time of copying the bytes\n", sizes[i],
               sizes[i] == 1 ? "" : "s", (double)size / FRAMES, median(rate) / 1e6, median(ratio));
    }
    free(wire);
    free(to);
    return hits + sum == 0;
}
