/* The real firmware with real images, on the model of the probe. Calls, returns and what is not quite one. */
#include "harness.h"

/* --- paths ----------------------------------------------------------------------------------------------- */

START_TEST(enter_and_leave)
{
    tree_statement(&program, tree_enter(PROCEDURE(G)), NULL, 0, 0);
    tree_statement(&program, tree_leave(PROCEDURE(G)), NULL, 0, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    printf("plain call: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_nothing();
    target_call(m, F_G, G);
    PATH(0, SITE_MAIN, MAIN_F, F_G);
    expect_hit(0, 0, 0x300, 0, 0);
    target_return(m, 0x390, F_G);
    expect_hit(1, 0, 0x390, 0, 0); /* the path still ends in g */
    target_return(m, 0x290, MAIN_F);
    printf("plain return: %llu clocks\n", (unsigned long long)m->hit_clocks);
    target_call(m, MAIN_G, G);
    PATH(1, MAIN_G);
    expect_hit(0, 0, 0x300, 0, 0);
    target_call_pointer(m, G_H, H);
    target_return(m, 0x490, G_H);
    target_return(m, 0x390, MAIN_G);
    expect_hit(1, 0, 0x390, 0, 0);
    expect_nothing();
}
END_TEST

START_TEST(jumps_inside)
{
    statement_x_above(0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    model_fetch(m, 0x180, insn_jal(0x180, 0x100, 0)); /* a loop to main's first instruction */
    model_fetch(m, 0x100, INSN_NOP);
    model_fetch(m, 0x150, INSN_NOP);
    model_fetch(m, MAIN_F + 4, INSN_NOP);                  /* falls upon a return point */
    model_fetch(m, 0x1A0, insn_jal(0x1A0, MAIN_F + 4, 0)); /* jumps to one */
    model_fetch(m, MAIN_F + 4, INSN_NOP);
    model_store(m, X, 1, 4);
    PATH(0, SITE_MAIN);
    expect_hit(0, 0, MAIN_F + 4, 1, 1);
}
END_TEST

START_TEST(tail_call)
{
    tree_statement(&program, tree_enter(PROCEDURE(H)), NULL, 0, 0);
    tree_statement(&program, tree_leave(PROCEDURE(G)), NULL, 0, 0);
    tree_statement(&program, tree_leave(PROCEDURE(H)), NULL, 0, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_G, G);
    target_jump(m, G_TAIL_H, H);
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(1, 0, G_TAIL_H, 0, 0);
    PATH(1, MAIN_G); /* g is gone: h stands where it was called */
    expect_hit(0, 0, 0x400, 0, 0);
    target_return(m, 0x490, MAIN_G); /* h returns to g's caller */
    expect_hit(2, 0, 0x490, 0, 0);
    target_return(m, 0x190, SITE_MAIN);
    expect_nothing();
}
END_TEST

START_TEST(longjmp_and_unknown_return)
{
    statement_x_above(0);
    tree_statement(&program, tree_leave(PROCEDURE(G)), NULL, 0, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    target_call(m, F_G, G);
    target_call(m, G_H, H);
    model_store(m, X, 1, 4);
    PATH(0, SITE_MAIN, MAIN_F, F_G, G_H);
    expect_hit(0, 0, 0x400, 1, 1);
    target_return(m, 0x490, MAIN_G); /* into main, after a call that is not active */
    model_store(m, X, 2, 4);
    PATH_CUT_TO(1);
    expect_hit(0, 0, MAIN_G + 4, 1, 2);
    target_call(m, MAIN_F, F);
    target_call(m, F_G, G);
    target_return(m, 0x390, MAIN_F); /* out of two at once: that of f is matched */
    model_store(m, X, 3, 4);
    expect_hit(0, 0, MAIN_F + 4, 1, 3);
    target_return(m, 0x390, REC_REC); /* rec is not active: nobody knows */
    model_store(m, X, 4, 4);
    expect_hit(0, ES_HITF_PATH_UNKNOWN, REC_REC + 4, 1, 4);
    target_return(m, 0x390, SITE_MAIN);
    model_store(m, X, 5, 4);
    PATH_CUT_TO(0);
    expect_hit(0, 0, SITE_MAIN + 4, 1, 5);
    expect_nothing();
}
END_TEST

START_TEST(deep_recursion)
{
    statement_x_above(0);
    tree_statement(&program, tree_leave(PROCEDURE(REC)), NULL, 0, -1);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_REC, REC);
    for (int depth = 3; depth <= 600; depth++)
        target_call(m, REC_REC, REC);
    model_store(m, X, 1, 4);
    const model_frame *first = expect(ES_FRAME_PATH), *second = expect(ES_FRAME_PATH);
    ck_assert_uint_eq(first->words[1], 0 | 60u << 16);
    ck_assert_uint_eq(second->words[1], 60 | 4u << 16);
    expect_hit(0, ES_HITF_PATH_CUT, 0x500, 1, 1);
    target_interrupt(m);
    target_mret(m, REC_REC + 4);
    model_mail(m, ES_MAIL_PING);
    ck_assert_uint_eq(expect(ES_FRAME_STATUS)->words[4], 600);
    for (int depth = 600; depth > 3; depth--)
        target_return(m, 0x590, REC_REC);
    model_store(m, X, 2, 4);
    PATH_CUT_TO(3);
    expect_hit(0, 0, REC_REC + 4, 1, 2);
    target_return(m, 0x590, REC_REC);
    target_return(m, 0x590, MAIN_REC);
    model_store(m, X, 3, 4);
    PATH_CUT_TO(1);
    expect_hit(0, 0, MAIN_REC + 4, 1, 3);
    model_mail(m, ES_MAIL_FLUSH);
    const model_frame *totals = expect(ES_FRAME_COUNTERS);
    /* 599 activations; those beyond what is recorded leave unseen, and that is told */
    ck_assert_uint_eq(totals->words[3] + expect(ES_FRAME_DONE)->words[3], 599 + 1); /* + the interrupt */
}
END_TEST

START_TEST(longjmp_out_of_deep_recursion)
{
    statement_x_above(0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    target_return(m, 0x290, MAIN_F); /* setjmp, say */
    target_call(m, MAIN_REC, REC);
    for (int depth = 3; depth <= 100; depth++)
        target_call(m, REC_REC, REC);
    target_return(m, 0x290, MAIN_F); /* again: longjmp */
    model_store(m, X, 1, 4);
    PATH(0, SITE_MAIN);
    expect_hit(0, 0, MAIN_F + 4, 1, 1);
    /* into one of several activations of rec: which one, nobody knows */
    target_call(m, MAIN_REC, REC);
    target_call(m, REC_REC, REC);
    target_call(m, REC_REC, REC);
    target_call(m, MAIN_F, F);
    target_call(m, F_G, G);
    target_return(m, 0x390, REC_REC);
    target_return(m, 0x590, MAIN_REC);
    model_store(m, X, 2, 4);
    expect_hit(0, 0, MAIN_REC + 4, 1, 2);
    expect_nothing();
}
END_TEST

START_TEST(interrupts)
{
    statement_x_above(0);
    tree_statement(&program, tree_enter(PROCEDURE(ISR)), NULL, 0, 0);
    tree_statement(&program, tree_leave(PROCEDURE(ISR)), NULL, 0, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    model_fetch(m, 0x220, INSN_NOP);
    target_interrupt(m);
    PATH(0, SITE_MAIN, MAIN_F, 0x220 | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_interrupt(m); /* nested */
    PATH(3, 0x600 | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_mret(m, 0x604);
    expect_hit(2, 0, 0x680, 0, 0);
    target_mret(m, 0x224);
    PATH_CUT_TO(3);
    expect_hit(2, 0, 0x680, 0, 0);
    model_store(m, X, 1, 4);
    PATH_CUT_TO(2);
    expect_hit(0, 0, 0x224, 1, 1);
    /* between a call and the procedure's first instruction */
    model_fetch(m, F_G, insn_jal(F_G, 0x300, 1));
    target_interrupt(m);
    PATH(2, F_G | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_mret(m, 0x300);
    expect_hit(2, 0, 0x680, 0, 0);
    model_store(m, X, 2, 4);
    PATH(2, F_G);
    expect_hit(0, 0, 0x300, 1, 2);
    /* between a return and the return point */
    model_fetch(m, 0x390, INSN_RET_);
    target_interrupt(m);
    PATH(3, 0x390 | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_mret(m, F_G + 4);
    expect_hit(2, 0, 0x680, 0, 0);
    model_store(m, X, 3, 4);
    PATH_CUT_TO(2);
    expect_hit(0, 0, F_G + 4, 1, 3);
    expect_nothing();
    /* a return to what is the handler's first instruction, too */
    target_call(m, REC_LAST, REC);
    target_return(m, 0x590, REC_LAST);
    expect_nothing();
}
END_TEST

/* Right after an mret, the next interrupt comes where the one before it had come, and hides no more than it did. */
START_TEST(interrupts_in_a_row)
{
    statement_x_above(0);
    tree_statement(&program, tree_enter(PROCEDURE(ISR)), NULL, 0, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    model_fetch(m, 0x220, INSN_NOP);
    target_interrupt(m);
    PATH(0, SITE_MAIN, MAIN_F, 0x220 | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_mret(m, 0x600);
    PATH(2, 0x220 | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    model_fetch(m, 0x620, INSN_NOP);
    target_interrupt(m); /* nested, and again */
    PATH(3, 0x620 | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_mret(m, 0x600);
    PATH(3, 0x620 | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_mret(m, 0x624);
    target_mret(m, 0x600);
    PATH(2, 0x220 | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_mret(m, 0x224);
    model_store(m, X, 1, 4);
    PATH_CUT_TO(2);
    expect_hit(0, 0, 0x224, 1, 1);
    model_fetch(m, F_G, insn_jal(F_G, 0x300, 1));
    target_interrupt(m);
    PATH(2, F_G | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_mret(m, 0x600);
    PATH(2, F_G | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_mret(m, 0x300);
    model_store(m, X, 2, 4);
    PATH(2, F_G);
    expect_hit(0, 0, 0x300, 1, 2);
    expect_nothing();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("paths");
    TCase *tests = tcase_create("paths");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, enter_and_leave);
    tcase_add_test(tests, jumps_inside);
    tcase_add_test(tests, tail_call);
    tcase_add_test(tests, longjmp_and_unknown_return);
    tcase_add_test(tests, deep_recursion);
    tcase_add_test(tests, longjmp_out_of_deep_recursion);
    tcase_add_test(tests, interrupts);
    tcase_add_test(tests, interrupts_in_a_row);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
