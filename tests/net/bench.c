/* Figures of simulation and recovery: firings and events each second on one core, with the net's size, and the memory
 * that a long stream takes; and what of it is left when `earshot net recover` reads a trace and prints what it finds.
 *
 * usage: bench EARSHOT */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "net/formats/pnml.h"
#include "net/formats/trace.h"
#include "net/model/engine.h"
#include "net/recovery/recovery.h"

static es_error err;

static void must(bool good)
{
    if (good)
        return;
    fprintf(stderr, "bench: %s\n", err.text);
    exit(EXIT_FAILURE);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint32_t place(es_net *net, uint32_t tokens)
{
    char id[24];
    snprintf(id, sizeof id, "p%u", net->place_count);
    uint32_t made = es_net_place_add(net, id, NULL, tokens, NULL, &err);
    must(made != ES_NET_NONE);
    return made;
}

static uint32_t step(es_net *net, int32_t process, int64_t delay)
{
    char id[24];
    snprintf(id, sizeof id, "t%u", net->transition_count);
    uint32_t made = es_net_transition_add(net, id, NULL, delay, NULL, &err);
    must(made != ES_NET_NONE && es_net_monitor(net, made, 3, 8, &err));
    net->transitions[made].process = process;
    return made;
}

static void arcs(es_net *net, uint32_t from, uint32_t by, uint32_t to)
{
    must(es_net_arc_in(net, from, by, 1, &err) && es_net_arc_out(net, by, to, 1, &err));
}

/* Pairs of processes, ten transitions each: a producer that sends over a mailbox of one, and a consumer. `looks`: it
 * looks into the mailbox and does something else when that is empty; marks change what it finds, so nearly all of the
 * run is pasted. Otherwise it waits for the message. */
static es_net *pairs(uint32_t count, bool looks)
{
    es_net *net = es_net_new("pairs");
    for (uint32_t i = 0; i < count; i++) {
        int32_t producer = (int32_t)i * 2, consumer = producer + 1;
        uint32_t at = place(net, 1), message = place(net, 0), room = place(net, 1), previous = at;
        for (int k = 0; k < 4; k++) {
            uint32_t next = place(net, 0);
            arcs(net, previous, step(net, producer, 40 + (int64_t)(i * 7 + (uint32_t)k * 3) % 23), next);
            previous = next;
        }
        uint32_t sends = step(net, producer, 5);
        arcs(net, previous, sends, at);
        arcs(net, room, sends, message);
        uint32_t begin = place(net, 1), choose = place(net, 0), back = place(net, 0), between = place(net, 0),
                 begin2 = looks ? back : place(net, 0);
        arcs(net, begin, step(net, consumer, 31 + (int64_t)i % 13), choose);
        uint32_t takes = step(net, consumer, 20), other = step(net, consumer, 11);
        arcs(net, choose, takes, looks ? back : begin2);
        arcs(net, message, takes, room);
        arcs(net, looks ? choose : begin2, other, back);
        arcs(net, back, step(net, consumer, 9), between);
        arcs(net, between, step(net, consumer, 2), begin);
        es_net_condition there = {.place = message};
        must(!looks || (es_net_rule_add(net, choose, takes, &there, 1, &err) &&
                        es_net_rule_add(net, choose, other, NULL, 0, &err)));
    }
    must(es_net_finish(net, &err));
    return net;
}

static void bench_engine(uint32_t count)
{
    es_net *net = pairs(count, true);
    es_net_engine_options options = {.marks = true};
    es_net_engine *engine = es_net_engine_new(net, &options, &err);
    must(engine);
    must(es_net_engine_run(engine, INT64_MAX, 200000, &err));
    double begin = seconds();
    must(es_net_engine_run(engine, INT64_MAX, 5000000, &err));
    double took = seconds() - begin;
    printf("  simulation, %6u transitions: %6.1f M firings/s\n", net->transition_count, 5.0 / took);
    es_net_engine_free(engine);
    es_net_free(net);
}

typedef struct recording {
    es_net_observation *events;
    size_t count, size;
} recording;

static void record(void *at, const es_net_firing *firing)
{
    recording *made = at;
    if (made->count < made->size)
        made->events[made->count++] = (es_net_observation){firing->transition, firing->time, firing->mark, made->count};
}

/* Marks that took no time: every decision is checked, and none of them changes. */
static int64_t no_mark(void *context, uint32_t transition, uint64_t number)
{
    (void)context;
    (void)transition;
    (void)number;
    return 0;
}

static int64_t some_mark(void *context, uint32_t transition, uint64_t number)
{
    (void)context;
    return (int64_t)((transition * 2654435761u ^ number * 40503u) >> 7 & 7);
}

static uint64_t sum;
static void count_event(void *context, const es_net_recovered *event)
{
    (void)context;
    sum += (uint64_t)event->time;
}

/* The run is recorded first, so that only the recovery is measured. */
static void bench_recovery(uint32_t count, bool looks, bool marks, uint64_t events)
{
    es_net *net = pairs(count, looks);
    recording made = {malloc((size_t)events * sizeof *made.events), 0, events};
    es_net_engine_options options = {
        .marks = true, .on_firing = record, .mark = marks ? some_mark : no_mark, .context = &made};
    es_net_engine *engine = es_net_engine_new(net, &options, &err);
    must(engine && es_net_engine_run(engine, INT64_MAX, events, &err));
    es_net_engine_free(engine);
    es_net_recovery_options how = {.on_event = count_event};
    es_net_recovery *recovery = es_net_recovery_new(net, &how, &err);
    must(recovery);
    es_net_recovery_totals early, late;
    double begin = seconds();
    for (size_t i = 0; i < made.count; i++) {
        must(es_net_recovery_push(recovery, &made.events[i], &err));
        if (i == made.count / 10)
            es_net_recovery_totals_get(recovery, &early);
    }
    double took = seconds() - begin;
    es_net_recovery_totals_get(recovery, &late);
    printf("  recovery,   %6u transitions: %6.1f M events/s, %3.0f%% pasted; %llu kB after a tenth of %.0f M events, "
           "%llu kB at the end; %llu "
           "decisions, at most %llu open\n",
           net->transition_count, (double)made.count / took * 1e-6,
           100.0 * (double)late.by_class[ES_NET_PASTED] / (double)late.recovered,
           (unsigned long long)early.memory / 1024, (double)made.count * 1e-6, (unsigned long long)late.memory / 1024,
           (unsigned long long)late.decisions, (unsigned long long)late.open_most);
    es_net_recovery_free(recovery);
    es_net_free(net);
    free(made.events);
}

#define COMMAND_EVENTS 2000000
#define COMMAND_ROUNDS 9

static const char net_path[] = "/tmp/earshot-bench-XXXXXX.pnml", trace_path[] = "/tmp/earshot-bench-XXXXXX.json";

/* A file with a name of its own. Returns it, open for writing; `path` holds the name from then on. */
static FILE *made_file(char *path, int suffix)
{
    int descriptor = mkstemps(path, suffix);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return file;
}

static void write_net(const es_net *net, char *path)
{
    es_text_buffer text = {0};
    must(es_pnml_write(net, &text, &err));
    FILE *file = made_file(path, 5);
    fwrite(text.text, 1, text.length, file);
    fclose(file);
    es_text_free(&text);
}

static void write_trace(const es_net *net, const recording *made, size_t count, char *path)
{
    es_text_buffer text = {0};
    FILE *file = made_file(path, 5);
    for (size_t i = 0; i < count; i++) {
        const es_net_observation *o = &made->events[i];
        es_net_firing firing = {.transition = o->transition, .number = i, .time = o->time, .mark = o->mark};
        es_json json = {.out = &text};
        es_text_clear(&text);
        es_net_trace_write(&json, net, &firing);
        es_text_add(&text, "\n", 1);
        fwrite(text.text, 1, text.length, file);
    }
    fclose(file);
    es_text_free(&text);
}

/* Seconds of processor time for all events of a recording. */
static double recover_here(const es_net *net, const recording *made)
{
    es_net_recovery_options how = {.on_event = count_event};
    double begin = seconds();
    es_net_recovery *recovery = es_net_recovery_new(net, &how, &err);
    must(recovery);
    for (size_t i = 0; i < made->count; i++)
        must(es_net_recovery_push(recovery, &made->events[i], &err));
    double took = seconds() - begin;
    es_net_recovery_free(recovery);
    return took;
}

static double recover_by_command(const char *earshot, const char *net, const char *trace, bool json)
{
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        execl(earshot, earshot, "net", "recover", trace, "-n", net, json ? "--json" : (char *)NULL, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) != child || status) {
        fprintf(stderr, "bench: %s net recover failed\n", earshot);
        exit(EXIT_FAILURE);
    }
    return (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec * 1e-6 + (double)used.ru_stime.tv_sec +
           (double)used.ru_stime.tv_usec * 1e-6;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Library, text and JSON take turns, and the medians count: what else the machine does slows them alike. Of the command
 * the events are measured: what it takes to begin, with a trace of one event, is subtracted. */
static void bench_command(const char *earshot)
{
    char net_file[sizeof net_path], trace_file[sizeof trace_path], one_file[sizeof trace_path];
    memcpy(net_file, net_path, sizeof net_file);
    memcpy(trace_file, trace_path, sizeof trace_file);
    memcpy(one_file, trace_path, sizeof one_file);
    es_net *net = pairs(5, false);
    recording made = {malloc((size_t)COMMAND_EVENTS * sizeof *made.events), 0, COMMAND_EVENTS};
    es_net_engine_options options = {.marks = true, .on_firing = record, .mark = some_mark, .context = &made};
    es_net_engine *engine = es_net_engine_new(net, &options, &err);
    must(made.events && engine && es_net_engine_run(engine, INT64_MAX, COMMAND_EVENTS, &err));
    es_net_engine_free(engine);
    write_net(net, net_file);
    write_trace(net, &made, made.count, trace_file);
    write_trace(net, &made, 1, one_file);
    double rate[COMMAND_ROUNDS], part[2][COMMAND_ROUNDS];
    for (int round = 0; round < COMMAND_ROUNDS; round++) {
        double here = recover_here(net, &made);
        rate[round] = (double)made.count / here * 1e-6;
        for (int json = 0; json < 2; json++)
            part[json][round] = here / (recover_by_command(earshot, net_file, trace_file, json) -
                                        recover_by_command(earshot, net_file, one_file, json));
    }
    unlink(net_file);
    unlink(trace_file);
    unlink(one_file);
    qsort(rate, COMMAND_ROUNDS, sizeof *rate, compare);
    for (int json = 0; json < 2; json++)
        qsort(part[json], COMMAND_ROUNDS, sizeof *rate, compare);
    printf("  net recover, %5u transitions: %5.1f M events/s by the library; the command reaches %.0f%% of that, "
           "%.0f%% with --json\n",
           net->transition_count, rate[COMMAND_ROUNDS / 2], 100 * part[0][COMMAND_ROUNDS / 2],
           100 * part[1][COMMAND_ROUNDS / 2]);
    es_net_free(net);
    free(made.events);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bench EARSHOT\n");
        return 2;
    }
    static const uint32_t sizes[] = {1, 5, 20, 100, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        bench_engine(sizes[i]);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        bench_recovery(sizes[i], false, true, 3000000);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        bench_recovery(sizes[i], true, false, 3000000);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        bench_recovery(sizes[i], true, true, 3000000);
    bench_command(argv[1]);
    return sum == 1; /* keeps the sum */
}
