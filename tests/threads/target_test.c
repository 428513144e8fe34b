/* The target with shared memory itself: with one core it is the reference target; what happens in the same clock; ends; options. */
#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "probe_defs.h"
#include "sim.h"
#include "sim_options.h"
#include "symbols/symbols.h"

#ifndef TESTS_BUILD
#define TESTS_BUILD "build"
#endif

#define CORE_LOG 150000

typedef struct seen {
    es_retired *retired;
    size_t count;
    char text[4096];
    size_t used;
    enum es_sim_state state;
    uint64_t cycles;
    int exit_code;
    char trap[256];
    uint32_t pc;
} seen;

static void on_retired(void *context, const es_retired *retired)
{
    seen *it = context;
    if (it->count < CORE_LOG)
        it->retired[it->count++] = *retired;
}

static void on_console(void *context, const char *bytes, size_t size)
{
    seen *it = context;
    ck_assert_uint_lt(it->used + size, sizeof it->text);
    memcpy(it->text + it->used, bytes, size);
    it->used += size;
}

static seen run(const char *program, const es_sim_shared *target, uint64_t clocks)
{
    char path[256];
    es_error err = {0};
    seen it = {.retired = calloc(CORE_LOG, sizeof *it.retired)};
    es_sim_config config = {.world = ES_SIM_BARE,
                            .shared = *target,
                            .seed = 5,
                            .on_retired = on_retired,
                            .on_console = on_console,
                            .context = &it};
    snprintf(path, sizeof path, "%s/%s", TESTS_BUILD, program);
    es_symbols *symbols = es_symbols_open(path, &err);
    ck_assert_msg(symbols != NULL, "%s", err.text);
    es_sim *sim = es_sim_new(&config, &err);
    ck_assert_msg(sim != NULL, "%s", err.text);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        ck_assert(es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size));
    es_symbols_close(symbols);
    es_sim_start_target(sim);
    it.state = es_sim_step(sim, clocks, 0);
    it.cycles = es_sim_cycles(sim);
    it.exit_code = es_sim_exit_code(sim);
    it.pc = es_sim_pc(sim);
    snprintf(it.trap, sizeof it.trap, "%s", es_sim_trap_text(sim));
    es_sim_free(sim);
    return it;
}

static const char *const reference[] = {"examples/interrupts-O2.elf", "examples/tasks-O0.elf",
                                        "examples/thermostat-Og.elf"};
#define REFERENCE_CLOCKS 60000

START_TEST(one_core_is_the_reference_target)
{
    const es_sim_shared shared = {.cores = 1, .ports = (enum es_sim_ports)_i};
    seen one = run(reference[_i], &(es_sim_shared){0}, REFERENCE_CLOCKS);
    seen other = run(reference[_i], &shared, REFERENCE_CLOCKS);
    ck_assert_uint_gt(one.count, 10000);
    ck_assert_uint_eq(one.count, other.count);
    for (size_t i = 0; i < one.count; i++)
        ck_assert_msg(memcmp(&one.retired[i], &other.retired[i], sizeof *one.retired) == 0, "instruction %zu", i);
    ck_assert_str_eq(one.text, other.text);
    ck_assert_uint_eq(one.cycles, other.cycles);
    ck_assert_int_eq(one.state, other.state);
    free(one.retired);
    free(other.retired);
}
END_TEST

/* What the program's data are in the end, from its stores alone, in their order: of one clock the lowest core first. */
static uint32_t data_byte(const seen *it, uint32_t address)
{
    uint32_t byte = 99;
    for (size_t i = 0; i < it->count; i++) {
        const es_retired *r = &it->retired[i];
        if (r->mem_wmask && r->mem_addr == (address & ~3u) && r->mem_wmask >> (address & 3) & 1)
            byte = r->mem_wdata >> 8 * (address & 3) & 0xFF;
    }
    return byte;
}

/* What a core's load number `which` from an address gave to it. */
static uint32_t loaded(const seen *it, unsigned core, uint32_t address, unsigned which)
{
    for (size_t i = 0; i < it->count; i++) {
        const es_retired *r = &it->retired[i];
        if (r->core == core && r->mem_rmask && r->mem_addr == address && which-- == 0)
            return r->rd_value;
    }
    ck_abort_msg("core %u read 0x%08x less often", core, address);
    return 0;
}

START_TEST(in_the_same_clock)
{
    const es_sim_shared target = {.cores = 4};
    const uint32_t lock = ES_TARGET_SHARED_BASE + ES_TARGET_SHARED_LOCK + 12,
                   bell = ES_TARGET_SHARED_BASE + ES_TARGET_SHARED_BELL,
                   self = ES_TARGET_SHARED_BASE + ES_TARGET_SHARED_SELF;
    seen it = run("tests/threads/devices0.elf", &target, 20000);
    ck_assert_int_eq(it.state, ES_SIM_EXITED);
    ck_assert_int_eq(it.exit_code, 7);
    for (unsigned c = 1; c < 4; c++) {
        ck_assert_uint_eq(loaded(&it, c, self, 0) & 0xFF, c);
        ck_assert_uint_eq(loaded(&it, c, lock, 0), c != 1); /* core 0 had no access: core 1 is the first in turn */
    }
    /* own bell: rung by the others, taken; rung twice by itself: once there, and then not */
    unsigned reads = 0;
    for (size_t i = 0; i < it.count; i++)
        reads += it.retired[i].core == 0 && it.retired[i].mem_rmask && it.retired[i].mem_addr == bell;
    ck_assert_uint_ge(reads, 4);
    ck_assert_uint_eq(loaded(&it, 0, bell, reads - 2), 1);
    ck_assert_uint_eq(loaded(&it, 0, bell, reads - 1), 0);
    ck_assert_uint_eq(data_byte(&it, ES_TARGET_RAM_BASE), 3);
    free(it.retired);
}
END_TEST

/* The same seen through memory: a program that reads it. */
START_TEST(memory_after_the_same_clock)
{
    seen it = run("tests/threads/devices4.elf", &(es_sim_shared){.cores = 4}, 20000);
    ck_assert_int_eq(it.state, ES_SIM_EXITED);
    ck_assert_msg(it.exit_code == 0, "check %d of devices.S", it.exit_code);
    free(it.retired);
}
END_TEST

/* The shared timer, seen by a program. */
START_TEST(a_timer_wakes_one_core)
{
    seen it = run("tests/threads/waker.elf", &(es_sim_shared){.cores = 4}, 20000);
    ck_assert_int_eq(it.state, ES_SIM_EXITED);
    ck_assert_msg(it.exit_code == 0, "check %d of waker.S", it.exit_code);
    free(it.retired);
}
END_TEST

static const struct {
    const char *program, *text;
    enum es_sim_state state;
    int exit_code;
} ends[] = {
    {"tests/threads/devices1.elf", "wrote to 0x10002080, where there is no memory and no device", ES_SIM_TRAPPED, 0},
    {"tests/threads/devices2.elf", "core 2: exception at 0x", ES_SIM_TRAPPED, 0},
    {"tests/threads/devices3.elf", "", ES_SIM_EXITED, 41},
};

START_TEST(any_core_ends_the_run)
{
    seen it = run(ends[_i].program, &(es_sim_shared){.cores = 4}, 20000);
    ck_assert_int_eq(it.state, ends[_i].state);
    ck_assert_int_eq(it.exit_code, ends[_i].exit_code);
    ck_assert_msg(strstr(it.trap, ends[_i].text) != NULL, "%s", it.trap);
    ck_assert_msg(it.state != ES_SIM_TRAPPED || it.pc >= ES_TARGET_OTHERS_BASE, "at 0x%08x", it.pc);
    free(it.retired);
}
END_TEST

static const struct {
    const char *text;
    es_sim_shared shared; /* cores 0: refused */
} options[] = {
    {"cores=4", {.cores = 4}},
    {"cores=8,core=7,wait=255,ports=one,bell=255", {8, 7, ES_SIM_PORTS_ONE, 255, 255}},
    {"ports=data", {.cores = 1, .ports = ES_SIM_PORTS_DATA}},
    {"core=2,cores=3,ports=each", {.cores = 3, .core = 2}},
    {"cores=0", {0}},
    {"cores=9", {0}},
    {"cores=99999999999999999999", {0}},
    {"cores=-1", {0}},
    {"cores=4x", {0}},
    {"cores", {0}},
    {"cores=", {0}},
    {"core=1", {0}},
    {"cores=2,core=2", {0}},
    {"wait=256", {0}},
    {"bell=256", {0}},
    {"ports=On", {0}},
    {"ports=", {0}},
    {"cores=2,", {0}},
    {",", {0}},
    {"CORES=2", {0}},
};

START_TEST(options_of_the_target)
{
    es_sim_shared shared;
    es_error err = {0};
    bool good = es_sim_options_parse(options[_i].text, &shared, &err);
    ck_assert_int_eq(good, options[_i].shared.cores != 0);
    if (!good) {
        ck_assert_int_eq(err.code, ES_USAGE);
        return;
    }
    ck_assert_uint_eq(shared.cores, options[_i].shared.cores);
    ck_assert_uint_eq(shared.core, options[_i].shared.core);
    ck_assert_uint_eq(shared.ports, options[_i].shared.ports);
    ck_assert_uint_eq(shared.wait, options[_i].shared.wait);
    ck_assert_uint_eq(shared.bell, options[_i].shared.bell);
    ck_assert(es_sim_options_parse(NULL, &shared, &err) && shared.cores == 0);
}
END_TEST

static const es_sim_config bad[] = {
    {.world = ES_SIM_BARE, .shared = {.cores = 9}},
    {.world = ES_SIM_BARE, .shared = {.cores = 2, .core = 2}},
    {.world = ES_SIM_BYTES, .shared = {.cores = 2, .wait = 256}},
    {.world = ES_SIM_BARE, .shared = {.cores = 2, .ports = (enum es_sim_ports)3}},
    {.world = ES_SIM_BARE, .shared = {.wait = 1}},
    {.world = ES_SIM_BARE, .shared = {.bell = 1}},
    {.world = ES_SIM_BYTES, .shared = {.cores = 2, .bell = 256}},
    {.world = ES_SIM_FT245, .ratio = 4, .shared = {.cores = 2}},
};

START_TEST(bad_configurations)
{
    es_error err = {0};
    ck_assert_ptr_null(es_sim_new(&bad[_i], &err));
    ck_assert_int_eq(err.code, ES_USAGE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shared");
    TCase *tests = tcase_create("shared");
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, one_core_is_the_reference_target, 0, 3);
    tcase_add_test(tests, in_the_same_clock);
    tcase_add_test(tests, memory_after_the_same_clock);
    tcase_add_test(tests, a_timer_wakes_one_core);
    tcase_add_loop_test(tests, any_core_ends_the_run, 0, 3);
    tcase_add_loop_test(tests, options_of_the_target, 0, (int)(sizeof options / sizeof *options));
    tcase_add_loop_test(tests, bad_configurations, 0, (int)(sizeof bad / sizeof *bad));
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
