/* Figures of the probe in software: accesses each second that are no hits, and hits each second, beside the RTL's. */
#include <stdio.h>
#include <time.h>

#include "sides.h"

#define QUIET_ROUNDS 100
#define ROUNDS 20

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    return 1;
}

static int quiet(const char *program, const bus_log *t)
{
    es_error err = {0};
    es_softprobe_options options = softprobe_as_simulated();
    options.time_w = 32;
    es_softprobe *probe = es_softprobe_new(&options, &err);
    if (!probe)
        return fail(program, err.text);
    double start = seconds();
    for (unsigned round = 0; round < QUIET_ROUNDS; round++)
        for (size_t i = 0; i < t->count; i++)
            es_softprobe_access(probe, &t->accesses[i], t->times[i] + round * t->cycles);
    double used = seconds() - start;
    es_softprobe_free(probe);
    printf("%-40s %6.1f M accesses/s without hits\n", program, (double)t->count * QUIET_ROUNDS / used / 1e6);
    return 0;
}

static int busy(const char *program, const char *statements, bool also_quiet)
{
    es_error err = {0};
    es_text source = {"statements", statements};
    run_options options = {.program = program, .texts = &source, .text_count = 1, .seed = 1};
    frame_log rtl = {0}, software = {0};
    bus_log traffic = {0};
    double start = seconds();
    if (!run_on_rtl(&options, &rtl, &traffic, &err))
        return fail(program, err.text);
    double of_rtl = seconds() - start;
    options.rounds = ROUNDS;
    start = seconds();
    if (!run_on_software(&options, &traffic, &software, &err))
        return fail(program, err.text);
    double of_software = seconds() - start;
    printf("%-40s %8.0f hits sent/s, with the RTL %6.0f: %.0f times as fast (%.1f M accesses/s)\n", program,
           (double)software.hits / of_software, (double)rtl.hits / of_rtl, of_rtl * ROUNDS / of_software,
           (double)traffic.count * ROUNDS / of_software / 1e6);
    int code = also_quiet ? quiet(program, &traffic) : 0;
    frames_free(&rtl);
    frames_free(&software);
    traffic_free(&traffic);
    return code;
}

int main(void)
{
    return busy(TESTS_BUILD "/examples/thermostat-O0.elf", "when write(temp) { print temp }", true) ||
           busy(TESTS_BUILD "/examples/thermostat-O2.elf", "when write(temp) { print temp, mode }", true) ||
           busy(TESTS_BUILD "/examples/nested-O0.elf", "when enter(search) { print level }", false) ||
           busy(TESTS_BUILD "/examples/recursion-O2.elf", "when write(depth) { print depth }", false);
}
