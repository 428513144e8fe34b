/* The real firmware with real images, on the model of the probe. Deadlines among events: what a statement does when its
 * time is over comes before what other statements do later, and counters are as of each. */
#include "harness.h"

#include <stdlib.h>

#define Y (X + 4)

static void print_counter(es_statement *statement, size_t counter)
{
    es_print_item *item = calloc(1, sizeof *item);
    *item = (es_print_item){.name = "k", .index = counter, .kind = ES_ITEM_COUNTER};
    tree_action(statement, (es_action){.kind = ES_ACTION_PRINT, .items = item, .item_count = 1});
}

static void count(es_statement *statement, size_t counter)
{
    tree_action(statement, (es_action){.kind = ES_ACTION_COUNT, .counter = counter});
    program.counter_count = counter + 1;
}

/* `x > 5 for CLOCKS` */
static es_statement *above_for(uint32_t address, uint64_t clocks)
{
    es_reference x = tree_static(&tree_int, address);
    es_statement *made = tree_statement(&program, NULL, &x, 1, -1);
    es_condition *condition = calloc(1, sizeof *condition);
    es_event_tree *event = calloc(1, sizeof *event);
    *condition = (es_condition){.expr = tree_binary(ES_OP_GT, tree_ref(0), tree_const(5)), .holds_for = {clocks, true}};
    *event = (es_event_tree){.kind = ES_EVENT_WHEN, .condition = condition, .depth = 1};
    made->event = event;
    made->predicate_count = 1;
    return made;
}

/* `write(y)` */
static es_statement *written(void)
{
    es_reference y = tree_static(&tree_int, Y);
    return tree_statement(&program, tree_write(0), &y, 1, -1);
}

static void at(uint32_t time, uint32_t address, uint32_t value)
{
    m->time = time - 1;
    model_store(m, address, value, 4);
}

/* A hit that shows the counter. */
static void told(unsigned statement, uint32_t time, uint32_t k)
{
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[1], time);
    ck_assert_uint_eq(frame->words[3] & 0xFFFF, statement);
    ck_assert_uint_eq(frame->words[5], k);
}

static void begin(void)
{
    start();
    m->time_bits = 16;
}

/* a: when x > 5 for 100 cycles { print k }; b: when write(y) { count k; print k } */
START_TEST(counters_are_as_of_the_deadline)
{
    print_counter(above_for(X, 100), 0);
    es_statement *b = written();
    count(b, 0);
    print_counter(b, 0);
    begin();
    at(100, X, 6);
    at(150, Y, 1);
    told(1, 150, 1);
    at(180, Y, 1);
    told(1, 180, 2);
    at(250, Y, 1);
    told(0, 200, 2);
    told(1, 250, 3);
    printf("write after a deadline that had passed, both told: %llu clocks\n", (unsigned long long)m->hit_clocks);
    at(260, Y, 1);
    told(1, 260, 4);
    printf("write while nothing is waited for: %llu clocks\n", (unsigned long long)m->hit_clocks);
    at(300, X, 1);
    at(310, X, 7);
    at(410, Y, 1); /* just when the time is over */
    told(0, 410, 4);
    told(1, 410, 5);
    expect_nothing();
}
END_TEST

/* Two that are over, noticed at once: the earlier one first, though it is the later statement. */
START_TEST(deadlines_in_their_order)
{
    es_statement *late = above_for(X, 100), *early = above_for(Y, 50);
    count(late, 0);
    print_counter(late, 0);
    count(early, 0);
    print_counter(early, 0);
    begin();
    at(100, X, 6);
    at(110, Y, 6);
    model_mark(m, ES_MARK_EPOCH, 1, 0);
    told(1, 160, 1);
    told(0, 200, 2);
    model_mark(m, ES_MARK_EPOCH, 2, 0);
    expect_nothing();
    m->time = 0;
    at(100, Y, 0);
    at(110, Y, 8);
    at(120, X, 0);
    at(130, X, 8);
    at(500, X, 9); /* a write to the one asks for the other, too */
    told(1, 0x20000 + 160, 3);
    told(0, 0x20000 + 230, 4);
    expect_nothing();
}
END_TEST

/* a: when x > 5 for 100 cycles { print k; stop }: nothing later is told. */
START_TEST(stop_at_a_deadline)
{
    es_statement *a = above_for(X, 100);
    print_counter(a, 0);
    tree_action(a, (es_action){.kind = ES_ACTION_STOP});
    es_statement *b = written();
    count(b, 0);
    print_counter(b, 0);
    begin();
    at(100, X, 6);
    at(199, Y, 1);
    told(1, 199, 1);
    at(201, Y, 1);
    told(0, 200, 1);
    const model_frame *frame = model_next(m);
    ck_assert_ptr_nonnull(frame);
    ck_assert_uint_eq(frame->words[0] & 0xFF, ES_FRAME_COUNTERS);
}
END_TEST

/* a: when x > 5 for 100 cycles { disable b }; b: when write(y) { count k; print k }; and the other way round: what
 * disables a deadline comes after one that has passed. */
START_TEST(switched_at_a_deadline)
{
    tree_action(above_for(X, 100), (es_action){.kind = ES_ACTION_DISABLE, .statement = 1});
    es_statement *b = written();
    count(b, 0);
    print_counter(b, 0);
    tree_action(b, (es_action){.kind = ES_ACTION_DISABLE, .statement = 2});
    print_counter(above_for(X + 8, 300), 0);
    begin();
    at(100, X, 6);
    at(120, X + 8, 6);
    at(150, Y, 1);
    told(1, 150, 1);
    at(210, Y, 1); /* a has disabled it */
    expect_nothing();
    at(500, Y, 1);
    model_mark(m, ES_MARK_EPOCH, 1, 0); /* b had disabled the other before its time was over */
    expect_nothing();
}
END_TEST

START_TEST(disabled_after_the_deadline)
{
    print_counter(above_for(X, 100), 0);
    es_statement *b = written();
    count(b, 0);
    tree_action(b, (es_action){.kind = ES_ACTION_DISABLE, .statement = 0});
    begin();
    at(100, X, 6);
    at(250, Y, 1);
    told(0, 200, 0);
    at(260, X, 1);
    at(270, X, 6);
    model_mark(m, ES_MARK_EPOCH, 1, 0);
    expect_nothing();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("order");
    TCase *tests = tcase_create("order");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, counters_are_as_of_the_deadline);
    tcase_add_test(tests, deadlines_in_their_order);
    tcase_add_test(tests, stop_at_a_deadline);
    tcase_add_test(tests, switched_at_a_deadline);
    tcase_add_test(tests, disabled_after_the_deadline);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
