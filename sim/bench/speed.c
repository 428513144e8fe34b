/* Bus clocks per second, with no probe, with one that has nothing to do, and with one that watches. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define ROUNDS 5
#define STEP 100000 /* bus clocks */

enum variant { BARE, IDLE, WATCHING, VARIANTS };

static const char *const titles[VARIANTS] = {"target alone", "with an idle probe", "with a watching probe"};
static const char *const names[VARIANTS] = {"target_alone", "idle_probe", "watching_probe"};

/* One run of the program to its end. Returns bus clocks per second of processor time. */
static double once(bench *b, enum variant variant, uint64_t *cycles, uint64_t *probe_clocks)
{
    bench_run run;
    bench_start(b, &run, variant == BARE ? ES_SIM_BARE : ES_SIM_BYTES, 0);
    bench nothing = *b;
    /* an idle probe's firmware runs: it takes the epochs, which come all the same */
    nothing.program = (es_program){0};
    if (variant != BARE)
        bench_boot(variant == IDLE ? &nothing : b, &run);
    while (!es_sim_idle(run.sim)) { /* the firmware gets ready: not part of monitoring */
        es_sim_step(run.sim, STEP, 0);
        bench_listen(&run);
    }
    es_sim_start_target(run.sim);
    uint64_t booted = es_sim_probe_clocks(run.sim);
    double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    enum es_sim_state state = ES_SIM_RUNNING;
    while (state == ES_SIM_RUNNING || (variant != BARE && !es_sim_idle(run.sim))) {
        state = es_sim_step(run.sim, STEP, 4096);
        if (variant != BARE)
            bench_listen(&run);
    }
    double used = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    if (state != ES_SIM_EXITED)
        bench_fail(&(es_error){ES_PROBE, "the program did not end well"});
    *cycles = es_sim_cycles(run.sim);
    *probe_clocks = es_sim_probe_clocks(run.sim) - booted;
    bench_end(&run);
    return (double)*cycles / used;
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

/* The three take turns, several rounds, and the medians count: then a machine whose speed changes meanwhile changes
 * them alike. */
void bench_speed(bench *b)
{
    double speed[VARIANTS][ROUNDS], slowdown[VARIANTS][ROUNDS];
    uint64_t cycles = 0, probe_clocks[VARIANTS];
    for (int round = 0; round < ROUNDS; round++)
        for (enum variant v = BARE; v < VARIANTS; v++) {
            speed[v][round] = once(b, v, &cycles, &probe_clocks[v]);
            slowdown[v][round] = speed[BARE][round] / speed[v][round];
        }
    printf("simulation of %s: %llu bus clocks, %llu hits\n", b->path, (unsigned long long)cycles,
           (unsigned long long)b->hits);
    for (enum variant v = BARE; v < VARIANTS; v++) {
        char name[48];
        double clocks = median(speed[v]), ratio = median(slowdown[v]);
        printf("  %-22s %6.2f M bus clocks/s, %5.2f times slower, %5.2f probe clocks per bus clock\n", titles[v],
               clocks / 1e6, ratio, (double)probe_clocks[v] / (double)cycles);
        snprintf(name, sizeof name, "%s_clocks_per_second", names[v]);
        bench_figure(name, clocks);
        snprintf(name, sizeof name, "%s_slowdown", names[v]);
        bench_figure(name, ratio);
        snprintf(name, sizeof name, "%s_probe_clocks_per_bus_clock", names[v]);
        bench_figure(name, (double)probe_clocks[v] / (double)cycles);
    }
}
