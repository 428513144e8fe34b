/* Elements with variable indices, of arrays and after pointers. */
#include "pointers.h"

/* `p[i].value > 5 { print p[i].value }`: one element at a time, wherever p and i say */
START_TEST(element_behind_a_pointer)
{
    es_subscript index = {tree_ref(1), 32, 0};
    es_reference refs[] = {tree_static(&pointer_to_object, P), tree_static(&tree_int, X),
                           tree_through(&tree_int, 0, VALUE)};
    refs[2].subscripts = &index;
    refs[2].subscript_count = 1;
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(2), tree_const(5)), refs, 3, 1);
    statement->actions[0].items[0].index = 2;
    model_know(m, P, A);
    for (uint32_t i = 0; i < 4; i++)
        model_know(m, A + 32 * i + VALUE, i);
    model_know(m, B + 32 + VALUE, 6);
    start(); /* i is not known */
    model_store(m, A + VALUE, 9, 4);
    expect_nothing();
    model_store(m, X, 1, 4);
    printf("an index written, the element's three words armed: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_nothing();
    ck_assert_uint_eq(plane(A + 32 + VALUE), 2);
    ck_assert_uint_eq(plane(A + VALUE) | plane(A + 32) | plane(A + 36), 0);
    ck_assert_uint_eq(plane(A), 2); /* where the allocator would write into the whole */
    model_store(m, A + 32 + VALUE, 10, 4);
    expect_hit(0, 0, 0, 1, 10);
    model_store(m, X, 0, 4);
    expect_hit(0, 0, 0, 1, 9); /* another element, which is more than 5 */
    model_store(m, A + 32 + VALUE, 11, 4);
    expect_nothing();
    model_store(m, X, 2, 2); /* in parts */
    model_store(m, A + 64 + VALUE, 8, 4);
    expect_nothing();
    model_store(m, X + 2, 0, 2);
    expect_hit(0, 0, 0, 1, 8);
    model_store(m, X, 0xFFFFFFFF, 4); /* before the first */
    ck_assert_uint_eq(plane(A - 32 + VALUE), 2);
    model_store(m, A - 32 + VALUE, 12, 4);
    expect_hit(0, 0, 0, 1, 12);
    model_store(m, X, 0x01000000, 4); /* out of the memory */
    model_store(m, A - 32 + VALUE, 13, 4);
    expect_nothing();
    model_store(m, X, 1, 4);
    expect_hit(0, 0, 0, 1, 11);
    model_store(m, P, B, 4);
    expect_hit(0, 0, 0, 1, 6);
    model_store(m, A + 32 + VALUE, 14, 4);
    expect_nothing();
    model_fetch(m, 0x0710, INSN_NOP);
    model_store(m, B, 0x1234, 4); /* by free, into the first word of all */
    model_fetch(m, 0x0110, INSN_NOP);
    model_store(m, B + 32 + VALUE, 15, 4);
    model_store(m, X, 1, 4); /* the index says nothing about what p points to */
    model_store(m, X, 2, 4);
    model_store(m, X, 1, 4);
    expect_nothing();
    ck_assert_uint_eq(plane(B + 32 + VALUE), 0);
    model_store(m, P, B, 4);
    expect_hit(0, 0, 0x0110, 1, 15);
    model_fetch(m, 0x0710, INSN_NOP);
    model_store(m, B + 32 + VALUE, 7, 4); /* into the element that is watched */
    model_fetch(m, 0x0110, INSN_NOP);
    model_store(m, B + 32 + VALUE, 8, 4);
    model_store(m, X, 1, 4);
    expect_nothing();
    model_store(m, P, 0, 4);
    model_store(m, X, 0, 4);
    expect_nothing();
    expect_summary(1, 0); /* of the one before the first, which was not known */
}
END_TEST

/* `a[i]->value > 5 && p->half[i] != 9`, half of two elements */
START_TEST(element_that_leads_on)
{
    es_subscript first = {tree_ref(0), 4, 3}, second = {tree_ref(0), 2, 2};
    es_reference refs[] = {tree_static(&tree_int, X), tree_static(&pointer_to_object, P),
                           tree_through(&tree_int, 1, VALUE), tree_static(&pointer_to_object, Q + 0x40),
                           tree_through(&tree_short, 3, 16)};
    refs[1].subscripts = &first;
    refs[4].subscripts = &second;
    refs[1].subscript_count = refs[4].subscript_count = 1;
    es_statement *statement =
        tree_statement(&program,
                       tree_binary(ES_OP_LOGAND, tree_binary(ES_OP_GT, tree_ref(2), tree_const(5)),
                                   tree_binary(ES_OP_NE, tree_ref(4), tree_const(9))),
                       refs, 5, 1);
    statement->actions[0].items[0].index = 2;
    model_know(m, P, A);
    model_know(m, P + 4, B);
    model_know(m, Q + 0x40, A);
    model_know(m, X, 0);
    model_know(m, A + VALUE, 0);
    model_know(m, B + VALUE, 0);
    model_know(m, A + 16, 0x00090000);
    start();
    model_store(m, A + VALUE, 6, 4);
    expect_hit(0, 0, 0, 1, 6);
    model_store(m, X, 1, 4);
    model_store(m, A + VALUE, 7, 4); /* a[0]'s, no more */
    model_store(m, B + VALUE, 7, 4); /* half[1] is 9 */
    expect_nothing();
    model_store(m, A + 16, 1, 2);
    expect_nothing();
    model_store(m, A + 18, 1, 2);
    expect_hit(0, 0, 0, 1, 7);
    model_store(m, P, 0, 4); /* a[0] */
    expect_nothing();
    model_store(m, P + 4, A, 4);
    expect_hit(0, 0, 0, 1, 7);
    model_store(m, X, 2, 4); /* there is no half[2] */
    model_store(m, P + 8, A, 4);
    model_store(m, A + VALUE, 8, 4);
    expect_nothing();
    model_store(m, X, 3, 4);
    model_store(m, X, 1, 4);
    expect_hit(0, 0, 0, 1, 8);
    expect_summary(0, 0);
}
END_TEST

/* `p[n].value > 5 { print p[n].value }`, and n is counted at each write to x: that is no event, and what is written
 * after it is another object. */
START_TEST(moved_by_a_counter)
{
    static es_expr n = {.kind = ES_EXPR_COUNTER, .type = ES_VALUE_32, .is_signed = true};
    es_subscript subscript = {&n, 32, 0};
    es_reference x = tree_static(&tree_int, X),
                 refs[] = {tree_static(&pointer_to_object, P), tree_through(&tree_int, 0, VALUE)};
    refs[1].subscripts = &subscript;
    refs[1].subscript_count = 1;
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(1), tree_const(5)), refs, 2, 1);
    statement->actions[0].items[0].index = 1;
    statement = tree_statement(&program, tree_write(0), &x, 1, 1);
    tree_count(statement, &program, 0);
    model_know(m, P, 0);
    for (uint32_t i = 0; i < 4; i++)
        model_know(m, A + 32 * i + VALUE, 10 + i);
    start();
    model_store(m, P, A, 4);
    expect_hit(0, 0, 0, 1, 10);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(plane(A + 32 * i + VALUE), 2);
        model_store(m, X, i, 4);
        expect_hit(1, 0, 0, 1, i);
        printf("a statement whose counter moves an element: %llu clocks\n", (unsigned long long)m->hit_clocks);
        ck_assert_uint_eq(plane(A + 32 * i + VALUE), 0);
        model_store(m, A + 32 * i + VALUE, 20, 4); /* not any more */
        expect_nothing();
        model_store(m, A + 32 * (i + 1) + VALUE, 30 + i, 4);
        expect_hit(0, 0, 0, 1, 30 + i);
    }
    expect_summary(0, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("firmware: elements after pointers");
    TCase *tests = tcase_create("pointed elements");
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, element_behind_a_pointer);
    tcase_add_test(tests, element_that_leads_on);
    tcase_add_test(tests, moved_by_a_counter);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
