#include "store/latch.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool barrier(int command)
{
    return syscall(SYS_membarrier, command, 0, 0) == 0;
}

void es_latch_init(es_latch *latch)
{
    atomic_init(&latch->inside, false);
    atomic_init(&latch->wanted, false);
    atomic_flag_clear(&latch->another);
    latch->is_fenced = !barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

void es_latch_wait(es_latch *latch)
{
    do {
        atomic_store_explicit(&latch->inside, false, memory_order_release);
        while (atomic_load_explicit(&latch->wanted, memory_order_acquire))
            sched_yield();
        atomic_store(&latch->inside, true);
        atomic_thread_fence(memory_order_seq_cst);
    } while (atomic_load_explicit(&latch->wanted, memory_order_acquire));
}

/* After the barrier the owner, wherever it was, has written that it is inside, or will read that it is wanted. */
bool es_latch_try(es_latch *latch)
{
    if (atomic_flag_test_and_set_explicit(&latch->another, memory_order_acquire))
        return false;
    atomic_store(&latch->wanted, true);
    atomic_thread_fence(memory_order_seq_cst);
    bool is_ordered = latch->is_fenced || barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    if (is_ordered && !atomic_load_explicit(&latch->inside, memory_order_acquire))
        return true;
    es_latch_give(latch);
    return false;
}

void es_latch_take(es_latch *latch)
{
    while (!es_latch_try(latch))
        sched_yield();
}

void es_latch_give(es_latch *latch)
{
    atomic_store_explicit(&latch->wanted, false, memory_order_release);
    atomic_flag_clear_explicit(&latch->another, memory_order_release);
}
