/* Figures of the replay: bench PROGRAM.elf [CYCLES]: bytes of the input stream, instructions a second, and how long it
 * takes to any moment. */
#include "check_main.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "draw.h"
#include "recorded.h"
#include "replay/timeline.h"

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static const char *program;
static uint64_t cycles = 20000000;

START_TEST(figures)
{
    es_error err = {0};
    char path[64];
    recorded *r = recorded_new(program, 1, 13, cycles);
    snprintf(path, sizeof path, "/tmp/earshot-bench-%d", (int)getpid());
    recorded_write(r, r->encoder.bytes, r->encoder.size, path);
    es_replay *replay = es_replay_new(&r->program, NULL, &err);
    double start = seconds();
    es_replay_push(replay, r->encoder.bytes, r->encoder.size);
    es_replay_finish(replay);
    double took = seconds() - start;
    es_replay_summary s = es_replay_get_summary(replay);
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    printf("%s: %zu instructions, %.0f bytes/s (%.0f compressed), %" PRIu64 " interrupts, %" PRIu64
           " attempts, %.0f M instructions/s, %.1f times the target's speed: %s\n",
           program, r->count, (double)r->encoder.size * 1e7 / (double)r->cycles,
           (double)ftell(file) * 1e7 / (double)r->cycles, s.interrupts, s.attempts, (double)s.fetches / took / 1e6,
           (double)r->cycles / 1e7 / took, es_replay_ended(replay));
    fclose(file);
    es_replay_free(replay);
    start = seconds();
    es_timeline *t = es_timeline_open(path, r->symbols, &err);
    double opened = seconds() - start, longest = 0;
    for (unsigned i = 0; t && i < 100; i++) {
        start = seconds();
        es_timeline_seek(t, draw((uint32_t)es_timeline_end(t)), &err);
        double one = seconds() - start;
        longest = one > longest ? one : longest;
    }
    printf("  opened in %.2f s; to any moment in %.3f s at most\n", opened, longest);
    es_timeline_close(t);
    unlink(path);
    recorded_free(r);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    program = argv[1];
    if (argc > 2)
        cycles = strtoull(argv[2], NULL, 0);
    Suite *suite = suite_create("figures");
    TCase *all = tcase_create("figures");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, figures);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
