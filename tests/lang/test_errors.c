/* What is refused, and with which words: file, line, column, source line, caret and hint. */
#include "check_main.h"
#include "fake_symbols.h"
#include "lang/statement.h"
#include "show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REFUSED_MAX = 1000 };

static struct {
    char *text, *message;
} refused[REFUSED_MAX];
static int refused_count;

static void append(char **to, const char *line)
{
    size_t before = *to ? strlen(*to) : 0;
    *to = realloc(*to, before + strlen(line) + 1);
    strcpy(*to + before, line);
}

static void end_with_the_last_line(char *text)
{
    text[strlen(text) - 1] = 0;
}

/* Reads errors.txt; its first lines say how. False: it cannot be read, or holds less than it did. */
static bool read_refused(void)
{
    FILE *file = fopen("tests/lang/errors.txt", "r");
    char *line = NULL;
    size_t size = 0;
    bool in_text = false;
    if (!file)
        return false;
    while (refused_count < REFUSED_MAX && getline(&line, &size, file) > 0) {
        bool text = strncmp(line, "> ", 2) == 0;
        refused_count += text && !in_text;
        in_text = text;
        if (text)
            append(&refused[refused_count - 1].text, line + 2);
        else if (refused_count && *line != '\n')
            append(&refused[refused_count - 1].message, line);
    }
    for (int i = 0; i < refused_count; i++) {
        end_with_the_last_line(refused[i].text);
        end_with_the_last_line(refused[i].message);
    }
    free(line);
    fclose(file);
    return refused_count > 400 && refused_count < REFUSED_MAX;
}

static void must_say(const char *text, const char *message)
{
    const char *got = show(text);
    ck_assert_msg(strcmp(got, message) == 0, "%s\ngave:\n%s\nwanted:\n%s", text, got, message);
}

START_TEST(message)
{
    must_say(refused[_i].text, refused[_i].message);
}
END_TEST

START_TEST(characters_that_no_text_has)
{
    must_say("temp == \001 3", "-e:1:9: error: this character does not belong in a statement\n"
                               "  temp == \? 3\n"
                               "          ^");
    must_say("t\377mp == 3", "-e:1:1: error: there is no variable 't\?mp' in the program\n"
                             "  t\?mp == 3\n"
                             "  ^~~~");
}
END_TEST

/* Deep nesting must be refused, not recursed into. */
START_TEST(nesting_is_bounded)
{
    static const char *const openers[] = {"(", "!", "- ", "~", "old(", "grid["};
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) {
        char *text = malloc(1000000);
        text[0] = 0;
        char *end = text;
        for (int n = 0; n < 100000; n++)
            end = stpcpy(end, openers[i]);
        strcpy(end, "temp");
        const char *got = show(text);
        ck_assert_msg(strstr(got, ": error: ") != NULL, "%.200s", got);
        free(text);
    }
}
END_TEST

START_TEST(expression_size_is_bounded)
{
    char text[8192] = "temp";
    char *end = text + 4;
    for (int n = 0; n < 255; n++)
        end = stpcpy(end, " + temp");
    ck_assert_ptr_null(strstr(show(text), "error"));
    strcpy(end, " + temp");
    ck_assert_ptr_nonnull(strstr(show(text), "error: this expression is too large"));
}
END_TEST

START_TEST(number_of_statements_is_bounded)
{
    char *text = malloc(1000000), *end = text;
    for (int n = 0; n < 65000; n++)
        end = stpcpy(end, "temp{print}");
    ck_assert_ptr_null(strstr(show(text), "error"));
    strcpy(end, "temp");
    ck_assert_ptr_nonnull(strstr(show(text), "error: there are more than 65000 statements"));
    free(text);
}
END_TEST

START_TEST(long_lines_are_cut_around_the_place)
{
    char text[1024] = "";
    for (int n = 0; n < 12; n++)
        strcat(text, "temp > 3 && ");
    strcat(text, "missing == 3");
    for (int n = 0; n < 12; n++)
        strcat(text, " && temp > 3");
    ck_assert_str_eq(show(text), "-e:1:145: error: there is no variable 'missing' in the program\n"
                                 "  ...temp > 3 && temp > 3 && temp > 3 && temp > 3 && temp > 3 && missing == 3 && "
                                 "temp > 3 && temp > 3 && temp > 3 "
                                 "&& temp > 3...\n"
                                 "                                                                 ^~~~~~~");
}
END_TEST

START_TEST(long_names_are_cut)
{
    char text[1000] = "when temp && ";
    memset(text + strlen(text), 'x', 500);
    ck_assert_str_eq(
        show(text),
        "-e:1:14: error: there is no variable "
        "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' "
        "in the program\n"
        "  when temp && "
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."
        "\n"
        "               "
        "^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~");
}
END_TEST

START_TEST(events_are_bounded)
{
    char text[1024] = "temp";
    for (int n = 0; n < 31; n++)
        strcat(text, " then temp");
    ck_assert_ptr_null(strstr(show(text), "error"));
    strcat(text, " then temp");
    ck_assert_ptr_nonnull(strstr(show(text), "error: this event has more than 32 parts"));
    strcpy(text, "");
    for (int n = 0; n < 65; n++)
        strcat(text, "(");
    strcat(text, "temp then mode");
    ck_assert_ptr_nonnull(strstr(show(text), "error: more than 64 levels of parentheses and prefix operators"));
}
END_TEST

START_TEST(a_program_without_main)
{
    fake_without_main = true;
    ck_assert_str_eq(show("1\\x == 3"), "-e:1:1: error: call numbers begin in main, and the program has no main\n"
                                        "  1\\x == 3\n  ^\nhint: name the procedures instead");
    fake_without_main = false;
}
END_TEST

START_TEST(the_file_is_named)
{
    es_text texts[] = {{"good.watch", "a: when temp { print }"}, {"dir/bad.watch", "\n\n  a: when temp { print }"}};
    es_program program;
    es_error err;
    ck_assert(!es_program_parse(fake_symbols(), texts, 2, &program, &err));
    ck_assert_str_eq(err.text, "dir/bad.watch:3:3: error: there is a statement 'a' already, at good.watch:1\n"
                               "    a: when temp { print }\n    ^\nhint: each statement needs a name of its own");
    ck_assert(!es_program_parse(fake_symbols(), texts, 0, &program, &err));
    ck_assert_str_eq(err.text, "there is no statement: give one with -e 'temp > 80' or a file with -s");
    ck_assert(!es_program_parse(fake_symbols(), texts, 2, &program, NULL));
}
END_TEST

int main(void)
{
    if (!read_refused()) {
        fprintf(stderr, "tests/lang/errors.txt: %d statements\n", refused_count);
        return 1;
    }
    Suite *suite = suite_create("statements refused");
    TCase *tcase = tcase_create("errors");
    tcase_add_loop_test(tcase, message, 0, refused_count);
    tcase_add_test(tcase, characters_that_no_text_has);
    tcase_add_test(tcase, nesting_is_bounded);
    tcase_add_test(tcase, expression_size_is_bounded);
    tcase_add_test(tcase, number_of_statements_is_bounded);
    tcase_add_test(tcase, long_lines_are_cut_around_the_place);
    tcase_add_test(tcase, long_names_are_cut);
    tcase_add_test(tcase, events_are_bounded);
    tcase_add_test(tcase, a_program_without_main);
    tcase_add_test(tcase, the_file_is_named);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
