/* The real firmware with real images, on the model of the probe. What lasts, `for` and `unchanged for`, of what
 * may cease to exist: locals, what pointers lead to, elements; of 64 bits; and beside what is only shown. */
#include "lasting.h"

#define CFA_CALLEE_OF_MAIN (TARGET_STACK_TOP - 32)
#define P 0x20100u
#define A 0x21000u
#define B 0x21040u

static const es_type wide = {.kind = ES_TYPE_INT, .name = "long long", .size = 8, .is_signed = true};
static const es_type pointer = {.kind = ES_TYPE_POINTER, .name = "int *", .size = 4, .of = &tree_int};

/* A local's time begins in its activation, and ends with it. */
START_TEST(of_a_local)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(G), -12);
    uint32_t place = CFA_CALLEE_OF_MAIN - 12;
    holds(above(0, 5), &local, 1, 1, 0);
    begin();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_G, G);
    at(100, place, 6);
    m->time = 160;
    target_return(m, 0x390, MAIN_G); /* after 62 clocks */
    at(180, place, 7);               /* nobody's */
    m->time = 190;
    target_call(m, MAIN_G, G);
    expect_nothing();
    at(300, place, 8); /* from here on, though it was above 5 when it began */
    at(399, place, 9);
    expect_nothing();
    at(400, place, 10); /* just when the time is over */
    expect_told(400, 9);
    printf("for, of a local, told at a write: %llu clocks\n", (unsigned long long)m->hit_clocks);
    m->time = 450;
    target_return(m, 0x390, MAIN_G);
    printf("return that ends it: %llu clocks\n", (unsigned long long)m->hit_clocks);
    target_call(m, MAIN_G, G);
    at(500, place, 11);
    m->time = 599;
    target_return(m, 0x390, MAIN_G); /* at 601: the time was over before, but nobody has asked yet */
    m->time = 700;
    target_call(m, MAIN_G, G);
    expect_nothing();
    at(720, place, 12); /* begins anew, after the other has been told */
    expect_told(600, 11);
    mark(1);
    expect_told(820, 12);
    mark(2);
    expect_nothing(); /* once */
}
END_TEST

/* The innermost activation's; what is inside ends it for the one outside. */
START_TEST(of_a_local_that_moves)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(REC), -20);
    uint32_t outer = TARGET_STACK_TOP - 32 - 20, inner = outer - 32;
    unchanged(&local, 1, 0, 0);
    begin();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_REC, REC);
    at(100, outer, 1);
    m->time = 150;
    target_call(m, REC_REC, REC);
    at(180, inner, 1); /* the same value, of another */
    at(270, inner, 1);
    m->time = 278;
    target_return(m, 0x590, REC_REC); /* at 280, just when the time is over */
    at(400, outer, 1);
    expect_told(280, 1);
    at(499, outer, 1);
    expect_nothing();
    mark(1);
    expect_told(500, 1);
    expect_nothing();
}
END_TEST

START_TEST(through_a_pointer)
{
    es_reference places[] = {tree_static(&pointer, P), tree_static(&tree_int, X)};
    places[1] = (es_reference){.text = "*p", .type = &tree_int, .size = 4, .via = true};
    holds(above(1, 5), places, 2, 2, 1);
    unchanged(places, 2, 1, 1);
    model_know(m, P, 0);
    model_know(m, A, 7);
    model_know(m, B, 7);
    begin();
    at(100, P, A); /* an event of both */
    at(150, P, B); /* another object, of the same value */
    at(220, P, B); /* the same object */
    at(240, B, 7); /* the same value */
    expect_nothing();
    at(250, P, A);
    expect_told(250, 7);
    expect_hit_of(1, 250, 7);
    at(300, P, 0);
    at(500, A, 8);
    at(600, P, A);
    mark(1);
    expect_told(700, 8);
    expect_hit_of(1, 700, 8);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

/* a[i] > 5; i becomes another one, or leaves the array. */
START_TEST(of_an_element)
{
    es_subscript subscript = {.index = tree_ref(0), .stride = 4, .count = 3};
    es_reference places[] = {tree_static(&tree_int, X), tree_static(&tree_int, A)};
    places[1].subscripts = &subscript;
    places[1].subscript_count = 1;
    holds(above(1, 5), places, 2, 2, 1);
    model_know(m, X, 0);
    for (uint32_t i = 0; i < 3; i++)
        model_know(m, A + 4 * i, 9);
    begin();
    at(100, X, 1);
    at(150, A, 6);     /* another element: no event */
    at(160, A + 4, 7); /* goes on */
    at(170, X, 2);     /* another one that is above 5, too */
    at(180, A + 4, 1);
    expect_nothing();
    at(270, X, 3); /* none; just when the time is over */
    expect_told(270, 9);
    at(300, A, 2);
    mark(1);
    expect_nothing();
}
END_TEST

/* Before the first write it is what the program file has, from the beginning; a change in either word counts. */
START_TEST(of_64_bits)
{
    es_reference x = tree_static(&wide, X);
    unchanged(&x, 1, 0, 0);
    begin();
    at(40, X, 5);
    expect_nothing(); /* half of it */
    at(50, X + 4, 1);
    at(100, X, 5);
    at(120, X + 4, 1); /* the same */
    at(130, X, 5);
    at(140, X + 4, 2); /* the upper word alone */
    expect_nothing();
    at(200, X, 6);
    at(210, X + 4, 2);
    expect_nothing();
    mark(1);
    const model_frame *frame = expect_told(310, 6);
    ck_assert_uint_eq(frame->count, 7);
    ck_assert_uint_eq(frame->words[6], 2);
    printf("unchanged for, of 64 bits, told at a mark: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_nothing();
}
END_TEST

/* What is shown is as of the deadline; its writes are no events of the condition, and it has to be known. */
START_TEST(what_is_only_shown)
{
    es_reference places[] = {tree_static(&tree_int, X), tree_static(&tree_int, X + 4)};
    holds(above(0, 5), places, 2, 1, 1);
    begin();
    at(100, X, 6);
    at(150, X + 4, 1);
    at(199, X + 4, 2);
    expect_nothing();
    at(210, X + 4, 3); /* after the deadline */
    expect_told(200, 2);
    at(220, X, 0);
    at(230, X + 4, 4); /* it does not begin with this */
    at(240, X, 9);
    at(300, X + 4, 5);
    mark(1);
    expect_told(340, 5);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

START_TEST(what_is_not_known)
{
    es_reference places[] = {tree_static(&tree_int, X), tree_static(&tree_int, X + 4)};
    holds(above(0, 5), places, 2, 1, 1);
    begin();
    at(100, X, 6);
    at(210, X, 7);
    expect_nothing();
    expect_summary(1, 0);
}
END_TEST

/* x is as the program file says, which does not have it: it is not known until it is written. */
START_TEST(unchanged_beside_others)
{
    es_reference places[] = {tree_static(&tree_int, X), tree_static(&tree_int, X + 4)};
    unchanged(places, 2, 0, 1);
    begin();
    at(50, X + 4, 1);
    at(160, X, 6);
    expect_nothing();
    at(200, X + 4, 2);
    at(259, X, 6);
    mark(1);
    expect_told(260, 2);
    expect_summary(1, 0);
}
END_TEST

/* write(*p) && age(*p) >= 50 cycles; a[i] likewise. What is meant then has not been written yet when the pointer
 * moves to it. */
START_TEST(ages_of_what_moves)
{
    es_subscript subscript = {.index = tree_ref(2), .stride = 4, .count = 4};
    es_reference places[] = {tree_static(&pointer, P),
                             {.text = "*p", .type = &tree_int, .size = 4, .via = true},
                             tree_static(&tree_int, X),
                             tree_static(&tree_int, B)};
    places[3].subscripts = &subscript;
    places[3].subscript_count = 1;
    for (size_t i = 1; i < 4; i += 2) {
        es_expr *age = tree_write(i), *time = tree_const(0), *compare = tree_binary(ES_OP_GE, age, time);
        age->kind = ES_EXPR_AGE;
        age->type = time->type = ES_VALUE_TIME;
        time->constant.time = (es_duration){50, true};
        es_statement *made = tree_statement(&program, tree_binary(ES_OP_LOGAND, tree_write(i), compare), places, 4, 1);
        made->actions[0].items[0] = (es_print_item){.name = "age", .kind = ES_ITEM_AGE, .index = i};
    }
    model_know(m, P, A);
    model_know(m, X, 0);
    begin();
    at(100, A, 1); /* the first one: since when is not known */
    at(140, A, 1);
    at(190, A, 1);
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 50);
    at(200, P, A + 4);
    at(300, A + 4, 1);
    at(340, P, A); /* where it has been before: its age is not known any more */
    at(400, A, 1);
    at(460, A, 2);
    frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 60);
    at(500, B + 4, 1); /* another element */
    at(510, B, 1);
    at(570, B, 1);
    frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[3] & 0xFFFF, 1);
    ck_assert_uint_eq(frame->words[5], 60);
    at(580, X, 1);
    at(700, B + 4, 1);
    expect_nothing();
    expect_summary(5, 0);
}
END_TEST

/* A deadline's hit for which there is no room: the gap's last time is that of the mark at which it was told, not of the
 * time before the wrap. */
START_TEST(dropped_at_a_mark)
{
    es_reference x = tree_static(&tree_int, X);
    holds(above(0, 5), &x, 1, 1, 0);
    start();
    at(0xFFFFFF00, X, 6);
    m->room = 5;
    m->room_later = 200;
    mark(1);
    const uint32_t want[] = {1, 0, 1, 0, 1, ES_GAP_EVENTS};
    const model_frame *gap = model_next(m);
    ck_assert_ptr_nonnull(gap);
    ck_assert_uint_eq(gap->words[0] & 0xFF, ES_FRAME_GAP);
    ck_assert_mem_eq(&gap->words[1], want, sizeof want);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lasting");
    TCase *tests = tcase_create("lasting");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, of_a_local);
    tcase_add_test(tests, of_a_local_that_moves);
    tcase_add_test(tests, through_a_pointer);
    tcase_add_test(tests, of_an_element);
    tcase_add_test(tests, of_64_bits);
    tcase_add_test(tests, what_is_only_shown);
    tcase_add_test(tests, what_is_not_known);
    tcase_add_test(tests, unchanged_beside_others);
    tcase_add_test(tests, ages_of_what_moves);
    tcase_add_test(tests, dropped_at_a_mark);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
