/* The latch: nobody is in it with somebody else, whoever they are, with the kernel's barrier and without. */
#include "check_main.h"

#include <pthread.h>
#include <sched.h>

#include "store/latch.h"

#define ROUNDS 200000u
#define OTHERS 2

typedef struct shared {
    es_latch latch;
    atomic_bool over;
    atomic_uint met;        /* how many of the others have been in it */
    uint64_t a, b, changes; /* a is b, save within the latch */
} shared;

static void change(shared *s)
{
    uint64_t a = s->a, b = s->b;
    ck_assert(a == b);
    s->a = a + 1;
    atomic_signal_fence(memory_order_seq_cst); /* the compiler, too, keeps to this order */
    s->changes++;
    atomic_signal_fence(memory_order_seq_cst);
    s->b = b + 1;
}

static void *other(void *context)
{
    shared *s = context;
    uintptr_t times = 0;
    while (!atomic_load(&s->over)) {
        if (times % 3 == 0) {
            es_latch_take(&s->latch);
        } else if (!es_latch_try(&s->latch)) {
            sched_yield();
            continue;
        }
        change(s);
        es_latch_give(&s->latch);
        if (!times++)
            atomic_fetch_add(&s->met, 1);
        sched_yield();
    }
    return (void *)times;
}

START_TEST(one_at_a_time)
{
    static shared s;
    pthread_t threads[OTHERS];
    es_latch_init(&s.latch);
    if (_i)
        s.latch.is_fenced = true;
    for (unsigned i = 0; i < OTHERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, other, &s), 0);
    unsigned rounds = 0;
    for (; rounds < ROUNDS || atomic_load(&s.met) < OTHERS; rounds++) { /* on one processor the others come late */
        es_latch_enter(&s.latch);
        change(&s);
        es_latch_leave(&s.latch);
        if (rounds >= ROUNDS)
            sched_yield();
    }
    atomic_store(&s.over, true);
    uint64_t all = rounds;
    for (unsigned i = 0; i < OTHERS; i++) {
        void *times;
        pthread_join(threads[i], &times);
        all += (uintptr_t)times;
    }
    ck_assert(s.a == all && s.b == all && s.changes == all);
}
END_TEST

/* Who finds it taken goes away at once. */
START_TEST(tries)
{
    es_latch latch;
    es_latch_init(&latch);
    es_latch_enter(&latch);
    ck_assert(!es_latch_try(&latch));
    es_latch_leave(&latch);
    ck_assert(es_latch_try(&latch));
    ck_assert(!es_latch_try(&latch));
    es_latch_give(&latch);
    es_latch_enter(&latch);
    es_latch_leave(&latch);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("latch");
    TCase *tests = tcase_create("latch");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, one_at_a_time, 0, 2);
    tcase_add_test(tests, tries);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
