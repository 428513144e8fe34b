/* The real firmware with real images, on the model of the probe. Tasks: a shadow stack for each. */
#include "harness.h"

#define CURRENT 0x20010u
#define MAIN_TASK 0x30000u
#define H_TASK 0x30100u
#define SITE_TASK ES_SITE_TASK

static es_reference pointer;

/* `x > 0 { print x }`, `enter(h)`, `leave(h)`; with tasks. */
static void start_tasks(void)
{
    pointer = tree_static(&tree_int, CURRENT);
    program.task = &pointer;
    statement_x_above(0);
    tree_statement(&program, tree_enter(PROCEDURE(H)), NULL, 0, 0);
    tree_statement(&program, tree_leave(PROCEDURE(H)), NULL, 0, 0);
    start();
    target_call(m, SITE_MAIN, MAIN);
}

static void expect_task(uint32_t task)
{
    const model_frame *frame = expect(ES_FRAME_TASK);
    ck_assert_uint_eq(frame->count, 2);
    ck_assert_uint_eq(frame->words[1], task);
}

/* An interrupt at main's or h's instruction `from`, in which the pointer is written. */
static void preempt(uint32_t from, uint32_t task)
{
    model_fetch(m, from, INSN_NOP);
    target_interrupt(m);
    model_store(m, CURRENT, task, 4);
}

static void x_is(uint32_t pc, uint32_t value)
{
    model_fetch(m, pc, INSN_NOP);
    model_store(m, X, value, 4);
}

START_TEST(preemption)
{
    start_tasks();
    x_is(0x150, 1);
    expect_task(0); /* nobody's so far */
    PATH(0, SITE_MAIN);
    expect_hit(0, 0, 0x150, 1, 1);
    model_store(m, CURRENT, MAIN_TASK, 4);
    preempt(0x154, H_TASK);
    x_is(0x610, 2); /* still on main's stack, which the interrupt shows to be main's task */
    expect_task(MAIN_TASK);
    PATH(0, SITE_MAIN, 0x154 | ES_SITE_INTERRUPT);
    expect_hit(0, 0, 0x610, 1, 2);
    target_mret(m, 0x300);
    printf("switch to a new task: %llu clocks\n", (unsigned long long)m->max_hit_clocks);
    target_call(m, G_H, H);
    expect_task(H_TASK);
    PATH(0, SITE_TASK, G_H);
    expect_hit(1, 0, 0x400, 0, 0);
    preempt(0x410, MAIN_TASK);
    target_mret(m, 0x158);
    x_is(0x15C, 3);
    expect_task(MAIN_TASK);
    PATH(0, SITE_MAIN);
    expect_hit(0, 0, 0x15C, 1, 3);
    preempt(0x160, MAIN_TASK); /* to itself */
    target_mret(m, 0x164);
    x_is(0x164, 4);
    expect_hit(0, 0, 0x164, 1, 4);
    preempt(0x168, H_TASK);
    target_mret(m, 0x414);
    x_is(0x418, 5);
    expect_task(H_TASK);
    PATH(0, SITE_TASK, G_H);
    expect_hit(0, 0, 0x418, 1, 5);
    target_return(m, 0x490, G_H);
    expect_hit(2, 0, 0x490, 0, 0);
    model_mail(m, ES_MAIL_RESYNC);
    x_is(0x318, 6);
    expect_task(H_TASK); /* told again with the path */
    PATH(0, SITE_TASK);
    expect_hit(0, 0, 0x318, 1, 6);
    expect_nothing();
}
END_TEST

/* What an interrupt kept from arriving is each task's own: main was taken between its call and f's first
 * instruction. */
START_TEST(interrupted_call)
{
    start_tasks();
    model_store(m, CURRENT, MAIN_TASK, 4);
    model_fetch(m, MAIN_F, insn_jal(MAIN_F, 0x200, 1));
    target_interrupt(m);
    model_store(m, CURRENT, H_TASK, 4);
    target_mret(m, 0x400);
    expect_task(H_TASK);
    PATH(0, SITE_TASK);
    expect_hit(1, 0, 0x400, 0, 0);
    preempt(0x410, MAIN_TASK);
    target_mret(m, 0x200);
    x_is(0x204, 1);
    expect_task(MAIN_TASK);
    PATH(0, SITE_MAIN, MAIN_F);
    expect_hit(0, 0, 0x204, 1, 1);
    expect_nothing();
}
END_TEST

/* f is the function that swaps stacks: it returns to where the next task called it, or where one begins. */
START_TEST(yield)
{
    start_tasks();
    model_store(m, CURRENT, MAIN_TASK, 4);
    target_call(m, MAIN_F, F);
    model_store(m, CURRENT, H_TASK, 4);
    target_call(m, F_G, G); /* calls and returns before the stacks are swapped */
    target_return(m, 0x390, F_G);
    model_fetch(m, 0x290, INSN_RET_);
    model_fetch(m, 0x400, INSN_NOP);
    expect_task(H_TASK);
    PATH(0, SITE_TASK);
    expect_hit(1, 0, 0x400, 0, 0);
    target_call(m, 0x420, F);
    model_store(m, CURRENT, MAIN_TASK, 4);
    target_return(m, 0x290, MAIN_F);
    x_is(0x118, 1);
    expect_task(MAIN_TASK);
    PATH(0, SITE_MAIN);
    expect_hit(0, 0, 0x118, 1, 1);
    expect_nothing();
}
END_TEST

/* Of more tasks than there are records for, the paths are unknown, and that is counted. */
START_TEST(too_many)
{
    start_tasks();
    model_store(m, CURRENT, MAIN_TASK, 4);
    for (uint32_t task = 1; task <= 10; task++) { /* each begins in a place that is no procedure's first instruction */
        preempt(0x410, MAIN_TASK + 0x100 * task);
        target_mret(m, 0x410);
    }
    preempt(0x410, MAIN_TASK + 0x100); /* one of those that are kept */
    target_mret(m, 0x414);
    x_is(0x418, 1);
    expect_task(MAIN_TASK + 0x100);
    PATH_CUT_TO(0);
    expect_hit(0, 0, 0x418, 1, 1);
    preempt(0x410, MAIN_TASK + 0x900); /* given up */
    target_mret(m, 0x414);
    x_is(0x418, 2);
    expect_task(MAIN_TASK + 0x900);
    PATH_CUT_TO(0);
    expect_hit(0, ES_HITF_PATH_UNKNOWN, 0x418, 1, 2);
    model_mail(m, ES_MAIL_FLUSH);
    expect(ES_FRAME_COUNTERS);
    const model_frame *done = expect(ES_FRAME_DONE);
    ck_assert_uint_eq(done->count, 6);
    ck_assert_uint_ge(done->words[5], 1);
    expect_nothing();
}
END_TEST

/* A control block is used again: the new task begins, whatever was on the old one's stack. */
START_TEST(begun_anew)
{
    start_tasks();
    model_store(m, CURRENT, MAIN_TASK, 4);
    preempt(0x150, H_TASK);
    target_mret(m, 0x400);
    expect_task(H_TASK);
    PATH(0, SITE_TASK);
    expect_hit(1, 0, 0x400, 0, 0);
    target_call(m, 0x410, G);
    preempt(0x320, MAIN_TASK);
    target_mret(m, 0x154);
    preempt(0x158, H_TASK);
    target_mret(m, 0x400);
    expect_task(H_TASK);
    PATH(0, SITE_TASK);
    expect_hit(1, 0, 0x400, 0, 0);
    expect_nothing();
}
END_TEST

/* An interrupt is pending when the scheduler's mret goes on with a new task: its first instruction comes after the next
 * mret. */
START_TEST(interrupted_before_it_began)
{
    start_tasks();
    model_store(m, CURRENT, MAIN_TASK, 4);
    preempt(0x150, H_TASK);
    model_fetch(m, 0x680, INSN_MRET_);
    target_interrupt(m);
    target_mret(m, 0x400);
    expect_task(H_TASK);
    PATH(0, SITE_TASK);
    expect_hit(1, 0, 0x400, 0, 0);
    preempt(0x410, H_TASK); /* to itself: no beginning */
    target_mret(m, 0x400);
    expect_nothing();
}
END_TEST

/* Names of 12 bytes at byte 8 of the control block: the words come with the task, and which of them nobody has
 * written. */
START_TEST(names)
{
    program.task_name = (es_task_name){8, 12, false};
    start_tasks();
    model_store(m, CURRENT, MAIN_TASK, 4);
    preempt(0x150, H_TASK);
    model_store(m, H_TASK + 8, 0x676E6970, 4);
    model_store(m, H_TASK + 16, 0x41, 4);
    target_mret(m, 0x400);
    const model_frame *frame = expect(ES_FRAME_TASK);
    ck_assert_uint_eq(frame->count, 6);
    ck_assert_uint_eq(frame->words[1], H_TASK);
    ck_assert_uint_eq(frame->words[2], 0x676E6970);
    ck_assert_uint_eq(frame->words[4], 0x41);
    ck_assert_uint_eq(frame->words[5], 2);
    PATH(0, SITE_TASK);
    expect_hit(1, 0, 0x400, 0, 0);
    printf("switch to a new task with a name: %llu clocks\n", (unsigned long long)m->max_hit_clocks);
    preempt(0x410, 0x7FFFFFF0); /* nothing is known of what lies outside */
    target_mret(m, 0x400);
    frame = expect(ES_FRAME_TASK);
    ck_assert_uint_eq(frame->words[5], 7);
    PATH(0, SITE_TASK);
    expect_hit(1, 0, 0x400, 0, 0);
    expect_nothing();
    program.task_name = (es_task_name){0};
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("firmware tasks");
    TCase *tcase = tcase_create("tasks");
    tcase_add_checked_fixture(tcase, harness_setup, harness_teardown);
    tcase_add_test(tcase, preemption);
    tcase_add_test(tcase, interrupted_call);
    tcase_add_test(tcase, yield);
    tcase_add_test(tcase, too_many);
    tcase_add_test(tcase, begun_anew);
    tcase_add_test(tcase, interrupted_before_it_began);
    tcase_add_test(tcase, names);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
