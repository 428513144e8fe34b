/* Pointers that statements follow: old() of what they point to. */
#include "pointers.h"

/* `p->value != old(p->value) { print p->value, old(p->value) }`, and the same of a char beside it */
START_TEST(before)
{
    es_reference refs[] = {tree_static(&pointer_to_object, P), tree_through(&tree_int, 0, VALUE),
                           tree_through(&tree_uchar, 0, 1)};
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(1), tree_old(1)), refs, 2, 2);
    statement->actions[0].items[0].index = 1;
    statement->actions[0].items[1] = (es_print_item){.name = "old(p->x)", .index = 1, .old = true};
    statement = tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(2), tree_old(2)), refs, 3, 2);
    statement->actions[0].items[0].index = 2;
    statement->actions[0].items[1] = (es_print_item){.name = "old(p->c)", .index = 2, .old = true};
    for (uint32_t i = 0; i < 16; i += 4) {
        model_know(m, A + i, 0x0101);
        model_know(m, B + i, 0x0202);
    }
    start();
    model_store(m, P, A, 4); /* before, it pointed to nothing */
    expect_nothing();
    model_store(m, A + VALUE, 0x0102, 4);
    expect_hit(0, 0, 0, 2, 0x0102);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 0x0101);
    model_store(m, A + VALUE, 0x03, 1); /* in parts: as of before the first */
    model_store(m, A + VALUE + 1, 0x04, 1);
    model_store(m, A + VALUE + 2, 0, 2);
    expect_hit(0, 0, 0, 2, 0x0403);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 0x0102);
    model_store(m, A + 1, 7, 1);
    expect_hit(1, 0, 0, 2, 7);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 1);
    model_store(m, P, B, 4); /* what p->value was then, where p pointed to */
    expect_hit(0, 0, 0, 2, 0x0202);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 0x0403);
    expect_hit(1, 0, 0, 2, 2);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 7);
    model_store(m, B + VALUE, 0x0202, 4); /* the same value: no change */
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

/* Values of 64 bits; what is only printed, where the event wrote it through another pointer or not. */
START_TEST(before_what_is_wide_or_only_printed)
{
    static const es_type wide = {.kind = ES_TYPE_INT, .name = "unsigned long long", .size = 8};
    es_reference refs[] = {tree_static(&pointer_to_object, P), tree_through(&wide, 0, VALUE),
                           tree_static(&pointer_to_object, Q), tree_through(&tree_int, 2, VALUE)};
    es_expr *value = tree_ref(1), *old = tree_old(1);
    value->type = old->type = ES_VALUE_64;
    es_statement *statement = tree_statement(&program, tree_binary(ES_OP_NE, value, old), refs, 4, 1);
    statement->predicate_count = 2;
    statement->actions[0].items[0] = (es_print_item){.name = "old(p->w)", .index = 1, .old = true};
    es_reference only[] = {tree_static(&tree_int, X), refs[2], refs[3]};
    only[2].base = 1;
    statement = tree_statement(&program, tree_write(0), only, 3, 1);
    statement->predicate_count = 1;
    statement->actions[0].items[0] = (es_print_item){.name = "old(q->x)", .index = 2, .old = true};
    es_reference both[] = {refs[0], tree_through(&tree_int, 0, VALUE), refs[2], refs[3]};
    statement = tree_statement(&program, tree_write(1), both, 4, 1);
    statement->predicate_count = 2;
    statement->actions[0].items[0] = (es_print_item){.name = "old(q->x)", .index = 3, .old = true};
    for (uint32_t i = 0; i < 16; i += 4) {
        model_know(m, A + i, 1);
        model_know(m, B + i, 2);
    }
    model_know(m, P, A);
    model_know(m, Q, A);
    start();
    model_store(m, A + VALUE, 9, 4); /* half of it */
    expect_hit(2, 0, 0, 1, 1);       /* q->value is p->value */
    model_store(m, A + VALUE + 4, 8, 4);
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 1);
    ck_assert_uint_eq(frame->words[6], 1);
    model_store(m, X, 5, 4); /* did not write it */
    expect_hit(1, 0, 0, 1, 9);
    model_store(m, P, B, 4); /* p->w as it was */
    frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 9);
    ck_assert_uint_eq(frame->words[6], 8);
    model_store(m, B + VALUE, 3, 4);
    expect_hit(2, 0, 0, 1, 9); /* q's is another object */
    model_store(m, Q, X - VALUE, 4);
    model_store(m, X, 6, 4); /* x is q->value */
    expect_hit(1, 0, 0, 1, 5);
    model_store(m, Q, 0, 4);
    model_store(m, X, 7, 4);
    expect_nothing();
    expect_summary(0, 1); /* half of p->w */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("firmware: old() after pointers");
    TCase *tests = tcase_create("pointed before");
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, before);
    tcase_add_test(tests, before_what_is_wide_or_only_printed);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
