/* replayed CORE PROGRAM...: programs (below $(B)) on another processor in the reference target's place, under the probe's recorder;
 * what is replayed of the stream is compared with the processor's own retire port, instruction by instruction. */
#include "check_main.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "taken.h"

#define CYCLES 2000000u

static const char *core;
enum { LAG = 16 }; /* their retire ports come after their buses */

static char **programs;
static int program_count;
static struct {
    uint64_t instructions, inputs, interrupts, attempts, found, open, unknown, bytes, wrong;
} sum;

static void processor(es_replay_program *program, const es_symbols *symbols)
{
    static const struct {
        const char *begin;
        enum es_processor_name name;
    } known[] = {{"picorv32", ES_PROCESSOR_PICORV32},
                 {"serv", ES_PROCESSOR_SERV},
                 {"ibex", ES_PROCESSOR_IBEX},
                 {"vexriscv", ES_PROCESSOR_VEXRISCV_SMALL},
                 {"vexriscv_imac", ES_PROCESSOR_VEXRISCV}};
    enum es_processor_name name = ES_PROCESSOR_ANY;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(core, known[i].begin, strlen(known[i].begin)) == 0)
            name = known[i].name;
    es_replay_processor(program, symbols, name);
    program->machine.arch = es_sim_isa();
}

static void print_sum(void)
{
    printf("%s: %" PRIu64 " instructions compared, %" PRIu64 " inputs, %" PRIu64 " interrupts, %" PRIu64
           " attempts, %" PRIu64 " registers set to what is unknown, %" PRIu64 " wrong\n",
           core, sum.instructions, sum.inputs, sum.interrupts, sum.attempts, sum.unknown, sum.wrong);
}

START_TEST(replayed)
{
    const char *name = programs[_i], *cycles = getenv("EARSHOT_CYCLES");
    taken t = {0};
    compared c;
    taken_record(&t, name, processor, 0, cycles ? strtoull(cycles, NULL, 10) : CYCLES);
    t.truth.lag = LAG;
    compared_run(&c, &t.truth, t.bytes, t.size, t.size);
    es_replay_summary s = es_replay_get_summary(c.replay);
    printf("%s %-44s %8zu instructions, %7zu bytes, %7" PRIu64 " inputs, %5" PRIu64 " interrupts, %5" PRIu64
           " attempts, %zu unknown, %zu wrong: %s\n",
           core, name, t.truth.count, t.size, s.inputs, s.interrupts, s.attempts, c.unknown, c.wrong,
           es_replay_ended(c.replay));
    ck_assert_msg(c.wrong == 0, "%s: %zu wrong, first: %s", name, c.wrong, c.first);
    ck_assert_msg(!es_replay_failed(c.replay), "%s: %s", name, es_replay_ended(c.replay));
    ck_assert_uint_ge(c.instructions + 2, t.truth.count);
    sum.instructions += c.instructions;
    sum.inputs += s.inputs;
    sum.interrupts += s.interrupts;
    sum.attempts += s.attempts;
    sum.unknown += c.unknown;
    sum.bytes += t.size;
    sum.wrong += c.wrong;
    es_replay_free(c.replay);
    taken_free(&t);
    if (_i + 1 == program_count) /* the last line is check_main's */
        print_sum();
}
END_TEST

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    setenv("CK_FORK", "no", 1); /* one sum of all */
    core = argv[1];
    programs = argv + 2;
    program_count = argc - 2;
    Suite *suite = suite_create("replayed");
    TCase *all = tcase_create(core);
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, replayed, 0, argc - 2);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
