/* The real firmware with real images, on the model of the probe. What writes to variables lead to. */
#include "harness.h"

/* --- globals --------------------------------------------------------------------------------------------- */

START_TEST(global)
{
    statement_x_above(10);
    start();
    ck_assert_uint_eq(m->data_plane[X / 4], 1); /* no lock: the hit itself tells the value */
    model_fetch(m, 0x30, INSN_NOP);
    model_store(m, X, 11, 4);
    expect_hit(0, 0, 0x30, 1, 11);
    printf("x > K true, printed: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_store(m, X, 10, 4);
    expect_nothing();
    printf("x > K false: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_store(m, X, (uint32_t)-5, 4);
    expect_nothing();
    /* values come from the hits when the core lags behind */
    m->eager = false;
    model_store(m, X, 20, 4);
    model_store(m, X, 3, 4);
    model_store(m, X, 21, 4);
    model_settle(m);
    expect_hit(0, 0, 0x30, 1, 20);
    expect_hit(0, 0, 0x30, 1, 21);
    expect_nothing();
}
END_TEST

START_TEST(partial_writes)
{
    es_reference both[] = {tree_static(&tree_int, X), tree_static(&tree_short, X + 4)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), both, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &both[1], 1, 1);
    start();
    model_write(m, X, 0x00000034, 1);
    model_write(m, X, 0x00001200, 2);
    expect_nothing();
    model_write(m, X, 0x00000056, 1); /* again: still not complete */
    expect_nothing();
    model_write(m, X, 0x01010000, 12);
    expect_hit(0, 0, 0, 1, 0x01011256);
    model_write(m, X, 0x7FFF0000, 12); /* a new round begins */
    expect_nothing();
    model_store(m, X, 7, 4); /* a whole write ends it */
    expect_hit(0, 0, 0, 1, 7);
    model_write(m, X, 0x00000008, 3);
    expect_nothing();
    model_write(m, X, 0x00090000, 12);
    expect_hit(0, 0, 0, 1, 0x00090008);
    model_store(m, X + 6, 5, 2); /* the neighbour */
    expect_nothing();
    model_store(m, X + 5, 5, 1);
    expect_nothing();
    model_store(m, X + 4, 1, 1);
    expect_hit(1, 0, 0, 1, 0x0501);
}
END_TEST

START_TEST(one_store_two_variables)
{
    es_reference pair[] = {tree_static(&tree_short, X), tree_static(&tree_short, X + 2)};
    tree_statement(&program, tree_binary(ES_OP_LOGAND, tree_write(0), tree_write(1)), pair, 2, 2);
    tree_statement(&program, tree_binary(ES_OP_LOGOR, tree_write(0), tree_write(1)), pair, 2, 1);
    start();
    model_store(m, X, 0x00020001, 4);
    expect_hit(0, 0, 0, 2, 1);
    expect_hit(1, 0, 0, 1, 1);
    model_store(m, X + 2, 9, 2);
    expect_hit(1, 0, 0, 1, 1);
    expect_nothing();
}
END_TEST

START_TEST(old_values)
{
    es_reference pair[] = {tree_static(&tree_int, X), tree_static(&tree_int, X + 4)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_old(0)), pair, 1, 1); /* direct */
    es_statement *two = tree_statement(&program, tree_binary(ES_OP_NE, tree_binary(ES_OP_SUB, tree_ref(0), tree_old(0)),
                                                             tree_binary(ES_OP_SUB, tree_ref(1), tree_old(1))), pair,
                                                                 2, 2);
    two->actions[0].items[1].old = true;
    start();
    ck_assert_uint_eq(m->data_plane[X / 4], 3);
    model_store(m, X, 5, 4); /* the value before is not known */
    expect_nothing();
    model_store(m, X + 4, 50, 4);
    expect_nothing();
    model_store(m, X, 6, 4);
    expect_hit(0, 0, 0, 1, 6);
    expect_hit(1, 0, 0, 2, 6);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 50);
    model_store(m, X + 4, 51, 4);
    expect_hit(1, 0, 0, 2, 6);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 50);
    model_mail(m, ES_MAIL_FLUSH);
    expect(ES_FRAME_COUNTERS);
    ck_assert_uint_eq(expect(ES_FRAME_DONE)->words[3], 3); /* s1 once, s2 once for each unknown old value */
}
END_TEST

START_TEST(unknown_memory)
{
    es_reference pair[] = {tree_static(&tree_int, X), tree_static(&tree_int, X + 4)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), pair, 2, 2);
    program.statements[0].predicate_count = 1; /* the second is printed only */
    start();
    model_store(m, X, 1, 4);
    expect_nothing();
    model_store(m, X + 4, 9, 4);
    expect_nothing();
    model_store(m, X, 1, 4);
    expect_hit(0, 0, 0, 2, 1);
    model_mail(m, ES_MAIL_FLUSH);
    expect(ES_FRAME_COUNTERS);
    ck_assert_uint_eq(expect(ES_FRAME_DONE)->words[3], 1);
}
END_TEST

/* --- writes in parts ------------------------------------------------------------------------------------- */

/* The old value is that from before the first part, in direct statements and in others, printed or compared. */
START_TEST(old_before_the_first_part)
{
    es_reference pair[] = {tree_static(&tree_int, X), tree_static(&tree_int, X + 4)};
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_old(0)), pair, 1, 1)->actions[0].items[0].old = true;
    tree_statement(&program, tree_binary(ES_OP_NE, tree_binary(ES_OP_SUB, tree_ref(0), tree_old(0)), tree_ref(1)), pair, 2,
                   1)->actions[0].items[0].old = true;
    model_know(m, X, 0x11223344);
    model_know(m, X + 4, 0);
    start();
    model_write(m, X, 0x00000055, 1);
    model_write(m, X, 0x66000000, 8);
    model_write(m, X, 0x00000056, 1);
    expect_nothing();
    model_write(m, X, 0x00777700, 6);
    expect_hit(0, 0, 0, 1, 0x11223344);
    expect_hit(1, 0, 0, 1, 0x11223344);
    model_store(m, X, 5, 4); /* all at once */
    expect_hit(0, 0, 0, 1, 0x66777756);
    expect_hit(1, 0, 0, 1, 0x66777756);
    model_store(m, X, 7, 2);
    model_store(m, X + 2, 0, 2);
    expect_hit(0, 0, 0, 1, 5);
    expect_hit(1, 0, 0, 1, 5);
    model_store(m, X, 8, 2);
    model_store(m, X, 9, 4); /* replaces what was begun: one write */
    expect_hit(0, 0, 0, 1, 8);
    expect_hit(1, 0, 0, 1, 8);
    expect_summary(0, 0);
}
END_TEST

START_TEST(old_not_known_before_the_first_part)
{
    es_reference x = tree_static(&tree_short, X);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_old(0)), &x, 1, 1);
    start();
    model_store(m, X, 1, 1);
    model_know(m, X, 1);
    model_store(m, X + 1, 1, 1);
    expect_nothing();
    expect_summary(1, 0);
}
END_TEST

START_TEST(variables_left_half_written)
{
    es_reference both[] = {tree_static(&tree_int, X), tree_static(&tree_short, X + 4)};
    es_reference local = tree_local(&tree_int, PROCEDURE(F), -20);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), both, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &both[1], 1, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &local, 1, 1);
    start();
    target_call(m, SITE_MAIN, MAIN);
    for (int round = 0; round < 3; round++) { /* given up with the next activation, or at the end */
        target_call(m, MAIN_F, F);
        model_store(m, TARGET_STACK_TOP - 32 - 20, 1, 2);
        target_return(m, 0x290, MAIN_F);
    }
    model_store(m, X + 1, 1, 1);
    model_store(m, X + 5, 1, 1);
    expect_summary(0, 5);
    model_store(m, X + 4, 1, 1);
    PATH(0, SITE_MAIN);
    expect_hit(1, 0, MAIN_F + 4, 1, 0x0101);
    expect_summary(0, 4);
}
END_TEST

/* Bytes of a bit-field's unit that the compiler writes alone: complete for the fields within them. */
START_TEST(bit_fields_in_one_byte)
{
    es_reference low = tree_static(&tree_uint, X), high = low, wide = low;
    low.bit_size = 5;
    high.bit_offset = 8;
    high.bit_size = 7;
    wide.bit_offset = 6;
    wide.bit_size = 4;
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &low, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &high, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &wide, 1, 1);
    start();
    model_store(m, X + 1, 0x03, 1);
    expect_hit(1, 0, 0, 1, 3);
    expect_nothing();
    model_store(m, X, 0x41, 1);
    expect_hit(0, 0, 0, 1, 1);
    expect_hit(2, 0, 0, 1, 13);
    model_store(m, X + 1, 0x02, 1);
    expect_hit(1, 0, 0, 1, 2);
    expect_summary(0, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("writes");
    TCase *tests = tcase_create("writes");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, global);
    tcase_add_test(tests, partial_writes);
    tcase_add_test(tests, one_store_two_variables);
    tcase_add_test(tests, old_values);
    tcase_add_test(tests, unknown_memory);
    tcase_add_test(tests, old_before_the_first_part);
    tcase_add_test(tests, old_not_known_before_the_first_part);
    tcase_add_test(tests, variables_left_half_written);
    tcase_add_test(tests, bit_fields_in_one_byte);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
