/* Compound events: conditions joined by `then`, `and`, `or`, with lifetimes, on the model of the probe. */
#include <image.h>

#include "harness.h"

#include <stdlib.h>

static es_event_tree *when(es_expr *expr, size_t count, const es_trigger *triggers)
{
    es_condition *condition = calloc(1, sizeof *condition);
    es_trigger *copies = calloc(count, sizeof *copies);
    es_event_tree *event = calloc(1, sizeof *event);
    for (size_t i = 0; i < count; i++)
        copies[i] = triggers[i];
    *condition = (es_condition){.expr = expr, .triggers = copies, .trigger_count = count};
    *event = (es_event_tree){.kind = ES_EVENT_WHEN, .condition = condition, .depth = 1};
    return event;
}

static es_event_tree *written(size_t reference)
{
    return when(tree_write(reference), 1, &(es_trigger){.kind = ES_TRIGGER_WRITE, .index = reference});
}

static es_event_tree *joined(enum es_event_tree_kind kind, es_event_tree *first, es_event_tree *second, uint64_t within)
{
    es_event_tree *event = calloc(1, sizeof *event);
    *event = (es_event_tree){.kind = kind, .first = first, .second = second, .within = {within, true}, .depth = 2};
    return event;
}

/* A statement over the words from X on: `event { print elapsed }`. */
static es_statement *statement(es_event_tree *event, size_t words)
{
    es_reference places[8];
    for (size_t i = 0; i < words; i++)
        places[i] = tree_static(&tree_int, X + 4 * (uint32_t)i);
    es_statement *made = tree_statement(&program, NULL, places, words, 1);
    made->event = event;
    made->actions[0].items[0] = (es_print_item){.name = "elapsed", .kind = ES_ITEM_ELAPSED};
    return made;
}

/* A write to the n-th word at a time. */
static void at(uint32_t time, unsigned n)
{
    m->time = time - 1;
    model_store(m, X + 4 * n, time, 4);
}

static void expect_event(unsigned number, uint32_t time, uint32_t elapsed)
{
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->count, 7);
    ck_assert_uint_eq(frame->words[1], time);
    ck_assert_uint_eq(frame->words[3], number);
    ck_assert_uint_eq(frame->words[5], elapsed);
    ck_assert_uint_eq(frame->words[6], 0);
}

START_TEST(then_is_strict)
{
    es_event_tree *two = joined(ES_EVENT_THEN, written(0), written(1), 0);
    statement(joined(ES_EVENT_THEN, two, written(2), 0), 3);
    start();
    at(10, 0), at(20, 1), at(30, 2);
    expect_event(0, 30, 20);
    printf("then, completed and printed: %llu clocks\n", (unsigned long long)m->hit_clocks);
    at(40, 2); /* it begins afresh */
    expect_nothing();
    printf("then, of no use: %llu clocks\n", (unsigned long long)m->hit_clocks);
    at(50, 0), at(60, 2), at(70, 1), at(80, 2); /* another in between */
    expect_nothing();
    at(90, 0), at(100, 0), at(110, 1), at(120, 0), at(130, 1), at(140, 2); /* new beginnings */
    expect_event(0, 140, 20);
    expect_nothing();
    printf("then, the slowest event: %llu clocks\n", (unsigned long long)m->max_hit_clocks);
}
END_TEST

START_TEST(and_in_any_order)
{
    statement(joined(ES_EVENT_AND, written(0), written(1), 0), 2);
    start();
    at(10, 0), at(15, 1);
    expect_event(0, 15, 5);
    at(20, 1), at(28, 0);
    expect_event(0, 28, 8);
    at(30, 1), at(40, 1), at(41, 0); /* the last one counts */
    expect_event(0, 41, 1);
    at(50, 1);
    expect_nothing();
}
END_TEST

/* (w0 then w1) or (w2 then w3): what one `then` waits for is no business of the other's. Nor is `w4` in between to the
 * inner one of ((w0 then w1) and w4) then w2, but w2 is to the chain around it. */
START_TEST(then_has_its_own_parts)
{
    statement(joined(ES_EVENT_OR, joined(ES_EVENT_THEN, written(0), written(1), 0),
                     joined(ES_EVENT_THEN, written(2), written(3), 0), 0),
              4);
    start();
    at(10, 0), at(20, 2), at(30, 1);
    expect_event(0, 30, 20);
    at(40, 3); /* it begins afresh, both sides */
    expect_nothing();
    at(50, 0), at(60, 2), at(70, 3);
    expect_event(0, 70, 10);
    at(80, 0), at(90, 2), at(100, 0), at(105, 2), at(110, 1); /* a side's own events are new beginnings */
    expect_event(0, 110, 10);
    expect_nothing();
}
END_TEST

START_TEST(then_in_and)
{
    es_event_tree *both = joined(ES_EVENT_AND, joined(ES_EVENT_THEN, written(0), written(1), 0), written(3), 0);
    statement(joined(ES_EVENT_THEN, both, written(2), 0), 4);
    start();
    at(10, 0), at(20, 3), at(30, 2), at(40, 1), at(50, 2);
    expect_event(0, 50, 40);
    at(60, 0), at(70, 3), at(80, 1), at(90, 0), at(100, 2); /* w0 after both: of the chain, and in between */
    expect_nothing();
}
END_TEST

START_TEST(or_of_events)
{
    statement(joined(ES_EVENT_OR, joined(ES_EVENT_THEN, written(0), written(1), 0), written(2), 0), 3);
    start();
    at(10, 2);
    expect_event(0, 10, 0);
    at(20, 0), at(30, 2); /* either: and both begin afresh */
    expect_event(0, 30, 0);
    at(40, 1);
    expect_nothing();
    at(50, 0), at(60, 1);
    expect_event(0, 60, 10);
    expect_nothing();
}
END_TEST

START_TEST(lifetimes)
{
    es_event_tree *inner = joined(ES_EVENT_THEN, written(0), written(1), 10);
    statement(joined(ES_EVENT_THEN, inner, written(2), 1000), 3);
    start();
    at(100, 0), at(110, 1), at(1100, 2); /* both just in time */
    expect_event(0, 1100, 1000);
    at(2000, 0), at(2011, 1), at(2012, 2); /* the inner one too late */
    at(3000, 0), at(3010, 1), at(4001, 2); /* the outer one */
    expect_nothing();
    printf("within, ended: %llu clocks\n", (unsigned long long)m->hit_clocks);
    /* over the wrap of the low word */
    m->time_bits = 32;
    at(0xFFFFFFFE, 0);
    model_mark(m, ES_MARK_EPOCH, 1, 0);
    at(3, 1), at(5, 2);
    expect_event(0, 5, 7);
    expect_nothing();
}
END_TEST

START_TEST(elapsed_in_conditions)
{
    es_expr *longer = tree_binary(ES_OP_GT, tree_const(0), tree_const(0));
    longer->lhs->kind = ES_EXPR_ELAPSED;
    longer->lhs->type = longer->rhs->type = ES_VALUE_TIME;
    longer->rhs->constant.time = (es_duration){2000, false}; /* 20 clocks */
    longer->operand_signed = false;
    es_event_tree *later =
        when(tree_binary(ES_OP_LOGAND, tree_write(1), longer), 1, &(es_trigger){.kind = ES_TRIGGER_WRITE, .index = 1});
    statement(joined(ES_EVENT_THEN, written(0), later, 0), 2);
    start();
    at(100, 0), at(120, 1); /* not longer: no event at all */
    expect_nothing();
    at(121, 1);
    expect_event(0, 121, 21);
    at(200, 1);
    expect_nothing();
}
END_TEST

START_TEST(at_controls)
{
    es_event_tree *entered =
        when(tree_enter(PROCEDURE(F)), 1, &(es_trigger){.kind = ES_TRIGGER_ENTER, .procedure = PROCEDURE(F)});
    es_event_tree *left =
        when(tree_leave(PROCEDURE(F)), 1, &(es_trigger){.kind = ES_TRIGGER_LEAVE, .procedure = PROCEDURE(F)});
    statement(joined(ES_EVENT_THEN, entered, left, 0), 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    uint32_t began = m->time;
    m->time += 500;
    target_return(m, 0x2F0, MAIN_F);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_event(0, m->time, m->time - began);
    expect_nothing();
}
END_TEST

START_TEST(unknown_conditions)
{
    es_expr *more = tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1));
    es_event_tree *second = when(more, 1, &(es_trigger){.kind = ES_TRIGGER_WRITE, .index = 0});
    statement(joined(ES_EVENT_THEN, written(2), second, 0), 3);
    start();
    at(10, 2), at(20, 0); /* nobody has written the word beside it: no event, but counted */
    model_store(m, X + 4, 0, 4);
    at(30, 0);
    expect_event(0, 30, 20);
    expect_summary(1, 0);
}
END_TEST

/* age(x): at a write to x since the one before; never written is unknown; a local's begins with its activation. */
START_TEST(ages)
{
    es_reference places[] = {tree_static(&tree_int, X), tree_static(&tree_int, X + 4), tree_static(&tree_short, X + 8)};
    es_expr *older = tree_binary(ES_OP_GE, tree_const(0), tree_const(0));
    *older->lhs = (es_expr){.kind = ES_EXPR_AGE, .type = ES_VALUE_TIME, .index = 2};
    *older->rhs = (es_expr){.kind = ES_EXPR_CONST, .type = ES_VALUE_TIME, .constant.time = {100, true}};
    es_statement *two = tree_statement(&program, tree_binary(ES_OP_LOGAND, tree_write(2), older), places, 3, 1);
    two->actions[0].items[0] = (es_print_item){.name = "age(y)", .kind = ES_ITEM_AGE, .index = 1};
    two->references[0] = places[2];
    two->references[2] = places[2];
    two->predicate_count = 3;
    start();
    at(100, 2);
    at(200, 2); /* age(y) is not known */
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->count, 8);
    ck_assert_uint_eq(frame->words[7], 1);
    at(250, 1);
    at(299, 2);
    expect_nothing();
    m->time = 310;
    model_store(m, X + 8, 1, 1); /* half of it */
    m->time = 398;
    model_store(m, X + 9, 1, 1);
    expect_event(0, 399, 149);
    printf("age(x) >= T, age(y) printed: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_nothing();
}
END_TEST

static void expect_deadline(uint32_t low, uint32_t high, uint32_t value)
{
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->count, 6);
    ck_assert_uint_eq(frame->words[1], low);
    ck_assert_uint_eq(frame->words[2], high);
    ck_assert_uint_eq(frame->words[3], ES_HITF_PATH_UNKNOWN << 16);
    ck_assert_uint_eq(frame->words[4], ES_HIT_NOWHERE);
    ck_assert_uint_eq(frame->words[5], value);
}

/* `x unchanged for 100 cycles { print x }`, noticed at writes to x and at marks; the value is that of then. */
START_TEST(unchanged)
{
    es_duration clocks = {100, true};
    es_trigger trigger = {.kind = ES_TRIGGER_UNCHANGED, .duration = clocks};
    es_expr *expr = tree_write(0);
    expr->kind = ES_EXPR_UNCHANGED;
    expr->duration = clocks;
    es_reference x = tree_static(&tree_short, X + 2);
    es_statement *made = tree_statement(&program, expr, &x, 1, 1);
    made->event = when(expr, 1, &trigger);
    start();
    m->time_bits = 16;
    m->time = 39;
    model_store(m, X + 2, 5, 2); /* before: from the beginning, and at once */
    expect_nothing();
    m->time = 89;
    model_store(m, X + 2, 5, 2); /* the same value, and the neighbour's bytes */
    model_store(m, X, 5, 2);
    expect_nothing();
    m->time = 139;
    model_store(m, X + 2, 6, 2); /* just when the time is over */
    expect_deadline(140, 0, 5);
    m->time = 200;
    model_store(m, X + 2, 7, 2);
    expect_nothing();
    model_mark(m, ES_MARK_EPOCH, 1, 0);
    expect_deadline(301, 0, 7);
    printf("deadline at a mark, printed: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_mark(m, ES_MARK_EPOCH, 2, 0);
    expect_nothing(); /* once */
    printf("mark, nothing to tell: %llu clocks\n", (unsigned long long)m->hit_clocks);
    m->time = 10;
    model_store(m, X + 2, 0xFFFE, 2);
    expect_nothing();
    model_mark(m, ES_MARK_EPOCH, 3, 0);
    expect_deadline(0x2006F, 0, 0xFFFFFFFE);
    expect_nothing();
}
END_TEST

/* What passes between the last mark and the end is told at the flush: the end is what the host says, else the time of
 * the flush. */
START_TEST(deadlines_at_the_end)
{
    es_duration clocks = {100, true};
    es_trigger trigger = {.kind = ES_TRIGGER_UNCHANGED, .duration = clocks};
    es_expr *expr = tree_write(0);
    expr->kind = ES_EXPR_UNCHANGED;
    expr->duration = clocks;
    es_reference x = tree_static(&tree_int, X);
    es_statement *made = tree_statement(&program, expr, &x, 1, 1);
    made->event = when(expr, 1, &trigger);
    start();
    m->time_bits = 16;
    m->time = 49;
    model_store(m, X, 5, 4);
    uint32_t *end = (uint32_t *)(void *)(m->memory + ES_IMAGE_BASE + offsetof(struct es_mi_header, end_low));
    end[0] = 149;
    expect_summary(0, 0); /* not yet */
    end[0] = 150;
    model_mail(m, ES_MAIL_FLUSH);
    expect_deadline(150, 0, 5);
    expect(ES_FRAME_COUNTERS);
    expect(ES_FRAME_DONE);
    expect_summary(0, 0); /* once */
    m->time = 199;
    model_store(m, X, 6, 4);
    end[0] = 0;
    m->time = 400; /* this probe does not know the time */
    expect_summary(0, 0);
    m->config = ES_CONFIG_TIME_NOW;
    model_mail(m, ES_MAIL_FLUSH);
    expect_deadline(300, 0, 6);
    expect(ES_FRAME_COUNTERS);
    expect(ES_FRAME_DONE);
    m->time = 500;
    model_store(m, X, 7, 4);
    end[0] = 601;
    m->room = 5; /* no room: dropped, with the end as the time of the loss */
    m->room_later = 1000;
    model_mail(m, ES_MAIL_FLUSH);
    const model_frame *gap = expect(ES_FRAME_GAP);
    ck_assert_uint_eq(gap->words[1], 1);
    ck_assert_uint_eq(gap->words[2], 601);
    ck_assert_uint_eq(gap->words[4], 601);
}
END_TEST

/* x > 5 && y < 3 for 100 cycles; y has 64 bits. */
START_TEST(conditions_that_hold)
{
    static const es_type wide = {.kind = ES_TYPE_INT, .name = "long long", .size = 8, .is_signed = true};
    es_reference places[] = {tree_static(&tree_int, X), tree_static(&wide, X + 8)};
    es_expr *three = tree_const(3), *y = tree_ref(1), *less = tree_binary(ES_OP_LT, y, three);
    three->type = y->type = ES_VALUE_64;
    three->constant.wide = 3;
    es_event_tree *event =
        when(tree_binary(ES_OP_LOGAND, tree_binary(ES_OP_GT, tree_ref(0), tree_const(5)), less), 0, NULL);
    ((es_condition *)event->condition)->holds_for = (es_duration){100, true};
    es_statement *made = tree_statement(&program, NULL, places, 2, 1);
    made->event = event;
    made->actions[0].items[0].index = 1; /* y, in two words */
    start();
    m->time_bits = 16;
    model_know(m, X + 8, 0xFFFFFFFE);
    model_know(m, X + 12, 0xFFFFFFFF);
    at(100, 0);
    m->time = 149;
    model_store(m, X, 8, 4); /* still so */
    m->time = 189;
    model_store(m, X + 8, 4, 4);
    model_store(m, X + 12, 0, 4); /* at 191: not any more */
    at(200, 0);
    at(300, 0);
    expect_nothing();
    m->time = 399;
    model_store(m, X + 8, 2, 4);
    model_store(m, X + 12, 0, 4); /* at 401: again */
    at(501, 0);                   /* just when the time is over */
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->count, 7);
    ck_assert_uint_eq(frame->words[1], 501);
    ck_assert_uint_eq(frame->words[3], ES_HITF_PATH_UNKNOWN << 16);
    ck_assert_uint_eq(frame->words[4], ES_HIT_NOWHERE);
    ck_assert_uint_eq(frame->words[5], 2);
    ck_assert_uint_eq(frame->words[6], 0);
    printf("for, at a write: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_mark(m, ES_MARK_EPOCH, 1, 0);
    expect_nothing(); /* once */
    m->time = 9;
    model_store(m, X, 0, 4);
    model_store(m, X, 9, 4);
    model_store(m, X + 8, 1, 4); /* half of it */
    model_mark(m, ES_MARK_EPOCH, 2, 0);
    frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[1], 0x1006F);
    ck_assert_uint_eq(frame->words[5], 2);
    printf("for, told at a mark: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_nothing();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("events");
    TCase *tests = tcase_create("events");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, then_is_strict);
    tcase_add_test(tests, then_has_its_own_parts);
    tcase_add_test(tests, then_in_and);
    tcase_add_test(tests, and_in_any_order);
    tcase_add_test(tests, or_of_events);
    tcase_add_test(tests, lifetimes);
    tcase_add_test(tests, elapsed_in_conditions);
    tcase_add_test(tests, at_controls);
    tcase_add_test(tests, unknown_conditions);
    tcase_add_test(tests, ages);
    tcase_add_test(tests, unchanged);
    tcase_add_test(tests, deadlines_at_the_end);
    tcase_add_test(tests, conditions_that_hold);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
