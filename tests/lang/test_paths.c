/* What paths of activations mean: which activation of a stack they denote. */
#include "check_main.h"
#include "fake_symbols.h"
#include "lang/statement.h"

#include <string.h>

#define NONE 99u

/* A stack as text: "main control/110 clamp/190" with the address of the call after the slash. */
static size_t make_stack(const char *text, es_activation *stack)
{
    size_t depth = 0;
    char copy[1024], *rest = copy;
    strcpy(copy, text);
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        char *slash = strchr(word, '/');
        stack[depth].site = slash ? (uint32_t)strtoul(slash + 1, NULL, 16) : 0;
        if (slash)
            *slash = 0;
        stack[depth].procedure = es_symbols_procedure_named(fake_symbols(), word);
        ck_assert_ptr_nonnull(stack[depth++].procedure);
    }
    return depth;
}

static void parse_enter(const char *path, es_program *program)
{
    char text[256];
    es_error err;
    snprintf(text, sizeof text, "enter(%s) || main\\* {count c}", path);
    es_text one = {"-e", text};
    ck_assert_msg(es_program_parse(fake_symbols(), &one, 1, program, &err), "%s", err.text);
}

static const es_path *path_of(const es_program *program)
{
    return program->statements[0].predicate->lhs->path;
}

static const struct {
    const char *path, *stack;
    unsigned found;
} finds[] = {
    {"main:control", "main control/110", 1},
    {"main:control", "main control/110 clamp/190", 1},
    {"main:control", "main", NONE},
    {"main:control", "main fact control", NONE},
    {"main:control", "control main control", NONE},
    {"2", "main control/110 clamp", 1},
    {"2", "main control/118 clamp", NONE},
    {"2:1", "main control/110 clamp/190", 2},
    {"2:clamp", "main control/110 clamp/777", 2},
    {"main:*:clamp", "main clamp", 1},
    {"main:*:clamp", "main control clamp fact", 2},
    {"main:*:clamp", "main control clamp fact clamp", 4},
    {"main:*:clamp", "clamp main", NONE},
    {"control:clamp", "main fact control clamp", 3},
    {"control:clamp", "main control fact clamp", NONE},
    {"*:control:*:clamp", "main control fact even clamp", 4},
    {"fact[1]", "main fact even fact even fact", 1},
    {"fact[2]", "main fact even fact even fact", 3},
    {"fact[3]", "main fact even fact even fact even", 5},
    {"fact[3]", "main fact even fact even", NONE},
    {"fact[3]", "main fact fact fact fact", 3},
    {"main:fact[2]", "main fact even fact", 3},
    {"main:fact[2]", "main control fact fact", NONE},
    {"main:*:fact[2]", "main control fact fact", 3},
    {"main:*:fact[2]", "main control fact fact fact", 3},
    {"fact[2]:even", "main fact even fact even fact even", 4},
    {"fact[2]:even", "main fact even fact fact even", NONE},
    {"fact[2]:*:even", "main fact even fact fact even", 5},
    {"fact:even:fact", "main fact even fact even fact even", 5},
    {"fact[2]:*:even[2]", "main fact even fact even fact even fact even", 6},
};

START_TEST(find)
{
    es_program program;
    es_activation stack[32];
    size_t depth = make_stack(finds[_i].stack, stack);
    parse_enter(finds[_i].path, &program);
    size_t found = es_path_find(path_of(&program), stack, depth);
    size_t wanted = finds[_i].found == NONE ? depth : finds[_i].found;
    ck_assert_msg(found == wanted, "%s in %s: %zu instead of %zu", finds[_i].path, finds[_i].stack, found, wanted);
    es_program_free(&program);
}
END_TEST

/* A path of greatest length over a stack that is deeper. */
START_TEST(deep)
{
    static es_activation stack[600];
    const es_procedure *fact = es_symbols_procedure_named(fake_symbols(), "fact");
    for (size_t i = 0; i < 600; i++)
        stack[i].procedure = fact;
    es_program program;
    parse_enter("fact[256]", &program);
    ck_assert_uint_eq(es_path_depth(path_of(&program)), ES_PATH_DEPTH_MAX);
    ck_assert_uint_eq(es_path_find(path_of(&program), stack, 600), 255);
    ck_assert_uint_eq(es_path_find(path_of(&program), stack, 255), 255); /* none */
    es_program_free(&program);
}
END_TEST

static const struct {
    const char *inner, *outer;
    bool continues;
} pairs[] = {
    {"main:control", "main:control", true},
    {"2:1", "2", true},
    {"2", "2:1", false},
    {"2:1", "main:control", true},
    {"2:1", "main:control:clamp", true},
    {"main:control:clamp", "2:1", false},
    {"2:1", "control:clamp", false},
    {"main:*:clamp:uart_isr", "main:*:clamp", true},
    {"1", "2", false},
    {"fact[2]:even", "fact[2]", true},
    {"fact[3]", "fact[2]", false},
};

START_TEST(continues)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        es_program inner, outer;
        parse_enter(pairs[i].inner, &inner);
        parse_enter(pairs[i].outer, &outer);
        ck_assert_msg(es_path_continues(path_of(&inner), path_of(&outer)) == pairs[i].continues, "%s, %s",
                      pairs[i].inner, pairs[i].outer);
        es_program_free(&inner);
        es_program_free(&outer);
    }
}
END_TEST

START_TEST(depth)
{
    static const struct {
        const char *path;
        unsigned depth;
    } depths[] = {{"main:control", 2},      {"2:1", 3},          {"main:*:clamp", 2}, {"fact[3]", 3},
                  {"main:fact[3]:even", 5}, {"control:clamp", 2}};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        es_program program;
        parse_enter(depths[i].path, &program);
        ck_assert_uint_eq(es_path_depth(path_of(&program)), depths[i].depth);
        es_program_free(&program);
    }
}
END_TEST

/* Calls are counted by line, and the compiler's own helpers are not. */
START_TEST(call_numbers)
{
    const es_symbols *symbols = fake_symbols();
    const es_procedure *from = es_symbols_procedure_named(symbols, "main");
    static const uint32_t sites[] = {0x118, 0x110, 0x120, 0x128, 0x130, 0x138};
    for (unsigned number = 1; number <= 6; number++) {
        const es_call_site *site = es_lang_call(symbols, from, number);
        ck_assert_ptr_nonnull(site);
        ck_assert_uint_eq(site->site, sites[number - 1]);
        ck_assert_uint_eq(es_lang_call_number(symbols, site), number);
    }
    ck_assert_ptr_null(es_lang_call(symbols, from, 0));
    ck_assert_ptr_null(es_lang_call(symbols, from, 7));
    const es_call_site *all;
    size_t count = es_symbols_calls(symbols, &all);
    for (size_t i = 0; i < count; i++)
        if (all[i].callee && strcmp(all[i].callee->name, "__mulsi3") == 0)
            ck_assert_uint_eq(es_lang_call_number(symbols, &all[i]), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("paths");
    TCase *tcase = tcase_create("paths");
    tcase_add_loop_test(tcase, find, 0, (int)(sizeof finds / sizeof *finds));
    tcase_add_test(tcase, deep);
    tcase_add_test(tcase, continues);
    tcase_add_test(tcase, depth);
    tcase_add_test(tcase, call_numbers);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
