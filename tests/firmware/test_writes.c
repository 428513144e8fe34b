/* The real firmware with real images, on the model of the probe. What writes to variables lead to. */
#include "harness.h"

/* --- globals --------------------------------------------------------------------------------------------- */

START_TEST(global)
{
    statement_x_above(10);
    start();
    ck_assert_uint_eq(m->data_plane[X / 4], 1); /* no lock: the hit itself tells the value */
    model_fetch(m, 0x30, INSN_NOP);
    model_store(m, X, 11, 4);
    expect_hit(0, 0, 0x30, 1, 11);
    printf("x > K true, printed: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_store(m, X, 10, 4);
    expect_nothing();
    printf("x > K false: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_store(m, X, (uint32_t)-5, 4);
    expect_nothing();
    /* values come from the hits when the core lags behind */
    m->eager = false;
    model_store(m, X, 20, 4);
    model_store(m, X, 3, 4);
    model_store(m, X, 21, 4);
    model_settle(m);
    expect_hit(0, 0, 0x30, 1, 20);
    expect_hit(0, 0, 0x30, 1, 21);
    expect_nothing();
}
END_TEST

START_TEST(partial_writes)
{
    es_reference both[] = {tree_static(&tree_int, X), tree_static(&tree_short, X + 4)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), both, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &both[1], 1, 1);
    start();
    model_write(m, X, 0x00000034, 1);
    model_write(m, X, 0x00001200, 2);
    expect_nothing();
    model_write(m, X, 0x01010000, 12);
    expect_hit(0, 0, 0, 1, 0x01011234);
    model_write(m, X, 0x00000056, 1); /* another one begins */
    model_store(m, X, 7, 4);          /* a whole write ends it */
    expect_hit(0, 0, 0, 1, 7);
    model_write(m, X, 0x00000008, 3);
    expect_nothing();
    model_write(m, X, 0x00090000, 12);
    expect_hit(0, 0, 0, 1, 0x00090008);
    model_store(m, X + 4, 5, 1);
    model_store(m, X + 6, 5, 2); /* the neighbour */
    expect_nothing();
    model_store(m, X + 5, 1, 1);
    expect_hit(1, 0, 0, 1, 0x0105);
    expect_summary(0, 0);
}
END_TEST

static const es_type llong = {.kind = ES_TYPE_INT, .name = "long long", .size = 8, .is_signed = true};

/* A store that no other belongs to is an assignment, which leaves the other bytes as they are; also of a variable
 * across words. */
START_TEST(stores_that_stand_alone)
{
    es_reference x = tree_static(&tree_int, X), w = tree_static(&llong, X + 8);
    es_expr *same = tree_binary(ES_OP_NE, tree_ref(0), tree_old(0));
    same->lhs->type = same->rhs->type = ES_VALUE_64;
    tree_statement(&program, tree_write(0), &x, 1, 1)->actions[0].items[0].old = true;
    tree_statement(&program, same, &w, 1, 1)->actions[0].items[0].old = true;
    model_know(m, X, 0x11223344);
    model_know(m, X + 8, 5);
    model_know(m, X + 12, 6);
    start();
    model_fetch(m, TARGET_ALONE, INSN_NOP);
    model_store(m, X + 1, 0x55, 1);
    expect_hit(0, 0, TARGET_ALONE, 1, 0x11223344);
    model_store(m, X + 2, 0x66, 2);
    expect_hit(0, 0, TARGET_ALONE, 1, 0x11225544);
    model_store(m, X + 12, 7, 4);
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 5);
    ck_assert_uint_eq(frame->words[6], 6);
    model_store(m, X + 8, 8, 4);
    frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 5);
    ck_assert_uint_eq(frame->words[6], 7);
    printf("64 bits, old value, one word written alone: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_fetch(m, TARGET_PAIR, INSN_NOP);
    model_store(m, X + 8, 1, 4);
    model_store(m, X + 12, 2, 4);
    frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 8);
    ck_assert_uint_eq(frame->words[6], 7);
    expect_summary(0, 0);
}
END_TEST

/* An assignment of which a part was overwritten by another one is torn; what came in between whole is not. */
START_TEST(assignments_in_between)
{
    es_reference w = tree_static(&llong, X);
    tree_statement(&program, tree_write(0), &w, 1, 1);
    model_know(m, X, 5);
    model_know(m, X + 4, 6);
    start();
    model_fetch(m, TARGET_PAIR, INSN_NOP);
    model_store(m, X, 1, 4);
    model_store(m, X, 11, 4);
    model_store(m, X + 4, 12, 4); /* all of it by another one */
    expect_hit(0, 0, TARGET_PAIR, 2, 11);
    model_store(m, X + 4, 2, 4); /* the rest of the first: no value that was ever assigned */
    expect_nothing();
    expect_summary(0, 1);
    model_store(m, X, 3, 4);
    model_fetch(m, TARGET_ALONE, INSN_NOP);
    model_store(m, X + 4, 13, 4); /* half of both */
    expect_nothing();
    model_fetch(m, TARGET_PAIR, INSN_NOP);
    model_store(m, X + 4, 4, 4); /* and what it wrote is overwritten */
    expect_hit(0, 0, TARGET_PAIR, 2, 3);
    expect_summary(0, 2);
}
END_TEST

/* A loop that stores byte by byte: it may begin and end anywhere, and what it leaves unfinished is not mixed with what
 * comes next. */
START_TEST(rounds_of_a_loop)
{
    es_reference x = tree_static(&tree_int, X);
    tree_statement(&program, tree_write(0), &x, 1, 1);
    model_know(m, X, 0x11223344);
    start();
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 4; i++)
            model_store(m, X + i, 16 * round + i, 1);
        expect_hit(0, 0, 0, 1, 0x10101010 * round + 0x03020100);
    }
    model_store(m, X + 2, 0x77, 1); /* from the middle to the end */
    expect_nothing();
    model_store(m, X + 3, 0x88, 1);
    expect_hit(0, 0, 0, 1, 0x88771110);
    model_store(m, X, 1, 1); /* from the beginning to the middle, which nothing tells apart from what goes on */
    model_store(m, X + 1, 2, 1);
    expect_summary(0, 1);
    for (uint32_t i = 0; i < 4; i++)
        model_store(m, X + i, i, 1);
    expect_hit(0, 0, 0, 1, 0x03020100);
    expect_summary(0, 1);
    model_store(m, X, 9, 1);
    model_fetch(m, TARGET_ALONE, INSN_NOP);
    model_store(m, X, 8, 1);
    expect_hit(0, 0, TARGET_ALONE, 1, 0x03020108);
    expect_summary(0, 2);
}
END_TEST

#define SW 0x00F52023u /* sw a5, 0(a0) */
#define SH 0x00F51023u /* sh a5, 0(a0) */
#define SB 0x00F50023u /* sb a5, 0(a0) */

static void start_narrow(void)
{
    es_probe_limits limits = target_limits;
    limits.narrow = true;
    start_on(&limits);
}

/* On a bus of 8 or 16 bits one store is several writes. */
START_TEST(narrow_bus)
{
    es_reference both[] = {tree_static(&tree_int, X), tree_static(&tree_short, X + 4)};
    tree_statement(&program, tree_write(0), both, 1, 1);
    tree_statement(&program, tree_write(0), &both[1], 1, 1);
    model_know(m, X, 0x11223344);
    model_know(m, X + 4, 0x11223344);
    start_narrow();
    model_fetch(m, TARGET_ALONE, SW);
    model_write(m, X, 0x00000102, 3);
    expect_nothing();
    model_write(m, X, 0x03040000, 12);
    expect_hit(0, 0, TARGET_ALONE, 1, 0x03040102);
    model_fetch(m, TARGET_ALONE, SH);
    model_write(m, X + 4, 0x00000005, 1);
    expect_nothing();
    model_write(m, X + 4, 0x00000600, 2);
    expect_hit(1, 0, TARGET_ALONE, 1, 0x0605);
    model_write(m, X, 0x00000708, 3); /* a half of x, with one write */
    expect_hit(0, 0, TARGET_ALONE, 1, 0x03040708);
    expect_summary(0, 0);
}
END_TEST

/* A store on a bus of 8 bits, as far as its bytes [from, to). */
static void store_bytes(uint32_t address, uint32_t value, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++)
        model_store(m, address + i, value >> 8 * i & 255, 1);
}

/* A store that no other belongs to leaves the variable's other bytes as they are. */
START_TEST(narrow_stores_that_stand_alone)
{
    es_reference x = tree_static(&tree_int, X), w = tree_static(&llong, X + 8);
    tree_statement(&program, tree_write(0), &x, 1, 1)->actions[0].items[0].old = true;
    tree_statement(&program, tree_write(0), &w, 1, 1)->actions[0].items[0].old = true;
    model_know(m, X, 0x11223344);
    model_know(m, X + 8, 5);
    model_know(m, X + 12, 6);
    start_narrow();
    model_fetch(m, TARGET_ALONE, SW);
    store_bytes(X + 12, 0x01020304, 0, 4);
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 5);
    ck_assert_uint_eq(frame->words[6], 6);
    printf("64 bits, old value, one word written alone, by bytes: %llu clocks\n", (unsigned long long)m->hit_clocks);
    store_bytes(X + 8, 0x05060708, 0, 3);
    expect_nothing();
    store_bytes(X + 8, 0x05060708, 3, 4);
    frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 5);
    ck_assert_uint_eq(frame->words[6], 0x01020304);
    model_fetch(m, TARGET_ALONE, SH);
    store_bytes(X + 2, 0x5566, 0, 2);
    expect_hit(0, 0, TARGET_ALONE, 1, 0x11223344);
    model_fetch(m, TARGET_ALONE, SB);
    store_bytes(X + 1, 0x77, 0, 1);
    expect_hit(0, 0, TARGET_ALONE, 1, 0x55663344);
    model_fetch(m, TARGET_PAIR, SW);
    store_bytes(X + 8, 1, 0, 4);
    store_bytes(X + 12, 2, 0, 4);
    frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 0x05060708);
    ck_assert_uint_eq(frame->words[6], 0x01020304);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

/* What one store writes is one event, and nothing is seen of it before its last byte: of variables that share bytes, of
 * others in the word, and through a pointer. */
START_TEST(narrow_stores_of_several_variables)
{
    static const es_type pointer = {.kind = ES_TYPE_POINTER, .name = "int *", .size = 4, .of = &tree_int};
    es_reference pair[] = {tree_static(&tree_uint, X), tree_static(&tree_uint, X)};
    es_reference last = tree_static(&tree_uchar, X + 3);
    es_reference through[] = {{.text = "*p", .type = &tree_int, .size = 4, .via = true, .base = 1},
                              tree_static(&pointer, X + 8)};
    pair[0].bit_size = 5;
    pair[1].bit_offset = 6;
    pair[1].bit_size = 4;
    es_statement *both = tree_statement(&program, tree_binary(ES_OP_LOGOR, tree_write(0), tree_write(1)), pair, 2, 2);
    both->actions[0].items[1].old = true;
    tree_statement(&program, tree_write(0), &last, 1, 1)->actions[0].items[0].old = true;
    tree_statement(&program, tree_write(0), through, 2, 1)->actions[0].items[0].old = true;
    model_know(m, X, 0x44000340);
    model_know(m, X + 8, X);
    start_narrow();
    model_fetch(m, TARGET_ALONE, SW);
    store_bytes(X, 0x55000085, 0, 3);
    expect_nothing();
    store_bytes(X, 0x55000085, 3, 4);
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 5);
    ck_assert_uint_eq(frame->words[6], 13);
    expect_hit(1, 0, TARGET_ALONE, 1, 0x44);
    expect_hit(2, 0, TARGET_ALONE, 1, 0x44000340);
    expect_nothing();
    expect_summary(0, 0);
}
END_TEST

/* What is not a whole store is counted, and so is what nobody knows. */
START_TEST(narrow_stores_that_are_not_whole)
{
    es_reference x = tree_static(&tree_int, X);
    tree_statement(&program, tree_write(0), &x, 1, 1)->actions[0].items[0].old = true;
    model_know(m, X, 0x11223344);
    start_narrow();
    model_fetch(m, TARGET_ALONE, SW);
    store_bytes(X, 0x01020304, 1, 4);
    expect_nothing();
    expect_summary(0, 3);
    store_bytes(X, 0x01020304, 0, 2);
    store_bytes(X, 0x05060708, 0, 4);
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[5], 0x01020304);
    expect_summary(0, 4);
    model_fetch(m, TARGET_ALONE, INSN_NOP);
    store_bytes(X, 1, 0, 1);
    model_fetch(m, MODEL_WINDOW, SW);
    store_bytes(X, 1, 0, 1);
    expect_nothing();
    expect_summary(2, 4);
}
END_TEST

START_TEST(one_store_two_variables)
{
    es_reference pair[] = {tree_static(&tree_short, X), tree_static(&tree_short, X + 2)};
    tree_statement(&program, tree_binary(ES_OP_LOGAND, tree_write(0), tree_write(1)), pair, 2, 2);
    tree_statement(&program, tree_binary(ES_OP_LOGOR, tree_write(0), tree_write(1)), pair, 2, 1);
    start();
    model_store(m, X, 0x00020001, 4);
    expect_hit(0, 0, 0, 2, 1);
    expect_hit(1, 0, 0, 1, 1);
    model_store(m, X + 2, 9, 2);
    expect_hit(1, 0, 0, 1, 1);
    expect_nothing();
}
END_TEST

START_TEST(old_values)
{
    es_reference pair[] = {tree_static(&tree_int, X), tree_static(&tree_int, X + 4)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_old(0)), pair, 1, 1); /* direct */
    es_statement *two = tree_statement(&program,
                                       tree_binary(ES_OP_NE, tree_binary(ES_OP_SUB, tree_ref(0), tree_old(0)),
                                                   tree_binary(ES_OP_SUB, tree_ref(1), tree_old(1))),
                                       pair, 2, 2);
    two->actions[0].items[1].old = true;
    start();
    ck_assert_uint_eq(m->data_plane[X / 4], 3);
    model_store(m, X, 5, 4); /* the value before is not known */
    expect_nothing();
    model_store(m, X + 4, 50, 4);
    expect_nothing();
    model_store(m, X, 6, 4);
    expect_hit(0, 0, 0, 1, 6);
    expect_hit(1, 0, 0, 2, 6);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 50);
    model_store(m, X + 4, 51, 4);
    expect_hit(1, 0, 0, 2, 6);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 50);
    model_mail(m, ES_MAIL_FLUSH);
    expect(ES_FRAME_COUNTERS);
    ck_assert_uint_eq(expect(ES_FRAME_DONE)->words[3], 3); /* s1 once, s2 once for each unknown old value */
}
END_TEST

START_TEST(unknown_memory)
{
    es_reference pair[] = {tree_static(&tree_int, X), tree_static(&tree_int, X + 4)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), pair, 2, 2);
    program.statements[0].predicate_count = 1; /* the second is printed only */
    es_reference both[] = {tree_static(&tree_int, X + 4), tree_static(&tree_int, X + 8)};
    tree_statement(&program,
                   tree_binary(ES_OP_LOGAND, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)),
                               tree_binary(ES_OP_GT, tree_ref(1), tree_const(0))),
                   both, 2, 1);
    start();
    model_store(m, X, 1, 4);
    expect_unknown(0, 0, 2, 2);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[5], 1); /* what is known is told */
    printf("x > K true, one of two values not known: %llu clocks\n", (unsigned long long)m->hit_clocks);
    model_store(m, X + 4, 9, 4);
    expect_nothing();
    model_store(m, X, 1, 4);
    expect_hit(0, 0, 0, 2, 1);
    model_mail(
        m, ES_MAIL_FLUSH); /* and of the second statement a condition that is not known: no hit, counted by statement */
    const model_frame *figures = expect(ES_FRAME_COUNTERS);
    ck_assert_uint_eq(figures->words[2], 2);
    ck_assert_uint_eq(figures->words[3], 0);
    ck_assert_uint_eq(figures->words[4], 0);
    ck_assert_uint_eq(figures->words[5], 1);
    ck_assert_uint_eq(expect(ES_FRAME_DONE)->words[3], 1);
}
END_TEST

/* --- writes in parts ------------------------------------------------------------------------------------- */

/* The old value is that from before the first part, in direct statements and in others, printed or compared. */
START_TEST(old_before_the_first_part)
{
    es_reference pair[] = {tree_static(&tree_int, X), tree_static(&tree_int, X + 4)};
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_old(0)), pair, 1, 1)->actions[0].items[0].old =
        true;
    tree_statement(&program, tree_binary(ES_OP_NE, tree_binary(ES_OP_SUB, tree_ref(0), tree_old(0)), tree_ref(1)), pair,
                   2, 1)
        ->actions[0]
        .items[0]
        .old = true;
    model_know(m, X, 0x11223344);
    model_know(m, X + 4, 0);
    start();
    model_write(m, X, 0x00000056, 1);
    expect_nothing();
    model_write(m, X, 0x00777700, 6);
    expect_nothing();
    model_write(m, X, 0x66000000, 8);
    expect_hit(0, 0, 0, 1, 0x11223344);
    expect_hit(1, 0, 0, 1, 0x11223344);
    model_store(m, X, 5, 4); /* all at once */
    expect_hit(0, 0, 0, 1, 0x66777756);
    expect_hit(1, 0, 0, 1, 0x66777756);
    model_store(m, X, 7, 2);
    model_store(m, X + 2, 0, 2);
    expect_hit(0, 0, 0, 1, 5);
    expect_hit(1, 0, 0, 1, 5);
    model_store(m, X, 8, 2);
    model_store(m, X, 9, 4); /* replaces what was begun: one write */
    expect_hit(0, 0, 0, 1, 8);
    expect_hit(1, 0, 0, 1, 8);
    expect_summary(0, 0);
}
END_TEST

/* A neighbour in the same word is written between the parts. */
START_TEST(old_beside_others_in_the_word)
{
    es_reference pair[] = {tree_static(&tree_short, X), tree_static(&tree_short, X + 2)};
    for (unsigned i = 0; i < 2; i++)
        tree_statement(&program, tree_write(0), &pair[i], 1, 1)->actions[0].items[0].old = true;
    model_know(m, X, 0x33332222);
    start();
    model_store(m, X, 0x10, 1);
    model_store(m, X + 2, 0x20, 1);
    model_store(m, X + 1, 0x11, 1);
    expect_hit(0, 0, 0, 1, 0x2222);
    model_store(m, X + 3, 0x21, 1);
    expect_hit(1, 0, 0, 1, 0x3333);
    expect_summary(0, 0);
}
END_TEST

START_TEST(old_not_known_before_the_first_part)
{
    es_reference x = tree_static(&tree_short, X);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_old(0)), &x, 1, 1);
    start();
    model_store(m, X, 1, 1);
    model_know(m, X, 1);
    model_store(m, X + 1, 1, 1);
    expect_nothing();
    expect_summary(1, 0);
}
END_TEST

START_TEST(variables_left_half_written)
{
    es_reference both[] = {tree_static(&tree_int, X), tree_static(&tree_short, X + 4)};
    es_reference local = tree_local(&tree_int, PROCEDURE(F), -20);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), both, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &both[1], 1, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &local, 1, 1);
    start();
    target_call(m, SITE_MAIN, MAIN);
    for (int round = 0; round < 3; round++) { /* given up with the next activation, or at the end */
        target_call(m, MAIN_F, F);
        model_store(m, TARGET_STACK_TOP - 32 - 20, 1, 2);
        target_return(m, 0x290, MAIN_F);
    }
    model_store(m, X, 1, 1);
    model_store(m, X + 4, 1, 1);
    expect_summary(0, 5);
    model_store(m, X + 5, 1, 1);
    PATH(0, SITE_MAIN);
    expect_hit(1, 0, MAIN_F + 4, 1, 0x0101);
    expect_summary(0, 4);
}
END_TEST

/* Bytes of a bit-field's unit that the compiler writes alone: an assignment to each field that has bits in them. */
START_TEST(bit_fields_in_one_byte)
{
    es_reference low = tree_static(&tree_uint, X), high = low, wide = low;
    low.bit_size = 5;
    high.bit_offset = 8;
    high.bit_size = 7;
    wide.bit_offset = 6;
    wide.bit_size = 4;
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &low, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &high, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &wide, 1, 1);
    start();
    model_fetch(m, TARGET_ALONE, INSN_NOP);
    model_store(m, X + 1, 0x03, 1); /* the field across both bytes is not known yet */
    expect_hit(1, 0, TARGET_ALONE, 1, 3);
    expect_nothing();
    model_know(m, X, 0x0300);
    model_store(m, X, 0x41, 1);
    expect_hit(0, 0, TARGET_ALONE, 1, 1);
    expect_hit(2, 0, TARGET_ALONE, 1, 13);
    model_store(m, X + 1, 0x02, 1);
    expect_hit(1, 0, TARGET_ALONE, 1, 2);
    expect_hit(2, 0, TARGET_ALONE, 1, 9);
    expect_summary(1, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("writes");
    TCase *tests = tcase_create("writes");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, global);
    tcase_add_test(tests, partial_writes);
    tcase_add_test(tests, stores_that_stand_alone);
    tcase_add_test(tests, assignments_in_between);
    tcase_add_test(tests, rounds_of_a_loop);
    tcase_add_test(tests, narrow_bus);
    tcase_add_test(tests, narrow_stores_that_stand_alone);
    tcase_add_test(tests, narrow_stores_of_several_variables);
    tcase_add_test(tests, narrow_stores_that_are_not_whole);
    tcase_add_test(tests, one_store_two_variables);
    tcase_add_test(tests, old_values);
    tcase_add_test(tests, unknown_memory);
    tcase_add_test(tests, old_before_the_first_part);
    tcase_add_test(tests, old_beside_others_in_the_word);
    tcase_add_test(tests, old_not_known_before_the_first_part);
    tcase_add_test(tests, variables_left_half_written);
    tcase_add_test(tests, bit_fields_in_one_byte);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
