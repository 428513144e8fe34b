/* The wider language: what statements become, at which events they are evaluated, and what has to exist then. */
#include "check_main.h"
#include "fake_symbols.h"
#include "language_table.h"
#include "required.h"
#include "show.h"

#include <string.h>

#define LANGUAGE_COUNT ((int)(sizeof language / sizeof *language))

START_TEST(tree)
{
    const char *got = show(language[_i].text);
    ck_assert_msg(strcmp(got, language[_i].tree) == 0, "%s\nbecame %s\nwanted %s", language[_i].text, got,
                  language[_i].tree);
    got = show_condition(language[_i].text);
    ck_assert_msg(strcmp(got, language[_i].condition) == 0, "%s\nis evaluated at %s\nwanted          %s",
                  language[_i].text, got, language[_i].condition);
}
END_TEST

/* Factoring is only another way of writing. */
START_TEST(factoring_changes_nothing)
{
    static const char *const same[][2] = {
        {"2:{1\\lo == delta}", "2:1\\lo == 2\\delta"},
        {"2:{1:{lo == x} && delta < 3}", "2:1\\lo == 2:1\\x && 2\\delta < 3"},
        {"2:{clamp\\lo < temp} || level", "2:clamp\\lo < 2\\temp || level"},
        {"2:{enter(1)}", "enter(2:1)"},
        {"main:{fact\\n == 3}", "main:fact\\n == 3"},
        {"2:{level > 3} && 2\\delta", "level > 3 && 2\\delta"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char factored[2048];
        strcpy(factored, show(same[i][0]));
        ck_assert_str_eq(factored, show(same[i][1]));
        strcpy(factored, show_condition(same[i][0]));
        ck_assert_str_eq(factored, show_condition(same[i][1]));
    }
}
END_TEST

START_TEST(several_files)
{
    es_text texts[] = {{"a.watch", "# one\nfirst: when hot > 3 && temp { enable second }\n"},
                       {"b.watch", "second: disabled when temp { count hot }\n"}};
    es_program program;
    es_error err;
    ck_assert_msg(es_program_parse(fake_symbols(), texts, 2, &program, &err), "%s", err.text);
    ck_assert_uint_eq(program.statements[0].actions[0].statement, 1);
    ck_assert(program.statements[1].disabled);
    ck_assert_uint_eq(program.counter_count, 1);
    ck_assert_uint_eq(program.text_count, 2);
    ck_assert(!required(&program, ES_FEATURE(COUNTER), &err));
    ck_assert_str_eq(err.text,
                     "a.watch:2:31: error: enabling and disabling statements is not available in this version\n"
                     "  first: when hot > 3 && temp { enable second }\n"
                     "                                ^~~~~~\n"
                     "hint: available actions: print and count");
    ck_assert(!required(&program, ES_FEATURE(ENABLE), &err));
    ck_assert_ptr_nonnull(strstr(err.text, "a.watch:2:13: error: reading a counter in a condition is"));
    ck_assert(required(&program, ES_FEATURE(ENABLE) | ES_FEATURE(COUNTER), &err));
    es_program_free(&program);
}
END_TEST

/* All kinds of statements in one file, with comments; the last has no actions. */
START_TEST(a_whole_file)
{
    ck_assert_str_eq(
        show_all("# thermostat.watch\n"
                 "overheat:  when temp > 80 && mode == ARMED                     { print temp, mode; count hot }\n"
                 "deep:      when main:control:clamp\\lo < 0                      { count deep }\n"
                 "any:       when *:clamp\\lo < 0    { print path }       # whichever way clamp was called\n"
                 "third:     when fact[3]\\n == 1    { print path }       # third nested activation\n"
                 "isr:       when enter(uart_isr) then leave(uart_isr) && elapsed > 50us   { print elapsed }\n"
                 "order:     when write(temp) then write(level) within 5ms        { count ok }\n"
                 "stuck:     when index unchanged for 10ms                        { print; trigger 0 }\n"
                 "safe:      expect never temp > 120 && on                        # fails the run\n"),
        "overheat: (&& (> @20000:4s 80) (== @20008:4s 1)) | print temp=@20000:4s mode=@20008:4s | count hot\n"
        "deep: (< <main>control>clamp>clamp@-20:4s 0) | count deep\n"
        "any: (< clamp@-20:4s 0) | print\n"
        "third: (== <*>fact[3]>fact@-20:4s 1) | print\n"
        "isr: (then enter:uart_isr (&& leave:uart_isr (>t elapsed 50000ns))) | print elapsed=elapsed\n"
        "order: (then write:@20000:4s write:@20004:4 within 5000000ns) | count ok\n"
        "stuck: (unchanged @200e0:4s 10000000ns) | print index=@200e0:4s | trigger 0\n"
        "safe: never (&& (> @20000:4s 120) @20011:1) | print temp=@20000:4s on=@20011:1");
}
END_TEST

/* Expectations may stand without actions on lines of their own. */
START_TEST(expectations_without_actions)
{
    ck_assert_str_eq(
        show_all(
            "safe: expect never temp > 120\nexpect eventually on\nlate: expect level within 5ms\nwhen mode { print }"),
        "safe: never (> @20000:4s 120) | print temp=@20000:4s\n"
        "s1: eventually @20011:1 | print on=@20011:1\n"
        "late: within 5000000ns @20004:4 | print level=@20004:4\n"
        "s2: @20008:4s | print mode=@20008:4s");
}
END_TEST

START_TEST(counters_shown_again)
{
    ck_assert_str_eq(show("temp { print c, c; count d; print c; increment c; print temp, c; reset c; print c }"),
                     "@20000:4s | print c=counter:0 | count d | print | count c | print temp=@20000:4s c#2=counter:0 | "
                     "set c=0 | print c#3=counter:0");
}
END_TEST

START_TEST(words_may_be_names)
{
    ck_assert_str_eq(show("at > expect { count c }"), "(> @200b8:4s @200bc:4s) | count c");
    ck_assert_str_eq(show("expect == 3"), "(== @200bc:4s 3) | print expect=@200bc:4s");
    ck_assert_str_eq(show("expect"), "@200bc:4s | print expect=@200bc:4s");
}
END_TEST

/* What gcc -Wtype-limits -Wextra says of the same in C is always false; what is always true may be meant, as level >= 0. */
START_TEST(numbers_out_of_range)
{
    static const struct {
        const char *text, *warning; /* NULL: none */
    } cases[] = {
        {"temp > 99999999999", "temp > 99999999999 is never true: temp is at most 2147483647"},
        {"temp > 2147483647", "temp > 2147483647 is never true: temp is at most 2147483647"},
        {"temp >= 2147483647", NULL},
        {"99999999999 < temp", "99999999999 < temp is never true: temp is at most 2147483647"},
        {"temp < -2147483648", "temp < -2147483648 is never true: temp is at least -2147483648"},
        {"temp == 4294967296", "temp == 4294967296 is never true: temp is at most 2147483647"},
        {"old(temp) == 4294967296", "old(temp) == 4294967296 is never true: temp is at most 2147483647"},
        {"temp != 4294967296", NULL},
        {"temp < 99999999999", NULL},
        {"temp > 0xF0000000", NULL}, /* compared as unsigned numbers: -1 is greater */
        {"level > 0xFFFFFFFF", "level > 0xFFFFFFFF is never true: level is at most 4294967295"},
        {"level < 0", "level < 0 is never true: level is at least 0"},
        {"level == -1", NULL}, /* -1 is 4294967295 there */
        {"level >= 0", NULL},
        {"byte_ == 256", "byte_ == 256 is never true: byte_ is at most 255"},
        {"byte_ == -1", "byte_ == -1 is never true: byte_ is at least 0"},
        {"byte_ < 256", NULL},
        {"on > 1", NULL}, /* memory may hold more */
        {"on > 255", "on > 255 is never true: on is at most 255"},
        {"plant.lo > 32767", "plant.lo > 32767 is never true: plant.lo is at most 32767"},
        {"plant.lo == -32769", "plant.lo == -32769 is never true: plant.lo is at least -32768"},
        {"plant.lo > 32767u", NULL},
        {"plant.a > 7", "plant.a > 7 is never true: plant.a is at most 7"},
        {"plant.a == -1", "plant.a == -1 is never true: plant.a is at least 0"},
        {"plant.c < 4194304 && plant.b >= 128", "plant.b >= 128 is never true: plant.b is at most 127"},
        {"ticks > 99999999999", NULL},
        {"level + 1 > 99999999999", NULL},
        {"mode == 5000000000", "mode == 5000000000 is never true: mode is at most 2147483647"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_text text = {"a.watch", cases[i].text};
        es_program program;
        es_error err;
        ck_assert_msg(es_program_parse(fake_symbols(), &text, 1, &program, &err), "%s", err.text);
        ck_assert_msg(program.warning_count == (cases[i].warning != NULL), "%s: %zu", cases[i].text,
                      program.warning_count);
        if (cases[i].warning)
            ck_assert_str_eq(program.warnings[0], cases[i].warning);
        es_program_free(&program);
    }
}
END_TEST

/* What C reads otherwise than it looks, as gcc -Wparentheses has it; two comparisons with & are what they look like. */
START_TEST(parentheses_are_missed)
{
    static const struct {
        const char *text, *warning; /* NULL: none */
    } cases[] = {
        {"3 < temp < 9", "as in C, 3 < temp < 9 compares with what the first comparison is, 0 or 1; for both write "
                         "3 < temp && temp < 9"},
        {"temp >= level < temp + 1", "as in C, temp >= level < temp + 1 compares with what the first comparison is, "
                                     "0 or 1; for both write temp >= level && level < temp + 1"},
        {"temp & 4 == 4", "as in C, temp & 4 == 4 is temp & (4 == 4); write the parentheses that are meant"},
        {"level != 1 | temp",
         "as in C, level != 1 | temp is (level != 1) | temp; write the parentheses that are meant"},
        {"(3 < temp) < 9", NULL},
        {"3 < temp && temp < 9", NULL},
        {"3 < temp == 1", NULL},
        {"(temp & 4) == 4", NULL},
        {"temp & (level == 4)", NULL},
        {"temp > 3 & level == 4", NULL},
        {"temp > 3 && level & 1", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_text text = {"a.watch", cases[i].text};
        es_program program;
        es_error err;
        ck_assert_msg(es_program_parse(fake_symbols(), &text, 1, &program, &err), "%s", err.text);
        ck_assert_msg(program.warning_count == (cases[i].warning != NULL), "%s", cases[i].text);
        if (cases[i].warning)
            ck_assert_str_eq(program.warnings[0], cases[i].warning);
        es_program_free(&program);
    }
}
END_TEST

START_TEST(durations_in_cycles)
{
    ck_assert_uint_eq(es_duration_cycles((es_duration){5, true}, 0), 5);
    ck_assert_uint_eq(es_duration_cycles((es_duration){5000000, false}, 10000000), 50000);
    ck_assert_uint_eq(es_duration_cycles((es_duration){1, false}, 10000000), 1);
    ck_assert_uint_eq(es_duration_cycles((es_duration){100, false}, 10000000), 1);
    ck_assert_uint_eq(es_duration_cycles((es_duration){101, false}, 10000000), 2);
    ck_assert_uint_eq(es_duration_cycles((es_duration){3000000000u, false}, 12000000), 36000000);
    ck_assert_uint_eq(es_duration_cycles((es_duration){UINT64_MAX, false}, 100000000000u), UINT64_MAX);
    ck_assert_uint_eq(es_duration_cycles((es_duration){UINT64_MAX, false}, UINT64_MAX), UINT64_MAX);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("the wider language");
    TCase *tcase = tcase_create("language");
    tcase_add_loop_test(tcase, tree, 0, LANGUAGE_COUNT);
    tcase_add_test(tcase, factoring_changes_nothing);
    tcase_add_test(tcase, several_files);
    tcase_add_test(tcase, a_whole_file);
    tcase_add_test(tcase, expectations_without_actions);
    tcase_add_test(tcase, counters_shown_again);
    tcase_add_test(tcase, words_may_be_names);
    tcase_add_test(tcase, parentheses_are_missed);
    tcase_add_test(tcase, numbers_out_of_range);
    tcase_add_test(tcase, durations_in_cycles);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
