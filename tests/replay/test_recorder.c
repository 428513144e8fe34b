/* The whole way: the simulated probe's own recorder, its frames, the replay; compared with the retire log. */
#include "check_main.h"

#include <string.h>

#include "taken.h"

static const char *const programs[] = {
    "examples/interrupts-O2.elf", "examples/nested-Og.elf",      "examples/recursion-O0.elf",  "examples/tasks-O2.elf",
    "examples/thermostat-O2.elf", "tests/replay/corners-O0.elf", "tests/replay/corners-O2.elf"};

START_TEST(whole_way)
{
    taken t = {0};
    compared c;
    taken_record(&t, programs[_i], es_replay_reference, 0, 400000);
    compared_run(&c, &t.truth, t.bytes, t.size, t.size);
    printf("%-28s %8zu instructions, %7zu bytes: %s\n", programs[_i], t.truth.count, t.size, es_replay_ended(c.replay));
    ck_assert_msg(c.wrong == 0, "%s: %zu wrong, first: %s", programs[_i], c.wrong, c.first);
    ck_assert_msg(!es_replay_failed(c.replay), "%s: %s", programs[_i], es_replay_ended(c.replay));
    ck_assert_uint_ge(c.instructions + 2, t.truth.count);
    if (!strstr(programs[_i], "corners")) /* mip has bits there that nobody looks at */
        ck_assert_uint_eq(c.unknown, 0);
    es_replay_free(c.replay);
    taken_free(&t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder");
    TCase *all = tcase_create("recorder");
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, whole_way, 0, sizeof programs / sizeof *programs);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
