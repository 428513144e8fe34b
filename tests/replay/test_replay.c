/* A replay is what the target did: instruction by instruction, for all examples, and programs that make it hard. */
#include "check_main.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "probe_defs.h"
#include "recorded.h"

#define PERIOD 13 /* 0.8 ms at 10 MHz */

static const char *const programs[] = {
    "examples/interrupts-O0.elf",      "examples/interrupts-Og.elf",      "examples/interrupts-O2.elf",
    "examples/nested-O0.elf",          "examples/nested-Og.elf",          "examples/nested-O2.elf",
    "examples/recursion-O0.elf",       "examples/recursion-Og.elf",       "examples/recursion-O2.elf",
    "examples/tasks-O0.elf",           "examples/tasks-Og.elf",           "examples/tasks-O2.elf",
    "examples/thermostat-O0.elf",      "examples/thermostat-Og.elf",      "examples/thermostat-O2.elf",
    "tests/replay/corners-O0.elf",     "tests/replay/corners-Og.elf",     "tests/replay/corners-O2.elf",
#define MACHINE_PROGRAM(name, level) \
    "tests/machine/" name "-" level "-rv32i_zicsr.elf", "tests/machine/" name "-" level "-rv32imc_zicsr_zifencei.elf"
    MACHINE_PROGRAM("workload", "O0"), MACHINE_PROGRAM("workload", "O2"), MACHINE_PROGRAM("torture", "O0"),
    MACHINE_PROGRAM("torture", "O2"),  "tests/replay/sums-O2.elf",        "tests/replay/orders-O0.elf",
    "tests/replay/orders-O2.elf",
};

/* Where the target's data are big endian. */
#define BIG_EXAMPLES(name, level) "cores/examples/big-endian/" name "-" level ".elf"
static const char *const big_programs[] = {
    BIG_EXAMPLES("interrupts", "O0"),  BIG_EXAMPLES("interrupts", "O2"),  BIG_EXAMPLES("nested", "Og"),
    BIG_EXAMPLES("recursion", "O0"),   BIG_EXAMPLES("tasks", "Og"),       BIG_EXAMPLES("thermostat", "O2"),
    "tests/replay/big/corners-O0.elf", "tests/replay/big/corners-O2.elf", "tests/replay/big/orders-O0.elf",
    "tests/replay/big/orders-O2.elf",
};

static const char *program_at(int number)
{
    return es_sim_big_endian() ? big_programs[number] : programs[number];
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Of the target's random numbers. EARSHOT_SEED: others than those of every run. */
static uint32_t seed_of(int program)
{
    const char *seed = getenv("EARSHOT_SEED");
    return (uint32_t)program + 1 + (seed ? 1000 * ((uint32_t)strtoul(seed, NULL, 10) - 1) : 0);
}

START_TEST(examples)
{
    const char *name = program_at(_i);
    recorded *r = recorded_new(name, seed_of(_i), PERIOD, 2000000);
    compared c;
    double start = seconds();
    compared_run(&c, r, r->encoder.bytes, r->encoder.size, 1000);
    double took = seconds() - start;
    es_replay_summary s = es_replay_get_summary(c.replay);
    printf("%-28s %8zu instructions, %7zu bytes (%6.0f/s), %5" PRIu64 " interrupts, %4" PRIu64 " attempts, %3" PRIu64
           "+%" PRIu64 " causes found, %" PRIu64 " left open, %.1f M/s: %s\n",
           name, r->count, r->encoder.size, (double)r->encoder.size * 1e7 / (double)r->cycles, s.interrupts, s.attempts,
           s.found[ES_CHOICE_CAUSE], s.found[ES_CHOICE_PENDING], s.open[ES_CHOICE_CAUSE], (double)r->count / took / 1e6,
           es_replay_ended(c.replay));
    ck_assert_msg(c.wrong == 0, "%s: %zu wrong, first: %s", name, c.wrong, c.first);
    ck_assert_msg(!es_replay_failed(c.replay), "%s: %s", name, es_replay_ended(c.replay));
    ck_assert(c.instructions + 1 >= r->count);
    if (strstr(name, "interrupts")) /* the timers that the program sets tell all */
        ck_assert_uint_eq(s.attempts, 0);
    if (!strstr(name, "corners") && !strstr(name, "sums")) /* mip has bits there that nobody looks at */
        ck_assert_uint_eq(c.unknown, 0);
    es_replay_free(c.replay);
    recorded_free(r);
}
END_TEST

/* Dense polls of mip, at all kinds of places between the timers, and of heartbeats. EARSHOT_SEEDS: how many seeds. */
START_TEST(polled)
{
    static const char *const levels[] = {"O0", "Og", "O2"};
    const char *seeds = getenv("EARSHOT_SEEDS");
    /* by the number: with these seeds earlier searches ended with an alarm, or took a value for found that another one
     * made up for in the sums */
    static const uint32_t hard[] = {7, 17, 19, 65};
    uint32_t count = seeds ? (uint32_t)strtoul(seeds, NULL, 10) : sizeof hard / sizeof *hard;
    char name[64];
    snprintf(name, sizeof name, "tests/replay/corners-%s.elf", levels[_i]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t seed = seeds ? i + 1 : hard[i];
        recorded *r = recorded_new(name, seed, PERIOD, 2000000);
        compared c;
        compared_run(&c, r, r->encoder.bytes, r->encoder.size, 1000);
        ck_assert_msg(c.wrong == 0, "%s, seed %u: %zu wrong, first: %s", name, seed, c.wrong, c.first);
        ck_assert_msg(!es_replay_failed(c.replay), "%s, seed %u: %s", name, seed, es_replay_ended(c.replay));
        ck_assert(c.instructions + 1 >= r->count);
        es_replay_free(c.replay);
        recorded_free(r);
    }
}
END_TEST

/* Memory beyond the window: its reads are no inputs, and replayed all the same; without the region they all are. */
START_TEST(beyond_the_window)
{
    static const char *const names[] = {"examples/thermostat-O0.elf", "examples/interrupts-O2.elf",
                                        "examples/recursion-Og.elf"};
    const es_replay_region ram = {ES_TARGET_RAM_BASE, ES_TARGET_RAM_SIZE};
    recorded *r = recorded_new_with_quiet(names[_i], 1, PERIOD, 2000000, 0, ram);
    compared c;
    ck_assert_uint_eq(r->program.region_count, 2);
    compared_run(&c, r, r->encoder.bytes, r->encoder.size, 1000);
    ck_assert_msg(c.wrong == 0, "%s: %zu wrong, first: %s", names[_i], c.wrong, c.first);
    ck_assert_msg(!es_replay_failed(c.replay), "%s: %s", names[_i], es_replay_ended(c.replay));
    ck_assert(c.instructions + 1 >= r->count);
    recorded *all = recorded_new(names[_i], 1, PERIOD, 2000000); /* all of it in the window */
    ck_assert_uint_le(r->encoder.size, all->encoder.size);
    es_replay_free(c.replay);
    recorded_free(all);
    recorded_free(r);
}
END_TEST

START_TEST(quiet_regions)
{
    es_error err = {0};
    es_replay_program program = {.region_count = 0};
    static const es_replay_region wrong[] = {{0x80000000, 2048}, {0x80000000, 12288}, {0x80001000, 8192}, {0, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert(!es_replay_add_quiet(&program, wrong[i], &err) && err.code == ES_USAGE);
    ck_assert(es_replay_add_quiet(&program, (es_replay_region){0x20000, 0x10000}, &err));
    ck_assert(!es_replay_window(&program, 0, 0x40000, &err) && strstr(err.text, "overlaps"));
    ck_assert(es_replay_window(&program, 0, 0x20000, &err) && program.region_count == 2);
    ck_assert(es_replay_add_quiet(&program, (es_replay_region){0x80000000, 1u << 23}, &err));
    ck_assert(es_replay_window(&program, 0, 0x20000, &err) && program.region_count == 3);
    ck_assert(!es_replay_add_quiet(&program, (es_replay_region){0x90000000, 4096}, &err));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("replay");
    TCase *all = tcase_create("examples");
    tcase_set_timeout(all, 0);
    size_t count =
        es_sim_big_endian() ? sizeof big_programs / sizeof *big_programs : sizeof programs / sizeof *programs;
    tcase_add_loop_test(all, examples, 0, (int)count);
    suite_add_tcase(suite, all);
    if (es_sim_big_endian()) /* what follows is of the search and of regions, which know of no order */
        return check_main(suite);
    TCase *dense = tcase_create("polled");
    tcase_set_timeout(dense, 0);
    tcase_add_loop_test(dense, polled, 0, 3);
    suite_add_tcase(suite, dense);
    TCase *quiet = tcase_create("quiet");
    tcase_set_timeout(quiet, 0);
    tcase_add_loop_test(quiet, beyond_the_window, 0, 3);
    tcase_add_test(quiet, quiet_regions);
    suite_add_tcase(suite, quiet);
    return check_main(suite);
}
