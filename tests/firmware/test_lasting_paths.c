/* The real firmware with real images, on the model of the probe. What lasts, `for` and `unchanged for`, of paths of
 * activations. */
#include "lasting.h"

/* `main:g`, or that it is the innermost activation */
static es_expr *active(bool exact)
{
    static es_step steps[] = {{.kind = ES_STEP_NAME, .procedure = PROCEDURE(MAIN)},
                              {.kind = ES_STEP_NAME, .procedure = PROCEDURE(G)}};
    static const es_path path = {.text = "main:g", .steps = steps, .count = 2};
    es_expr *expr = tree_const(1);
    expr->kind = ES_EXPR_ACTIVE;
    expr->path = &path;
    expr->exact = exact;
    return expr;
}

/* The features of statements about paths. */
static void about_paths(void)
{
    for (size_t i = 0; i < program.statement_count; i++)
        program.statements[i].features = ES_FEATURE(SUBSTATE);
}

/* main:g && x > 5, and main:g alone: g's return ends them. */
START_TEST(of_a_path)
{
    es_reference x = tree_static(&tree_int, X);
    holds(tree_binary(ES_OP_LOGAND, active(false), above(0, 5)), &x, 1, 1, 0);
    holds(active(false), &x, 1, 0, 0);
    about_paths();
    begin();
    target_call(m, SITE_MAIN, MAIN);
    at(50, X, 9); /* not in g */
    m->time = 98;
    target_call(m, MAIN_G, G); /* at 100 */
    printf("for, of a path: call that begins it: %llu clocks\n", (unsigned long long)m->hit_clocks);
    at(140, X, 6);
    target_call(m, G_H, H); /* g is still there */
    m->time = 228;
    target_return(m, 0x490, G_H);
    expect_nothing();
    target_return(m, 0x390, MAIN_G); /* at 232 */
    expect_hit_of(0, 200, 6);
    expect_hit_of(1, 200, 6);
    at(300, X, 7);
    m->time = 400;
    target_call(m, MAIN_G, G); /* at 402 */
    m->time = 408;
    at(410, X, 5);
    at(420, X, 8);
    m->time = 430;
    target_return(m, 0x390, MAIN_G);
    printf("for, of a path: return that ends it: %llu clocks\n", (unsigned long long)m->hit_clocks);
    m->time = 498;
    target_call(m, MAIN_G, G); /* at 500 */
    mark(1);
    expect_hit_of(0, 600, 8);
    expect_hit_of(1, 600, 8);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

/* Whatever is called ends it, also an interrupt; it begins anew with the return. */
START_TEST(of_the_innermost)
{
    es_reference x = tree_static(&tree_int, X);
    es_expr *not = tree_const(1);
    not ->kind = ES_EXPR_UNARY, not ->op = ES_OP_LOGNOT, not ->lhs = active(true);
    holds(active(true), &x, 1, 0, 0);
    holds(not, &x, 1, 0, 0);
    about_paths();
    begin();
    target_call(m, SITE_MAIN, MAIN);
    at(50, X, 9);
    m->time = 98;
    target_call(m, MAIN_G, G);
    m->time = 150;
    target_call(m, G_H, H);
    printf("for, of path ==: call that ends it: %llu clocks\n", (unsigned long long)m->hit_clocks);
    m->time = 178;
    target_return(m, 0x490, G_H); /* at 180 */
    printf("for, of path ==: return that begins it: %llu clocks\n", (unsigned long long)m->hit_clocks);
    m->time = 278;
    target_interrupt(m); /* at 279 */
    expect_nothing();
    m->time = 298;
    target_mret(m, 0x318); /* at 299 */
    expect_nothing();
    m->time = 409;
    target_return(m, 0x390, MAIN_G); /* at 411 */
    expect_hit_of(0, 399, 9);
    m->time = 508;
    target_call(m, MAIN_G, G); /* at 510 */
    m->time = 520;
    target_return(m, 0x390, MAIN_G); /* at 522 */
    expect_nothing();
    mark(1);
    expect_hit_of(1, 622, 9);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

/* x had been unchanged for so long while g was active: the path of then counts, also where it is asked for later. */
START_TEST(unchanged_on_a_path)
{
    es_reference x = tree_static(&tree_int, X);
    unchanged(&x, 1, 0, 0);
    es_condition *condition = (es_condition *)(uintptr_t)program.statements[0].event->condition;
    condition->expr = tree_binary(ES_OP_LOGAND, active(false), (es_expr *)(uintptr_t)condition->expr);
    program.statements[0].predicate = condition->expr;
    about_paths();
    begin();
    target_call(m, SITE_MAIN, MAIN);
    at(50, X, 9);
    m->time = 98;
    target_call(m, MAIN_G, G);
    m->time = 158;
    target_return(m, 0x390, MAIN_G); /* at 160, 10 clocks after the time was over */
    expect_hit_of(0, 150, 9);
    at(200, X, 1);
    m->time = 318;
    target_call(m, MAIN_G, G); /* 20 clocks after it */
    at(400, X, 2);
    at(450, X, 3);
    m->time = 548;
    target_return(m, 0x390, MAIN_G); /* just then: it was active until now */
    expect_hit_of(0, 550, 3);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

/* While the path is not known, nothing is true of it; that counts as unknown, once for each that it ends, and at
 * writes. */
START_TEST(of_a_path_that_is_lost)
{
    es_reference x = tree_static(&tree_int, X);
    holds(active(false), &x, 1, 0, 0);
    holds(tree_binary(ES_OP_LOGAND, active(false), above(0, 5)), &x, 1, 1, 0);
    unchanged(&x, 1, 0, 0);
    es_condition *condition = (es_condition *)(uintptr_t)program.statements[2].event->condition;
    condition->expr = tree_binary(ES_OP_LOGAND, (es_expr *)(uintptr_t)condition->expr, active(true));
    program.statements[2].predicate = condition->expr;
    about_paths();
    begin();
    target_call(m, SITE_MAIN, MAIN);
    at(50, X, 9);
    m->time = 98;
    target_call(m, MAIN_G, G);
    m->time = 118;
    target_return(m, 0x390, F_G); /* f is not active: who knows where this is */
    at(140, X, 8);
    mark(1);
    expect_nothing();
    m->time = (1u << 16) + 1000;
    target_return(m, 0x290, MAIN_G); /* in main again */
    target_call(m, MAIN_G, G);       /* at 1004 */
    mark(2);
    expect_hit_of(0, (1u << 16) + 1104, 8);
    expect_hit_of(1, (1u << 16) + 1104, 8);
    expect_nothing();
    expect_summary(5, 0); /* the two that have begun; at the write both; where x had been unchanged */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lasting_paths");
    TCase *tests = tcase_create("lasting_paths");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, of_a_path);
    tcase_add_test(tests, of_the_innermost);
    tcase_add_test(tests, unchanged_on_a_path);
    tcase_add_test(tests, of_a_path_that_is_lost);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
