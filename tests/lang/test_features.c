/* What a consumer of trees does not know is refused at its place, and with it known accepted. */
#include "check_main.h"
#include "show.h"

#include <string.h>

static const struct {
    const char *text;
    enum es_feature feature;
    uint64_t others;     /* needed besides */
    const char *message; /* with only the others known */
} uses[] = {
    {"main:control\\delta < 3", ES_FEATURE_PATH, 0,
     "-e:1:1: error: paths (a:b\\x, 1:3\\x) are not available in this version\n  main:control\\delta < 3\n  "
     "^~~~~~~~~~~~~~~~~~\n"
     "hint: procedure\\variable is: control\\delta; every hit shows its whole path"},
    {"temp && enter(2)", ES_FEATURE_PATH, 0,
     "-e:1:9: error: paths (a:b\\x, 1:3\\x) are not available in this version\n  temp && enter(2)\n          ^~~~~~~~\n"
     "hint: procedure\\variable is: control\\delta; every hit shows its whole path"},
    {"enter(fact[2])", ES_FEATURE_NESTED, ES_FEATURE(PATH),
     "-e:1:1: error: activations (f[k]) are not available in this version\n  enter(fact[2])\n  ^~~~~~~~~~~~~~\n"
     "hint: enter(f) and leave(f) are"},
    {"temp == n", ES_FEATURE_RECURSIVE, 0,
     "-e:1:9: error: 'fact\\n' is a local of a recursive procedure (fact -> even -> fact); watching locals of "
     "recursive procedures is not "
     "available in this version\n  temp == n\n          ^\n"
     "hint: make it static, copy it to a global, or watch enter(f) and leave(f)"},
    {"temp == control\\spilled", ES_FEATURE_LIFE, 0,
     "-e:1:9: error: watching locals that are on the stack for a part of their procedure only is not available in this "
     "version\n"
     "  temp == control\\spilled\n          ^~~~~~~~~~~~~~~\n"
     "hint: compile its file with -O0, make it volatile or static, or copy it to a global"},
    {"uart_isr\\seen", ES_FEATURE_INTERRUPT, 0,
     "-e:1:1: error: 'uart_isr\\seen' is a local of an interrupt handler, whose frame lies wherever it interrupts; "
     "watching locals of "
     "interrupt handlers is not available in this version\n  uart_isr\\seen\n  ^~~~~~~~~~~~~\n"
     "hint: make it static, copy it to a global, or watch enter(f) and leave(f)"},
    {"temp && main:control", ES_FEATURE_SUBSTATE, 0,
     "-e:1:9: error: a path as a condition is not available in this version\n  temp && main:control\n          "
     "^~~~~~~~~~~~\n"
     "hint: enter(f) and leave(f) are; every hit shows its whole path"},
    {"at(thermostat.c:22)", ES_FEATURE_AT, 0,
     "-e:1:1: error: at() is not available in this version\n  at(thermostat.c:22)\n  ^~~~~~~~~~~~~~~~~~~\nhint: "
     "enter(f) and leave(f) are"},
    {"temp || read(temp)", ES_FEATURE_READ, 0,
     "-e:1:9: error: read() is not available in this version\n  temp || read(temp)\n          ^~~~~~~~~~\n"
     "hint: write(x) is, and enter(f), leave(f)"},
    {"when temp { print level, p->temp }", ES_FEATURE_POINTER, 0,
     "-e:1:26: error: following pointers (p->x) is not available in this version\n  when temp { print level, p->temp "
     "}\n"
     "                           ^~~~~~~\nhint: the pointer's own value is: p != NULL"},
    {"grid[index][0] > 3", ES_FEATURE_INDEX, 0,
     "-e:1:1: error: an index that is not constant is not available in this version\n  grid[index][0] > 3\n  "
     "^~~~~~~~~~~~~~\n"
     "hint: write one element by its number: a[2]"},
    {"packed.i == 3", ES_FEATURE_MISALIGNED, 0,
     "-e:1:1: error: watching what is not aligned is not available in this version\n  packed.i == 3\n  ^~~~~~~~\n"
     "hint: align it: leave out the packed attribute, or move it inside its struct"},
    {"packed.f == 3", ES_FEATURE_MISALIGNED, 0,
     "-e:1:1: error: watching what is not aligned is not available in this version\n  packed.f == 3\n  ^~~~~~~~\n"
     "hint: align it: leave out the packed attribute, or move it inside its struct"},
    {"when temp { print precise }", ES_FEATURE_WIDE, 0,
     "-e:1:19: error: watching values of 8 bytes is not available in this version\n  when temp { print precise }\n"
     "                    ^~~~~~~\nhint: a 32-bit (or narrower) copy of it in the program can be watched"},
    {"temp > 5000000000", ES_FEATURE_WIDE, 0,
     "-e:1:1: error: watching values of 8 bytes is not available in this version\n  temp > 5000000000\n  ^~~~\n"
     "hint: a 32-bit (or narrower) copy of it in the program can be watched"},
    {"temp && ratio > 0.5", ES_FEATURE_FLOAT, 0,
     "-e:1:9: error: comparing floats is not available in this version\n  temp && ratio > 0.5\n          ^~~~~\n"
     "hint: a float can be printed: when write(x) { print x }"},
    {"ratio + 1 > 3", ES_FEATURE_FLOAT_SUM, ES_FEATURE(FLOAT),
     "-e:1:1: error: arithmetic with floats is not available in this version\n  ratio + 1 > 3\n  ^~~~~~~~~\n"
     "hint: a float can be printed: when write(x) { print x }"},
    {"3 < temp * level", ES_FEATURE_MULTIPLY, 0,
     "-e:1:5: error: multiplication of variables is not available in this version\n  3 < temp * level\n      "
     "^~~~~~~~~~~~\n"
     "hint: use shifts and sums: x * 10 is (x << 3) + (x << 1); constants are multiplied: 80 * 256"},
    {"temp / 4 > 10", ES_FEATURE_DIVIDE, 0,
     "-e:1:1: error: division of variables is not available in this version\n  temp / 4 > 10\n  ^~~~~~~~\n"
     "hint: compare with a product instead: x / 4 > 10 is x >= 44; or shift: x >> 2; x % 8 is x & 7"},
    {"temp % level", ES_FEATURE_DIVIDE, 0,
     "-e:1:1: error: division of variables is not available in this version\n  temp % level\n  ^~~~~~~~~~~~\n"
     "hint: compare with a product instead: x / 4 > 10 is x >= 44; or shift: x >> 2; x % 8 is x & 7"},
    {"temp ? 1 : on", ES_FEATURE_CHOICE, 0,
     "-e:1:1: error: the conditional operator ?: is not available in this version\n  temp ? 1 : on\n  ^~~~~~~~~~~~~\n"
     "hint: write c && a || !c && b"},
    {"when temp > hot { count hot }", ES_FEATURE_COUNTER, 0,
     "-e:1:13: error: reading a counter in a condition is not available in this version\n  when temp > hot { count hot "
     "}\n"
     "              ^~~\nhint: the summary shows counters"},
    {"temp unchanged for 5ms", ES_FEATURE_UNCHANGED, 0,
     "-e:1:1: error: `unchanged for` is not available in this version\n  temp unchanged for 5ms\n  "
     "^~~~~~~~~~~~~~~~~~~~~~\n"
     "hint: write(x) is true at every write to x; every hit shows its time"},
    {"temp > 3 for 5ms", ES_FEATURE_FOR, 0,
     "-e:1:1: error: `for` is not available in this version\n  temp > 3 for 5ms\n  ^~~~~~~~\nhint: every hit shows its "
     "time"},
    {"enter(main) then leave(main)", ES_FEATURE_THEN, 0,
     "-e:1:1: error: `then` is not available in this version\n  enter(main) then leave(main)\n  "
     "^~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
     "hint: write one statement for each event; every hit shows its time"},
    {"temp and mode", ES_FEATURE_AND, 0,
     "-e:1:1: error: `and` is not available in this version\n  temp and mode\n  ^~~~~~~~~~~~~\n"
     "hint: write && between conditions on one event, or one statement for each event"},
    {"temp or mode", ES_FEATURE_OR, 0,
     "-e:1:1: error: `or` is not available in this version\n  temp or mode\n  ^~~~~~~~~~~~\nhint: write || between "
     "conditions"},
    {"temp then mode within 5ms", ES_FEATURE_WITHIN, ES_FEATURE(THEN),
     "-e:1:1: error: `within` is not available in this version\n  temp then mode within 5ms\n  ^~~~~~~~~~~~~~\n"
     "hint: write one statement for each event; every hit shows its time"},
    {"temp then mode && elapsed > 5ms", ES_FEATURE_ELAPSED, ES_FEATURE(THEN),
     "-e:1:19: error: elapsed is not available in this version\n  temp then mode && elapsed > 5ms\n                    "
     "^~~~~~~\n"
     "hint: every hit shows its time"},
    {"when temp then mode { print elapsed }", ES_FEATURE_ELAPSED, ES_FEATURE(THEN),
     "-e:1:23: error: elapsed is not available in this version\n  when temp then mode { print elapsed }\n"
     "                        ^~~~~\nhint: every hit shows its time"},
    {"temp && age(mode) > 5ms", ES_FEATURE_AGE, 0,
     "-e:1:9: error: age() is not available in this version\n  temp && age(mode) > 5ms\n          ^~~~~~~~~\n"
     "hint: every hit shows its time"},
    {"when temp { print age(mode) }", ES_FEATURE_AGE, 0,
     "-e:1:13: error: age() is not available in this version\n  when temp { print age(mode) }\n              ^~~~~\n"
     "hint: every hit shows its time"},
    {"x: expect never temp > 3", ES_FEATURE_EXPECT, 0,
     "-e:1:1: error: expect is not available in this version\n  x: expect never temp > 3\n  ^\n"
     "hint: name: when EXPRESSION { ACTIONS }"},
    {"when temp { count c; print c }", ES_FEATURE_PRINT, 0,
     "-e:1:22: error: printing a counter is not available in this version\n  when temp { count c; print c }\n"
     "                       ^~~~~\nhint: the summary shows counters"},
    {"when temp { set c = 3 }", ES_FEATURE_SET, 0,
     "-e:1:13: error: setting and decrementing a counter is not available in this version\n  when temp { set c = 3 }\n"
     "              ^~~\nhint: count NAME adds 1 to it"},
    {"when temp { decrement c }", ES_FEATURE_SET, 0,
     "-e:1:13: error: setting and decrementing a counter is not available in this version\n  when temp { decrement c "
     "}\n"
     "              ^~~~~~~~~\nhint: count NAME adds 1 to it"},
    {"when temp { disable s1 }", ES_FEATURE_ENABLE, 0,
     "-e:1:13: error: enabling and disabling statements is not available in this version\n  when temp { disable s1 }\n"
     "              ^~~~~~~\nhint: available actions: print and count"},
    {"a: disabled when temp { print }", ES_FEATURE_ENABLE, 0,
     "-e:1:1: error: enabling and disabling statements is not available in this version\n  a: disabled when temp { "
     "print }\n"
     "  ^\nhint: available actions: print and count"},
    {"when temp { snapshot plant }", ES_FEATURE_SNAPSHOT, 0,
     "-e:1:13: error: `snapshot` is not available in this version\n  when temp { snapshot plant }\n              "
     "^~~~~~~~\n"
     "hint: print takes several variables: { print x, y }"},
    {"when temp { snapshot *p }", ES_FEATURE_POINTER, ES_FEATURE(SNAPSHOT),
     "-e:1:13: error: following pointers (p->x) is not available in this version\n  when temp { snapshot *p }\n"
     "              ^~~~~~~~\nhint: the pointer's own value is: p != NULL"},
    {"when temp { trigger 0 }", ES_FEATURE_TRIGGER, 0,
     "-e:1:13: error: `trigger` is not available in this version\n  when temp { trigger 0 }\n              ^~~~~~~\n"
     "hint: available actions: print and count"},
    {"when temp { stop }", ES_FEATURE_STOP, 0,
     "-e:1:13: error: `stop` is not available in this version\n  when temp { stop }\n              ^~~~\n"
     "hint: `earshot watch --count N` ends after N hits"},
    {"when temp { halt }", ES_FEATURE_HALT, 0,
     "-e:1:13: error: `halt` is not available in this version\n  when temp { halt }\n              ^~~~\n"
     "hint: available actions: print and count"},
};
#define USE_COUNT (sizeof uses / sizeof *uses)

START_TEST(use)
{
    const char *got = show_required(uses[_i].text, uses[_i].others);
    ck_assert_msg(strcmp(got, uses[_i].message) == 0, "%s\ngave:\n%s\nwanted:\n%s", uses[_i].text, got,
                  uses[_i].message);
    ck_assert_str_eq(show_required(uses[_i].text, uses[_i].others | UINT64_C(1) << uses[_i].feature), "good");
}
END_TEST

START_TEST(every_feature_is_tried)
{
    uint64_t tried = 0;
    for (size_t i = 0; i < USE_COUNT; i++)
        tried |= UINT64_C(1) << uses[i].feature;
    ck_assert_uint_eq(tried, (UINT64_C(1) << ES_FEATURE_COUNT) - 1);
}
END_TEST

START_TEST(the_smallest_statements_need_none)
{
    static const char *const small[] = {"temp > 80 && mode == ARMED { print temp, mode; count hot }",
                                        "enter(control) || leave(clamp) { print path }",
                                        "*:clamp\\lo < 0",
                                        "clamp\\lo < old(clamp\\x)",
                                        "control\\nested@34 > 3",
                                        "when write(ratio) { print ratio }",
                                        "mode becomes ARMED",
                                        "p + 1 == &plant",
                                        "(uint8_t)temp == 3",
                                        "temp { increment c }",
                                        "plant.b && grid[1][2]",
                                        "level > 3000000000",
                                        "temp == 3 * 4 / 2 && level < (int)2.5",
                                        "leave(*:clamp)"};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        ck_assert_str_eq(show_required(small[i], 0), "good");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("features");
    TCase *tcase = tcase_create("features");
    tcase_add_loop_test(tcase, use, 0, (int)USE_COUNT);
    tcase_add_test(tcase, every_feature_is_tried);
    tcase_add_test(tcase, the_smallest_statements_need_none);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
