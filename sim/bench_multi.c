/* Speed of the multi-core target: bus clocks per second of processor time, by number of cores.
 *
 * usage: multi-bench PROGRAM.elf... ; every core runs the program, with no callbacks. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "multi/multi.h"
#include "symbols/symbols.h"

#define CLOCKS 2000000u
#define ROUNDS 3

static void fail(const char *text)
{
    fprintf(stderr, "multi-bench: %s\n", text);
    exit(1);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Clocks per second of the program on so many cores. */
static double speed(const es_symbols *symbols, unsigned cores)
{
    es_error err = {0};
    es_multi_config config = {.cores = cores, .latency = 16};
    es_multi *multi = es_multi_new(&config, &err);
    if (!multi)
        fail(err.text);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (unsigned c = 0; c < cores; c++)
        for (size_t i = 0; i < count; i++)
            if (!es_multi_load(multi, c, segments[i].address, segments[i].bytes, segments[i].size))
                fail("the program does not fit");
    es_multi_start(multi);
    double start = seconds();
    enum es_multi_state state = es_multi_step(multi, CLOCKS);
    double taken = seconds() - start;
    if (state != ES_MULTI_RUNNING && state != ES_MULTI_EXITED)
        fail(es_multi_text(multi));
    double result = (double)es_multi_cycles(multi) / taken;
    es_multi_free(multi);
    return result;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        fail("usage: multi-bench PROGRAM.elf...");
    for (int i = 1; i < argc; i++) {
        es_error err = {0};
        es_symbols *symbols = es_symbols_open(argv[i], &err);
        if (!symbols)
            fail(err.text);
        printf("%s:", argv[i]);
        for (unsigned cores = 2; cores <= ES_MULTI_CORES; cores *= 2) {
            double best = 0;
            for (unsigned round = 0; round < ROUNDS; round++) {
                double now = speed(symbols, cores);
                best = now > best ? now : best;
            }
            printf("%s %u cores %.2f M clocks/s", cores > 2 ? "," : "", cores, best / 1e6);
        }
        printf("\n");
        es_symbols_close(symbols);
    }
    return 0;
}
