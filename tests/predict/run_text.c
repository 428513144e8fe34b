/* Runs the engine on a trace in text, for tests that make traces and know what they take:
 *
 *   object KIND VALUE              thread PRIORITY          block GAP GAP ...
 *   run BLOCK...                   event KIND OBJECT ARG    (of the thread named last; OBJECT, ARG: -1: none)
 *   hold|after KIND WAITS CLOCKS   take|idle|pick|empty|spin|wake|bell|tail|notice|trap ... CLOCKS
 *   machine CORES SCHEDULER QUANTUM ORDER BARGE MEMORY WAIT LATENCY FREE EACH SPEED...
 *
 * Prints for each machine: makespan in ticks, scale, lock waits, and per object waits and ticks; or "stuck". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predict/engine.h"

static es_predict_trace *trace;
static bool verbose;

static void tell(void *context, const es_predict_stretch *s)
{
    (void)context;
    if (verbose && s->doing != ES_PREDICT_IDLES)
        printf("  %" PRIu64 "-%" PRIu64 " core %u thread %d step %" PRIu32 " %u\n", s->begin, s->end, s->core,
               (int)s->thread, s->step, s->doing);
}

static void machine(char *text)
{
    es_predict_machine m = {0};
    es_predict_result result;
    es_predict_listener listener = {.stretch = tell};
    es_error err = {0};
    int each = 0, at = 0;
    unsigned scheduler, order, barge, memory, free_kernel;
    sscanf(text, "%u %u %u %u %u %u %u %u %u %u %d%n", &m.cores, &scheduler, &m.quantum, &order, &barge, &memory,
           &m.wait, &m.latency, &m.bell, &free_kernel, &each, &at);
    m.scheduler = scheduler;
    m.order = order;
    m.barge = barge;
    m.memory = memory;
    m.free_kernel = free_kernel;
    char *word = strtok(text + at, " \n");
    for (unsigned c = 0; word && c < m.cores; c++, word = strtok(NULL, " \n"))
        if (!es_predict_speed_parse(word, &m.speeds[c], &err))
            printf("%s\n", err.text);
    es_predict_add_begin(trace);
    if (!es_predict_trace_check(trace, &err)) {
        printf("%s\n", err.text);
        return;
    }
    es_predict_steps *steps = each ? es_predict_each_block(trace) : es_predict_reduce(trace, NULL, NULL);
    if (es_predict_run(steps, &m, &listener, &result, &err)) {
        printf("%" PRIu64 " %" PRIu32 " %" PRIu64, result.makespan, result.scale, result.lock.ticks);
        for (size_t o = 0; o < result.object_count; o++)
            printf(" %" PRIu64 ":%" PRIu64, result.objects[o].waits, result.objects[o].ticks);
        printf("\n");
    } else {
        printf("stuck %s\n", err.text);
    }
    es_predict_result_free(&result);
    es_predict_steps_free(steps);
}

static void single_cost(es_predict_costs *costs, const char *word, uint32_t clocks)
{
    const struct {
        const char *name;
        es_predict_section *section;
        uint32_t *number;
    } names[] = {{"take", &costs->next[ES_PREDICT_TAKE], NULL},
                 {"idle", &costs->next[ES_PREDICT_TAKE_NONE], NULL},
                 {"pick", &costs->next[ES_PREDICT_PICK], NULL},
                 {"empty", &costs->next[ES_PREDICT_PICK_NONE], NULL},
                 {"spin", &costs->spin, NULL},
                 {"wake", NULL, &costs->wake},
                 {"pass", NULL, &costs->pass},
                 {"bell", NULL, &costs->bell},
                 {"tail", NULL, &costs->tail},
                 {"notice", &costs->notice, NULL},
                 {"notice_first", &costs->notice_first, NULL},
                 {"begin", &costs->begin, NULL},
                 {"trap", &costs->trap, NULL},
                 {"cut", &costs->cut, NULL},
                 {"back", &costs->back, NULL},
                 {"keep", &costs->keep, NULL},
                 {"kept", &costs->kept, NULL},
                 {"doze", &costs->doze, NULL}};
    for (unsigned way = 0; strcmp(word, "arrive") == 0 && way < ES_PREDICT_ARRIVALS; way++)
        costs->arrive[way] = es_predict_plain_section(trace, clocks);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, word) == 0) {
            if (names[i].section)
                *names[i].section = es_predict_plain_section(trace, clocks);
            else
                *names[i].number = clocks;
        }
}

static void line(char *text)
{
    char word[32] = "", kind[32] = "";
    long a = 0, b = 0;
    int at = 0;
    sscanf(text, "%31s%n", word, &at);
    char *rest = text + at;
    es_predict_costs *costs = &trace->costs;
    if (strcmp(word, "object") == 0 && sscanf(rest, "%31s %ld", kind, &a) == 2) {
        es_predict_add_object(trace, 0, es_predict_kind_of(kind), (uint32_t)a, NULL);
    } else if (strcmp(word, "thread") == 0) {
        es_predict_add_thread(trace, 0, (uint8_t)atoi(rest));
    } else if (strcmp(word, "block") == 0) {
        uint8_t gaps[64];
        size_t count = 0;
        for (char *w = strtok(rest, " \n"); w; w = strtok(NULL, " \n"))
            gaps[count++] = (uint8_t)atoi(w);
        es_predict_add_block(trace, 0, 0, gaps, count);
    } else if (strcmp(word, "run") == 0) {
        for (char *w = strtok(rest, " \n"); w; w = strtok(NULL, " \n"))
            es_predict_add_item(&trace->threads[trace->thread_count - 1], (uint32_t)atoi(w));
    } else if (strcmp(word, "event") == 0 && sscanf(rest, "%31s %ld %ld", kind, &a, &b) == 3) {
        uint32_t number = es_predict_add_event(
            trace, (es_predict_event){(uint8_t)es_predict_kind_of(kind), (uint32_t)a, (uint32_t)b});
        es_predict_add_item(&trace->threads[trace->thread_count - 1], ES_PREDICT_IS_EVENT | number);
    } else if (strcmp(word, "hold") == 0 && sscanf(rest, "%31s %ld %ld", kind, &a, &b) == 3) {
        costs->hold[es_predict_kind_of(kind)][a] = es_predict_plain_section(trace, (uint32_t)b);
        for (long w = ES_PREDICT_CROWD; w < ES_PREDICT_WAYS; w += ES_PREDICT_CROWD)
            costs->hold[es_predict_kind_of(kind)][a | w] = costs->hold[es_predict_kind_of(kind)][a];
    } else if (strcmp(word, "after") == 0 && sscanf(rest, "%31s %ld %ld", kind, &a, &b) == 3) {
        costs->after[es_predict_kind_of(kind)][a] = es_predict_plain_section(trace, (uint32_t)b);
    } else if (strcmp(word, "machine") == 0) {
        machine(rest);
    } else {
        single_cost(costs, word, (uint32_t)atoi(rest));
    }
}

int main(int argc, char **argv)
{
    static char text[1 << 20];
    (void)argv;
    verbose = argc > 1;
    trace = es_predict_trace_new();
    while (fgets(text, sizeof text, stdin)) {
        if (strcmp(text, "new\n") == 0) {
            es_predict_trace_free(trace);
            trace = es_predict_trace_new();
        } else {
            line(text);
        }
    }
    es_predict_trace_free(trace);
    return 0;
}
