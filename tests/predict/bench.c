/* How fast: firings of blocks, and what-if tables of a long trace. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "predict/engine.h"
#include "predict/file.h"

enum { THREADS = 8, BLOCKS = 200, FIRINGS = 10000000, BETWEEN = 200 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Threads that take a mutex now and then, and 10 million blocks. */
static es_predict_trace *make(void)
{
    es_predict_trace *t = es_predict_trace_new();
    uint32_t dice = 1;
    for (unsigned i = 0; i < BLOCKS; i++) {
        uint8_t gaps[16];
        for (unsigned g = 0; g < 16; g++)
            gaps[g] = (uint8_t)(g % 3 == 2 ? 1 : ES_PREDICT_FETCH | 2);
        es_predict_add_block(t, 0x1000 + 64 * i, 0x1000 + 64 * i + 32, gaps, 3 + i % 13);
    }
    uint32_t lock = es_predict_add_object(t, 0x20000, ES_PREDICT_LOCK, 0, "lock");
    for (unsigned k = 0; k < ES_PREDICT_KINDS; k++)
        for (unsigned w = 0; w < ES_PREDICT_WAYS; w++)
            t->costs.hold[k][w] = es_predict_plain_section(t, 60);
    for (unsigned i = 0; i < THREADS; i++)
        es_predict_add_thread(t, 0x1000, 0);
    for (unsigned i = 1; i < THREADS; i++)
        es_predict_add_item(&t->threads[0],
                            ES_PREDICT_IS_EVENT |
                                es_predict_add_event(t, (es_predict_event){ES_PREDICT_FORK, ES_PREDICT_NONE, i}));
    uint32_t take = es_predict_add_event(t, (es_predict_event){ES_PREDICT_LOCK, lock, 0});
    uint32_t give = es_predict_add_event(t, (es_predict_event){ES_PREDICT_UNLOCK, lock, 0});
    for (unsigned i = 0; i < THREADS; i++)
        for (unsigned n = 0; n < FIRINGS / THREADS; n++) {
            dice = dice * 1664525u + 1013904223u;
            es_predict_add_item(&t->threads[i], (dice >> 16) % BLOCKS);
            if (n % BETWEEN == 0)
                es_predict_add_item(&t->threads[i], ES_PREDICT_IS_EVENT | take);
            if (n % BETWEEN == BETWEEN / 4)
                es_predict_add_item(&t->threads[i], ES_PREDICT_IS_EVENT | give);
        }
    for (unsigned i = 1; i < THREADS; i++)
        es_predict_add_item(&t->threads[0],
                            ES_PREDICT_IS_EVENT |
                                es_predict_add_event(t, (es_predict_event){ES_PREDICT_JOIN, ES_PREDICT_NONE, i}));
    for (unsigned i = 0; i < THREADS; i++)
        es_predict_add_item(&t->threads[i],
                            ES_PREDICT_IS_EVENT |
                                es_predict_add_event(t, (es_predict_event){ES_PREDICT_END, ES_PREDICT_NONE, 0}));
    return t;
}

static void fire(const es_predict_steps *steps, const char *what, enum es_predict_memory memory, unsigned times)
{
    double begin = now();
    es_error err;
    uint64_t firings = 0;
    for (unsigned i = 0; i < times; i++) {
        es_predict_machine m = {.cores = 1 + i % 16, .memory = memory, .latency = i};
        es_predict_result r;
        if (!es_predict_run(steps, &m, NULL, &r, &err))
            printf("%s\n", err.text);
        firings += r.firings;
        es_predict_result_free(&r);
    }
    double took = now() - begin;
    printf("%-44s %7.1f million firings a second, %7.2f s\n", what, (double)firings / took / 1e6, took);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "/dev/null";
    es_error err;
    double begin = now();
    es_predict_trace *t = make();
    printf("a trace of %" PRIu64 " blocks made in %.2f s\n", es_predict_trace_firings(t), now() - begin);
    if (argc > 1) {
        begin = now();
        es_predict_trace_write(t, path, &err);
        double written = now();
        es_predict_trace_free(t);
        t = es_predict_trace_read(path, &err);
        printf("written in %.2f s, read in %.2f s\n", written - begin, now() - written);
    }
    es_predict_steps *each = es_predict_each_block(t);
    fire(each, "each block alone, 1 to 16 cores", ES_PREDICT_PORTS, 8);
    begin = now();
    es_predict_steps *reduced = es_predict_reduce(t, NULL, NULL);
    printf("reduced in %.2f s\n", now() - begin);
    fire(reduced, "reduced, a port for each, 100 machines", ES_PREDICT_PORTS, 100);
    fire(reduced, "one port for all, access by access, 4 machines", ES_PREDICT_ONE, 4);
    es_predict_steps_free(each);
    es_predict_steps_free(reduced);
    es_predict_trace_free(t);
    return 0;
}
