/* The real firmware with real images, on the model of the probe. Actions, counters in conditions and in hits. */
#include "base/arena.h"
#include "harness.h"

static void *keep(size_t size)
{
    static es_arena *arena;
    if (!arena)
        arena = es_arena_new();
    return es_arena_alloc(arena, size);
}

static es_action *add(unsigned statement, es_action action)
{
    es_statement *s = &program.statements[statement];
    es_action *grown = keep((s->action_count + 1) * sizeof *grown);
    if (s->action_count)
        memcpy(grown, s->actions, s->action_count * sizeof *grown);
    grown[s->action_count] = action;
    s->actions = grown;
    if (action.kind <= ES_ACTION_COUNT || action.kind == ES_ACTION_SET || action.kind == ES_ACTION_DECREMENT)
        program.counter_count = action.counter >= program.counter_count ? action.counter + 1 : program.counter_count;
    return &grown[s->action_count++];
}

static void print_counter(unsigned statement, size_t counter)
{
    es_print_item *item = keep(sizeof *item);
    *item = (es_print_item){.name = "c", .index = counter, .kind = ES_ITEM_COUNTER};
    add(statement, (es_action){.kind = ES_ACTION_PRINT, .items = item, .item_count = 1});
}

static es_expr *counter(size_t index)
{
    es_expr *e = tree_ref(index);
    e->kind = ES_EXPR_COUNTER;
    return e;
}

static unsigned x_above(uint32_t limit)
{
    es_reference x = tree_static(&tree_int, X);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(limit)), &x, 1, -1);
    return (unsigned)program.statement_count - 1;
}

START_TEST(counters)
{
    unsigned s = x_above(10);
    print_counter(s, 1);
    add(s, (es_action){.kind = ES_ACTION_COUNT, .counter = 1});
    print_counter(s, 1);
    add(s, (es_action){.kind = ES_ACTION_SET, .counter = 0, .value = -1000000});
    add(s, (es_action){.kind = ES_ACTION_DECREMENT, .counter = 0});
    print_counter(s, 0);
    add(s, (es_action){.kind = ES_ACTION_SET, .counter = 0, .value = 7});
    es_reference x = tree_static(&tree_int, X);
    tree_statement(&program,
                   tree_binary(ES_OP_LOGAND, tree_binary(ES_OP_GT, tree_ref(0), tree_const(10)),
                               tree_binary(ES_OP_GE, counter(1), tree_const(2))),
                   &x, 1, 1);
    start();
    for (uint32_t round = 1; round < 4; round++) {
        model_store(m, X, 10 + round, 4);
        const model_frame *hit = expect(ES_FRAME_HIT);
        ck_assert_uint_eq(hit->count, 8);
        ck_assert_uint_eq(hit->words[5], round - 1);
        ck_assert_uint_eq(hit->words[6], round);
        ck_assert_int_eq((int32_t)hit->words[7], -1000001);
        if (round >= 2)
            expect_hit(1, 0, 0, 1, 10 + round);
    }
    model_store(m, X, 10, 4);
    expect_nothing();
    model_mail(m, ES_MAIL_FLUSH);
    const model_frame *values = expect(ES_FRAME_COUNTERS);
    ck_assert_uint_eq(values->words[2], 7);
    ck_assert_uint_eq(values->words[3], 3);
}
END_TEST

/* What is done is done, whether there is room for the hit or not. */
START_TEST(without_room)
{
    unsigned s = x_above(10);
    print_counter(s, 0);
    add(s, (es_action){.kind = ES_ACTION_COUNT, .counter = 0});
    start();
    m->room = 3;
    m->room_later = 1000;
    model_store(m, X, 11, 4);
    model_store(m, X, 12, 4);
    expect(ES_FRAME_GAP);
    expect_hit(0, 0, 0, 1, 1);
}
END_TEST

/* From the next event on, this one's other statements are as before. */
START_TEST(switches)
{
    for (unsigned s = 0; s < 3; s++) {
        x_above(10);
        add(s, (es_action){.kind = ES_ACTION_PRINT});
    }
    program.statements[2].disabled = true;
    add(0, (es_action){.kind = ES_ACTION_DISABLE, .statement = 1});
    add(0, (es_action){.kind = ES_ACTION_ENABLE, .statement = 2});
    add(1, (es_action){.kind = ES_ACTION_DISABLE, .statement = 0});
    add(2, (es_action){.kind = ES_ACTION_ENABLE, .statement = 0});
    add(2, (es_action){.kind = ES_ACTION_DISABLE, .statement = 2});
    start();
    static const char *const expected[] = {"01", "2", "0", "02", "0", "02"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        model_store(m, X, 11 + (uint32_t)i, 4);
        for (const char *hit = expected[i]; *hit; hit++)
            expect_hit((unsigned)(*hit - '0'), 0, 0, 0, 0);
        expect_nothing();
    }
}
END_TEST

START_TEST(stop)
{
    unsigned s = x_above(10);
    add(s, (es_action){.kind = ES_ACTION_STOP});
    add(s, (es_action){.kind = ES_ACTION_COUNT, .counter = 0});
    statement_x_above(0);
    start();
    model_store(m, X, 5, 4);
    expect_hit(1, 0, 0, 1, 5);
    m->eager = false;
    model_store(m, X, 11, 4);
    model_store(m, X, 6, 4);
    model_settle(m);
    const model_frame *values = expect(ES_FRAME_COUNTERS);
    ck_assert_uint_eq(values->words[2], 1);
    ck_assert_uint_eq(values->words[3], 1);
    ck_assert_uint_eq(values->words[4], 1);
    expect(ES_FRAME_DONE);
    model_store(m, X, 12, 4);
    model_fetch(m, 0x30, INSN_NOP);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("actions");
    TCase *tests = tcase_create("actions");
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, counters);
    tcase_add_test(tests, without_room);
    tcase_add_test(tests, switches);
    tcase_add_test(tests, stop);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
