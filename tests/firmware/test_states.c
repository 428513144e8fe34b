/* The real firmware with real images, on the model of the probe. What statements ask about paths of activations. */
#include "harness.h"

static es_path path_of(const char *text, const es_step *steps, size_t count)
{
    return (es_path){.text = text, .steps = steps, .count = count};
}

/* clang-format off */
#define NAMED(p) {.kind = ES_STEP_NAME, .procedure = PROCEDURE(p)}
#define CALLED(p, place) {.kind = ES_STEP_CALL, .procedure = PROCEDURE(p), .site = (place)}
#define NTH(p, k) {.kind = ES_STEP_NESTED, .procedure = PROCEDURE(p), .nest = (k)}
#define GAP {.kind = ES_STEP_ANY}
/* clang-format on */

static es_expr *with_path(es_expr *expr, const es_path *path)
{
    expr->path = path;
    return expr;
}

static es_expr *active(const es_path *path, bool exact)
{
    es_expr *expr = with_path(tree_const(0), path);
    expr->kind = ES_EXPR_ACTIVE;
    expr->exact = exact;
    return expr;
}

static void clocks(const char *what)
{
    printf("%s: %llu clocks\n", what, (unsigned long long)m->hit_clocks);
}

START_TEST(enter_and_leave_by_path)
{
    const es_step by_f[] = {NAMED(MAIN), NAMED(F), NAMED(G)}, by_site[] = {NAMED(MAIN), CALLED(G, MAIN_G)};
    es_path f_g = path_of("main:f:g", by_f, 3), main_g = path_of("main:2", by_site, 2);
    tree_statement(&program, with_path(tree_enter(PROCEDURE(G)), &f_g), NULL, 0, 0);
    tree_statement(&program, with_path(tree_leave(PROCEDURE(G)), &main_g), NULL, 0, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    clocks("call of a procedure with a column");
    target_call(m, MAIN_F, F);
    target_call(m, F_G, G);
    PATH(0, SITE_MAIN, MAIN_F, F_G);
    expect_hit(0, 0, 0x300, 0, 0);
    target_call(m, G_H, H);
    clocks("call of a procedure without column");
    target_return(m, 0x490, G_H);
    clocks("return, with nodes");
    target_return(m, 0x390, F_G);
    target_return(m, 0x290, MAIN_F);
    target_call(m, MAIN_G, G);
    clocks("call whose site counts, entered by another path: no hit");
    expect_nothing();
    target_return(m, 0x390, MAIN_G);
    PATH(1, MAIN_G);
    expect_hit(1, 0, 0x390, 0, 0);
    expect_nothing();
}
END_TEST

START_TEST(substates)
{
    const es_step steps[] = {NAMED(MAIN), NAMED(F)};
    es_path f = path_of("main:f", steps, 2);
    es_reference x = tree_static(&tree_int, X);
    tree_statement(&program, tree_binary(ES_OP_LOGAND, tree_write(0), active(&f, false)), &x, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_LOGAND, tree_write(0), active(&f, true)), &x, 1, 1);
    start();
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, X, 1, 4);
    expect_nothing();
    clocks("two statements about substates, false");
    target_call(m, MAIN_F, F);
    model_store(m, X, 2, 4);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 2);
    expect_hit(1, 0, 0x200, 1, 2);
    target_call(m, F_G, G);
    model_store(m, X, 3, 4);
    PATH(2, F_G);
    expect_hit(0, 0, 0x300, 1, 3);
    target_interrupt(m);
    model_store(m, X, 4, 4);
    PATH(3, 0x300 | ES_SITE_INTERRUPT);
    expect_hit(0, 0, 0x600, 1, 4);
    target_mret(m, 0x304);
    target_return(m, 0x390, F_G);
    target_return(m, 0x290, MAIN_F);
    model_store(m, X, 5, 4);
    expect_nothing();
}
END_TEST

/* The 70th nested activation lies beyond the shadow stack: paths are still known there. */
START_TEST(nested_beyond_the_stack)
{
    const es_step steps[] = {GAP, NTH(REC, 70)}, third[] = {GAP, NTH(REC, 3)};
    es_path deep = path_of("rec[70]", steps, 2), low = path_of("rec[3]", third, 2);
    tree_statement(&program, with_path(tree_enter(PROCEDURE(REC)), &deep), NULL, 0, -1);
    tree_statement(&program, with_path(tree_leave(PROCEDURE(REC)), &deep), NULL, 0, -1);
    tree_statement(&program, with_path(tree_leave(PROCEDURE(REC)), &low), NULL, 0, -1);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_REC, REC);
    for (int depth = 2; depth <= 75; depth++)
        target_call(m, REC_REC, REC);
    for (int depth = 75; depth > 1; depth--)
        target_return(m, 0x590, REC_REC);
    target_return(m, 0x590, MAIN_REC);
    model_mail(m, ES_MAIL_FLUSH);
    const model_frame *totals = expect(ES_FRAME_COUNTERS);
    for (int i = 2; i < 5; i++)
        ck_assert_uint_eq(totals->words[i], 1);
    ck_assert_uint_eq(expect(ES_FRAME_DONE)->words[3], 0);
}
END_TEST

/* Of g's two ways only one is named: the other's frame is not even armed. */
START_TEST(local_on_a_path)
{
    const es_step steps[] = {NAMED(MAIN), NAMED(F), NAMED(G)};
    es_path f_g = path_of("main:f:g", steps, 3);
    es_reference local = tree_local(&tree_int, PROCEDURE(G), -12);
    local.path = &f_g;
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(5)), &local, 1, 1);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_G, G);
    ck_assert_uint_eq(m->data_plane[(TARGET_STACK_TOP - 32 - 12) / 4], 0);
    target_return(m, 0x390, MAIN_G);
    target_call(m, MAIN_F, F);
    target_call(m, F_G, G);
    clocks("call that arms one local on a path");
    model_store(m, TARGET_STACK_TOP - 80 - 12, 6, 4);
    PATH(0, SITE_MAIN, MAIN_F, F_G);
    expect_hit(0, 0, 0x300, 1, 6);
    target_return(m, 0x390, F_G);
    ck_assert_uint_eq(m->data_plane[(TARGET_STACK_TOP - 80 - 12) / 4], 0);
    expect_nothing();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("states");
    TCase *tests = tcase_create("states");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, enter_and_leave_by_path);
    tcase_add_test(tests, substates);
    tcase_add_test(tests, nested_beyond_the_stack);
    tcase_add_test(tests, local_on_a_path);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
