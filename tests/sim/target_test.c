/* The reference target alone: programs, devices, how runs end, and the log of retired instructions. */
#include <string.h>

#include "../support/check_main.h"
#include "cpu_cycles.h"
#include "probe_defs.h"
#include "world.h"

static const es_sim_config bare = {.world = ES_SIM_BARE, .seed = 1};

static const char *const levels[] = {"O0", "Og", "O2"};
static const char *const examples[] = {"thermostat", "recursion", "interrupts"};

START_TEST(examples_end_well)
{
    char path[100];
    const char *name = examples[_i / 3];
    snprintf(path, sizeof path, "examples/%s-%s.elf", name, levels[_i % 3]);
    world *w = world_new(&bare, path, false);
    ck_assert_int_eq(world_run(w), ES_SIM_EXITED);
    ck_assert_int_eq(es_sim_exit_code(w->sim), 0);
    ck_assert_str_eq(es_sim_trap_text(w->sim), "");
    ck_assert_int_eq(strncmp(w->console, name, strlen(name)), 0);
    ck_assert_uint_lt(es_sim_cycles(w->sim), 1000000);
    world_free(w);
}
END_TEST

START_TEST(devices_work)
{
    world *w = world_new(&bare, "tests/sim/devices.elf", false);
    ck_assert_int_eq(world_run(w), ES_SIM_EXITED);
    ck_assert_int_eq(es_sim_exit_code(w->sim), 42);
    /* xorshift32 from seed 1: 1, then 0x42021 */
    ck_assert_str_eq(w->console, "prepared 1\nrandom 00000001 00042021\ntimer 1 in time\nmasked 1 then 2\n"
                                 "alarms 2, kept out 1, in the timer's handler 1\n-12/ff/heap\n");
    ck_assert_int_eq(es_sim_step(w->sim, 1000, 0), ES_SIM_EXITED);
    world_free(w);
}
END_TEST

START_TEST(runs_repeat)
{
    uint64_t cycles[3];
    char console[3][4096];
    for (unsigned i = 0; i < 3; i++) {
        es_sim_config config = bare;
        config.seed = i == 2 ? 77 : 5;
        world *w = world_new(&config, "examples/thermostat-O2.elf", false);
        ck_assert_int_eq(world_run(w), ES_SIM_EXITED);
        cycles[i] = es_sim_cycles(w->sim);
        memcpy(console[i], w->console, sizeof console[i]);
        world_free(w);
    }
    ck_assert_uint_eq(cycles[0], cycles[1]);
    ck_assert_str_eq(console[0], console[1]);
    ck_assert_uint_ne(cycles[0], cycles[2]);
}
END_TEST

START_TEST(chunks_do_not_matter)
{
    world *one = world_new(&bare, "examples/recursion-O2.elf", true);
    world *many = world_new(&bare, "examples/recursion-O2.elf", true);
    es_sim_start_target(one->sim);
    es_sim_start_target(many->sim);
    ck_assert_int_eq(es_sim_step(one->sim, WORLD_MAX_CYCLES, 0), ES_SIM_EXITED);
    for (uint64_t chunk = 1; es_sim_step(many->sim, chunk, 0) == ES_SIM_RUNNING; chunk = chunk % 97 + 1)
        ck_assert_uint_lt(es_sim_cycles(many->sim), WORLD_MAX_CYCLES);
    ck_assert_uint_eq(es_sim_cycles(one->sim), es_sim_cycles(many->sim));
    ck_assert_uint_eq(one->retired_count, many->retired_count);
    ck_assert(memcmp(one->retired, many->retired, one->retired_count * sizeof *one->retired) == 0);
    world_free(one);
    world_free(many);
}
END_TEST

static const struct {
    const char *text;
} misuses[8] = {
    {"read from 0x00040000, where there is no memory and no device"},
    {"wrote to 0x80000000, where there is no memory and no device"},
    {"wrote to 0x00000010, where there is ROM"},
    {"jumped to 0x00050000, where there is no memory"},
    {"exception at 0x"},
    {"exception at 0x"},
    {"wrote to 0x10000024, where there is no memory and no device"},
    {"exception at 0x"},
};

START_TEST(misuse_is_told)
{
    es_sim_config config = bare;
    config.seed = 8 + (uint32_t)_i; /* the first random number is the seed */
    world *w = world_new(&config, "tests/sim/misuse.elf", true);
    ck_assert_int_eq(world_run(w), ES_SIM_TRAPPED);
    ck_assert_msg(strstr(es_sim_trap_text(w->sim), misuses[_i].text) != NULL, "%s", es_sim_trap_text(w->sim));
    char place[16];
    snprintf(place, sizeof place, "0x%08x", (unsigned)es_sim_pc(w->sim));
    ck_assert_msg(strstr(es_sim_trap_text(w->sim), place) != NULL, "%s", es_sim_trap_text(w->sim));
    world_free(w);
}
END_TEST

START_TEST(loads_are_checked)
{
    es_error err;
    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    es_sim *sim = es_sim_new(&bare, &err);
    ck_assert(es_sim_load(sim, ES_TARGET_ROM_BASE, bytes, 8));
    ck_assert(es_sim_load(sim, ES_TARGET_RAM_BASE + ES_TARGET_RAM_SIZE - 8, bytes, 8));
    ck_assert(!es_sim_load(sim, ES_TARGET_RAM_BASE + ES_TARGET_RAM_SIZE - 7, bytes, 8));
    ck_assert(!es_sim_load(sim, ES_TARGET_IO_BASE, bytes, 8));
    ck_assert(!es_sim_load(sim, 0xFFFFFFFC, bytes, 8));
    ck_assert(es_sim_load(sim, 0xFFFFFFFC, bytes, 0));
    es_sim_free(sim);

    es_sim_config config = {.world = ES_SIM_FT245, .ratio = 0};
    ck_assert_ptr_null(es_sim_new(&config, &err));
    ck_assert_int_eq(err.code, ES_USAGE);
}
END_TEST

/* The log alone must explain the run: the order of instructions, the memory they come from, and the console's bytes. */
START_TEST(log_is_consistent)
{
    world *w = world_new(&bare, "examples/interrupts-Og.elf", true);
    ck_assert_int_eq(world_run(w), ES_SIM_EXITED);
    size_t interrupts = 0, printed = 0;
    ck_assert_uint_gt(w->retired_count, 1000);
    ck_assert_uint_eq(w->retired[0].pc, 0);
    for (size_t i = 0; i < w->retired_count; i++) {
        const es_retired *r = &w->retired[i];
        interrupts += r->interrupt;
        ck_assert_uint_ge(r->cycle, r->fetch_cycle + 1);
        bool divides = (r->insn & 0xFE00407F) == 0x02004033;
        ck_assert_uint_le(r->cycle, r->fetch_cycle + (divides                           ? CYCLES_div
                                                      : r->insn == 0x10500073 /* wfi */ ? 100000
                                                                                        : 4));
        if (i) {
            ck_assert_uint_gt(r->fetch_cycle, r[-1].cycle);
            if (!r->interrupt)
                ck_assert_uint_eq(r->pc, r[-1].next_pc);
        }
        if (r->mem_wmask && r->mem_addr == ES_TARGET_IO_BASE + ES_TARGET_IO_CONSOLE)
            ck_assert_int_eq(w->console[printed++], (char)r->mem_wdata);
    }
    ck_assert_uint_eq(printed, w->console_size);
    ck_assert_uint_eq(interrupts, 200);
    const es_retired *last = &w->retired[w->retired_count - 1];
    ck_assert_uint_eq(last->mem_addr, ES_TARGET_IO_BASE + ES_TARGET_IO_EXIT);
    ck_assert_uint_eq(last->cycle + 1, es_sim_cycles(w->sim));
    world_free(w);
}
END_TEST

/* A program that reads the cycle counter sees the number of the clock in which the load is on the bus. */
START_TEST(clocks_count_from_reset)
{
    world *w = world_new(&bare, "tests/sim/devices.elf", true);
    ck_assert_int_eq(world_run(w), ES_SIM_EXITED);
    size_t reads = 0;
    for (size_t i = 0; i < w->retired_count; i++) {
        const es_retired *r = &w->retired[i];
        if (r->mem_rmask && r->mem_addr == ES_TARGET_IO_BASE + ES_TARGET_IO_CYCLE) {
            ck_assert_uint_eq(r->rd_value, r->cycle);
            reads++;
        }
    }
    ck_assert_uint_ge(reads, 3);
    world_free(w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("target");
    TCase *cases = tcase_create("target");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, examples_end_well, 0, 9);
    tcase_add_test(cases, devices_work);
    tcase_add_test(cases, runs_repeat);
    tcase_add_test(cases, chunks_do_not_matter);
    tcase_add_loop_test(cases, misuse_is_told, 0, 8);
    tcase_add_test(cases, loads_are_checked);
    tcase_add_test(cases, log_is_consistent);
    tcase_add_test(cases, clocks_count_from_reset);
    suite_add_tcase(suite, cases);
    return check_main(suite);
}
