/* The real firmware with real images, on the model of the probe. Stacks that the program switches by hand: f does. */
#include "harness.h"

#define SWITCH 0x0280u  /* in f: the stack pointer becomes another one */
#define LONGJMP 0x0480u /* in h, as in longjmp */
#define LOCAL (-20)

static es_symbols symbols;
static es_switch switches[] = {{SWITCH, &target_procedures[F], false}, {LONGJMP, &target_procedures[H], true}};

static void setup(void)
{
    harness_setup();
    symbols = target_symbols;
    symbols.switches = switches;
    symbols.switch_count = 2;
}

/* `main:f:g` at writes to x; `enter(h)`, `leave(g)`, `leave(main)`; a local of g, which is found by its path. */
static void start_here(void)
{
    es_error err;
    es_reference x = tree_static(&tree_int, X), local = tree_local(&tree_int, PROCEDURE(G), LOCAL);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &x, 1, 1);
    tree_statement(&program, tree_enter(PROCEDURE(H)), NULL, 0, 0);
    tree_statement(&program, tree_leave(PROCEDURE(MAIN)), NULL, 0, 0);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &local, 1, 1);
    ck_assert_msg(es_image_build(&symbols, &program, &target_limits, &image, &err), "%s", err.text);
    model_start(m, &image);
    ck_assert_ptr_nonnull(model_next(m));
    target_call(m, SITE_MAIN, MAIN);
}

/* The next hit, whatever path goes before it. */
static const model_frame *expect_told(uint32_t statement, uint32_t flags)
{
    const model_frame *frame = model_next(m);
    while (frame && (frame->words[0] & 0xFF) == ES_FRAME_PATH)
        frame = model_next(m);
    ck_assert_ptr_nonnull(frame);
    ck_assert_uint_eq(frame->words[3], statement | flags << 16);
    return frame;
}

/* A hit of `x > 0`. */
static void expect_x(uint32_t flags, uint32_t pc, uint32_t value)
{
    model_store(m, X, value, 4);
    const model_frame *frame = expect_told(0, flags);
    ck_assert_uint_eq(frame->words[4], pc);
    ck_assert_uint_eq(frame->words[5], value);
}

static void expect_figures(uint32_t unknown, uint32_t switched)
{
    model_mail(m, ES_MAIL_FLUSH);
    const model_frame *frame = model_next(m);
    while (frame && (frame->words[0] & 0xFF) != ES_FRAME_DONE)
        frame = model_next(m);
    ck_assert_ptr_nonnull(frame);
    ck_assert_uint_eq(frame->count, 6);
    ck_assert_uint_eq(frame->words[3], unknown);
    ck_assert_uint_eq(frame->words[5], switched);
}

/* After a switch nothing is known but what is called then; a return from nobody knows what is counted, and so is each
 * activation with a local. */
START_TEST(unknown_until_the_root)
{
    start_here();
    target_call(m, MAIN_F, F);
    expect_x(0, 0x200, 1);
    model_fetch(m, SWITCH, INSN_NOP);
    printf("switch of stacks: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_x(ES_HITF_PATH_UNKNOWN, SWITCH, 2);
    model_fetch(m, 0x290, INSN_RET_);
    model_fetch(m, 0x400, INSN_NOP); /* another stack begins */
    expect_told(1, ES_HITF_PATH_UNKNOWN);
    target_call(m, F_G, G);
    target_return(m, 0x390, F_G);
    expect_x(ES_HITF_PATH_UNKNOWN, F_G + 4, 3);
    target_call(m, 0x420, F);
    model_fetch(m, SWITCH, INSN_NOP);
    target_return(m, 0x290, MAIN_F);    /* main's call of f returns at last */
    expect_x(0, MAIN_F + 4, 4);         /* main is active but once, whatever the stack */
    target_return(m, 0x190, SITE_MAIN); /* to start-up code: there is nothing but main's stack */
    expect_told(2, 0);
    target_call(m, SITE_MAIN, MAIN);
    expect_x(0, 0x100, 5);
    /* three switches, a beginning among them; g's local; the return to main */
    expect_figures(3 + 1 + 1, 3);
}
END_TEST

/* A longjmp is none as long as there is one stack, wherever it goes to on it. */
START_TEST(longjmp_on_one_stack)
{
    start_here();
    target_call(m, MAIN_G, G);
    target_call(m, G_H, H);
    PATH(0, SITE_MAIN, MAIN_G, G_H);
    expect_hit(1, 0, 0x400, 0, 0);
    model_fetch(m, LONGJMP, INSN_NOP);
    model_fetch(m, 0x490, INSN_RET_);
    model_fetch(m, MAIN_F + 4, INSN_NOP); /* main's setjmp */
    expect_x(0, MAIN_F + 4, 1);
    expect_figures(0, 0);
}
END_TEST

/* One that leads to nobody on this stack was a switch; those after it are taken for switches. */
START_TEST(longjmp_elsewhere)
{
    start_here();
    target_call(m, MAIN_G, G);
    target_call(m, G_H, H);
    PATH(0, SITE_MAIN, MAIN_G, G_H);
    expect_hit(1, 0, 0x400, 0, 0);
    model_fetch(m, LONGJMP, INSN_NOP);
    model_fetch(m, 0x490, INSN_RET_);
    model_fetch(m, F_G + 4, INSN_NOP);
    expect_x(ES_HITF_PATH_UNKNOWN, F_G + 4, 1);
    target_call(m, F_G, G);
    model_fetch(m, LONGJMP, INSN_NOP);
    model_fetch(m, 0x490, INSN_RET_);
    model_fetch(m, MAIN_F + 4, INSN_NOP);
    expect_x(0, MAIN_F + 4, 2);
    expect_figures(5, 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("firmware stack switches");
    TCase *tcase = tcase_create("switches");
    tcase_add_checked_fixture(tcase, setup, harness_teardown);
    tcase_add_test(tcase, unknown_until_the_root);
    tcase_add_test(tcase, longjmp_on_one_stack);
    tcase_add_test(tcase, longjmp_elsewhere);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
