/* Threads that are interrupted: a part of kernel.c, by the policy that it is compiled for. */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include "kernel.h"
#include "target.h"

#if THREADS_INTERRUPTED
/* From now on, of the thread that the core takes, or goes on with. */
static inline void slice_begins(void)
{
#if THREADS_QUANTUM
    target_timer_at(target_cycles() + THREADS_QUANTUM);
#endif
}

static inline void slice_never_ends(void)
{
#if THREADS_QUANTUM
    TARGET_REGISTER(ES_TARGET_IO_TIMECMPH) = UINT32_MAX;
#endif
}

/* Of each core, once. Interrupts stay out. */
static inline void interrupts_begin(void)
{
    __asm__ volatile("csrw mtvec, %0\n\tcsrw mie, %1\n\tcsrs mstatus, %2"
                     :
                     : "r"(thread_trap), "r"(THREADS_PREEMPTIVE ? TARGET_ALARM : TARGET_TIMER), "r"(MSTATUS_MPIE)
                     : "memory");
#if THREADS_PREEMPTIVE
    SHARED(ES_TARGET_SHARED_BELL_INTERRUPTS) = 1;
#endif
}

#if THREADS_PREEMPTIVE
#define better_ready(than) (best_ready() < (than)->priority)
#else
#define better_ready(than) (ready.first)
#endif

/* A thread's slice is over, or a better one is ready: others go on, or nobody is there any more. */
KEPT void thread_interrupted(void)
{
#if THREADS_PREEMPTIVE
    (void)BELL;
#endif
    kernel_enter();
    unsigned core = core_number();
    thread *self = running[core];
    if (!better_ready(self)) {
        MAY_STOP(core, self);
        kernel_release();
        slice_begins();
    } else {
        ready_append(self);
        to_scheduler(); /* which begins its next slice */
    }
}
#else
#define slice_begins() ((void)0)
#define slice_never_ends() ((void)0)
#define interrupts_begin() ((void)0)
#endif

#endif
