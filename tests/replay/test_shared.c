/* Memory that others change: other cores, and a DMA device. Each core has a stream of its own, and its replay is what
 * that core retired, to its end. */
#include "check_main.h"

#include <string.h>

#include "taken.h"

static const char *const programs[] = {"sor", "pipeline", "producer", "forkjoin", "convoy", "readwrite"};

typedef struct target {
    unsigned cores;
    enum es_sim_ports ports;
    unsigned wait;
} target;

static const target targets[] = {{2, ES_SIM_PORTS_EACH, 0}, {4, ES_SIM_PORTS_ONE, 1}};

static void as_first(es_replay_program *program, const es_symbols *symbols)
{
    es_replay_reference(program, symbols);
}

static void as_other(es_replay_program *program, const es_symbols *symbols)
{
    es_replay_reference(program, symbols);
    es_replay_begins_at(program, ES_TARGET_OTHERS_BASE);
}

/* Records one core, and compares its replay with what it retired. The result is for the caller to free. */
static void record_and_compare(const char *path, taken_processor *processor, taken *t, compared *c)
{
    taken_record(t, path, processor, 0, UINT64_MAX);
    t->truth.lag = 1; /* the run of all ends in the middle of an instruction of those that have not ended it */
    compared_run(c, &t->truth, t->bytes, t->size, t->size);
    es_replay_summary s = es_replay_get_summary(c->replay);
    printf("%-30s core %u of %u: %7zu instructions, %6zu bytes, %6zu words changed by others: %s\n", path,
           t->shared.core, t->shared.cores, c->instructions, t->size, (size_t)s.changed_memory,
           es_replay_ended(c->replay));
    ck_assert_msg(c->wrong == 0, "%s: %zu wrong, first: %s", path, c->wrong, c->first);
    ck_assert_msg(!es_replay_failed(c->replay), "%s: %s", path, es_replay_ended(c->replay));
    ck_assert_uint_eq(c->unknown, 0);
    ck_assert_uint_gt(t->truth.count, 1000);
    ck_assert_uint_ge(c->instructions + 1, t->truth.count);
    ck_assert_uint_gt(s.changed_memory, 0);
}

static void check_core(const char *name, target which, unsigned core)
{
    /* the short ones; in soak those of the examples */
    const char *folder = getenv("EARSHOT_PROGRAMS");
    char path[256];
    compared c;
    taken t = {.shared = {.cores = which.cores, .core = core, .ports = which.ports, .wait = which.wait}};
    snprintf(path, sizeof path, "%s/%s.elf", folder ? folder : "tests/threads", name);
    record_and_compare(path, core ? as_other : as_first, &t, &c);
    es_replay_free(c.replay);
    taken_free(&t);
}

START_TEST(each_core)
{
    const size_t count = sizeof programs / sizeof *programs;
    target which = targets[(size_t)_i / count];
    for (unsigned core = 0; core < which.cores; core++)
        check_core(programs[(size_t)_i % count], which, core);
}
END_TEST

static const char *const dma_programs[] = {"tests/replay/dma-O0.elf", "tests/replay/dma-Og.elf",
                                           "tests/replay/dma-O2.elf", "examples/dma-O0.elf", "examples/dma-O2.elf"};

START_TEST(dma)
{
    compared c;
    taken t = {.shared = {.cores = 1}};
    record_and_compare(dma_programs[_i], as_first, &t, &c);
    ck_assert_int_eq(t.exit_code, 0); /* the copies were right, as the program found */
    es_replay_free(c.replay);
    taken_free(&t);
}
END_TEST

/* A tap that takes another master's writes for the core's: the replay ends, before anything that is not so is told. */
START_TEST(writes_of_another_master)
{
    recorded *r = recorded_new("examples/thermostat-O2.elf", 3, 12, 100000);
    compared c;
    encoder e = {.window_size = r->encoder.window_size, .period = 12, .vector = {1, 0}, .mask = {0, UINT32_MAX}};
    size_t wrong_from = r->count / 2;
    encoder_begin(&e, r->symbols, 0);
    for (size_t i = 0; i < r->count; i++) {
        if (i == wrong_from) {
            const es_retired *at = &r->log[i];
            encoder_write(&e, ES_TARGET_RAM_BASE + 0x1F000, 15, 1, at->fetch_cycle);
        }
        encoder_retired(&e, &r->log[i]);
    }
    encoder_end(&e, r->cycles);
    compared_run(&c, r, e.bytes, e.size, e.size);
    ck_assert_msg(c.wrong == 0, "%zu wrong, first: %s", c.wrong, c.first);
    ck_assert(es_replay_failed(c.replay));
    ck_assert_msg(strstr(es_replay_ended(c.replay), "other accesses"), "%s", es_replay_ended(c.replay));
    ck_assert_uint_gt(c.instructions, 1000);
    ck_assert_uint_le(c.instructions, wrong_from);
    es_replay_free(c.replay);
    encoder_free(&e);
    recorded_free(r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shared");
    TCase *all = tcase_create("shared");
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, each_core, 0,
                        (int)(sizeof programs / sizeof *programs * (sizeof targets / sizeof *targets)));
    tcase_add_loop_test(all, dma, 0, sizeof dma_programs / sizeof *dma_programs);
    tcase_add_test(all, writes_of_another_master);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
