/* The real firmware with real images, on the model of the probe. Pointers that statements follow, and the slots that
 * move with them: over each other, over words that are armed for themselves, and out of phantom memory. */
#include "pointers.h"

#include <stdlib.h>

START_TEST(moves)
{
    statement_value(P);
    model_know(m, P, 0);
    model_know(m, A + VALUE, 7);
    model_know(m, B + VALUE, 3);
    start();
    ck_assert_uint_eq(plane(P), 3);
    model_store(m, P, A, 4);
    printf("write to a pointer: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_hit(0, 0, 0, 1, 7); /* the object's value is now p->value */
    ck_assert_uint_eq(plane(A + VALUE), 2);
    ck_assert_uint_eq(plane(A), 2); /* where the allocator would write */
    ck_assert_uint_eq(plane(A + 4), 2);
    model_store(m, A + VALUE, 9, 4);
    printf("write through a pointer, sent: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_hit(0, 0, 0, 1, 9);
    model_store(m, A + VALUE, 1, 4);
    printf("write through a pointer, false: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_store(m, A, 100, 4);
    expect_nothing();
    model_store(m, P, B, 4);
    printf("pointer moved from an object to another: %llu clocks\n", (unsigned long long)m->hit_clocks);
    ck_assert_uint_eq(plane(A + VALUE) | plane(A) | plane(A + 4), 0);
    model_store(m, A + VALUE, 50, 4);
    expect_nothing();
    model_store(m, B + VALUE, 51, 4);
    expect_hit(0, 0, 0, 1, 51);
    model_store(m, P, 0, 4);
    model_store(m, B + VALUE, 52, 4);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

START_TEST(begins_where_the_program_file_says)
{
    statement_value(P);
    model_know(m, P, A);
    start();
    model_store(m, A + VALUE, 6, 4);
    expect_hit(0, 0, 0, 1, 6);
}
END_TEST

START_TEST(points_nowhere)
{
    statement_value(P);
    start(); /* p is not known */
    static const uint32_t nowhere[] = {
        0, A + 1, A + 2, MODEL_WINDOW - VALUE, MODEL_WINDOW - VALUE - 3, 0x80000000u, 0xFFFFFFFCu, 0xFFFFFFF8u};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        model_store(m, P, nowhere[i], 4);
        expect_nothing();
        unsigned armed = 0;
        for (uint32_t word = 0; word < MODEL_WINDOW; word += 4)
            armed += plane(word);
        ck_assert_uint_eq(armed, 3); /* the pointer itself */
    }
    model_know(m, MODEL_WINDOW - 4, 8);
    model_store(m, P, MODEL_WINDOW - VALUE - 4, 4); /* the last place */
    expect_hit(0, 0, 0, 1, 8);
    model_store(m, P, A, 4); /* its value is not known */
    expect_summary(1, 0);
}
END_TEST

START_TEST(one_evaluation)
{
    es_reference refs[] = {tree_static(&pointer_to_object, P), tree_through(&tree_int, 0, VALUE),
                           tree_static(&pointer_to_object, Q), tree_through(&tree_int, 2, VALUE),
                           tree_static(&tree_int, A + VALUE)};
    statement_value(P);
    es_expr *same = tree_binary(ES_OP_EQ, tree_ref(1), tree_ref(3));
    tree_statement(&program, tree_binary(ES_OP_LOGAND, same, tree_binary(ES_OP_EQ, tree_ref(4), tree_ref(1))), refs, 5,
                   5);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &refs[4], 1, 1);
    model_know(m, P, A);
    model_know(m, Q, A);
    start();
    model_store(m, A + VALUE, 9, 4); /* p->value, q->value, and a variable of its own: each statement once, in order */
    expect_hit(0, 0, 0, 1, 9);
    expect_hit(1, 0, 0, 5, A);
    expect_hit(2, 0, 0, 1, 9);
    expect_nothing();
    model_store(m, Q, 0, 4);
    model_store(m, A + VALUE, 10, 4);
    expect_hit(0, 0, 0, 1, 10);
    expect_hit(2, 0, 0, 1, 10);
    expect_nothing();
}
END_TEST

START_TEST(freed)
{
    statement_value(P);
    statement_value(Q);
    model_know(m, P, A);
    model_know(m, Q, A);
    start();
    model_fetch(m, 0x0110, INSN_NOP);
    model_store(m, A + VALUE, 6, 4);
    expect_hit(0, 0, 0x0110, 1, 6);
    expect_hit(1, 0, 0x0110, 1, 6);
    model_fetch(m, 0x0710, INSN_NOP);
    model_store(m, A + 4, 0x1234, 4); /* by free */
    for (uint32_t word = A; word < A + 32; word += 4)
        ck_assert_uint_eq(plane(word), 0);
    model_fetch(m, 0x0110, INSN_NOP);
    model_store(m, A + VALUE, 77, 4); /* somebody else's object */
    expect_nothing();
    model_store(m, P, A, 4); /* which p points to now; the same value is a new beginning */
    expect_hit(0, 0, 0x0110, 1, 77);
    model_store(m, A + VALUE, 78, 4);
    expect_hit(0, 0, 0x0110, 1, 78);
    model_fetch(m, 0x07FC, INSN_NOP);
    model_store(m, A + VALUE, 79, 4); /* the allocator writes into the word that is watched */
    expect_nothing();
    ck_assert_uint_eq(plane(A + VALUE), 0);
    expect_summary(0, 0);
}
END_TEST

START_TEST(chain)
{
    es_reference refs[] = {tree_static(&pointer_to_object, P), tree_through(&pointer_to_object, 0, NEXT),
                           tree_through(&tree_int, 1, VALUE)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(2), tree_const(5)), refs, 3, 3);
    tree_statement(&program, tree_write(1), refs, 2, 2);
    model_know(m, P, A);
    start();
    model_know(m, B + VALUE, 8);
    model_store(m, A + NEXT, B, 4);
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[3], 0);
    ck_assert_uint_eq(frame->words[6], B);
    ck_assert_uint_eq(frame->words[7], 8);
    expect_hit(1, 0, 0, 2, A);
    model_store(m, B + VALUE, 9, 4);
    expect_hit(0, 0, 0, 3, A);
    model_store(m, A + NEXT, A, 4); /* a ring of one, whose value is not known */
    expect_hit(1, 0, 0, 2, A);
    model_store(m, A + VALUE, 6, 4);
    expect_hit(0, 0, 0, 3, A);
    model_store(m, A + NEXT, B, 4); /* p->next, and p->next->next as well if anybody asked */
    expect_hit(0, 0, 0, 3, A);
    expect_hit(1, 0, 0, 2, A);
    model_store(m, P, B, 4); /* whose next is not known */
    model_store(m, A + NEXT, A, 4);
    model_store(m, B + VALUE, 10, 4);
    expect_nothing();
    expect_summary(1, 0);
}
END_TEST

START_TEST(places_in_a_word)
{
    es_reference c[] = {tree_static(&pointer_to_char, P), tree_through(&tree_uchar, 0, 0)};
    es_reference s[] = {tree_static(&pointer_to_short, Q), tree_through(&tree_short, 0, 2)};
    es_statement *first = tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(1), tree_const(0)), c, 2, 1);
    es_statement *second = tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(1), tree_const(0)), s, 2, 1);
    first->actions[0].items[0].index = second->actions[0].items[0].index = 1;
    model_know(m, A, 0);
    model_know(m, A + 4, 0);
    start();
    for (uint32_t place = 0; place < 4; place++) {
        model_store(m, P, A + place, 4);
        expect_nothing();
        model_store(m, A + ((place + 1) & 3), 1, 1);
        expect_nothing();
        model_store(m, A + place, 2, 1);
        expect_hit(0, 0, 0, 1, 2);
        model_store(m, A, 0, 4);
    }
    model_store(m, P, 0, 4);
    for (uint32_t place = 0; place < 4; place++) {
        model_store(m, Q, A + place, 4);
        model_store(m, A + 2 + place / 2 * 2, 0x0105, 1); /* in parts */
        expect_nothing();
        model_store(m, A + 3 + place / 2 * 2, 0x04, 1);
        if (place % 2 == 0)
            expect_hit(1, 0, 0, 1, 0x0405);
        expect_nothing();
        model_store(m, A, 0, 4);
        model_store(m, A + 4, 0, 4);
    }
    expect_summary(0, 0);
}
END_TEST

START_TEST(parts_of_an_object_left)
{
    statement_value(P);
    model_know(m, P, A);
    model_know(m, B + VALUE, 0);
    start();
    model_store(m, A + VALUE, 7, 2);
    model_store(m, P, B, 4); /* what was begun is given up */
    model_store(m, B + VALUE, 7, 2);
    expect_nothing();
    model_store(m, B + VALUE + 2, 7, 2);
    expect_hit(0, 0, 0, 1, 0x70007);
    expect_summary(0, 1);
}
END_TEST

/* Three pointers among a few places, some of them armed for themselves: planes and hits are always what they would be
 * if all of it had been looked up afresh. */
START_TEST(any_order)
{
    enum { POINTERS = 3, PLACES = 6 };
    es_reference own = tree_static(&tree_int, A + VALUE + 4),
                 other[] = {tree_static(&tree_int, A + VALUE + 8), tree_static(&tree_int, X)};
    for (unsigned i = 0; i < POINTERS; i++)
        statement_value(P + 4 * i);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(5)), &own, 1, 1); /* without lock */
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1)), other, 2, 1);
    uint32_t at[POINTERS] = {0};
    for (unsigned i = 0; i < 16; i++)
        model_know(m, A + 4 * i, 0);
    model_know(m, X, 5);
    start();
    srand(1);
    for (unsigned step = 0; step < 3000; step++) {
        unsigned i = (unsigned)rand() % POINTERS, place = (unsigned)rand() % PLACES;
        at[i] = place ? A + 4 * (place - 1) : 0;
        model_store(m, P + 4 * i, at[i], 4); /* nothing is more than 5 */
        expect_nothing();
        for (uint32_t word = A; word < A + 64; word += 4) {
            bool covered = false;
            for (unsigned k = 0; k < POINTERS; k++)
                covered |= at[k] && (word == at[k] || word == at[k] + 4 || word == at[k] + VALUE);
            ck_assert_uint_eq(plane(word), covered ? 2 : word == own.address ? 1 : word == other[0].address ? 3 : 0);
        }
        if (step % 4)
            continue;
        uint32_t word = A + VALUE + 4 * ((unsigned)rand() % PLACES);
        m->frame_read = m->frame_count = 0;
        m->sequence = 0;
        model_store(m, word, 6, 4);
        for (unsigned k = 0; k < POINTERS; k++)
            if (at[k] && word == at[k] + VALUE)
                expect_hit(k, 0, 0, 1, 6);
        if (word == own.address)
            expect_hit(POINTERS, 0, 0, 1, 6);
        if (word == other[0].address)
            expect_hit(POINTERS + 1, 0, 0, 1, 6);
        expect_nothing();
        model_store(m, word, 0, 4);
        expect_nothing();
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("firmware: pointers");
    TCase *tests = tcase_create("pointers");
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, moves);
    tcase_add_test(tests, begins_where_the_program_file_says);
    tcase_add_test(tests, points_nowhere);
    tcase_add_test(tests, one_evaluation);
    tcase_add_test(tests, freed);
    tcase_add_test(tests, chain);
    tcase_add_test(tests, places_in_a_word);
    tcase_add_test(tests, parts_of_an_object_left);
    tcase_add_test(tests, any_order);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
