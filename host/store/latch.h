/* A latch between one thread that takes it all the time, the owner, and others that take it now and then. To the owner
 * it costs two stores and a look: whoever else wants it has the kernel put the barrier into the owner's thread. */
#ifndef ES_STORE_LATCH_H
#define ES_STORE_LATCH_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct es_latch {
    atomic_bool inside;  /* the owner has it */
    atomic_bool wanted;  /* one of the others has it, or tries to get it */
    atomic_flag another; /* which one that is: none but one at a time */
    bool is_fenced;      /* the kernel has no such barrier: the owner has its own */
} es_latch;

void es_latch_init(es_latch *latch);

/* After es_latch_enter has found that another one wants it: waits until that one is done, and takes it. */
void es_latch_wait(es_latch *latch);

/* The owner: one thread at a time. Not while it has the latch already. */
static inline void es_latch_enter(es_latch *latch)
{
    atomic_store_explicit(&latch->inside, true, memory_order_relaxed);
    if (latch->is_fenced)
        atomic_thread_fence(memory_order_seq_cst);
    else
        atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&latch->wanted, memory_order_acquire), false))
        es_latch_wait(latch);
}

static inline void es_latch_leave(es_latch *latch)
{
    atomic_store_explicit(&latch->inside, false, memory_order_release);
}

/* Any thread. False: somebody has it. */
bool es_latch_try(es_latch *latch);
void es_latch_take(es_latch *latch);
void es_latch_give(es_latch *latch); /* after es_latch_take, or es_latch_try that has returned true */

#endif
