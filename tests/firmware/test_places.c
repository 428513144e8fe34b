/* Execution comes to a line: at(), on the model of the probe. What is fetched is not always executed. */
#include "harness.h"

#include <stdlib.h>

#define LINE 0x0330u        /* in g */
#define BEHIND_CALL 0x0114u /* in main: the return point after its call of f */

static const es_position *position(const uint32_t *addresses, size_t count)
{
    es_position *made = calloc(1, sizeof *made);
    *made = (es_position){.text = "f.c:1", .file = "f.c", .line = 1, .addresses = addresses, .count = count};
    return made;
}

static es_expr *at(const es_position *place)
{
    es_expr *expr = calloc(1, sizeof *expr);
    *expr = (es_expr){.kind = ES_EXPR_AT, .position = place};
    return expr;
}

static es_expr *at_one(uint32_t address)
{
    uint32_t *copy = malloc(sizeof *copy);
    *copy = address;
    return at(position(copy, 1));
}

static void in_g(void)
{
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_G, G);
}

START_TEST(each_place_of_a_line)
{
    static const uint32_t addresses[] = {LINE, 0x0350};
    es_reference x = tree_static(&tree_int, X);
    tree_statement(&program, at(position(addresses, 2)), &x, 1, 1);
    start();
    model_store(m, X, 5, 4);
    in_g();
    model_fetch(m, LINE - 4, INSN_NOP);
    model_fetch(m, LINE, INSN_NOP);
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(0, 0, LINE, 1, 5);
    model_store(m, X, 6, 4); /* of the instruction there: later */
    model_fetch(m, LINE + 4, insn_jal(LINE + 4, 0x0350, 0));
    model_fetch(m, 0x0350, INSN_NOP);
    expect_hit(0, 0, 0x0350, 1, 6);
    model_fetch(m, 0x0354, insn_jal(0x0354, LINE, 0)); /* a loop */
    model_fetch(m, LINE, INSN_NOP);
    expect_hit(0, 0, LINE, 1, 6);
    printf("at, true, one value: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_nothing();
}
END_TEST

START_TEST(interrupts_neither_lose_nor_double)
{
    tree_statement(&program, at_one(LINE), NULL, 0, 0);
    start();
    in_g();
    model_fetch(m, LINE - 4, INSN_NOP);
    target_interrupt(m); /* before it is fetched */
    target_mret(m, LINE);
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(0, 0, LINE, 0, 0);
    target_interrupt(m); /* after it was executed */
    target_mret(m, LINE + 4);
    expect_nothing();
    model_fetch(m, LINE - 4, INSN_NOP);
    model_fetch(m, LINE, INSN_NOP);
    expect_hit(0, 0, LINE, 0, 0);
    target_interrupt(m); /* it was fetched, and is fetched again */
    target_mret(m, LINE);
    model_fetch(m, LINE + 4, INSN_NOP);
    expect_nothing();
    model_fetch(m, LINE, INSN_NOP); /* from somewhere else */
    expect_hit(0, 0, LINE, 0, 0);
    model_fetch(m, LINE, INSN_NOP); /* the bus was slow */
    expect_nothing();
}
END_TEST

START_TEST(behind_jumps)
{
    tree_statement(&program, at_one(LINE), NULL, 0, 0);
    start();
    in_g();
    model_fetch(m, LINE - 4, insn_jal(LINE - 4, 0x0360, 0));
    model_fetch(m, LINE, INSN_NOP); /* in vain */
    model_fetch(m, 0x0360, INSN_NOP);
    model_fetch(m, LINE - 4, INSN_RET_);
    model_fetch(m, LINE, INSN_NOP);
    model_fetch(m, LINE - 4, 0x000780E7u); /* jalr ra */
    model_fetch(m, LINE, INSN_NOP);
    expect_nothing();
    model_fetch(m, LINE - 4, 0x00078067u); /* a jump table's first case */
    model_fetch(m, LINE, INSN_NOP);
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(0, 0, LINE, 0, 0);
}
END_TEST

START_TEST(to_itself)
{
    tree_statement(&program, at_one(TARGET_LOOP), NULL, 0, 0);
    start();
    in_g();
    model_fetch(m, TARGET_LOOP - 4, INSN_NOP);
    for (int i = 0; i < 3; i++)
        model_fetch(m, TARGET_LOOP, insn_jal(TARGET_LOOP, TARGET_LOOP, 0));
    PATH(0, SITE_MAIN, MAIN_G);
    for (int i = 0; i < 3; i++)
        expect_hit(0, 0, TARGET_LOOP, 0, 0);
    expect_nothing();
}
END_TEST

/* One event, of all that the statement names. */
START_TEST(a_first_instruction_is_an_entry)
{
    es_reference x = tree_static(&tree_int, X);
    tree_statement(&program, tree_binary(ES_OP_LOGOR, tree_enter(PROCEDURE(G)), at_one(0x0300)), &x, 1, 0);
    tree_statement(&program, tree_binary(ES_OP_LOGAND, tree_enter(PROCEDURE(G)), at_one(0x0300)), &x, 1, 0);
    tree_statement(&program, at_one(0x0300), &x, 1, 0);
    start();
    in_g();
    PATH(0, SITE_MAIN, MAIN_G);
    for (unsigned i = 0; i < 3; i++)
        expect_hit(i, 0, 0x0300, 0, 0);
    model_fetch(m, 0x0320, insn_jal(0x0320, 0x0300, 0)); /* a loop */
    model_fetch(m, 0x0300, INSN_NOP);
    expect_hit(0, 0, 0x0300, 0, 0);
    expect_hit(2, 0, 0x0300, 0, 0);
    target_return(m, 0x0390, MAIN_G);
    target_jump(m, 0x0150, G); /* a tail call */
    PATH(0, SITE_MAIN);
    for (unsigned i = 0; i < 3; i++)
        expect_hit(i, 0, 0x0300, 0, 0);
    expect_nothing();
}
END_TEST

START_TEST(return_points)
{
    tree_statement(&program, tree_binary(ES_OP_LOGOR, tree_leave(PROCEDURE(F)), at_one(BEHIND_CALL)), NULL, 0, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    target_return(m, 0x0290, MAIN_F);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x0290, 0, 0);
    PATH_CUT_TO(1);
    expect_hit(0, 0, BEHIND_CALL, 0, 0);
    model_fetch(m, 0x0150, insn_jal(0x0150, BEHIND_CALL, 0)); /* a loop */
    model_fetch(m, BEHIND_CALL, INSN_NOP);
    expect_hit(0, 0, BEHIND_CALL, 0, 0);
    expect_nothing();
}
END_TEST

START_TEST(the_end_of_a_handler)
{
    tree_statement(&program, tree_binary(ES_OP_LOGOR, at_one(0x0680), tree_leave(PROCEDURE(ISR))), NULL, 0, 0);
    start();
    in_g();
    model_fetch(m, 0x0310, INSN_NOP);
    target_interrupt(m);
    target_mret(m, 0x0314);
    PATH(0, SITE_MAIN, MAIN_G, 0x0310 | ES_SITE_INTERRUPT);
    expect_hit(0, 0, 0x0680, 0, 0);
    expect_hit(0, 0, 0x0680, 0, 0);
    expect_nothing();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("places");
    TCase *tests = tcase_create("places");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, each_place_of_a_line);
    tcase_add_test(tests, interrupts_neither_lose_nor_double);
    tcase_add_test(tests, behind_jumps);
    tcase_add_test(tests, to_itself);
    tcase_add_test(tests, a_first_instruction_is_an_entry);
    tcase_add_test(tests, return_points);
    tcase_add_test(tests, the_end_of_a_handler);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
