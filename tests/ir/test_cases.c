/* Each pass by small texts: tests/ir/cases/ holds code and what a pass must make of it.
 *
 *     == what it shows: pass [pass ...]
 *     code
 *     --
 *     code after the passes; of `verify` what is wrong, of `emit` the words
 */
#include <string.h>

#include "check_main.h"
#include "reader.h"

static const struct {
    const char *name;
    void (*run)(es_ir_code *code);
} passes[] = {{"renumber", es_ir_renumber}, {"legalize", es_ir_legalize}, {"allocate", es_ir_allocate},
              {"layout", es_ir_layout},     {"emit", es_ir_emit},         {"finish", es_ir_finish}};

static const char *const files[] = {"read", "verify", "renumber", "legalize", "allocate", "layout", "emit"};

/* Runs what the heading names after ':'; writes what comes out. */
static void run(es_ir_code *code, char *names, es_text_buffer *out)
{
    char why[120];
    bool words = false;
    const char *wrong = es_ir_verify(code, why);
    if (strstr(names, "verify")) {
        es_text_format(out, "%s\n", wrong ? wrong : "well formed");
        return;
    }
    ck_assert_msg(!wrong, "%s: %s", names, wrong);
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
        bool found = false;
        for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
            if (strcmp(passes[i].name, name) == 0) {
                passes[i].run(code);
                found = true;
            }
        ck_assert_msg(found || strcmp(name, "print") == 0, "no pass '%s'", name);
        wrong = es_ir_verify(code, why);
        ck_assert_msg(!wrong, "after %s: %s", name, wrong);
        words |= strcmp(name, "emit") == 0 || strcmp(name, "finish") == 0;
    }
    for (size_t i = 0; words && i < code->word_count; i++)
        es_text_format(out, "    %08x\n", (unsigned)code->words[i]);
    if (!words)
        es_ir_print(code, out, NULL, NULL);
}

static void run_case(const char *file, char *text)
{
    es_ir_code code = {.base = 0x7400, .ram_at = 0x9000, .spill = 64};
    es_text_buffer out = {0};
    char *body = strchr(text, '\n'), *expected = strstr(text, "\n--\n"), *names = body;
    ck_assert_msg(expected != NULL, "%s: no '--' in: %s", file, text);
    *body++ = 0;
    *expected = 0;
    expected += strlen("\n--\n");
    while (names > text && *names != ':')
        names--;
    const char *wrong = ir_read(&code, body > expected ? "" : body);
    ck_assert_msg(!wrong, "%s: %s: %s", file, text, wrong);
    *names++ = 0;
    run(&code, names, &out);
    ck_assert_msg(strcmp(out.text ? out.text : "", expected) == 0, "%s: %s:\n%s--- but it must be\n%s", file, text,
                  out.text ? out.text : "", expected);
    es_ir_free(&code);
    es_text_free(&out);
}

START_TEST(cases)
{
    char path[80];
    es_text_buffer text = {0};
    es_error err;
    snprintf(path, sizeof path, "tests/ir/cases/%s.ir", files[_i]);
    ck_assert_msg(es_text_read_file(&text, path, 1 << 20, &err), "%s", err.text);
    char *next = strstr(text.text, "== ");
    size_t count = 0;
    while (next) {
        char *here = next + 3;
        next = strstr(here, "\n== ");
        if (next) {
            next[1] = 0;
            next++;
        }
        run_case(path, here);
        count++;
    }
    ck_assert_uint_gt(count, 0);
    es_text_free(&text);
}
END_TEST

/* A branch over, or back over, so many stores: does layout find it near? */
static bool is_near(bool back, unsigned stores)
{
    es_ir_code code = {0};
    es_ir_begin(&code, 0x7400);
    uint32_t target = es_ir_label(&code);
    if (back)
        es_ir_here(&code, target);
    else
        es_ir_branch(&code, ES_IR_IF_LESS, ES_IR_A0, ES_IR_A1, target);
    for (unsigned i = 0; i < stores; i++)
        es_ir_store(&code, ES_IR_STORE, ES_IR_A0, ES_IR_HIT, 0);
    if (back)
        es_ir_branch(&code, ES_IR_IF_LESS, ES_IR_A0, ES_IR_A1, target);
    else
        es_ir_here(&code, target);
    es_ir_layout(&code);
    es_ir_emit(&code);
    bool far = code.insns[back ? stores + 1 : 0].far;
    uint32_t expected = 0x7400 + 4 * (stores + 1 + far);
    ck_assert_uint_eq(es_ir_address(&code, target), back ? 0x7400 : expected);
    ck_assert_uint_eq(code.word_count, stores + 1 + far);
    if (far) { /* bge a0, a1, 8; jal zero, target */
        ck_assert_uint_eq(code.words[back ? stores : 0], 0x00B55463);
        ck_assert_uint_eq(code.words[back ? stores + 1 : 1] & 0xFFF, 0x06F);
    }
    es_ir_free(&code);
    return !far;
}

START_TEST(limits_of_branches)
{
    ck_assert(is_near(false, 1022)); /* 4092 bytes ahead; 4094 is the most that can be encoded */
    ck_assert(!is_near(false, 1023));
    ck_assert(is_near(true, 1024)); /* 4096 bytes back */
    ck_assert(!is_near(true, 1025));
}
END_TEST

/* One branch that becomes far moves what stands after it, so that another no longer reaches. */
START_TEST(far_branches_push)
{
    es_ir_code code = {0};
    es_ir_begin(&code, 0x7400);
    uint32_t near = es_ir_label(&code), far = es_ir_label(&code);
    es_ir_branch(&code, ES_IR_IF_EQ, ES_IR_A0, ES_IR_A1, near);
    es_ir_branch(&code, ES_IR_IF_EQ, ES_IR_A0, ES_IR_A1, far);
    for (unsigned i = 0; i < 1021; i++)
        es_ir_store(&code, ES_IR_STORE, ES_IR_A0, ES_IR_HIT, 0);
    es_ir_here(&code, near);
    es_ir_store(&code, ES_IR_STORE, ES_IR_A0, ES_IR_HIT, 0);
    es_ir_store(&code, ES_IR_STORE, ES_IR_A0, ES_IR_HIT, 0);
    es_ir_here(&code, far);
    es_ir_layout(&code);
    ck_assert(code.insns[1].far);
    ck_assert(code.insns[0].far);
    ck_assert_uint_eq(es_ir_address(&code, near), 0x7400 + 4 * (4 + 1021));
    es_ir_free(&code);
}
END_TEST

/* The verifier knows operations by number, too. */
START_TEST(no_operation)
{
    char why[120];
    es_ir_code code = {0};
    es_ir_begin(&code, 0);
    es_ir_return(&code, ES_IR_RA, 0);
    ck_assert_ptr_null(es_ir_verify(&code, why));
    code.insns[0].op = ES_IR_OP_COUNT;
    ck_assert_ptr_nonnull(strstr(es_ir_verify(&code, why), "there is no operation"));
    code.insns[0] = (es_ir_insn){.op = ES_IR_COPY, .rd = ES_IR_A0, .a = ES_IR_RAM_BASE};
    code.next = ES_IR_RAM_BASE; /* it would be one more */
    ck_assert_ptr_nonnull(es_ir_verify(&code, why));
    es_ir_free(&code);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ir cases");
    TCase *test = tcase_create("cases");
    tcase_add_loop_test(test, cases, 0, sizeof files / sizeof *files);
    tcase_add_test(test, limits_of_branches);
    tcase_add_test(test, far_branches_push);
    tcase_add_test(test, no_operation);
    suite_add_tcase(suite, test);
    return check_main(suite);
}
