/* The real firmware with real images, on the model of the probe. A local of optimised code, which the stack holds at
 * times: where the activation is at an event decides. */
#include "harness.h"

#define SLOT (TARGET_STACK_TOP - 32 - 12) /* of g, called by main */

/* Held from 0x304 to 0x308, while the call at G_H runs, and, when an interrupt came after 0x30C, perhaps. */
#define MOMENT(address, which) (((address)-0x300) << ES_MOMENT_SHIFT | ES_MOMENT_##which)
static const es_life_span spans[] = {
    {MOMENT(0x300, AFTER), MOMENT(0x308, AFTER)},
    {MOMENT(0x30C, PERHAPS), MOMENT(0x30C, SURELY)},
    {MOMENT(G_H + 4, DURING), MOMENT(G_H + 4, BEFORE)},
};
static const es_life life = {spans, sizeof spans / sizeof *spans, "g.c:1", "is in register a5 in g.c:2",
                             "compile this file with -O0"};
static const es_variable local_of_g = {.name = "local",
                                       .type = &tree_int,
                                       .procedure = &target_procedures[G],
                                       .place = ES_PLACE_FRAME,
                                       .cfa_offset = -12,
                                       .life = &life};

/* `local != x { print local, x }`, and g has just been called. leave: of h, too. */
static void begin_with(bool leave)
{
    es_reference references[] = {tree_local(&tree_int, PROCEDURE(G), -12), tree_static(&tree_int, X)};
    references[0].variable = &local_of_g;
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_ref(1)), references, 2, 2);
    if (leave)
        tree_statement(&program, tree_leave(PROCEDURE(H)), NULL, 0, 0);
    start();
    model_know(m, SLOT, 5);
    model_know(m, X, 0);
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, X, 1, 4); /* g is not active */
    target_call(m, MAIN_G, G);
    expect_nothing();
}

static void begin(void)
{
    begin_with(false);
}

START_TEST(its_own_writes)
{
    begin();
    model_store(m, SLOT, 6, 4); /* by the instruction at 0x300: the spill */
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(0, 0, 0x300, 2, 6);
    model_fetch(m, 0x308, INSN_NOP);
    model_store(m, SLOT, 7, 4); /* another value's */
    expect_nothing();
    model_fetch(m, 0x304, INSN_NOP);
    model_store(m, SLOT, 8, 4);
    expect_hit(0, 0, 0x304, 2, 8);
    model_fetch(m, 0x320, INSN_NOP);
    model_store(m, SLOT, 9, 4);
    expect_nothing();
    target_return(m, 0x390, MAIN_G);
    model_store(m, SLOT, 9, 4);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

START_TEST(writes_of_others)
{
    begin();
    model_fetch(m, 0x304, INSN_NOP);
    model_store(m, X, 2, 4);
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(0, 0, 0x304, 2, 5);
    printf("true, in the procedure: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_fetch(m, 0x308, INSN_NOP);
    model_store(m, X, 3, 4);
    expect_nothing();
    target_call(m, G_H, H);
    model_store(m, X, 4, 4);
    PATH(2, G_H);
    expect_hit(0, 0, 0x400, 2, 5);
    printf("true, in what it calls: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_fetch(m, 0x420, INSN_NOP);
    target_interrupt(m);
    model_store(m, X, 7, 4);
    PATH(3, 0x420 | 1u);
    expect_hit(0, 0, 0x600, 2, 5);
    target_mret(m, 0x424);
    target_return(m, 0x490, G_H);
    target_call(m, G_H + 8, H); /* another call, while which it is in a register */
    model_store(m, X, 5, 4);
    expect_nothing();
    target_return(m, 0x490, G_H + 8);
    target_return(m, 0x390, MAIN_G);
    model_store(m, X, 6, 4);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

/* A call that has something to do when it returns is a call all the same, and no interrupt. */
START_TEST(in_a_call_that_is_waited_for)
{
    begin_with(true);
    target_call(m, G_H, H);
    model_store(m, X, 4, 4);
    PATH(0, SITE_MAIN, MAIN_G, G_H);
    expect_hit(0, 0, 0x400, 2, 5);
    expect_nothing();
}
END_TEST

START_TEST(where_an_interrupt_came)
{
    static const struct {
        uint32_t after;
        bool held, unknown;
    } places[] = {
        {0x300, false, false}, {0x304, true, false}, {0x308, true, false}, {0x30C, false, true}, {0x318, false, false},
    };
    begin();
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        model_fetch(m, places[i].after, INSN_NOP);
        target_interrupt(m);
        model_store(m, X, 100 + i, 4);
        if (places[i].held) {
            if (i == 1) {
                PATH(0, SITE_MAIN, MAIN_G, places[i].after | 1u);
            } else {
                PATH(2, places[i].after | 1u);
            }
            expect_hit(0, 0, 0x600, 2, 5);
        }
        expect_nothing();
        target_mret(m, places[i].after + 4);
    }
    expect_summary(1, 0); /* the one at the border */
}
END_TEST

/* As for every hit of a control event: the position that counts is the event's. */
START_TEST(on_entry)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(G), -12);
    local.variable = &local_of_g;
    tree_statement(
        &program,
        tree_binary(ES_OP_LOGAND, tree_enter(PROCEDURE(H)), tree_binary(ES_OP_EQ, tree_ref(0), tree_const(5))), &local,
        1, 1);
    tree_statement(
        &program,
        tree_binary(ES_OP_LOGAND, tree_enter(PROCEDURE(G)), tree_binary(ES_OP_EQ, tree_ref(0), tree_const(5))), &local,
        1, 1);
    start();
    model_know(m, SLOT, 5);
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_G, G); /* not held at its first instruction */
    expect_nothing();
    target_call(m, G_H, H);
    PATH(0, SITE_MAIN, MAIN_G, G_H);
    expect_hit(0, 0, 0x400, 1, 5);
    target_return(m, 0x490, G_H);
    target_call(m, G_H + 8, H);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

/* Something is written to the slot by the instruction at `at`. */
static void put(uint32_t time, uint32_t at, uint32_t offset, uint32_t value, unsigned size)
{
    m->time = time;
    model_fetch(m, at, INSN_NOP);
    m->time = time; /* of what comes next */
    model_store(m, SLOT + offset, value, size);
}

static void expect_old(uint32_t value, uint32_t old)
{
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->count, 7);
    ck_assert_uint_eq(frame->words[3], 0);
    ck_assert_uint_eq(frame->words[5], value);
    ck_assert_uint_eq(frame->words[6], old);
}

/* What lies in the slot is the local's from its own write on until anything else is written there, if only to a
 * byte. */
START_TEST(what_was_there_before)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(G), -12);
    local.variable = &local_of_g;
    es_statement *statement = tree_statement(&program, tree_write(0), &local, 1, 2);
    statement->actions[0].items[1] = (es_print_item){.name = "old", .old = true};
    statement = tree_statement(&program, tree_write(0), &local, 1, 1);
    statement->actions[0].items[0] = (es_print_item){.name = "age", .kind = ES_ITEM_AGE};
    start();
    model_know(m, SLOT, 5);
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_G, G);
    put(100, 0x300, 0, 6, 4); /* its own, and the first in this activation */
    PATH(0, SITE_MAIN, MAIN_G);
    expect_unknown(0, 0x300, 2, 2);
    expect_unknown(1, 0x300, 2, 1);
    put(150, 0x300, 0, 7, 4);
    expect_old(7, 6);
    printf("old and age of a local that is held at times: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_hit(1, 0, 0x300, 1 + 1, 50);
    put(160, 0x308, 0, 9, 4); /* another's */
    expect_nothing();
    put(180, 0x300, 0, 8, 4);
    expect_unknown(0, 0x300, 2, 2);
    expect_hit(1, 0, 0x300, 1 + 1, 30);
    put(190, 0x308, 2, 1, 1); /* a byte of another's */
    put(220, 0x300, 0, 10, 4);
    expect_unknown(0, 0x300, 2, 2);
    expect_hit(1, 0, 0x300, 1 + 1, 40);
    put(230, 0x300, 0, 11, 4);
    expect_old(11, 10);
    expect_hit(1, 0, 0x300, 1 + 1, 10);
    target_return(m, 0x390, MAIN_G);
    target_call(m, MAIN_G, G); /* another activation */
    put(240, 0x300, 0, 12, 4);
    PATH(1, MAIN_G);
    expect_unknown(0, 0x300, 2, 2);
    expect_unknown(1, 0x300, 2, 1);
    expect_summary(0, 0);
}
END_TEST

/* The load may be the last that needs it: what counts is the place before. */
START_TEST(its_reads)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(G), -12);
    local.variable = &local_of_g;
    es_expr *read = tree_ref(0);
    read->kind = ES_EXPR_READ;
    tree_statement(&program, read, &local, 1, 1);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_G, G);
    model_store(m, SLOT, 6, 4); /* at 0x300 */
    model_fetch(m, 0x308, INSN_NOP);
    model_read(m, SLOT, 6, 15);
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(0, 0, 0x308, 1, 6);
    printf("read of a local that is held at times: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_fetch(m, 0x30C, INSN_NOP);
    model_read(m, SLOT, 6, 15); /* another's, or what is not it any more */
    model_fetch(m, 0x300, INSN_NOP);
    model_read(m, SLOT, 6, 15);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lives");
    TCase *tests = tcase_create("lives");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, its_own_writes);
    tcase_add_test(tests, writes_of_others);
    tcase_add_test(tests, in_a_call_that_is_waited_for);
    tcase_add_test(tests, where_an_interrupt_came);
    tcase_add_test(tests, on_entry);
    tcase_add_test(tests, what_was_there_before);
    tcase_add_test(tests, its_reads);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
