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
    tree_statement(&program,
                   tree_binary(ES_OP_LOGAND, tree_read(0), tree_binary(ES_OP_GT, tree_ref(0), tree_const(limit))), &x,
                   1, 1);
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
    expect_unknown(0, READ_AT, 1, 1);
    model_store(m, X, 8, 4);
    expect_hit(0, 0, READ_AT, 1, 8);
    model_read(m, X, 8, 15);
    expect_hit(0, 0, READ_AT, 1, 8);
    expect_nothing();
    expect_summary(0, 0);
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

/* After the values: when the evaluation began, when the actions began and ended. */
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

#define P 0x20100u /* pointers to OBJECT */
#define Q 0x20104u
#define A 0x21000u /* objects */
#define B 0x21040u
static const es_member members[] = {
    {"words", &tree_int, 0, 0, 0}, {"value", &tree_int, 8, 0, 0}, {"half", &tree_short, 12, 0, 0}};
static const es_type object = {
    .kind = ES_TYPE_STRUCT, .name = "struct object", .size = 16, .members = members, .member_count = 3};
static const es_type pointer = {.kind = ES_TYPE_POINTER, .name = "struct object *", .size = 4, .of = &object};
static const es_type char_pointer = {.kind = ES_TYPE_POINTER, .name = "unsigned char *", .size = 4, .of = &tree_uchar};

/* `read(p->value) && p->value > 5 { print p->value }` */
static void read_through(const es_type *to, uint32_t variable, const es_type *type, int32_t offset)
{
    es_reference refs[] = {tree_static(to, variable), tree_through(type, 0, offset)};
    es_statement *statement = tree_statement(
        &program, tree_binary(ES_OP_LOGAND, tree_read(1), tree_binary(ES_OP_GT, tree_ref(1), tree_const(5))), refs, 2,
        1);
    statement->actions[0].items[0].index = 1;
}

/* Reads of what pointers lead to, where they lie over each other and over a variable whose reads are watched too. */
START_TEST(reads_through_pointers)
{
    read_through(&pointer, P, &tree_int, 8);
    read_through(&pointer, Q, &tree_int, 8);
    read_above(&tree_int, A + 8, 6);
    model_know(m, P, A);
    start();
    model_fetch(m, READ_AT, INSN_NOP);
    model_store(m, A + 8, 7, 4); /* a write is none */
    expect_nothing();
    model_read(m, A + 8, 7, 15);
    expect_hit(0, 0, READ_AT, 1, 7);
    expect_hit(2, 0, READ_AT, 1, 7);
    model_read(m, A, 1, 15);
    expect_nothing();
    model_store(m, Q, A, 4);
    model_store(m, P, B, 4);
    model_store(m, B + 8, 5, 4);
    model_read(m, B + 8, 5, 15);
    expect_nothing();
    model_read(m, A + 8, 7, 1); /* any of its bytes */
    expect_hit(1, 0, READ_AT, 1, 7);
    expect_hit(2, 0, READ_AT, 1, 7);
    model_store(m, P, A, 4);
    model_store(m, Q, 0, 4);
    model_read(m, A + 8, 7, 15);
    expect_hit(0, 0, READ_AT, 1, 7);
    expect_hit(2, 0, READ_AT, 1, 7);
    model_store(m, P, 0, 4);
    model_read(m, A + 8, 7, 15); /* the variable's own */
    expect_hit(2, 0, READ_AT, 1, 7);
    model_store(m, A + 8, 6, 4);
    model_read(m, A + 8, 6, 15);
    model_read(m, B + 8, 9, 15);
    expect_nothing();
    for (uint32_t word = 0; word < MODEL_WINDOW; word += 4)
        ck_assert(word < 0x10000u || m->fetch_plane[word / 4] == (word == A + 8));
    expect_summary(0, 0);
}
END_TEST

START_TEST(reads_of_a_byte_anywhere)
{
    read_through(&char_pointer, P, &tree_uchar, 0);
    model_know(m, A, 0x09080706);
    start();
    model_fetch(m, READ_AT, INSN_NOP);
    for (uint32_t place = 0; place < 4; place++) {
        model_store(m, P, A + place, 4);
        for (unsigned lanes = 1; lanes < 16; lanes++) {
            model_read(m, A, 0x09080706, lanes);
            if (lanes >> place & 1)
                expect_hit(0, 0, READ_AT, 1, 6 + place);
            expect_nothing();
        }
    }
    expect_summary(0, 0);
}
END_TEST

/* `read(a[i])`, words and bytes: the element that i says, and no other. */
START_TEST(reads_of_an_element)
{
    es_subscript words = {tree_ref(1), 4, 3}, bytes = {tree_ref(1), 1, 3};
    es_reference refs[] = {tree_static(&tree_int, A), tree_static(&tree_int, X)};
    refs[0].subscripts = &words;
    refs[0].subscript_count = 1;
    tree_statement(&program, tree_read(0), refs, 2, 1);
    refs[0] = tree_static(&tree_uchar, B);
    refs[0].subscripts = &bytes;
    refs[0].subscript_count = 1;
    tree_statement(&program, tree_read(0), refs, 2, 1);
    for (uint32_t i = 0; i < 12; i += 4)
        model_know(m, A + i, 20 + i);
    model_know(m, B, 0x00030201);
    start();
    model_fetch(m, READ_AT, INSN_NOP);
    for (uint32_t i = 0; i < 4; i++) {
        model_store(m, X, i, 4);
        expect_nothing();
        for (uint32_t at = 0; at < 3; at++) {
            model_read(m, A + 4 * at, 20 + 4 * at, 15);
            if (at == i)
                expect_hit(0, 0, READ_AT, 1, 20 + 4 * at);
            model_read(m, B, 0x00030201, 1u << at);
            if (at == i)
                expect_hit(1, 0, READ_AT, 1, at + 1);
            expect_nothing();
        }
    }
    expect_summary(0, 0);
}
END_TEST

/* `read(f\\x) { print f\\x }`: of the activation, and of no other word there. */
START_TEST(reads_of_a_local)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(F), -20);
    tree_statement(&program, tree_read(0), &local, 1, 1);
    uint32_t word = TARGET_STACK_TOP - 32 - 20;
    start();
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, word, 3, 4);
    model_read(m, word, 3, 15);
    expect_nothing();
    target_call(m, MAIN_F, F);
    model_store(m, word, 4, 4);
    expect_nothing();
    model_read(m, word - 4, 4, 15);
    expect_nothing();
    model_read(m, word, 4, 15);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 4);
    target_return(m, 0x290, MAIN_F);
    model_read(m, word, 4, 15);
    expect_nothing();
    ck_assert_uint_eq(m->fetch_plane[word / 4], 0);
    expect_summary(0, 0);
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
    tcase_add_test(cases, reads_through_pointers);
    tcase_add_test(cases, reads_of_a_byte_anywhere);
    tcase_add_test(cases, reads_of_an_element);
    tcase_add_test(cases, reads_of_a_local);
    suite_add_tcase(suite, cases);
    return check_main(suite);
}
