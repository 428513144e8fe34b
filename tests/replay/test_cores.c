/* Each core of a target with shared memory has a stream of its own: its replay is what that core retired, to its end,
 * whatever the others do with its memory meanwhile. */
#include "check_main.h"

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

static void check_core(const char *name, target which, unsigned core)
{
    /* the short ones; in soak those of the examples */
    const char *folder = getenv("EARSHOT_PROGRAMS");
    char path[256];
    compared c;
    taken t = {.shared = {.cores = which.cores, .core = core, .ports = which.ports, .wait = which.wait}};
    snprintf(path, sizeof path, "%s/%s.elf", folder ? folder : "tests/threads", name);
    taken_record(&t, path, core ? as_other : as_first, 0, UINT64_MAX);
    t.truth.lag = 1; /* the run of all ends in the middle of an instruction of those that have not ended it */
    compared_run(&c, &t.truth, t.bytes, t.size, t.size);
    es_replay_summary s = es_replay_get_summary(c.replay);
    printf("%-10s core %u of %u: %7zu instructions, %6zu bytes, %6zu words changed by others: %s\n", name, core,
           which.cores, c.instructions, t.size, (size_t)s.changed_memory, es_replay_ended(c.replay));
    ck_assert_msg(c.wrong == 0, "%s, core %u of %u: %zu wrong, first: %s", name, core, which.cores, c.wrong, c.first);
    ck_assert_msg(!es_replay_failed(c.replay), "%s, core %u: %s", name, core, es_replay_ended(c.replay));
    ck_assert_uint_eq(c.unknown, 0);
    ck_assert_uint_gt(t.truth.count, 1000);
    ck_assert_uint_ge(c.instructions + 1, t.truth.count);
    ck_assert_uint_gt(s.changed_memory, 0);
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

int main(void)
{
    Suite *suite = suite_create("cores");
    TCase *all = tcase_create("cores");
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, each_core, 0,
                        (int)(sizeof programs / sizeof *programs * (sizeof targets / sizeof *targets)));
    suite_add_tcase(suite, all);
    return check_main(suite);
}
