/* The real firmware with real images, on the model of the probe. Data reads, pins, and the times of hits. */
#include "base/arena.h"
#include "harness.h"

#define READ_AT 0x210u /* where the program reads */

static void *keep(size_t size)
{
    static es_arena *arena;
    if (!arena)
        arena = es_arena_new();
    return es_arena_alloc(arena, size);
}

static es_expr *tree_read(size_t index)
{
    es_expr *e = tree_ref(index);
    e->kind = ES_EXPR_READ;
    return e;
}

static void act(es_action action)
{
    es_statement *s = &program.statements[program.statement_count - 1];
    es_action *grown = keep((s->action_count + 1) * sizeof *grown);
    if (s->action_count)
        memcpy(grown, s->actions, s->action_count * sizeof *grown);
    grown[s->action_count++] = action;
    s->actions = grown;
}

/* `read(x) && x > limit { print x }` */
static void read_above(const es_type *type, uint32_t address, uint32_t limit)
{
    es_reference x = tree_static(type, address);
    tree_statement(&program, tree_binary(ES_OP_LOGAND, tree_read(0), tree_binary(ES_OP_GT, tree_ref(0), tree_const(limit))), &x, 1, 1);
}

START_TEST(reads_are_events)
{
    read_above(&tree_int, X, 10);
    start();
    model_fetch(m, READ_AT, INSN_NOP);
    model_store(m, X, 20, 4); /* a write is none */
    expect_nothing();
    model_read(m, X, 20, 15);
    expect_hit(0, 0, READ_AT, 1, 20);
    model_read(m, X, 20, 2); /* any of its bytes */
    expect_hit(0, 0, READ_AT, 1, 20);
    printf("read, true, printed: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_read(m, X + 4, 20, 15);
    model_store(m, X, 10, 4);
    model_read(m, X, 10, 15);
    printf("read, false: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

/* Two variables in a word: each is read by its own bytes; a load of both is one event of a statement about both. */
START_TEST(reads_are_told_apart_by_lanes)
{
    es_reference both[] = {tree_static(&tree_uchar, X), tree_static(&tree_ushort, X + 2)};
    read_above(&tree_uchar, X, 0);
    read_above(&tree_ushort, X + 2, 0);
    tree_statement(&program, tree_binary(ES_OP_LOGOR, tree_read(0), tree_read(1)), both, 2, 0);
    start();
    model_fetch(m, READ_AT, INSN_NOP);
    model_store(m, X, 0x00070005, 4);
    model_read(m, X, 5, 1);
    expect_hit(0, 0, READ_AT, 1, 5);
    expect_hit(2, 0, READ_AT, 0, 0);
    model_read(m, X, 0x00070000, 8);
    expect_hit(1, 0, READ_AT, 1, 7);
    expect_hit(2, 0, READ_AT, 0, 0);
    model_read(m, X, 0, 2); /* nobody's */
    expect_nothing();
    model_read(m, X, 0x00070005, 15);
    expect_hit(0, 0, READ_AT, 1, 5);
    expect_hit(1, 0, READ_AT, 1, 7);
    expect_hit(2, 0, READ_AT, 0, 0);
    expect_nothing();
}
END_TEST

/* A word that is armed for writes and for reads; what was never written is not known. */
START_TEST(reads_and_writes)
{
    es_reference x = tree_static(&tree_int, X);
    tree_statement(&program, tree_binary(ES_OP_LOGOR, tree_read(0), tree_write(0)), &x, 1, 1);
    tree_statement(&program, tree_read(0), &x, 1, -1);
    tree_count(&program.statements[1], &program, 0);
    start();
    model_fetch(m, READ_AT, INSN_NOP);
    model_read(m, X, 3, 1);
    expect_nothing();
    model_store(m, X, 8, 4);
    expect_hit(0, 0, READ_AT, 1, 8);
    model_read(m, X, 8, 15);
    expect_hit(0, 0, READ_AT, 1, 8);
    expect_nothing();
    expect_summary(1, 0);
}
END_TEST

/* A constant that is read from an armed word of code is no event, and no call. */
START_TEST(constants_among_code)
{
    read_above(&tree_int, X, 10);
    start();
    target_call(m, SITE_MAIN, MAIN);
    model_read(m, target_procedures[F].low, INSN_NOP, 15);
    ck_assert(!m->broken);
    printf("read of a constant among code: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_store(m, X, 20, 4);
    model_fetch(m, READ_AT, INSN_NOP);
    model_read(m, X, 20, 15);
    PATH(0, SITE_MAIN);
    expect_hit(0, 0, READ_AT, 1, 20);
    expect_nothing();
}
END_TEST

START_TEST(no_reads_no_hits)
{
    statement_x_above(10);
    start();
    ck_assert(!m->read_hits);
}
END_TEST

START_TEST(pins)
{
    statement_x_above(10);
    act((es_action){.kind = ES_ACTION_TRIGGER, .pin = 5});
    act((es_action){.kind = ES_ACTION_TRIGGER, .pin = 0});
    start();
    for (uint32_t value = 9; value < 14; value++)
        model_store(m, X, value, 4);
    ck_assert_uint_eq(m->triggered[5], 3);
    ck_assert_uint_eq(m->triggered[0], 3);
    ck_assert_uint_eq(m->triggered[1], 0);
    ck_assert(!m->halted);
}
END_TEST

/* The target stands; the hit and the closing figures come without being asked for. */
START_TEST(halting)
{
    statement_x_above(10);
    act((es_action){.kind = ES_ACTION_HALT});
    start();
    model_store(m, X, 9, 4);
    ck_assert(!m->halted);
    model_store(m, X, 11, 4);
    ck_assert(m->halted);
    expect_hit(0, 0, 0, 1, 11);
    expect(ES_FRAME_COUNTERS);
    const model_frame *done = expect(ES_FRAME_DONE);
    ck_assert_uint_eq(done->words[1], 0);
    expect_nothing();
}
END_TEST

/* Behind the values: when the evaluation began, when the actions began and ended. */
START_TEST(times_of_hits)
{
    es_probe_limits limits = target_limits;
    limits.times = true;
    statement_x_above(10);
    es_reference x = tree_static(&tree_int, X);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(10)), &x, 1, 0);
    start_on(&limits);
    model_store(m, X, 11, 4);
    for (unsigned statement = 0; statement < 2; statement++) {
        const model_frame *hit = expect(ES_FRAME_HIT);
        size_t values = statement == 0;
        ck_assert_uint_eq(hit->count, 5 + values + ES_IMAGE_TIMES);
        ck_assert_uint_eq(hit->words[3], statement);
        uint64_t before = hit->words[1];
        for (size_t i = 0; i < ES_IMAGE_TIMES; i++) {
            uint64_t time = es_image_time(hit->words[1], hit->words[5 + values + i]);
            ck_assert_uint_gt(time, before);
            before = time;
        }
        ck_assert_uint_lt(before - hit->words[1], 700);
    }
    expect_nothing();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reads");
    TCase *cases = tcase_create("reads");
    tcase_add_checked_fixture(cases, harness_setup, harness_teardown);
    tcase_add_test(cases, reads_are_events);
    tcase_add_test(cases, reads_are_told_apart_by_lanes);
    tcase_add_test(cases, reads_and_writes);
    tcase_add_test(cases, constants_among_code);
    tcase_add_test(cases, no_reads_no_hits);
    tcase_add_test(cases, pins);
    tcase_add_test(cases, halting);
    tcase_add_test(cases, times_of_hits);
    suite_add_tcase(suite, cases);
    return check_main(suite);
}
