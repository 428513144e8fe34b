/* Statements over what is in registers: with cells they become images, without them they are refused as ever. */
#include "check_main.h"
#include "image/image.h"
#include "lang/statement.h"
#include "symbols/shadows.h"
#include "symbols/values.h"

#include <string.h>

enum { CELLS = 0x40000, CELLS_SIZE = 0x10000 };

static es_symbols *open_program(bool shadows)
{
    es_error err;
    es_symbols *symbols = es_symbols_open(LANG_TEST_PROGRAMS "/shadow-O2.elf", &err);
    ck_assert_msg(symbols != NULL, "%s", symbols ? "" : err.text);
    if (shadows)
        es_symbols_use_shadows(symbols, CELLS, CELLS_SIZE);
    return symbols;
}

static const es_probe_limits limits = {
    .memory_size = 65536, .window_base = 0, .window_size = 0x80000, .bus_hz = 10000000, .tracker = true};

/* "" when it becomes an image; else the error. *symbols is open. */
static const char *compile(const es_symbols *symbols, const char *text)
{
    static es_error err;
    es_program program;
    es_text one = {"-e", text};
    es_image image;
    if (!es_program_parse(symbols, &one, 1, &program, &err))
        return err.text;
    bool built = es_image_build(symbols, &program, &limits, &image, &err);
    if (built)
        es_image_free(&image);
    es_program_free(&program);
    return built ? "" : err.text;
}

static const char *const accepted[] = {
    "clamp\\value > 3",
    "write(clamp\\lo) && clamp\\lo < 0 { print clamp\\lo, main:control:clamp\\lo }",
    "enter(clamp) { print clamp\\lo, clamp\\value, clamp\\hi }",
    "enter(control) && control\\n > 1 { print control\\n }",
    "write(control\\sum) { print old(control\\sum), control\\sum, in }",
    "write(out) { print control\\n, control\\sum }",
    "write(out) && *:control\\sum == 4",
    "control\\i becomes 3",
    "leave(clamp) { print result(clamp) }",
    "leave(clamp) && result(clamp) < 0",
    "leave(halves) { print result(halves).a, result(halves).b }",
    "leave(spread) { print result(spread).a[3] }",
    "leave(wide) && result(wide) > 5000000000 { print result(wide) }",
    "write(wide\\y) { print wide\\y }",
    "enter(fact) { print fact\\n }",
    "write(in) { print reg(sp), reg(a0), reg(x11) }",
    "write(out) && reg(a0) != 0",
    "write(out) && stackdepth > 40 { print stackdepth, stackpeak }",
    "write(out) { stats(stackpeak) by task; hist(stackdepth) }",
    "write(scaled\\raw) { print scaled\\raw }",
    "write(in) { print control\\step }",
    "write(out) { stats(control\\sum) by control\\n }",
    "age(control\\sum) > 5us && write(out)",
    "leave(scaled)",
    "leave(control:scaled) { print control:scaled\\raw }",
    "write(out) && control:scaled",
    "control:scaled:{raw > 3}",
};

static const struct {
    const char *text, *message;
} refused[] = {
    {"write(result(clamp))", "expected the name of a variable"},
    {"leave(quiet) { print result(quiet) }", "there is no result(quiet): quiet returns nothing"},
    {"path == main:control:scaled", "scaled was inlined there: it is no activation of its own on the stack"},
    {"at(control:scaled\\1)", "statements of inlined copies have no numbers"},
    {"enter(control:scaled:2)", "calls of inlined copies have no numbers of their own"},
    {"enter(control:scaled:*:clamp)", "* cannot follow an inlined procedure"},
    {"enter(control:scaled:clamp)", "scaled does not call clamp"},
    {"enter(*:scaled[1])", "scaled has inlined copies only, and they are not numbered"},
    {"write(out) { print result(scaled) }",
     "there is no result(scaled): it was inlined wherever it is called, as into control"},
    {"write(out) { print reg(q7) }", "'q7' is no register"},
    {"write(out) { print reg(7) }", "expected the name of a register"},
    {"write(stackdepth)", "so it would never be evaluated"},
    {"stackdepth > 100", "result(f), reg(x) and stackdepth are values and no events"},
    {"write(out) { print result(missing) }", "there is no procedure 'missing' in the program"},
    {"write(in) { print main:fact[2]\\n }", "fact is recursive: only its innermost activation can be meant"},
    {"halves\\p.a > 3", "'halves\\p' is not observable: was optimised away"},
    {"write(out) && &control\\sum == 3", "control\\sum has no address: it is not in memory"},
};

START_TEST(with_cells)
{
    es_symbols *symbols = open_program(true);
    ck_assert_str_eq(compile(symbols, accepted[_i]), "");
    const es_shadow *const *shadows;
    size_t count = es_symbols_shadows(symbols, &shadows);
    ck_assert_uint_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_ge(shadows[i]->address, i ? shadows[i - 1]->address + shadows[i - 1]->size : CELLS);
        ck_assert_uint_eq(shadows[i]->address % (shadows[i]->size >= 8 ? 8 : 4), 0);
        ck_assert_uint_eq(shadows[i]->variable->address, shadows[i]->address);
        ck_assert_ptr_eq(shadows[i]->variable->shadow, shadows[i]);
        ck_assert_uint_eq(shadows[i]->size, shadows[i]->variable->type->size);
        ck_assert_int_eq(shadows[i]->kind == ES_SHADOW_VARIABLE, shadows[i]->words != NULL);
    }
    es_symbols_close(symbols);
}
END_TEST

START_TEST(without_cells)
{
    es_symbols *symbols = open_program(false);
    const char *message = compile(symbols, accepted[_i]);
    ck_assert_msg(strstr(message, "is not observable: ") || strstr(message, "is in registers, which no bus shows") ||
                      strstr(message, "has no code of its own") || strstr(message, "--replay knows where"),
                  "%s\n%s", accepted[_i], message);
    es_symbols_close(symbols);
}
END_TEST

START_TEST(refusals)
{
    es_symbols *symbols = open_program(true);
    const char *message = compile(symbols, refused[_i].text);
    ck_assert_msg(strstr(message, refused[_i].message), "%s\n%s", refused[_i].text, message);
    es_symbols_close(symbols);
}
END_TEST

/* The cell's words are what the refusal says, but for the advice. */
START_TEST(words)
{
    es_symbols *symbols = open_program(true);
    ck_assert_str_eq(compile(symbols, "enter(clamp) { print clamp\\lo, result(clamp), reg(fp), reg(s0) }"), "");
    const es_shadow *const *shadows;
    ck_assert_uint_eq(es_symbols_shadows(symbols, &shadows), 3);
    ck_assert_ptr_nonnull(strstr(shadows[0]->words, "is in register a0 in tests/lang/shadow.c:"));
    ck_assert_ptr_null(strstr(shadows[0]->words, "compile"));
    ck_assert_uint_eq(shadows[1]->reg, 10);
    ck_assert_int_eq(shadows[2]->kind, ES_SHADOW_REGISTER);
    ck_assert_uint_eq(shadows[2]->reg, 8);
    es_symbols_close(symbols);
}
END_TEST

/* What stands for a register is a variable to all who ask about variables, whatever lies after it in memory. */
START_TEST(made_up_variables)
{
    static const char *const names[] = {"a0", "a1", "a2", "sp", "s0", "t0"};
    enum { COUNT = sizeof names / sizeof *names };
    es_symbols *symbols = open_program(true);
    const es_variable *made[COUNT];
    const es_value_copy *copies;
    const char *why;
    for (size_t i = 0; i < COUNT; i++)
        made[i] = es_symbols_register_shadow(symbols, names[i], &why);
    for (size_t i = 0; i < COUNT; i++) {
        ck_assert_ptr_nonnull(made[i]);
        ck_assert_ptr_null(es_symbols_scoped(symbols, made[i]));
        ck_assert(!es_symbols_variable_in_library(made[i]));
        ck_assert_uint_eq(es_symbols_value_copies(symbols, made[i], &copies), 0);
    }
    es_symbols_close(symbols);
}
END_TEST

/* Nobody gets what is not there: the cells end, and the old refusal is back. */
START_TEST(no_room)
{
    es_symbols *symbols = open_program(false);
    es_symbols_use_shadows(symbols, CELLS, 8);
    ck_assert_str_eq(compile(symbols, "enter(clamp) { print clamp\\lo, clamp\\hi }"), "");
    ck_assert_ptr_nonnull(strstr(compile(symbols, "clamp\\value > 3"), "is not observable"));
    es_symbols_close(symbols);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shadow cells");
    TCase *tcase = tcase_create("shadow");
    tcase_add_loop_test(tcase, with_cells, 0, (int)(sizeof accepted / sizeof *accepted));
    tcase_add_loop_test(tcase, without_cells, 0, (int)(sizeof accepted / sizeof *accepted));
    tcase_add_loop_test(tcase, refusals, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_test(tcase, words);
    tcase_add_test(tcase, made_up_variables);
    tcase_add_test(tcase, no_room);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
