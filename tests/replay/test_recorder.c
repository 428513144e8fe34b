/* The whole way: the simulated probe's own recorder, its frames, the replay; compared with the retire log. */
#include "check_main.h"

#include <string.h>

#include "byte_port.h"
#include "replay/pace.h"
#include "replay/vectors.h"
#include "taken.h"

static const char *const programs[] = {
    "examples/interrupts-O2.elf", "examples/nested-Og.elf",      "examples/recursion-O0.elf",  "examples/tasks-O2.elf",
    "examples/thermostat-O2.elf", "tests/replay/corners-O0.elf", "tests/replay/corners-O2.elf"};

/* Where the target's data are big endian. */
static const char *const big_programs[] = {"cores/examples/big-endian/nested-Og.elf",
                                           "cores/examples/big-endian/tasks-O2.elf", "tests/replay/big/corners-O2.elf",
                                           "tests/replay/big/orders-O0.elf", "tests/replay/big/orders-O2.elf"};

START_TEST(whole_way)
{
    const char *name = es_sim_big_endian() ? big_programs[_i] : programs[_i];
    taken t = {0};
    compared c;
    taken_record(&t, name, es_replay_reference, 0, 400000);
    compared_run(&c, &t.truth, t.bytes, t.size, t.size);
    printf("%-28s %8zu instructions, %7zu bytes: %s\n", name, t.truth.count, t.size, es_replay_ended(c.replay));
    ck_assert_msg(c.wrong == 0, "%s: %zu wrong, first: %s", name, c.wrong, c.first);
    ck_assert_msg(!es_replay_failed(c.replay), "%s: %s", name, es_replay_ended(c.replay));
    ck_assert_uint_ge(c.instructions + 2, t.truth.count);
    if (strstr(name, "orders"))
        ck_assert_int_eq(t.exit_code, 0); /* it checks itself */
    if (!strstr(name, "corners"))         /* mip has bits there that nobody looks at */
        ck_assert_uint_eq(c.unknown, 0);
    es_replay_free(c.replay);
    taken_free(&t);
}
END_TEST

/* --- how long a hit waits for its confirmation: in the target's clocks, with a link that takes no time --- */

enum { STEP = 256 }; /* clocks between two looks at what has come */

typedef struct latency {
    es_sim *sim;
    es_replay *replay;
    uint64_t most, sum, count, late; /* late: stretches that waited for more than one heartbeat */
} latency;

static void on_confirmed(void *context, uint64_t first, uint64_t end)
{
    latency *l = context;
    es_replay_pace pace;
    if (end == first)
        return;
    es_replay_get_pace(l->replay, first, &pace);
    uint64_t waited = es_sim_cycles(l->sim) - es_replay_pace_time(&pace, first);
    l->most = waited > l->most ? waited : l->most;
    l->sum += waited;
    l->count++;
    l->late += waited > (UINT64_C(1) << ES_RECORDER_PERIOD) + 2 * STEP;
}

static void take_live(void *context, const uint8_t *bytes, size_t size)
{
    es_replay_push(((latency *)context)->replay, bytes, size);
}

static void lost_live(void *context, const char *why)
{
    (void)context;
    ck_abort_msg("%s", why);
}

START_TEST(confirmed_soon)
{
    es_error err = {0};
    char path[256];
    es_replay_program program;
    latency l = {.most = 0};
    snprintf(path, sizeof path, TESTS_BUILD "/%s", programs[_i]);
    es_symbols *symbols = es_symbols_open(path, &err);
    ck_assert_msg(symbols != NULL, "%s", err.text);
    es_replay_reference(&program, symbols);
    es_sim_config config = {.world = ES_SIM_BYTES, .seed = 5, .on_console = taken_ignore_console};
    l.sim = es_sim_new(&config, &err);
    ck_assert_msg(l.sim != NULL, "%s", err.text);
    taken_load(l.sim, symbols);
    es_transport *transport = es_transport_sim(l.sim);
    es_input_recorder_sink sink = {take_live, lost_live, &l};
    es_input_recorder *recorder = es_input_recorder_open(transport, &program, true, &sink, &err);
    ck_assert_msg(recorder != NULL, "%s", err.text);
    es_vectors_find(&program, &err);
    const es_replay_listener listener = {.confirmed = on_confirmed, .context = &l};
    l.replay = es_replay_new(&program, &listener, &err);
    ck_assert_msg(l.replay && es_input_recorder_start(recorder, &program, ES_RECORDER_PERIOD, &err), "%s", err.text);
    es_sim_start_target(l.sim);
    for (enum es_sim_state state = ES_SIM_RUNNING; state == ES_SIM_RUNNING && es_sim_cycles(l.sim) < 300000;) {
        state = es_sim_step(l.sim, STEP, 200);
        taken_pump(recorder, 0);
        ck_assert_msg(!es_replay_failed(l.replay), "%s", es_replay_ended(l.replay));
    }
    printf(
        "%-28s confirmed after %5.2f ms at most, %5.2f ms on average, %zu of %zu stretches after several heartbeats\n",
        programs[_i], (double)l.most / 10000, (double)l.sum / (double)(l.count ? l.count : 1) / 10000, (size_t)l.late,
        (size_t)l.count);
    ck_assert_uint_gt(l.count, 0);
    ck_assert_uint_le(l.most, (UINT64_C(3) << ES_RECORDER_PERIOD) + 2 * STEP); /* PATIENCE of the replay */
    es_replay_free(l.replay);
    es_input_recorder_free(recorder);
    es_transport_close(transport);
    es_sim_free(l.sim);
    es_symbols_close(symbols);
}
END_TEST

/* A bus that does not say which bytes are read, as the simulated target's would be if it were PicoRV32's. */
START_TEST(bytes_untold)
{
    es_error err = {0};
    es_symbols *symbols = es_symbols_open(TESTS_BUILD "/examples/recursion-O0.elf", &err);
    ck_assert_msg(symbols != NULL, "%s", err.text);
    es_replay_program program;
    es_replay_processor(&program, symbols, ES_PROCESSOR_PICORV32);
    es_sim *sim = es_sim_new(&(es_sim_config){.world = ES_SIM_BYTES, .on_console = taken_ignore_console}, &err);
    ck_assert_msg(sim != NULL, "%s", err.text);
    es_transport *transport = es_transport_sim(sim);
    ck_assert_ptr_null(es_input_recorder_open(transport, &program, false, &(es_input_recorder_sink){0}, &err));
    ck_assert_msg(strstr(err.text, "does not say which bytes a load reads") && strstr(err.text, "retire port"), "%s",
                  err.text);
    es_transport_close(transport);
    es_sim_free(sim);
    es_symbols_close(symbols);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder");
    TCase *all = tcase_create("recorder");
    tcase_set_timeout(all, 0);
    size_t count =
        es_sim_big_endian() ? sizeof big_programs / sizeof *big_programs : sizeof programs / sizeof *programs;
    tcase_add_loop_test(all, whole_way, 0, (int)count);
    suite_add_tcase(suite, all);
    if (es_sim_big_endian())
        return check_main(suite);
    tcase_add_loop_test(all, confirmed_soon, 0, sizeof programs / sizeof *programs);
    tcase_add_test(all, bytes_untold);
    return check_main(suite);
}
