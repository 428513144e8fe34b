/* The code of statements about real programs: looked at after each pass, and run beside its words. */
#include <string.h>

#include "check/boards.h"
#include "check_main.h"
#include "checker.h"
#include "image/image.h"

/* Programs (compiled at -O0 for locals, at -O2 for what moves) and files of statements about them. */
static const struct {
    const char *program, *statements;
} runs[] = {
    {"examples/thermostat-O0.elf", "examples/thermostat/thermostat.watch"},
    {"examples/thermostat-O0.elf", "examples/thermostat/locals.watch"},
    {"examples/thermostat-O2.elf", "examples/thermostat/thermostat.watch"},
    {"examples/recursion-O0.elf", "examples/recursion/recursion.watch"},
    {"examples/recursion-O0.elf", "examples/recursion/locals.watch"},
    {"examples/nested-O0.elf", "examples/nested/nested.watch"},
    {"examples/nested-O0.elf", "examples/nested/locals.watch"},
    {"examples/interrupts-O0.elf", "examples/interrupts/interrupts.watch"},
    {"examples/interrupts-O0.elf", "examples/interrupts/locals.watch"},
    {"examples/tasks-O0.elf", "examples/tasks/tasks.watch"},
};

/* Statements with what the files do not have, about the thermostat. */
static const char *const others[] = {
    "when temp unchanged for 2ms && mode != 0 { print temp, mode }",
    "when enter(control) then write(temp) && temp > 20 within 3ms { print temp; count seen }",
    "when write(temp) && age(temp) > 1ms { print temp, age(temp) }",
    "when temp * mode / 3 % 7 == 1 && old(temp) != temp { print old(temp) }",
    "when (temp > 80 for 1ms) and leave(control) { print temp }",
};

static void build(const char *program, const es_text *text, bool times)
{
    char path[200];
    es_error err;
    es_program parsed;
    es_image image;
    es_probe_limits limits = es_check_board_named("sim")->limits;
    limits.times = times;
    limits.lacks = 0;
    limits.memory_size = 0x10000;
    snprintf(path, sizeof path, TESTS_BUILD "/%s", program);
    es_symbols *symbols = es_symbols_open(path, &err);
    ck_assert_msg(symbols != NULL, "%s: %s", path, err.text);
    ck_assert_msg(es_program_parse(symbols, text, 1, &parsed, &err), "%s: %s", text->file, err.text);
    es_ir_check = ir_checker;
    ir_checker_runs = 40;
    ck_assert_msg(es_image_build(symbols, &parsed, &limits, &image, &err), "%s: %s", text->file, err.text);
    es_ir_check = NULL;
    es_image_free(&image);
    es_program_free(&parsed);
    es_symbols_close(symbols);
}

static void tell(const char *name)
{
    printf("%s: %zu pieces of %zu instructions, %zu runs, %zu of them to an end: %zu words\n", name,
           ir_checked_so_far.routines, ir_checked_so_far.insns, ir_checked_so_far.runs, ir_checked_so_far.ended,
           ir_checked_so_far.words);
    ck_assert_uint_gt(ir_checked_so_far.ended, 0);
}

START_TEST(files)
{
    es_text_buffer content = {0};
    es_error err;
    ck_assert_msg(es_text_read_file(&content, runs[_i].statements, 1 << 20, &err), "%s", err.text);
    build(runs[_i].program, &(es_text){.file = runs[_i].statements, .text = content.text}, _i % 2);
    es_text_free(&content);
    tell(runs[_i].statements);
}
END_TEST

START_TEST(single_statements)
{
    build("examples/thermostat-O0.elf", &(es_text){.file = others[_i], .text = others[_i]}, false);
    tell(others[_i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ir of images");
    TCase *test = tcase_create("images");
    tcase_set_timeout(test, 120);
    tcase_add_loop_test(test, files, 0, sizeof runs / sizeof *runs);
    tcase_add_loop_test(test, single_statements, 0, sizeof others / sizeof *others);
    suite_add_tcase(suite, test);
    return check_main(suite);
}
