/* All errors of a run at once, and statements whose names go without `when`. */
#include <string.h>

#include "check_main.h"
#include "fake_symbols.h"
#include "lang/statement.h"
#include "show.h"

/* The places (file:line:column) of all errors of a text, each followed by a blank. */
static const char *places(const char *text, const char **whole)
{
    static char shown[4096], all[65536];
    es_text one = {"-e", text};
    es_program program;
    es_text_buffer earlier = {0};
    es_error err;
    shown[0] = 0;
    *whole = "";
    if (es_program_parse_all(fake_symbols(), &one, 1, &program, &earlier, &err)) {
        es_program_free(&program);
        es_text_free(&earlier);
        return "good";
    }
    ck_assert_int_eq(err.code, ES_USAGE);
    snprintf(all, sizeof all, "%s%s", earlier.text ? earlier.text : "", err.text);
    es_text_free(&earlier);
    *whole = all;
    for (const char *at = all; (at = strstr(at, "-e:")) != NULL; at++)
        if (at == all || at[-1] == '\n')
            snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%.*s ",
                     (int)(strstr(at, ": error:") - at - 3), at + 3);
    return shown;
}

static const struct {
    const char *text, *places;
} cases[] = {
    {"a: when temp { print }", "good"},
    {"a: when tmp { print }\nb: when modd { print }\nc: when temp { prin temp }", "1:9 2:9 3:16 "},
    {"tmp { print } modd { print } temp { print }", "1:1 1:15 "},
    {"a: when temp > { print }\nb: when mode == 3 { print }\nc: when modd", "1:16 3:9 "},
    {"a: when temp > 3 { print\nb: when modd { print }", "2:1 2:9 "}, /* the first has no } */
    {"a: when temp > 3\nb: when modd { print }", "2:1 2:9 "},         /* ... and no actions */
    {"expect never tmp\nexpect eventually modd; expect temp within 5", "1:14 2:19 2:44 "},
    {"main:control:{ dleta > 3 } { print }\nb: when modd", "1:16 2:9 "},
    {"main:control:{ delta > 3 && (} { print }\nb: when modd", "1:30 2:9 "},
    {"a: when temp $ 3 { print }\nb: when modd { print } # tmp\n$", "1:14 2:9 3:1 "},
    {"a: when temp { enable nobody }\nb: when temp { disable c, x; print tmp }\nc: when modd { print }",
     "2:25 3:9 1:23 "},
    {"a: when temp { enable b }\nb: when tmp { print }", "2:9 "}, /* b is there, though it is wrong */
    {"tasks tmp\na: when modd { print }", "1:7 2:9 "},
    {"a: when temp { print }\na: when mode { print }\na: when modd { print }", "2:1 3:1 "},
    /* names without `when` */
    {"a: enter(clamp)", "good"},
    {"control: enter(clamp) { print }\nclamp: !(temp > 3)", "good"},
    {"a: temp > 3 { print }\nb: (temp) { print }\nc: disabled when temp { print }", "good"},
    {"contrl:clamp\\lo > 3", "1:1 "}, /* no statement of this name, but a path */
};

START_TEST(all_errors)
{
    const char *whole, *got = places(cases[_i].text, &whole);
    ck_assert_msg(strcmp(got, cases[_i].places) == 0, "%s\ngave %s:\n%s\nwanted %s", cases[_i].text, got, whole,
                  cases[_i].places);
}
END_TEST

START_TEST(messages_are_whole)
{
    const char *whole;
    places("a: when tmp { print }\nb: when tem { print }", &whole);
    ck_assert_str_eq(whole, "-e:1:9: error: there is no variable 'tmp' in the program\n"
                            "  a: when tmp { print }\n          ^~~\n"
                            "-e:2:9: error: there is no variable 'tem' in the program\n"
                            "  b: when tem { print }\n          ^~~\nhint: did you mean 'temp'?");
}
END_TEST

START_TEST(their_number_is_bounded)
{
    char text[4096] = "", *end = text;
    const char *whole;
    for (int i = 0; i < 20; i++)
        end = stpcpy(end, "tmp { print }\n");
    places(text, &whole);
    ck_assert_ptr_null(strstr(whole, "more than"));
    strcpy(end, "tmp { print }\ntmp { print }");
    places(text, &whole);
    ck_assert_ptr_nonnull(strstr(whole, "-e:20:1: error: "));
    ck_assert_ptr_null(strstr(whole, "-e:21:1: error: "));
    const char *last = strrchr(whole, '\n') + 1;
    ck_assert_str_eq(last, "there are more than 20 errors: the others are reported when these are corrected");
}
END_TEST

/* Without the list of earlier ones, the first error ends it. */
START_TEST(the_first_one)
{
    ck_assert_str_eq(show("tmp { print } modd { print }"), "-e:1:1: error: there is no variable 'tmp' in the program\n"
                                                           "  tmp { print } modd { print }\n  ^~~");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("all errors at once");
    TCase *tcase = tcase_create("problems");
    tcase_add_loop_test(tcase, all_errors, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(tcase, messages_are_whole);
    tcase_add_test(tcase, their_number_is_bounded);
    tcase_add_test(tcase, the_first_one);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
