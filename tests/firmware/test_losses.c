/* The real firmware with real images, on the model of the probe. Losses, counters, mail, images that are refused. */
#include "harness.h"

#include <image.h>
#include <stdlib.h>
#include <string.h>

/* --- losses, counters, mail ------------------------------------------------------------------------------ */

START_TEST(gaps_and_time)
{
    statement_x_above(0);
    start();
    model_mark(m, ES_MARK_EPOCH, 3, 0);
    model_mark(m, ES_MARK_GAP_FIRST, 17, 100);
    expect_nothing();
    model_mark(m, ES_MARK_EPOCH, 4, 0);
    model_mark(m, ES_MARK_GAP_LAST, 0, 50);
    const model_frame *gap = expect(ES_FRAME_GAP);
    const uint32_t want[] = {17, 100, 3, 50, 4, ES_GAP_BUS};
    ck_assert_mem_eq(&gap->words[1], want, sizeof want);
    model_store(m, X, 1, 4);
    /* so soon, even the position may be an older one */
    expect_hit(0, ES_HITF_UNCERTAIN | ES_HITF_PATH_UNKNOWN, 0, 1, 1);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[2], 4);
    m->time_bits = 16;
    model_mark(m, ES_MARK_EPOCH, 0x12345, 0);
    m->time = 6;
    model_store(m, X, 2, 4);
    expect_hit(0, ES_HITF_PATH_UNKNOWN, 0, 1, 2);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[1], 0x23450007);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[2], 1);
}
END_TEST

static void lose(void)
{
    m->time += 100;
    model_mark(m, ES_MARK_GAP_FIRST, 17, m->time - 50);
    model_mark(m, ES_MARK_GAP_LAST, 0, m->time - 10);
    expect(ES_FRAME_GAP);
    m->time += 1000;
}

/* After a loss: a value is certain once its word was written or read as a whole since, one from before the event once
 * that was so before it; the path, as it is main that writes. */
START_TEST(certain_again)
{
    es_reference read[] = {tree_static(&tree_int, X), tree_static(&tree_int, X + 4)};
    statement_x_above(0);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1)), read, 2, 0);
    es_expr *old = tree_ref(0);
    old->kind = ES_EXPR_OLD;
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), old), read, 1, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, X + 4, 0, 4);
    model_store(m, X, 1, 4);
    PATH(0, SITE_MAIN);
    for (unsigned s = 0; s < 2; s++)
        expect_hit(s, 0, 0x100, s == 0, 1);
    lose();
    model_store(m, X, 2, 4); /* the second refers to what may have changed; the third to what it was before */
    PATH(0, SITE_MAIN);
    expect_hit(0, 0, 0x100, 1, 2);
    for (unsigned s = 1; s < 3; s++)
        expect_hit(s, ES_HITF_UNCERTAIN, 0x100, 0, 0);
    model_read(m, X + 4, 0, 15);
    model_store(m, X, 4, 4);
    for (unsigned s = 0; s < 3; s++)
        expect_hit(s, 0, 0x100, s == 0, 4);
    lose();
    model_store(m, X, 5, 2); /* in parts: whether these are all, nobody knows */
    model_store(m, X + 2, 0, 2);
    PATH(0, SITE_MAIN);
    for (unsigned s = 0; s < 3; s++)
        expect_hit(s, ES_HITF_UNCERTAIN, 0x100, s == 0, 5);
}
END_TEST

START_TEST(room_again)
{
    statement_x_above(0);
    tree_count(&program.statements[0], &program, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    uint32_t first = m->time + 1;
    m->room = 5;
    m->room_later = 200; /* comes back while the core polls */
    model_store(m, X, 1, 4);
    const model_frame *gap = expect(ES_FRAME_GAP);
    const uint32_t want[] = {1, first, 0, first, 0, ES_GAP_EVENTS};
    ck_assert_mem_eq(&gap->words[1], want, sizeof want);
    model_store(m, X, 2, 4);
    PATH(0, SITE_MAIN);
    expect_hit(0, 0, 0x100, 1, 2);
    model_mail(m, ES_MAIL_FLUSH);
    const model_frame *counters = expect(ES_FRAME_COUNTERS);
    ck_assert_uint_eq(counters->words[1], 0);
    ck_assert_uint_eq(counters->words[2], 2); /* counted though not sent */
    ck_assert_uint_eq(counters->words[3], 2);
    ck_assert_uint_eq(expect(ES_FRAME_DONE)->words[2], 1);
}
END_TEST

/* Marks of the program, and whose are lost when there is no room. */
START_TEST(marks_of_the_program)
{
    statement_x_above(0);
    start();
    uint32_t first = m->time + 1;
    model_program_mark(m, 5, 7u << 16 | 2u << 11 | 481u << 2, 0xABCD, 0x124);
    const uint32_t want[] = {first, 0, 481 | 5 << 16, 0x124, 0xABCD, 7u << 16 | 2u << 11 | 481u << 2};
    ck_assert_mem_eq(&expect(ES_FRAME_MARK)->words[1], want, sizeof want);
    model_program_mark(m, 0, 511u << 2, 1, 0);
    const uint32_t nowhere[] = {first + 1, 0, 511, ES_HIT_NOWHERE, 1, 511u << 2};
    ck_assert_mem_eq(&expect(ES_FRAME_MARK)->words[1], nowhere, sizeof nowhere);
    m->room = 6; /* a frame is 7 */
    m->room_later = 100;
    model_program_mark(m, 6, 4, 1, 0x124);
    const uint32_t lost[] = {1, first + 2, 0, first + 2, 0, ES_GAP_EVENTS | (1u << 6) << ES_GAP_CORES_SHIFT};
    ck_assert_mem_eq(&expect(ES_FRAME_GAP)->words[1], lost, sizeof lost);
    model_program_mark(m, 1, 4, 1, 0x124);
    ck_assert_uint_eq(expect(ES_FRAME_MARK)->words[1], first + 3);
    m->room = 6;
    m->room_later = 100;
    m->room_asked = 0;
    model_program_mark(m, 3, 4, 1, 0x124);
    model_settle(m);
    model_mark(m, ES_MARK_GAP_FIRST, 3, 100);
    model_mark(m, ES_MARK_GAP_LAST, 1u << 4, 110);
    ck_assert_uint_eq(expect(ES_FRAME_GAP)->words[6], ES_GAP_EVENTS | (1u << 3) << ES_GAP_CORES_SHIFT);
    const uint32_t bus[] = {3, 100, 0, 110, 0, ES_GAP_BUS | (1u << 4) << ES_GAP_CORES_SHIFT};
    ck_assert_mem_eq(&expect(ES_FRAME_GAP)->words[1], bus, sizeof bus);
}
END_TEST

START_TEST(counters_in_several_frames)
{
    for (int i = 0; i < 100; i++) {
        statement_x_above((uint32_t)i);
        program.statements[i].actions[0].kind = ES_ACTION_COUNT;
        program.statements[i].actions[0].counter = (size_t)i;
    }
    program.counter_count = 100;
    start();
    model_store(m, X, 50, 4);
    model_store(m, X, 99, 4);
    model_mail(m, ES_MAIL_FLUSH);
    uint32_t next = 0;
    const uint32_t doubts = sizeof(struct es_mi_doubts) / 4;
    while (next < 300 + doubts) { /* and evaluations that met what is not known: none */
        const model_frame *frame = expect(ES_FRAME_COUNTERS);
        ck_assert_uint_eq(frame->words[1], next);
        for (size_t i = 2; i < frame->count; i++, next++)
            if (next < 200)
                ck_assert_uint_eq(frame->words[i], next % 100 < 50 ? 2 : next % 100 < 99);
    }
    expect(ES_FRAME_DONE);
    expect_nothing();
}
END_TEST

/* What is reported about an expectation that only counts: the first hit that is certain, how many are not, how often it
 * could not be evaluated. */
START_TEST(figures_of_expectations)
{
    es_reference read[] = {tree_static(&tree_int, X), tree_static(&tree_int, 0x3F000)};
    es_expr *above = tree_binary(ES_OP_GT, tree_ref(0), tree_const(5));
    tree_statement(&program, tree_binary(ES_OP_LOGAND, above, tree_binary(ES_OP_EQ, tree_ref(1), tree_const(0))), read,
                   2, 0);
    program.statements[0].actions[0] = (es_action){.kind = ES_ACTION_COUNT};
    program.counter_count = 1;
    program.statements[0].expect = ES_EXPECT_NEVER;
    start();
    model_store(m, X, 6, 4);
    model_store(m, 0x3F000, 0, 4);
    uint32_t first = m->time;
    model_store(m, X, 7, 4);
    model_mark(m, ES_MARK_GAP_FIRST, 17, m->time + 1);
    model_mark(m, ES_MARK_GAP_LAST, 0, m->time + 2);
    expect(ES_FRAME_GAP);
    model_store(m, X, 8, 4);
    model_mail(m, ES_MAIL_FLUSH);
    const uint32_t want[] = {0, 3, 3, first, ES_MI_EXPECTED_FIRST, 1, 1, 1, 0, 0, 1};
    ck_assert_mem_eq(&expect(ES_FRAME_COUNTERS)->words[1], want, sizeof want);
    expect(ES_FRAME_DONE);
}
END_TEST

START_TEST(resync)
{
    statement_x_above(0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, X, 1, 4);
    PATH(0, SITE_MAIN);
    expect_hit(0, 0, 0x100, 1, 1);
    model_mail(m, ES_MAIL_RESYNC);
    model_store(m, X, 1, 4);
    PATH(0, SITE_MAIN);
    expect_hit(0, 0, 0x100, 1, 1);
    target_return(m, 0x190, SITE_MAIN);
    model_mail(m, ES_MAIL_RESYNC);
    model_store(m, X, 1, 4);
    PATH_CUT_TO(0); /* the empty path is sent too */
    expect_hit(0, 0, SITE_MAIN + 4, 1, 1);
}
END_TEST

/* --- mail on a probe that is overloaded: no pass of the main loop is without a hit ------------------------ */

static const model_frame *next_of(uint32_t kind)
{
    const model_frame *frame;
    while ((frame = model_next(m)) && (frame->words[0] & 0xFF) != kind)
        ;
    return frame;
}

static void flood(void)
{
    for (uint32_t i = 0; i < 20; i++)
        model_store(m, X, i + 1, 4);
    model_mark(m, ES_MARK_GAP_FIRST, 17, m->time + 10);
    model_mark(m, ES_MARK_GAP_LAST, 0, m->time + 20);
    model_store(m, X, 1, 4); /* lets the mark be dealt with */
    ck_assert_msg(!m->broken && !m->sleeping, "%s", m->broken ? m->broken : "it sleeps");
}

/* The answer comes when the third gap after the mail has ended: all that the FIFO held has gone by then. */
START_TEST(flush_while_flooded)
{
    statement_x_above(0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    m->flooded = true;
    flood();
    m->mail = ES_MAIL_FLUSH;
    m->mail_full = true;
    flood();
    ck_assert(!m->mail_full);
    flood();
    flood();
    ck_assert_ptr_null(next_of(ES_FRAME_COUNTERS));
    flood();
    m->frame_read = 0;
    const model_frame *counters = next_of(ES_FRAME_COUNTERS);
    ck_assert_ptr_nonnull(counters);
    ck_assert_uint_ge(counters->words[2], 4 * 20);
    const model_frame *done = next_of(ES_FRAME_DONE);
    ck_assert_ptr_nonnull(done);
    ck_assert_uint_eq(done->words[2], 0);
    flood();
    ck_assert_ptr_nonnull(next_of(ES_FRAME_HIT)); /* and hits are told as before */
    m->flooded = false;
    model_settle(m);
    ck_assert(m->sleeping);
}
END_TEST

/* While there is no room for the answer, hits are dropped and counted, so that they do not take what becomes free. */
START_TEST(flush_without_room)
{
    statement_x_above(0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    m->flooded = true;
    m->mail = ES_MAIL_FLUSH;
    m->mail_full = true;
    for (int i = 0; i < 3; i++)
        flood();
    m->room = 3;
    flood();
    m->room = 50; /* for hits and gaps, but not once they have been told to give way */
    m->frame_read = m->frame_count;
    for (uint32_t i = 0; i < 20; i++)
        model_store(m, X, i + 1, 4);
    ck_assert_ptr_null(model_next(m));
    flood();
    ck_assert_ptr_nonnull(next_of(ES_FRAME_COUNTERS));
    const model_frame *done = next_of(ES_FRAME_DONE);
    ck_assert_ptr_nonnull(done);
    ck_assert_uint_ge(done->words[2], 40);
    flood();
    const model_frame *gap = next_of(ES_FRAME_GAP);
    ck_assert_ptr_nonnull(gap);
    ck_assert_uint_ge(gap->words[1], 40);
    ck_assert_ptr_nonnull(next_of(ES_FRAME_HIT));
}
END_TEST

/* Other mail is taken at the end of a gap, too. */
START_TEST(ping_while_flooded)
{
    statement_x_above(0);
    start();
    m->flooded = true;
    flood();
    m->mail = ES_MAIL_PING;
    m->mail_full = true;
    flood();
    ck_assert_ptr_nonnull(next_of(ES_FRAME_STATUS));
}
END_TEST

START_TEST(bad_image)
{
    statement_x_above(0);
    es_error err;
    ck_assert(es_image_build(&target_symbols, &program, &target_limits, &image, &err));
    for (int which = 0; which < 3; which++) {
        memset(m, 0, sizeof *m);
        es_image bad = image;
        uint8_t *copy = malloc(image.size);
        memcpy(copy, image.bytes, image.size);
        bad.bytes = copy;
        copy[which == 0 ? 0 : which == 1 ? 4 : image.size - 1] ^= 0x10;
        model_start(m, &bad);
        const model_frame *frame = model_next(m);
        ck_assert_ptr_nonnull(frame);
        ck_assert_uint_eq(frame->words[0] & 0xFF, ES_FRAME_FAULT);
        ck_assert_uint_eq(frame->words[1], ES_FAULT_IMAGE);
        free(copy);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("losses");
    TCase *tests = tcase_create("losses");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, harness_setup, harness_teardown);
    tcase_add_test(tests, gaps_and_time);
    tcase_add_test(tests, marks_of_the_program);
    tcase_add_test(tests, certain_again);
    tcase_add_test(tests, room_again);
    tcase_add_test(tests, counters_in_several_frames);
    tcase_add_test(tests, figures_of_expectations);
    tcase_add_test(tests, resync);
    tcase_add_test(tests, flush_while_flooded);
    tcase_add_test(tests, flush_without_room);
    tcase_add_test(tests, ping_while_flooded);
    tcase_add_test(tests, bad_image);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
