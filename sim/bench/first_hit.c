/* From the start of `earshot watch`, a process of its own, to its first hit on stdout. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define ROUNDS 5

/* Seconds of wall time. The rest of the run is not waited for. */
static double once(const char *earshot, const char *program, const char *statements)
{
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0)
        bench_fail(&(es_error){ES_PROBE, "no pipe"});
    double start = bench_seconds(CLOCK_MONOTONIC);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipe_ends[1], STDOUT_FILENO);
        close(pipe_ends[0]);
        close(pipe_ends[1]);
        execl(earshot, earshot, "watch", program, "-s", statements, "--json", "--quiet", (char *)NULL);
        _exit(127);
    }
    close(pipe_ends[1]);
    FILE *lines = fdopen(pipe_ends[0], "r");
    if (child < 0 || !lines)
        bench_fail(&(es_error){ES_PROBE, "earshot cannot be started"});
    char line[4096];
    double used = -1;
    /* cppcheck-suppress nullPointerRedundantCheck; bench_fail never returns */
    while (used < 0 && fgets(line, sizeof line, lines))
        if (strstr(line, "\"event\":\"hit\""))
            used = bench_seconds(CLOCK_MONOTONIC) - start;
    fclose(lines);
    waitpid(child, NULL, 0);
    if (used < 0)
        bench_fail(&(es_error){ES_PROBE, "earshot watch told no hit"});
    return used;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_first_hit(const char *earshot, const char *program, const char *statements)
{
    double times[ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        times[round] = once(earshot, program, statements);
    qsort(times, ROUNDS, sizeof *times, compare);
    printf("  start of `earshot watch` to the first hit on its output: %.0f ms of wall time\n",
           times[ROUNDS / 2] * 1e3);
    bench_figure("first_hit_wall_ms", times[ROUNDS / 2] * 1e3);
}
