/* The real firmware with real images, on the model of the probe. Locals: by path, in slots that several share, and
 * beside bytes that nobody writes. */
#include "harness.h"

/* --- locals ---------------------------------------------------------------------------------------------- */

/* CFA of h: main (CFA = stack top, frame 32) -> g (frame 0) -> h: top - 32; main -> f (48) -> g -> h: top - 80. */
#define CFA_MAIN TARGET_STACK_TOP
#define CFA_CALLEE_OF_MAIN (TARGET_STACK_TOP - 32)
#define CFA_G_BY_F (TARGET_STACK_TOP - 80)

START_TEST(locals_by_path)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(G), -12);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(5)), &local, 1, 1);
    start();
    ck_assert_uint_eq(image.nodes, 5); /* _start, main, f, g twice */
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, CFA_CALLEE_OF_MAIN - 12, 100, 4);
    expect_nothing();
    target_call(m, MAIN_G, G);
    printf("call that arms one local: %llu clocks\n", (unsigned long long)m->hit_clocks);
    ck_assert_uint_eq(m->data_plane[(CFA_CALLEE_OF_MAIN - 12) / 4], 1);
    model_store(m, CFA_CALLEE_OF_MAIN - 12, 6, 4);
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(0, 0, 0x300, 1, 6);
    printf("local true, path and value sent: %llu clocks\n", (unsigned long long)m->hit_clocks);
    target_call(m, G_H, H); /* g's frame stays while h runs */
    model_store(m, CFA_CALLEE_OF_MAIN - 12, 7, 4);
    PATH(2, G_H);
    expect_hit(0, 0, 0x400, 1, 7);
    target_return(m, 0x490, G_H);
    target_return(m, 0x390, MAIN_G);
    ck_assert_uint_eq(m->data_plane[(CFA_CALLEE_OF_MAIN - 12) / 4], 0);
    target_call(m, MAIN_F, F);
    model_store(m, CFA_CALLEE_OF_MAIN - 12, 8, 4); /* f's own slot now */
    expect_nothing();
    target_call(m, F_G, G);
    model_store(m, CFA_CALLEE_OF_MAIN - 12, 9, 4);
    expect_nothing();
    model_store(m, CFA_G_BY_F - 12, 10, 4);
    PATH(1, MAIN_F, F_G);
    expect_hit(0, 0, 0x300, 1, 10);
    target_return(m, 0x190, SITE_MAIN); /* leaves all */
    ck_assert_uint_eq(m->data_plane[(CFA_G_BY_F - 12) / 4], 0);
}
END_TEST

START_TEST(shared_slot)
{
    es_reference in_f = tree_local(&tree_int, PROCEDURE(F), -20), in_g = tree_local(&tree_int, PROCEDURE(G), -20);
    es_reference f_and_global[] = {in_f, tree_static(&tree_int, X)};
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &in_f, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &in_g, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1)), f_and_global, 2, 2);
    start();
    uint32_t slot = CFA_CALLEE_OF_MAIN - 20;
    model_know(m, slot, 0);
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, X, 5, 4); /* f is not active: not evaluable */
    target_call(m, MAIN_F, F);
    ck_assert_uint_eq(m->data_plane[slot / 4], 3);
    model_store(m, slot, 1, 4);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 1);
    model_store(m, slot, 7, 4);
    expect_hit(0, 0, 0x200, 1, 7);
    expect_hit(2, 0, 0x200, 2, 7);
    model_store(m, X, 6, 4);
    expect_hit(2, 0, 0x200, 2, 7);
    target_return(m, 0x290, MAIN_F);
    target_call(m, MAIN_G, G);
    ck_assert_uint_eq(m->data_plane[slot / 4], 1);
    model_store(m, slot, 8, 4);
    PATH(1, MAIN_G);
    expect_hit(1, 0, 0x300, 1, 8);
    model_store(m, X, 1, 4);
    expect_nothing();
}
END_TEST

START_TEST(local_partial_write_is_forgotten)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(F), -20);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &local, 1, 1);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    model_write(m, CFA_CALLEE_OF_MAIN - 20, 1, 3);
    target_return(m, 0x290, MAIN_F);
    target_call(m, MAIN_F, F);
    model_write(m, CFA_CALLEE_OF_MAIN - 20, 2, 3);
    expect_nothing();
    model_write(m, CFA_CALLEE_OF_MAIN - 20, 0x10000, 12);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 0x10002);
}
END_TEST

START_TEST(local_behind_tail_call)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(H), -4);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &local, 1, 1);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_G, G);
    target_jump(m, G_TAIL_H, H);
    model_store(m, CFA_CALLEE_OF_MAIN - 4, 3, 4);
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(0, 0, 0x400, 1, 3);
    target_return(m, 0x490, MAIN_G);
    model_store(m, CFA_CALLEE_OF_MAIN - 4, 4, 4);
    expect_nothing();
    target_call_pointer(m, MAIN_POINTER, H); /* main -> h directly */
    model_store(m, CFA_CALLEE_OF_MAIN - 4, 5, 4);
    PATH(1, MAIN_POINTER);
    expect_hit(0, 0, 0x400, 1, 5);
}
END_TEST

/* --- locals that share their word with bytes that nobody writes ------------------------------------------ */

#define SLOT (CFA_CALLEE_OF_MAIN - 20) /* a word in the frame of f, or of g when main calls it */

START_TEST(small_local)
{
    es_reference both[] = {tree_local(&tree_uchar, PROCEDURE(F), -17), tree_static(&tree_int, X)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1)), both, 2, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_old(0)), both, 1, 1); /* direct */
    start();
    model_know(m, X, 3);
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    ck_assert_uint_eq(m->data_plane[SLOT / 4], 3);
    model_store(m, SLOT, 7, 1); /* a neighbour */
    ck_assert(!m->known[SLOT / 4]);
    model_store(m, SLOT + 3, 5, 1);
    ck_assert(m->known[SLOT / 4]);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 5);
    expect_nothing(); /* the value before is not known */
    model_store(m, SLOT + 3, 4, 1);
    expect_hit(0, 0, 0x200, 1, 4);
    expect_hit(1, 0, 0x200, 1, 4);
    model_store(m, X, 1, 4);
    expect_hit(0, 0, 0x200, 1, 4);
    expect_summary(1, 0);
}
END_TEST

START_TEST(two_small_locals)
{
    es_reference pair[] = {tree_local(&tree_short, PROCEDURE(F), -20), tree_local(&tree_uchar, PROCEDURE(F), -18)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1)), pair, 2, 2);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    model_store(m, SLOT, 9, 2); /* one of the two is not written yet */
    expect_nothing();
    target_return(m, 0x290, MAIN_F);
    target_call(m, MAIN_F, F); /* what was written before the activation does not count */
    model_store(m, SLOT + 2, 1, 1);
    model_store(m, SLOT, 8, 1);
    expect_nothing();
    model_store(m, SLOT + 1, 0, 1);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 2, 8);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 1);
    target_return(m, 0x290, MAIN_F);
    ck_assert_uint_eq(m->data_plane[SLOT / 4], 0);
    target_call(m, MAIN_F, F);
    model_store(m, SLOT + 2, 2, 1); /* the short is not what the stack holds */
    expect_nothing();
    model_store(m, SLOT, 8, 2);
    PATH(1, MAIN_F);
    expect_hit(0, 0, 0x200, 2, 8);
    expect_summary(3, 0);
}
END_TEST

START_TEST(small_local_only_printed)
{
    es_reference both[] = {tree_static(&tree_int, X), tree_local(&tree_ushort, PROCEDURE(F), -18)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), both, 2, 2);
    program.statements[0].predicate_count = 1;
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    model_store(m, X, 1, 4);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_unknown(0, 0x200, 2, 2);
    model_store(m, SLOT + 2, 6, 2);
    printf("small local, no statement: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_nothing(); /* is no event */
    model_store(m, X, 2, 4);
    expect_hit(0, 0, 0x200, 2, 2);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 6);
    expect_summary(0, 0);
}
END_TEST

START_TEST(small_locals_of_two_frames)
{
    es_reference in_f[] = {tree_local(&tree_uchar, PROCEDURE(F), -20), tree_static(&tree_int, X)};
    es_reference in_g[] = {tree_local(&tree_short, PROCEDURE(G), -18), tree_static(&tree_int, X)};
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_ref(1)), in_f, 2, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_ref(1)), in_g, 2, 1);
    start();
    model_know(m, X, 0);
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_G, G);
    model_store(m, SLOT, 1, 1); /* f's, which is not there */
    ck_assert(!m->known[SLOT / 4]);
    model_store(m, SLOT + 2, 2, 2);
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(1, 0, 0x300, 1, 2);
    m->known[SLOT / 4] = 0;
    target_return(m, 0x390, MAIN_G);
    target_call(m, MAIN_F, F);
    model_store(m, SLOT + 2, 2, 2);
    ck_assert(!m->known[SLOT / 4]);
    model_store(m, SLOT, 1, 1);
    PATH(1, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 1);
    expect_summary(0, 0);
}
END_TEST

/* Words that nobody has to know need no lock; one that a statement may meet before its first write is watched. */
START_TEST(covered_only_where_needed)
{
    es_reference direct = tree_local(&tree_short, PROCEDURE(F), -20);
    es_reference others[] = {tree_static(&tree_int, X), tree_local(&tree_int, PROCEDURE(F), -24),
                             tree_local(&tree_uchar, PROCEDURE(F), -24)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &direct, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), others, 3, 3);
    program.statements[1].predicate_count = 1;
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    ck_assert_uint_eq(m->data_plane[SLOT / 4], 1);
    ck_assert_uint_eq(m->data_plane[SLOT / 4 - 1], 3);
    model_store(m, SLOT, 4, 2);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 4);
    ck_assert(!m->known[SLOT / 4]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("locals");
    TCase *tests = tcase_create("locals");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, locals_by_path);
    tcase_add_test(tests, shared_slot);
    tcase_add_test(tests, local_partial_write_is_forgotten);
    tcase_add_test(tests, local_behind_tail_call);
    tcase_add_test(tests, small_local);
    tcase_add_test(tests, two_small_locals);
    tcase_add_test(tests, small_local_only_printed);
    tcase_add_test(tests, small_locals_of_two_frames);
    tcase_add_test(tests, covered_only_where_needed);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
