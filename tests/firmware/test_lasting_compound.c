/* The real firmware with real images, on the model of the probe. What lasts, `for`, as a part of compound events. */
#include "lasting.h"

static es_event_tree *joined(enum es_event_tree_kind kind, es_event_tree *first, es_event_tree *second, uint64_t within)
{
    es_event_tree *event = calloc(1, sizeof *event);
    *event = (es_event_tree){.kind = kind, .first = first, .second = second, .within = {within, true}, .depth = 2};
    return event;
}

static es_event_tree *written(size_t reference)
{
    es_trigger *trigger = calloc(1, sizeof *trigger);
    *trigger = (es_trigger){.kind = ES_TRIGGER_WRITE, .index = reference};
    return when(tree_write(reference), trigger, 0);
}

/* `event { print x, elapsed }` over the words from X on */
static void compound(es_event_tree *event, size_t words)
{
    es_reference places[4];
    for (size_t i = 0; i < words; i++)
        places[i] = tree_static(&tree_int, X + 4 * (uint32_t)i);
    es_statement *made = tree_statement(&program, NULL, places, words, 2);
    made->event = event;
    made->actions[0].items[1] = (es_print_item){.name = "elapsed", .kind = ES_ITEM_ELAPSED};
}

static void expect_elapsed(uint32_t time, uint32_t value, uint32_t elapsed)
{
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[1], time);
    ck_assert_uint_eq(frame->words[5], value);
    ck_assert_uint_eq(frame->words[6], elapsed);
    ck_assert_uint_eq(frame->words[7], 0);
}

/* (x > 5 for 100 cycles) then write(y): the deadline comes before an event that is later, though it is noticed
 * then only. */
START_TEST(lasts_then)
{
    compound(joined(ES_EVENT_THEN, when(above(0, 5), NULL, 100), written(1), 0), 2);
    begin();
    at(100, X, 6);
    at(150, X + 4, 1); /* too early */
    at(250, X + 4, 2);
    expect_elapsed(250, 6, 50); /* from the deadline on */
    printf("for, then a write, told: %llu clocks\n", (unsigned long long)m->hit_clocks);
    at(300, X + 4, 3); /* it has occurred once, and goes on */
    at(310, X, 1);
    at(320, X, 7);
    at(420, X + 4, 4); /* just when the time is over, and then the write */
    expect_elapsed(420, 7, 0);
    expect_nothing();
}
END_TEST

/* write(y) then (x > 5 for 100 cycles): complete at a deadline, with x as of then. */
START_TEST(then_lasts)
{
    compound(joined(ES_EVENT_THEN, written(1), when(above(0, 5), NULL, 100), 0), 2);
    begin();
    at(100, X, 6);
    at(150, X + 4, 1);
    at(210, X, 8);
    expect_elapsed(200, 6, 50);
    at(220, X, 1);
    at(230, X, 9);
    at(300, X + 4, 1);
    mark(1);
    expect_elapsed(330, 9, 30);
    expect_nothing();
}
END_TEST

/* Two that last: the first one to be over comes first, and both at once are one event. */
START_TEST(both_last)
{
    compound(joined(ES_EVENT_THEN, when(above(0, 5), NULL, 100), when(above(1, 5), NULL, 50), 0), 2);
    compound(joined(ES_EVENT_AND, when(above(0, 5), NULL, 100), when(above(1, 5), NULL, 50), 60), 2);
    begin();
    at(100, X + 4, 6);
    at(110, X, 6); /* over at 210, the other at 150 */
    at(220, X + 4, 0);
    at(230, X + 4, 9); /* over at 280 */
    mark(1);
    expect_elapsed(210, 6, 60); /* of the second statement, from 150 on */
    expect_elapsed(280, 6, 70);
    m->time = 99;
    at(100, X, 0);
    at(200, X, 7);
    at(250, X + 4, 0);
    at(250, X + 4, 8);
    mark(2);
    const model_frame *frame = expect(ES_FRAME_HIT); /* both at 300: `then` has seen the first only */
    ck_assert_uint_eq(frame->words[1], 0x10000 + 300);
    ck_assert_uint_eq(frame->words[3] & 0xFFFF, 1);
    ck_assert_uint_eq(frame->words[6], 0);
    expect_nothing();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lasting_compound");
    TCase *tests = tcase_create("lasting_compound");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, lasts_then);
    tcase_add_test(tests, then_lasts);
    tcase_add_test(tests, both_last);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
