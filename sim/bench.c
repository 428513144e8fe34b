/* Speed of the simulation: bus clocks per second, with no probe, with one that has nothing to do, and with one that watches.
 *
 * usage: sim-bench PROGRAM.elf STATEMENTS. The three worlds take turns, several rounds, and the medians count: then a machine whose
 * speed changes meanwhile changes them alike. All in processor time of this thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "byte_port.h"
#include "image/image.h"
#include "probe/boot.h"

#define ROUNDS 5
#define RATIO 3 /* probe clocks per bus clock in front of the FT245 pins: near to a UP5K's 24 MHz */

enum variant { BARE, IDLE, WATCHING, VARIANTS };

static const char *const titles[VARIANTS] = {"target alone", "with an idle probe", "with a watching probe"};

typedef struct bench {
    es_symbols *symbols;
    es_program program;
    uint64_t hits;     /* of the last watching run */
    uint64_t hit_time; /* of the last hit */
    uint64_t cycles;
    uint64_t probe_clocks[VARIANTS];
} bench;

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void fail(const es_error *err)
{
    fprintf(stderr, "sim-bench: %s\n", err->text);
    exit(1);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (!file || !text || !fread(text, 1, (1 << 16) - 1, file)) {
        fprintf(stderr, "sim-bench: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

static void on_event(void *context, const es_event *event)
{
    bench *b = context;
    if (event->kind == ES_EVENT_HIT) {
        b->hits++;
        b->hit_time = event->time;
    }
}

static void load(es_sim *sim, const es_symbols *symbols)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (!es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size))
            fail(&(es_error){ES_USAGE, "the program does not fit the target's memory"});
}

/* The firmware with its image, ready to watch. */
static void boot(bench *b, es_link *link)
{
    es_error err;
    es_probe_info info;
    es_image image;
    size_t phantom;
    if (!es_probe_info_read(link, &info, &err))
        fail(&err);
    es_probe_limits limits = es_probe_info_limits(&info);
    if (!es_image_build(b->symbols, &b->program, &limits, &image, &err) ||
        !es_probe_boot(link, &info, &image, b->symbols, &phantom, &err))
        fail(&err);
    es_image_free(&image);
}

/* One run of the program to its end. Returns bus clocks per second of processor time. */
static double run(bench *b, enum variant variant)
{
    es_error err;
    es_sim_config config = {.world = variant == BARE ? ES_SIM_BARE : ES_SIM_BYTES, .seed = 1};
    es_sim *sim = es_sim_new(&config, &err);
    if (!sim)
        fail(&err);
    load(sim, b->symbols);
    es_transport *transport = es_transport_sim(sim);
    es_link *link = es_link_new(transport, on_event, b);
    if (variant == WATCHING)
        boot(b, link);
    b->hits = 0;
    es_sim_start_target(sim);
    uint64_t booted = es_sim_probe_clocks(sim);
    double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    enum es_sim_state state = ES_SIM_RUNNING;
    while (state == ES_SIM_RUNNING || (variant != BARE && !es_sim_idle(sim))) {
        state = es_sim_step(sim, 100000, 4096);
        while (variant == WATCHING && es_link_pump(link, 0, &err) > 0)
            continue;
    }
    double used = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    while (variant == WATCHING && es_link_pump(link, 0, &err) > 0)
        continue;
    if (state != ES_SIM_EXITED)
        fail(&(es_error){ES_PROBE, "the program did not end well"});
    b->cycles = es_sim_cycles(sim);
    b->probe_clocks[variant] = es_sim_probe_clocks(sim) - booted;
    es_link_free(link);
    transport->ops->close(transport);
    es_sim_free(sim);
    return (double)b->cycles / used;
}

/* From a path to the first hit in hand, everything included, in seconds of wall time. */
static double time_to_first_hit(const char *path, const es_text *text)
{
    es_error err;
    bench b = {0};
    double start = seconds(CLOCK_MONOTONIC);
    b.symbols = es_symbols_open(path, &err);
    if (!b.symbols || !es_program_parse(b.symbols, text, 1, &b.program, &err))
        fail(&err);
    es_sim_config config = {.world = ES_SIM_BYTES, .seed = 1};
    es_sim *sim = es_sim_new(&config, &err);
    if (!sim)
        fail(&err);
    load(sim, b.symbols);
    es_transport *transport = es_transport_sim(sim);
    es_link *link = es_link_new(transport, on_event, &b);
    boot(&b, link);
    es_sim_start_target(sim);
    while (!b.hits && es_link_pump(link, 1, &err) > 0)
        continue;
    double used = seconds(CLOCK_MONOTONIC) - start;
    es_link_free(link);
    transport->ops->close(transport);
    es_sim_free(sim);
    es_program_free(&b.program);
    es_symbols_close(b.symbols);
    return used;
}

/* Bus clocks from the first hit's write on the bus to the last byte of its frame in the FT2232H, with `ratio` probe clocks a bus clock. */
static uint64_t latency(const bench *of, unsigned ratio)
{
    es_error err;
    bench b = {.symbols = of->symbols, .program = of->program};
    es_sim_config config = {.world = ES_SIM_FT245, .seed = 1, .ratio = ratio};
    es_sim *sim = es_sim_new(&config, &err);
    if (!sim)
        fail(&err);
    load(sim, b.symbols);
    es_transport *transport = es_transport_sim(sim);
    es_link *link = es_link_new(transport, on_event, &b);
    boot(&b, link);
    es_sim_start_target(sim);
    while (!b.hits && es_sim_step(sim, 1, 0) == ES_SIM_RUNNING)
        while (es_link_pump(link, 0, &err) > 0)
            continue;
    uint64_t clocks = b.hits ? es_sim_cycles(sim) - b.hit_time : 0;
    es_link_free(link);
    transport->ops->close(transport);
    es_sim_free(sim);
    return clocks;
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

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: sim-bench PROGRAM.elf STATEMENTS\n");
        return 2;
    }
    es_error err;
    bench b = {0};
    es_text text = {argv[2], read_text(argv[2])};
    b.symbols = es_symbols_open(argv[1], &err);
    if (!b.symbols || !es_program_parse(b.symbols, &text, 1, &b.program, &err))
        fail(&err);

    double speed[VARIANTS][ROUNDS], slowdown[VARIANTS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        for (enum variant v = BARE; v < VARIANTS; v++) {
            speed[v][round] = run(&b, v);
            slowdown[v][round] = speed[BARE][round] / speed[v][round];
        }
    printf("simulation of %s: %llu bus clocks, %llu hits\n", argv[1], (unsigned long long)b.cycles, (unsigned long long)b.hits);
    for (enum variant v = BARE; v < VARIANTS; v++)
        printf("  %-22s %6.2f M bus clocks/s, %5.2f times slower, %5.2f probe clocks per bus clock\n", titles[v], median(speed[v]) / 1e6,
               median(slowdown[v]), (double)b.probe_clocks[v] / (double)b.cycles);
    printf("  program and statements to the first hit: %.0f ms of wall time\n", time_to_first_hit(argv[1], &text) * 1e3);
    printf("  write on the bus to its hit at the FT245 pins, backlog included: %.1f us at %u MHz bus clock and %u MHz probe clock\n",
           (double)latency(&b, RATIO) * 1e6 / ES_SIM_BUS_HZ, ES_SIM_BUS_HZ / 1000000, RATIO * (ES_SIM_BUS_HZ / 1000000));
    es_program_free(&b.program);
    es_symbols_close(b.symbols);
    free((void *)text.text);
    return 0;
}
