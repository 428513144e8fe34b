/* The real firmware with real images, on the model of the probe: what it sends for what the target does. */
#include <stdlib.h>
#include <string.h>

#include "../image/trees.h"
#include "check_main.h"
#include "target.h"

#define X 0x20000u /* a global */
#define PROCEDURE(name) (&target_procedures[name])

static model *m;
static es_program program;
static es_image image;

static void setup(void)
{
    m = calloc(1, sizeof *m);
    memset(&program, 0, sizeof program);
}

static void teardown(void)
{
    ck_assert_msg(m->broken == NULL, "%s", m->broken);
    es_image_free(&image);
    free(m);
}

/* Builds the image, starts the firmware and checks its greeting. */
static void start(void)
{
    es_error err;
    ck_assert_msg(es_image_build(&target_symbols, &program, &target_limits, &image, &err), "%s", err.text);
    model_start(m, &image);
    const model_frame *hello = model_next(m);
    ck_assert_ptr_nonnull(hello);
    ck_assert_uint_eq(hello->words[0], ES_FRAME_HELLO | 2 << 8);
    ck_assert_uint_eq(hello->words[2], image.checksum);
}

static const model_frame *expect(uint32_t kind)
{
    const model_frame *frame = model_next(m);
    ck_assert_msg(frame != NULL, "a frame of kind %u is missing", (unsigned)kind);
    ck_assert_uint_eq(frame->words[0] & 0xFF, kind);
    ck_assert_uint_eq(frame->words[0] >> 16, (uint32_t)(frame - m->frames));
    return frame;
}

static void expect_nothing(void)
{
    ck_assert_ptr_null(model_next(m));
}

/* A PATH frame with `keep` and the sites up to a 0xFFFFFFFF. */
static void expect_path(uint32_t keep, const uint32_t *sites)
{
    const model_frame *frame = expect(ES_FRAME_PATH);
    size_t count = 0;
    while (sites[count] != 0xFFFFFFFFu)
        count++;
    ck_assert_uint_eq(frame->words[1], keep | (uint32_t)count << 16);
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(frame->words[2 + i], sites[i]);
}
#define PATH(keep, ...) expect_path(keep, (const uint32_t[]){__VA_ARGS__, 0xFFFFFFFFu})
#define PATH_CUT_TO(keep) expect_path(keep, (const uint32_t[]){0xFFFFFFFFu})

static void expect_hit(unsigned statement, uint32_t flags, uint32_t pc, size_t values, uint32_t value)
{
    const model_frame *frame = expect(ES_FRAME_HIT);
    ck_assert_uint_eq(frame->count, 5 + values);
    ck_assert_uint_eq(frame->words[3], statement | flags << 16);
    ck_assert_uint_eq(frame->words[4], pc);
    if (values)
        ck_assert_uint_eq(frame->words[5], value);
}

static void statement_x_above(uint32_t limit)
{
    es_reference x = tree_static(&tree_int, X);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(limit)), &x, 1, 1);
}

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
    model_write(m, X, 0x00000056, 1); /* again: still not complete */
    expect_nothing();
    model_write(m, X, 0x01010000, 12);
    expect_hit(0, 0, 0, 1, 0x01011256);
    model_write(m, X, 0x7FFF0000, 12); /* a new round begins */
    expect_nothing();
    model_store(m, X, 7, 4); /* a whole write ends it */
    expect_hit(0, 0, 0, 1, 7);
    model_write(m, X, 0x00000008, 3);
    expect_nothing();
    model_write(m, X, 0x00090000, 12);
    expect_hit(0, 0, 0, 1, 0x00090008);
    model_store(m, X + 6, 5, 2); /* the neighbour */
    expect_nothing();
    model_store(m, X + 5, 5, 1);
    expect_nothing();
    model_store(m, X + 4, 1, 1);
    expect_hit(1, 0, 0, 1, 0x0501);
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
    es_statement *two = tree_statement(&program, tree_binary(ES_OP_NE, tree_binary(ES_OP_SUB, tree_ref(0), tree_old(0)),
                                                             tree_binary(ES_OP_SUB, tree_ref(1), tree_old(1))), pair,
                                                                 2, 2);
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
    start();
    model_store(m, X, 1, 4);
    expect_nothing();
    model_store(m, X + 4, 9, 4);
    expect_nothing();
    model_store(m, X, 1, 4);
    expect_hit(0, 0, 0, 2, 1);
    model_mail(m, ES_MAIL_FLUSH);
    expect(ES_FRAME_COUNTERS);
    ck_assert_uint_eq(expect(ES_FRAME_DONE)->words[3], 1);
}
END_TEST

/* --- paths ----------------------------------------------------------------------------------------------- */

START_TEST(enter_and_leave)
{
    tree_statement(&program, tree_enter(PROCEDURE(G)), NULL, 0, 0);
    tree_statement(&program, tree_leave(PROCEDURE(G)), NULL, 0, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    printf("plain call: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_nothing();
    target_call(m, F_G, G);
    PATH(0, SITE_MAIN, MAIN_F, F_G);
    expect_hit(0, 0, 0x300, 0, 0);
    target_return(m, 0x390, F_G);
    expect_hit(1, 0, 0x390, 0, 0); /* the path still ends in g */
    target_return(m, 0x290, MAIN_F);
    printf("plain return: %llu clocks\n", (unsigned long long)m->hit_clocks);
    target_call(m, MAIN_G, G);
    PATH(1, MAIN_G);
    expect_hit(0, 0, 0x300, 0, 0);
    target_call_pointer(m, G_H, H);
    target_return(m, 0x490, G_H);
    target_return(m, 0x390, MAIN_G);
    expect_hit(1, 0, 0x390, 0, 0);
    expect_nothing();
}
END_TEST

START_TEST(jumps_inside)
{
    statement_x_above(0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    model_fetch(m, 0x180, insn_jal(0x180, 0x100, 0)); /* a loop to main's first instruction */
    model_fetch(m, 0x100, INSN_NOP);
    model_fetch(m, 0x150, INSN_NOP);
    model_fetch(m, MAIN_F + 4, INSN_NOP); /* falls upon a return point */
    model_fetch(m, 0x1A0, insn_jal(0x1A0, MAIN_F + 4, 0)); /* jumps to one */
    model_fetch(m, MAIN_F + 4, INSN_NOP);
    model_store(m, X, 1, 4);
    PATH(0, SITE_MAIN);
    expect_hit(0, 0, MAIN_F + 4, 1, 1);
}
END_TEST

START_TEST(tail_call)
{
    tree_statement(&program, tree_enter(PROCEDURE(H)), NULL, 0, 0);
    tree_statement(&program, tree_leave(PROCEDURE(G)), NULL, 0, 0);
    tree_statement(&program, tree_leave(PROCEDURE(H)), NULL, 0, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_G, G);
    target_jump(m, G_TAIL_H, H);
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(1, 0, G_TAIL_H, 0, 0);
    PATH(1, MAIN_G); /* g is gone: h stands where it was called */
    expect_hit(0, 0, 0x400, 0, 0);
    target_return(m, 0x490, MAIN_G); /* h returns to g's caller */
    expect_hit(2, 0, 0x490, 0, 0);
    target_return(m, 0x190, SITE_MAIN);
    expect_nothing();
}
END_TEST

START_TEST(longjmp_and_unknown_return)
{
    statement_x_above(0);
    tree_statement(&program, tree_leave(PROCEDURE(G)), NULL, 0, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    target_call(m, F_G, G);
    target_call(m, G_H, H);
    model_store(m, X, 1, 4);
    PATH(0, SITE_MAIN, MAIN_F, F_G, G_H);
    expect_hit(0, 0, 0x400, 1, 1);
    target_return(m, 0x490, MAIN_G); /* into main, after a call that is not active */
    model_store(m, X, 2, 4);
    PATH_CUT_TO(1);
    expect_hit(0, 0, MAIN_G + 4, 1, 2);
    target_call(m, MAIN_F, F);
    target_call(m, F_G, G);
    target_return(m, 0x390, MAIN_F); /* out of two at once: that of f is matched */
    model_store(m, X, 3, 4);
    expect_hit(0, 0, MAIN_F + 4, 1, 3);
    target_return(m, 0x390, REC_REC); /* rec is not active: nobody knows */
    model_store(m, X, 4, 4);
    expect_hit(0, ES_HITF_PATH_UNKNOWN, REC_REC + 4, 1, 4);
    target_return(m, 0x390, SITE_MAIN);
    model_store(m, X, 5, 4);
    PATH_CUT_TO(0);
    expect_hit(0, 0, SITE_MAIN + 4, 1, 5);
    expect_nothing();
}
END_TEST

START_TEST(deep_recursion)
{
    statement_x_above(0);
    tree_statement(&program, tree_leave(PROCEDURE(REC)), NULL, 0, -1);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_REC, REC);
    for (int depth = 3; depth <= 600; depth++)
        target_call(m, REC_REC, REC);
    model_store(m, X, 1, 4);
    const model_frame *first = expect(ES_FRAME_PATH), *second = expect(ES_FRAME_PATH);
    ck_assert_uint_eq(first->words[1], 0 | 60u << 16);
    ck_assert_uint_eq(second->words[1], 60 | 4u << 16);
    expect_hit(0, ES_HITF_PATH_CUT, 0x500, 1, 1);
    target_interrupt(m);
    target_mret(m, REC_REC + 4);
    model_mail(m, ES_MAIL_PING);
    ck_assert_uint_eq(expect(ES_FRAME_STATUS)->words[4], 600);
    for (int depth = 600; depth > 3; depth--)
        target_return(m, 0x590, REC_REC);
    model_store(m, X, 2, 4);
    PATH_CUT_TO(3);
    expect_hit(0, 0, REC_REC + 4, 1, 2);
    target_return(m, 0x590, REC_REC);
    target_return(m, 0x590, MAIN_REC);
    model_store(m, X, 3, 4);
    PATH_CUT_TO(1);
    expect_hit(0, 0, MAIN_REC + 4, 1, 3);
    model_mail(m, ES_MAIL_FLUSH);
    const model_frame *totals = expect(ES_FRAME_COUNTERS);
    /* 599 activations; those beyond what is recorded leave unseen, and that is told */
    ck_assert_uint_eq(totals->words[3] + expect(ES_FRAME_DONE)->words[3], 599 + 1); /* + the interrupt */
}
END_TEST

START_TEST(longjmp_out_of_deep_recursion)
{
    statement_x_above(0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    target_return(m, 0x290, MAIN_F); /* setjmp, say */
    target_call(m, MAIN_REC, REC);
    for (int depth = 3; depth <= 100; depth++)
        target_call(m, REC_REC, REC);
    target_return(m, 0x290, MAIN_F); /* again: longjmp */
    model_store(m, X, 1, 4);
    PATH(0, SITE_MAIN);
    expect_hit(0, 0, MAIN_F + 4, 1, 1);
    /* into one of several activations of rec: which one, nobody knows */
    target_call(m, MAIN_REC, REC);
    target_call(m, REC_REC, REC);
    target_call(m, REC_REC, REC);
    target_call(m, MAIN_F, F);
    target_call(m, F_G, G);
    target_return(m, 0x390, REC_REC);
    target_return(m, 0x590, MAIN_REC);
    model_store(m, X, 2, 4);
    expect_hit(0, 0, MAIN_REC + 4, 1, 2);
    expect_nothing();
}
END_TEST

START_TEST(interrupts)
{
    statement_x_above(0);
    tree_statement(&program, tree_enter(PROCEDURE(ISR)), NULL, 0, 0);
    tree_statement(&program, tree_leave(PROCEDURE(ISR)), NULL, 0, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    model_fetch(m, 0x220, INSN_NOP);
    target_interrupt(m);
    PATH(0, SITE_MAIN, MAIN_F, 0x220 | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_interrupt(m); /* nested */
    PATH(3, 0x600 | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_mret(m, 0x604);
    expect_hit(2, 0, 0x680, 0, 0);
    target_mret(m, 0x224);
    PATH_CUT_TO(3);
    expect_hit(2, 0, 0x680, 0, 0);
    model_store(m, X, 1, 4);
    PATH_CUT_TO(2);
    expect_hit(0, 0, 0x224, 1, 1);
    /* between a call and the procedure's first instruction */
    model_fetch(m, F_G, insn_jal(F_G, 0x300, 1));
    target_interrupt(m);
    PATH(2, F_G | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_mret(m, 0x300);
    expect_hit(2, 0, 0x680, 0, 0);
    model_store(m, X, 2, 4);
    PATH(2, F_G);
    expect_hit(0, 0, 0x300, 1, 2);
    /* between a return and the return point */
    model_fetch(m, 0x390, INSN_RET_);
    target_interrupt(m);
    PATH(3, 0x390 | ES_SITE_INTERRUPT);
    expect_hit(1, 0, 0x600, 0, 0);
    target_mret(m, F_G + 4);
    expect_hit(2, 0, 0x680, 0, 0);
    model_store(m, X, 3, 4);
    PATH_CUT_TO(2);
    expect_hit(0, 0, F_G + 4, 1, 3);
    expect_nothing();
    /* a return to what is the handler's first instruction, too */
    target_call(m, REC_LAST, REC);
    target_return(m, 0x590, REC_LAST);
    expect_nothing();
}
END_TEST

/* --- locals ---------------------------------------------------------------------------------------------- */

/* CFA of h: main (CFA = stack top, frame 32) -> g (frame 0) -> h: top - 32; main -> f (48) -> g -> h: top - 80. */
#define CFA_MAIN TARGET_STACK_TOP
#define CFA_CALLEE_OF_MAIN (TARGET_STACK_TOP - 32)
#define CFA_G_BY_F (TARGET_STACK_TOP - 80)

START_TEST(locals_by_path)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(G), -12);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(5)), &local, 1, 1);
    start();
    ck_assert_uint_eq(image.nodes, 5); /* _start, main, f, g twice */
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, CFA_CALLEE_OF_MAIN - 12, 100, 4);
    expect_nothing();
    target_call(m, MAIN_G, G);
    printf("call that arms one local: %llu clocks\n", (unsigned long long)m->hit_clocks);
    ck_assert_uint_eq(m->data_plane[(CFA_CALLEE_OF_MAIN - 12) / 4], 1);
    model_store(m, CFA_CALLEE_OF_MAIN - 12, 6, 4);
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(0, 0, 0x300, 1, 6);
    printf("local true, path and value sent: %llu clocks\n", (unsigned long long)m->hit_clocks);
    target_call(m, G_H, H); /* g's frame stays while h runs */
    model_store(m, CFA_CALLEE_OF_MAIN - 12, 7, 4);
    PATH(2, G_H);
    expect_hit(0, 0, 0x400, 1, 7);
    target_return(m, 0x490, G_H);
    target_return(m, 0x390, MAIN_G);
    ck_assert_uint_eq(m->data_plane[(CFA_CALLEE_OF_MAIN - 12) / 4], 0);
    target_call(m, MAIN_F, F);
    model_store(m, CFA_CALLEE_OF_MAIN - 12, 8, 4); /* f's own slot now */
    expect_nothing();
    target_call(m, F_G, G);
    model_store(m, CFA_CALLEE_OF_MAIN - 12, 9, 4);
    expect_nothing();
    model_store(m, CFA_G_BY_F - 12, 10, 4);
    PATH(1, MAIN_F, F_G);
    expect_hit(0, 0, 0x300, 1, 10);
    target_return(m, 0x190, SITE_MAIN); /* leaves all */
    ck_assert_uint_eq(m->data_plane[(CFA_G_BY_F - 12) / 4], 0);
}
END_TEST

START_TEST(shared_slot)
{
    es_reference in_f = tree_local(&tree_int, PROCEDURE(F), -20), in_g = tree_local(&tree_int, PROCEDURE(G), -20);
    es_reference f_and_global[] = {in_f, tree_static(&tree_int, X)};
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &in_f, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &in_g, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1)), f_and_global, 2, 2);
    start();
    uint32_t slot = CFA_CALLEE_OF_MAIN - 20;
    model_know(m, slot, 0);
    target_call(m, SITE_MAIN, MAIN);
    model_store(m, X, 5, 4); /* f is not active: not evaluable */
    target_call(m, MAIN_F, F);
    ck_assert_uint_eq(m->data_plane[slot / 4], 3);
    model_store(m, slot, 1, 4);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 1);
    model_store(m, slot, 7, 4);
    expect_hit(0, 0, 0x200, 1, 7);
    expect_hit(2, 0, 0x200, 2, 7);
    model_store(m, X, 6, 4);
    expect_hit(2, 0, 0x200, 2, 7);
    target_return(m, 0x290, MAIN_F);
    target_call(m, MAIN_G, G);
    ck_assert_uint_eq(m->data_plane[slot / 4], 1);
    model_store(m, slot, 8, 4);
    PATH(1, MAIN_G);
    expect_hit(1, 0, 0x300, 1, 8);
    model_store(m, X, 1, 4);
    expect_nothing();
}
END_TEST

START_TEST(local_partial_write_is_forgotten)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(F), -20);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &local, 1, 1);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    model_write(m, CFA_CALLEE_OF_MAIN - 20, 1, 3);
    target_return(m, 0x290, MAIN_F);
    target_call(m, MAIN_F, F);
    model_write(m, CFA_CALLEE_OF_MAIN - 20, 0x10000, 12);
    expect_nothing();
    model_write(m, CFA_CALLEE_OF_MAIN - 20, 2, 3);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 0x10002);
}
END_TEST

START_TEST(local_behind_tail_call)
{
    es_reference local = tree_local(&tree_int, PROCEDURE(H), -4);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_const(0)), &local, 1, 1);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_G, G);
    target_jump(m, G_TAIL_H, H);
    model_store(m, CFA_CALLEE_OF_MAIN - 4, 3, 4);
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(0, 0, 0x400, 1, 3);
    target_return(m, 0x490, MAIN_G);
    model_store(m, CFA_CALLEE_OF_MAIN - 4, 4, 4);
    expect_nothing();
    target_call_pointer(m, MAIN_POINTER, H); /* main -> h directly */
    model_store(m, CFA_CALLEE_OF_MAIN - 4, 5, 4);
    PATH(1, MAIN_POINTER);
    expect_hit(0, 0, 0x400, 1, 5);
}
END_TEST

/* --- locals that share their word with bytes that nobody writes ------------------------------------------ */

#define SLOT (CFA_CALLEE_OF_MAIN - 20) /* a word in the frame of f, or of g when main calls it */

static void expect_unknown(uint32_t count)
{
    model_mail(m, ES_MAIL_FLUSH);
    expect(ES_FRAME_COUNTERS);
    ck_assert_uint_eq(expect(ES_FRAME_DONE)->words[3], count);
}

START_TEST(small_local)
{
    es_reference both[] = {tree_local(&tree_uchar, PROCEDURE(F), -17), tree_static(&tree_int, X)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1)), both, 2, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_old(0)), both, 1, 1); /* direct */
    start();
    model_know(m, X, 3);
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    ck_assert_uint_eq(m->data_plane[SLOT / 4], 3);
    model_store(m, SLOT, 7, 1); /* a neighbour */
    ck_assert(!m->known[SLOT / 4]);
    model_store(m, SLOT + 3, 5, 1);
    ck_assert(m->known[SLOT / 4]);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 5);
    expect_nothing(); /* the value before is not known */
    model_store(m, SLOT + 3, 4, 1);
    expect_hit(0, 0, 0x200, 1, 4);
    expect_hit(1, 0, 0x200, 1, 4);
    model_store(m, X, 1, 4);
    expect_hit(0, 0, 0x200, 1, 4);
    expect_unknown(1);
}
END_TEST

START_TEST(two_small_locals)
{
    es_reference pair[] = {tree_local(&tree_short, PROCEDURE(F), -20), tree_local(&tree_uchar, PROCEDURE(F), -18)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_ref(1)), pair, 2, 2);
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    model_store(m, SLOT, 9, 2);
    ck_assert(!m->known[SLOT / 4]); /* one of the two is not */
    target_return(m, 0x290, MAIN_F);
    target_call(m, MAIN_F, F); /* what was written before the activation does not count */
    model_store(m, SLOT + 2, 1, 1);
    ck_assert(!m->known[SLOT / 4]);
    model_store(m, SLOT, 8, 1);
    ck_assert(!m->known[SLOT / 4]);
    model_store(m, SLOT + 1, 0, 1);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 2, 8);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 1);
    target_return(m, 0x290, MAIN_F);
    ck_assert_uint_eq(m->data_plane[SLOT / 4], 0);
    target_call(m, MAIN_F, F);
    model_store(m, SLOT + 2, 2, 1); /* known stays known: the short is what the stack holds */
    PATH(1, MAIN_F);
    expect_hit(0, 0, 0x200, 2, 8);
    expect_unknown(2);
}
END_TEST

START_TEST(small_local_only_printed)
{
    es_reference both[] = {tree_static(&tree_int, X), tree_local(&tree_ushort, PROCEDURE(F), -18)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), both, 2, 2);
    program.statements[0].predicate_count = 1;
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    model_store(m, X, 1, 4);
    expect_nothing();
    model_store(m, SLOT + 2, 6, 2);
    printf("small local, no statement: %llu clocks\n", (unsigned long long)m->hit_clocks);
    expect_nothing(); /* is no event */
    model_store(m, X, 2, 4);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 2, 2);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[6], 6);
    expect_unknown(1);
}
END_TEST

START_TEST(small_locals_of_two_frames)
{
    es_reference in_f[] = {tree_local(&tree_uchar, PROCEDURE(F), -20), tree_static(&tree_int, X)};
    es_reference in_g[] = {tree_local(&tree_short, PROCEDURE(G), -18), tree_static(&tree_int, X)};
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_ref(1)), in_f, 2, 1);
    tree_statement(&program, tree_binary(ES_OP_NE, tree_ref(0), tree_ref(1)), in_g, 2, 1);
    start();
    model_know(m, X, 0);
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_G, G);
    model_store(m, SLOT, 1, 1); /* f's, which is not there */
    ck_assert(!m->known[SLOT / 4]);
    model_store(m, SLOT + 2, 2, 2);
    PATH(0, SITE_MAIN, MAIN_G);
    expect_hit(1, 0, 0x300, 1, 2);
    m->known[SLOT / 4] = 0;
    target_return(m, 0x390, MAIN_G);
    target_call(m, MAIN_F, F);
    model_store(m, SLOT + 2, 2, 2);
    ck_assert(!m->known[SLOT / 4]);
    model_store(m, SLOT, 1, 1);
    PATH(1, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 1);
    expect_unknown(0);
}
END_TEST

/* Words that hardware gets to know, or that nobody has to know, cost nothing. */
START_TEST(covered_only_where_needed)
{
    es_reference direct = tree_local(&tree_short, PROCEDURE(F), -20);
    es_reference others[] = {tree_static(&tree_int, X), tree_local(&tree_int, PROCEDURE(F), -24),
                             tree_local(&tree_uchar, PROCEDURE(F), -24)};
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), &direct, 1, 1);
    tree_statement(&program, tree_binary(ES_OP_GT, tree_ref(0), tree_const(0)), others, 3, 3);
    program.statements[1].predicate_count = 1;
    start();
    target_call(m, SITE_MAIN, MAIN);
    target_call(m, MAIN_F, F);
    ck_assert_uint_eq(m->data_plane[SLOT / 4], 1);
    ck_assert_uint_eq(m->data_plane[SLOT / 4 - 1], 0);
    model_store(m, SLOT, 4, 2);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x200, 1, 4);
    ck_assert(!m->known[SLOT / 4]);
}
END_TEST

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
    expect_hit(0, ES_HITF_UNCERTAIN, 0, 1, 1);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[2], 4);
    m->time_bits = 16;
    model_mark(m, ES_MARK_EPOCH, 0x12345, 0);
    m->time = 6;
    model_store(m, X, 2, 4);
    expect_hit(0, ES_HITF_UNCERTAIN, 0, 1, 2);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[1], 0x23450007);
    ck_assert_uint_eq(m->frames[m->frame_read - 1].words[2], 1);
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
    while (next < 200) {
        const model_frame *frame = expect(ES_FRAME_COUNTERS);
        ck_assert_uint_eq(frame->words[1], next);
        for (size_t i = 2; i < frame->count; i++, next++)
            ck_assert_uint_eq(frame->words[i], next % 100 < 50 ? 2 : next % 100 < 99);
    }
    expect(ES_FRAME_DONE);
    expect_nothing();
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
    Suite *suite = suite_create("firmware");
    TCase *tests = tcase_create("firmware");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, global);
    tcase_add_test(tests, partial_writes);
    tcase_add_test(tests, one_store_two_variables);
    tcase_add_test(tests, old_values);
    tcase_add_test(tests, unknown_memory);
    tcase_add_test(tests, enter_and_leave);
    tcase_add_test(tests, jumps_inside);
    tcase_add_test(tests, tail_call);
    tcase_add_test(tests, longjmp_and_unknown_return);
    tcase_add_test(tests, deep_recursion);
    tcase_add_test(tests, longjmp_out_of_deep_recursion);
    tcase_add_test(tests, interrupts);
    tcase_add_test(tests, locals_by_path);
    tcase_add_test(tests, shared_slot);
    tcase_add_test(tests, local_partial_write_is_forgotten);
    tcase_add_test(tests, local_behind_tail_call);
    tcase_add_test(tests, small_local);
    tcase_add_test(tests, two_small_locals);
    tcase_add_test(tests, small_local_only_printed);
    tcase_add_test(tests, small_locals_of_two_frames);
    tcase_add_test(tests, covered_only_where_needed);
    tcase_add_test(tests, gaps_and_time);
    tcase_add_test(tests, room_again);
    tcase_add_test(tests, counters_in_several_frames);
    tcase_add_test(tests, resync);
    tcase_add_test(tests, bad_image);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
