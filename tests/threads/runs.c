/* runs PROGRAM.elf NATIVE...: programs with threads on 1, 2, 4 and 8 cores, with all kinds of ports. Each must print the checksum that the same
 * program prints here with POSIX threads (NATIVE), and each instruction of each core must take the clocks that docs/target.md says
 * (clock_model.h). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock_model.h"
#include "run/shared_run.h"

#define CLOCKS 30000000

typedef struct output {
    char text[256];
    size_t used;
    core_log logs[ES_SIM_CORES];
} output;

static const es_sim_shared targets[] = {
    {.cores = 1},
    {.cores = 1, .ports = ES_SIM_PORTS_ONE, .wait = 2},
    {.cores = 2},
    {.cores = 2, .ports = ES_SIM_PORTS_DATA, .wait = 1},
    {.cores = 4},
    {.cores = 4, .ports = ES_SIM_PORTS_ONE, .wait = 1},
    {.cores = 4, .bell = 1},
    {.cores = 8},
    {.cores = 8, .bell = 100},
    {.cores = 3, .ports = ES_SIM_PORTS_ONE, .bell = 255},
    {.cores = 8, .ports = ES_SIM_PORTS_DATA},
    {.cores = 8, .ports = ES_SIM_PORTS_ONE},
};

static void on_console(void *context, const char *bytes, size_t size)
{
    output *out = context;
    if (size > sizeof out->text - 1 - out->used)
        size = sizeof out->text - 1 - out->used;
    memcpy(out->text + out->used, bytes, size);
    out->used += size;
}

static void on_retired(void *context, const es_retired *retired)
{
    output *out = context;
    core_log_add(&out->logs[retired->core], retired);
}

/* makespan: of the run, if it was good. */
static bool run(const char *program, const char *expected, const es_sim_shared *target, uint64_t *makespan)
{
    static output out;
    memset(out.text, 0, sizeof out.text);
    out.used = 0;
    for (unsigned c = 0; c < ES_SIM_CORES; c++)
        out.logs[c].count = 0;
    es_shared_options options = {.program = program,
                                 .target = *target,
                                 .seed = 1,
                                 .clocks = CLOCKS,
                                 .on_console = on_console,
                                 .on_retired = on_retired,
                                 .context = &out};
    es_shared_result result;
    es_error err = {0};
    char text[256] = "";
    uint64_t compared = 0;
    bool good = es_shared_run(&options, &result, &err);
    if (!good)
        snprintf(text, sizeof text, "%.250s", err.text);
    else if (result.exit_code || strcmp(out.text, expected) != 0) {
        snprintf(text, sizeof text, "exit code %d, and it printed '%.100s', not '%.100s'", result.exit_code, out.text,
                 expected);
        good = false;
    } else {
        good = clock_model_agrees(target, out.logs, result.end + 1, &compared, text, sizeof text);
        /* what was in the works at the end may be left out, and no more */
        if (good && compared + 2000 < result.instructions) {
            snprintf(text, sizeof text, "only %" PRIu64 " of %" PRIu64 " instructions were compared", compared,
                     result.instructions);
            good = false;
        }
    }
    *makespan = result.end - result.begin;
    if (!good)
        printf("FAIL %s, %u cores, ports %d, wait %u: %s\n", program, target->cores, (int)target->ports, target->wait,
               text);
    return good;
}

static bool read_native(const char *program, char *text, size_t size)
{
    FILE *pipe = popen(program, "r");
    size_t used = pipe ? fread(text, 1, size - 1, pipe) : 0;
    text[used] = 0;
    return pipe && pclose(pipe) == 0 && strncmp(text, "checksum ", 9) == 0;
}

/* All targets. Programs of the tests have work for several cores, so more cores take less time: threads that are ready
 * do not wait while cores sleep. */
static void run_all(const char *program, const char *expected, bool parallel, unsigned *passed, unsigned *failed)
{
    uint64_t one = 0, four = 0;
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
        uint64_t makespan;
        *(run(program, expected, &targets[t], &makespan) ? passed : failed) += 1;
        if (!targets[t].wait && targets[t].ports == ES_SIM_PORTS_EACH) {
            one = targets[t].cores == 1 ? makespan : one;
            four = targets[t].cores == 4 ? makespan : four;
        }
    }
    if (!parallel || four * 10 < one * 8)
        return;
    printf("FAIL %s: %" PRIu64 " clocks with 4 cores, and with one %" PRIu64 "\n", program, four, one);
    *failed += 1;
}

/* --any before the programs: they may have no work for several cores. */
int main(int argc, char **argv)
{
    unsigned passed = 0, failed = 0;
    bool parallel = argc < 2 || strcmp(argv[1], "--any") != 0;
    for (int i = 1 + !parallel; i + 1 < argc; i += 2) {
        char expected[128];
        if (!read_native(argv[i + 1], expected, sizeof expected)) {
            printf("FAIL %s did not run\n", argv[i + 1]);
            failed++;
            continue;
        }
        run_all(argv[i], expected, parallel, &passed, &failed);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
