/* Pointers and indices that are locals, and pointers that lead into frames. */
#include "pointers.h"

START_TEST(over_a_frame)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(F), -20);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(5)), &local, 1, 1);
    statement_value(P);
    uint32_t word = CFA_CALLEE_OF_MAIN - 20;
    model_know(m, P, word - VALUE);
    start();
    ck_assert_uint_eq(plane(word), 2);
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, word, 6, 4); /* of no frame yet */
    PATH(0, SITE_MAIN);
    expect_hit(1, 0, MAIN_F & ~0xFFu, 1, 6);
    target_call(m, MAIN_F, F);
    ck_assert_uint_eq(plane(word), 2);
    model_store(m, word, 7, 4);
    PATH(1, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 7);
    expect_hit(1, 0, 0x200, 1, 7);
    model_store(m, P, 0, 4);
    ck_assert_uint_eq(plane(word), 1);
    model_store(m, word, 8, 4);
    expect_hit(0, 0, 0x200, 1, 8);
    model_store(m, P, word - VALUE, 4);
    expect_hit(1, 0, 0x200, 1, 8);
    target_return(m, 0x290, MAIN_F);
    ck_assert_uint_eq(plane(word), 2);
    model_store(m, word, 9, 4);
    PATH_CUT_TO(1);
    expect_hit(1, 0, MAIN_F + 4, 1, 9);
    model_store(m, P, 0, 4);
    ck_assert_uint_eq(plane(word), 0);
    expect_nothing();
}
END_TEST

START_TEST(local_pointer)
{
    es_reference refs[] = {tree_local(&pointer_to_object, PROCEDURE(F), -20), tree_through(&tree_int, 0, VALUE)};
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(1), tree_const(5)), refs, 2, 1);
    statement->actions[0].items[0].index = 1;
    uint32_t variable = CFA_CALLEE_OF_MAIN - 20;
    model_know(m, variable, A); /* left by somebody */
    start();
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, variable, A, 4);
    model_store(m, A + VALUE, 6, 4);
    expect_nothing();
    target_call(m, MAIN_F, F);
    model_store(m, A + VALUE, 7, 4); /* not written yet in this activation */
    expect_nothing();
    model_store(m, variable, A, 4);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 7);
    model_store(m, A + VALUE, 8, 4);
    expect_hit(0, 0, 0x200, 1, 8);
    target_return(m, 0x290, MAIN_F);
    ck_assert_uint_eq(plane(A + VALUE), 0);
    model_store(m, A + VALUE, 9, 4);
    expect_nothing();
}
END_TEST

/* `p[k].value > 5`, k a local: what its frame holds before k is written is no index of anybody's */
START_TEST(index_in_a_frame)
{
    es_subscript index = {tree_ref(1), 32, 0};
    es_reference refs[] = {tree_static(&pointer_to_object, P), tree_local(&tree_int, PROCEDURE(F), -20),
                           tree_through(&tree_int, 0, VALUE)};
    refs[2].subscripts = &index;
    refs[2].subscript_count = 1;
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(2), tree_const(5)), refs, 3, 1);
    statement->actions[0].items[0].index = 2;
    uint32_t variable = CFA_CALLEE_OF_MAIN - 20;
    model_know(m, P, A);
    model_know(m, A + VALUE, 0);
    model_know(m, A + 32 + VALUE, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, variable, 1, 4);
    model_store(m, A + 32 + VALUE, 6, 4);
    expect_nothing();
    target_call(m, MAIN_F, F);
    ck_assert_uint_eq(plane(A + 32 + VALUE), 0); /* what the stack holds is none of this activation's */
    model_store(m, variable, 0, 4);
    ck_assert_uint_eq(plane(A + VALUE), 2);
    model_store(m, A + VALUE, 7, 4);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 7);
    target_return(m, 0x290, MAIN_F);
    ck_assert_uint_eq(plane(A + VALUE), 0);
    model_store(m, A + VALUE, 9, 4);
    expect_nothing();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("firmware: pointers and frames");
    TCase *tests = tcase_create("pointed frames");
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, over_a_frame);
    tcase_add_test(tests, local_pointer);
    tcase_add_test(tests, index_in_a_frame);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
