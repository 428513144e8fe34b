/* Plattner 1984, section II, in the paper's own notation: Fig. 2 and 3, references, factoring, evaluation conditions.
 * The programs are compiled for the reference target, so the numbers of calls and statements come from a compiler's own
 * tables. */
#include "check_main.h"
#include "lang/statement.h"

#include <string.h>

#include "base/text.h"

static es_symbols *open_program(const char *name)
{
    char path[512];
    es_error err;
    snprintf(path, sizeof path, "%s/%s", LANG_TEST_PROGRAMS, name);
    es_symbols *symbols = es_symbols_open(path, &err);
    ck_assert_msg(symbols != NULL, "%s", symbols ? "" : err.text);
    return symbols;
}

/* A path as what the paper calls it: "main, then p2 called in line 29, ...". */
static void add_path(es_text_buffer *out, const es_symbols *symbols, const es_path *path)
{
    for (size_t i = 0; i < path->count; i++) {
        const es_step *step = &path->steps[i];
        const char *file;
        unsigned line = 0;
        if (step->kind == ES_STEP_CALL)
            ck_assert(es_symbols_line(symbols, step->site, &file, &line));
        es_text_format(out, "%s%s", i ? ">" : "", step->procedure->name);
        if (line)
            es_text_format(out, "@%u", line);
    }
}

/* "variable of PATH" for each reference, " at LINE of PATH" for a position, " while PATH" for the evaluation condition;
 * or the error. */
static const char *explain(const char *program_name, const char *text)
{
    static char result[4096];
    es_symbols *symbols = open_program(program_name);
    es_program program;
    es_error err;
    es_text one = {"-e", text};
    es_text_buffer out = {0};
    if (!es_program_parse(symbols, &one, 1, &program, &err)) {
        es_text_format(&out, "%s", err.text);
    } else {
        const es_statement *s = &program.statements[0];
        for (size_t i = 0; i < s->reference_count; i++) {
            es_text_format(&out, "%s%s of ", i ? ", " : "", s->references[i].variable->name);
            if (s->references[i].path)
                add_path(&out, symbols, s->references[i].path);
            else
                es_text_format(&out, "%s", s->references[i].variable->procedure->name);
        }
        const es_expr *e = s->predicate;
        if (e->kind == ES_EXPR_AT)
            es_text_format(&out, "at line %u", e->position->line);
        if (e->kind == ES_EXPR_ACTIVE)
            es_text_format(&out, "%s", e->exact ? "exactly" : "in");
        if (e->path) {
            es_text_format(&out, " ");
            add_path(&out, symbols, e->path);
        }
        const es_condition *condition = s->event->condition;
        for (size_t i = 0; i < condition->exists_count; i++)
            es_text_format(&out, "%s%s", i ? ", " : " while ", condition->exists[i]->text);
        es_program_free(&program);
    }
    es_symbols_close(symbols);
    snprintf(result, sizeof result, "%s", out.text ? out.text : "");
    es_text_free(&out);
    return result;
}

/* The structure of the state space: the paper's algorithm over the numbered calls, down to a depth. */
static void add_space(es_text_buffer *out, const es_symbols *symbols, const es_procedure *procedure, unsigned depth)
{
    es_text_format(out, "%s", procedure->name);
    const es_call_site *site = es_lang_call(symbols, procedure, 1);
    if (!site)
        return;
    es_text_format(out, "(");
    for (unsigned number = 1; depth > 0 && (site = es_lang_call(symbols, procedure, number)); number++) {
        es_text_format(out, "%s%u:", number > 1 ? " " : "", number);
        add_space(out, symbols, site->callee, depth - 1);
    }
    es_text_format(out, depth ? ")" : "...)");
}

static void check_space(const char *name, unsigned depth, const char *wanted)
{
    es_symbols *symbols = open_program(name);
    es_text_buffer out = {0};
    add_space(&out, symbols, es_symbols_procedure_named(symbols, "main"), depth);
    ck_assert_str_eq(out.text, wanted);
    es_text_free(&out);
    es_symbols_close(symbols);
}

START_TEST(figure_2)
{
    check_space("plattner1.elf", 9, "main(1:p2(1:p1) 2:p1)");
}
END_TEST

START_TEST(figure_3)
{
    check_space("plattner2.elf", 1, "main(1:p2(...) 2:p1 3:p2(...))");
    check_space("plattner2.elf", 2, "main(1:p2(1:p2(...) 2:p1 3:p2(...)) 2:p1 3:p2(1:p2(...) 2:p1 3:p2(...)))");
}
END_TEST

static const struct {
    const char *program, *text, *meaning;
} examples[] = {
    /* "the second statement in P1, which was called by P2, which in turn was called by the first call in Ex1" */
    {"plattner1.elf", "control substate = 1:1\\2", "at line 7 main>p2@22>p1@15"},
    {"plattner1.elf", "path == main:p2:p1\\2", "at line 7 main>p2>p1"},
    /* "variable x in Ex1 is written to", "variable x in Ex1 equals variable y in Ex1" */
    {"plattner1.elf", "write(main\\x)", "x of main while *:main"},
    {"plattner1.elf", "main\\x == main\\y", "x of main, y of main while *:main"},
    /* "obviously the variable name x is ambiguous" */
    {"plattner1.elf", "x",
     "-e:1:1: error: 'x' is ambiguous: 2 variables have this name\n  x\n  ^\n"
     "hint: write main\\x (tests/lang/plattner1.c:21) or p2\\x (tests/lang/plattner1.c:13)"},
    /* references */
    {"plattner2.elf", "1:1\\a", "a of main>p2@28>p2@18 while 1:1"},
    {"plattner2.elf", "3:1\\x", "x of main>p2@30>p2@18 while 3:1"},
    {"plattner2.elf", "1:1:2\\b", "b of main>p2@28>p2@18>p1@19 while 1:1:2"},
    /* predicates on the control substate */
    {"plattner2.elf", "control substate = 1:1:2\\5", "at line 11 main>p2@28>p2@18>p1@19"},
    {"plattner2.elf", "control substate = 3:1\\*", "in main>p2@30>p2@18"},
    {"plattner2.elf", "control substate = 3:1", "exactly main>p2@30>p2@18"},
    {"plattner2.elf", "Control substate = 1:1:2\\5", "at line 11 main>p2@28>p2@18>p1@19"},
    /* "common parts of the control substate can be factored out" */
    {"plattner2.elf", "1:3:1\\a = 1:3\\x", "a of main>p2@28>p2@20>p2@18, x of main>p2@28>p2@20 while 1:3:1"},
    {"plattner2.elf", "1:3:{1\\a = x}", "a of main>p2@28>p2@20>p2@18, x of main>p2@28>p2@20 while 1:3:1"},
    {"plattner2.elf", "1:3:{1\\a == x}", "a of main>p2@28>p2@20>p2@18, x of main>p2@28>p2@20 while 1:3:1"},
    /* "a predicate can only be completely evaluated if all state variables that appear as operands exist" */
    {"plattner2.elf", "1:3:1\\a + 1:3:1:2\\b = 0",
     "a of main>p2@28>p2@20>p2@18, b of main>p2@28>p2@20>p2@18>p1@19 while 1:3:1:2"},
    {"plattner2.elf", "1:3:1\\a + 1:3:2\\b = 0",
     "-e:1:11: error: the activations 1:3:1 and 1:3:2 exclude each other, so this can never be evaluated\n"
     "  1:3:1\\a + 1:3:2\\b = 0\n            ^~~~~~~\n"
     "hint: variables of one condition have to lie on one path of calls, as 1:3\\x and 1:3:1\\a do"},
    /* "three state variable references" in one predicate (section III.B) */
    {"plattner2.elf", "1:3:1\\a + 1:3:1:2\\b = 1:3\\x",
     "a of main>p2@28>p2@20>p2@18, b of main>p2@28>p2@20>p2@18>p1@19, x of main>p2@28>p2@20 while 1:3:1:2"},
    /* the same by names, and mixed */
    {"plattner2.elf", "main:p2:p2\\a == 3", "a of main>p2>p2 while main:p2:p2"},
    {"plattner2.elf", "main:3:p2:2\\b == 3", "b of main>p2@30>p2>p1@19 while main:3:p2:2"},
    {"plattner2.elf", "1:4\\a == 3",
     "-e:1:3: error: p2 makes no call number 4\n  1:4\\a == 3\n    ^\n"
     "hint: it calls 1: p2 (line 18), 2: p1 (line 19), 3: p2 (line 20)"},
    {"plattner2.elf", "1:2:1\\a == 3", "-e:1:5: error: p1 makes no call number 1\n  1:2:1\\a == 3\n      ^"},
};

START_TEST(example)
{
    ck_assert_str_eq(explain(examples[_i].program, examples[_i].text), examples[_i].meaning);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("Plattner 1984");
    TCase *tcase = tcase_create("paper");
    tcase_add_test(tcase, figure_2);
    tcase_add_test(tcase, figure_3);
    tcase_add_loop_test(tcase, example, 0, (int)(sizeof examples / sizeof *examples));
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
