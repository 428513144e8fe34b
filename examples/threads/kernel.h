/* What threads.c and its objects share: threads, the ready queue, and the lock that protects all of it. */
#ifndef KERNEL_H
#define KERNEL_H

#define SWITCH_FRAME 64 /* bytes on the stack of a thread that does not run: ra, s0 to s11, and what keeps it aligned */
#define CORE_STACK 256  /* bytes for each core's scheduler */

#define TRAP_FRAME 80 /* bytes on the stack of a thread that is interrupted: what a procedure need not keep, and mepc */
#define MSTATUS_MIE 8
#define MSTATUS_MPIE 0x80

#ifndef __ASSEMBLER__

#include "probe_defs.h"
#include "threads.h"

#define SHARED(offset) (*(volatile uint32_t *)(ES_TARGET_SHARED_BASE + (offset)))
#define BELL SHARED(ES_TARGET_SHARED_BELL)

/* Procedures that are to be found in the program as the page names them (docs/threads.md). */
#define KEPT __attribute__((noinline, noclone))

/* Threads are interrupted, but for while they have the kernel, or wait for it. */
#define THREADS_INTERRUPTED (THREADS_QUANTUM > 0 || THREADS_PREEMPTIVE)
#if THREADS_QUANTUM > 0 && (THREADS_PREEMPTIVE || THREADS_PRIORITIES > 1)
#error "THREADS_QUANTUM is for threads of one priority"
#endif
#if THREADS_WORK && (THREADS_INTERRUPTED || THREADS_PRIORITIES > 1)
#error "THREADS_WORK is for threads of one priority that are not interrupted"
#endif
#if THREADS_LATE && (THREADS_INTERRUPTED || THREADS_WORK || THREADS_BARGE || THREADS_PRIORITIES > 1)
#error "THREADS_LATENCY is for threads of one priority that are not interrupted, without THREADS_WORK and _BARGE"
#endif
#if THREADS_INTERRUPTED
#define INTERRUPTS_ON() __asm__ volatile("csrsi mstatus, 8" : : : "memory")
#else
#define INTERRUPTS_ON() ((void)0)
#endif

struct thread {
    uint32_t *sp; /* while it does not run: where its registers are. First, as thread_switch knows it */
    thread *next; /* of the list that it is in */
    void (*body)(void *argument);
    void *argument;
    thread_list joiners; /* who waits for its end */
    bool over;           /* it has exited, and nobody has joined it yet */
#if THREADS_PRIORITIES > 1
    uint8_t priority;
#endif
#if THREADS_WORK
    uint8_t home; /* core that made it: in whose queue it is when it is ready */
#endif
    uint32_t word; /* what a receiver gets, or a sender leaves, while it waits */
    mutex *wants;  /* of one that waits for a condition: what it has to have again */
};

/* Of each core, the thread that it runs: its own scheduler is one, too. */
extern thread *volatile running[];

/* Nothing of what is here may be touched without the kernel, which one core at a time has. Waits for it, spinning. Both are in switch.S: what
 * a compiler knows of memory it does not know any more after a procedure that it cannot see. */
void kernel_enter(void);
void kernel_leave(void);
#if THREADS_INTERRUPTED
void kernel_release(void); /* the same, but no interrupt comes yet: for who runs no thread */
#else
#define kernel_release kernel_leave
#endif

/* The running thread. It may go on on another core after each thread_block. */
thread *thread_self(void);

void list_append(thread_list *list, thread *which);
#if THREADS_LAST_FIRST || THREADS_BEST_FIRST
void list_wait(thread_list *list, thread *which); /* among those that wait, in the policy's order */
#else
#define list_wait list_append
#endif
thread *list_take(thread_list *list); /* the first; NULL: it is empty */

/* Makes a thread ready, and wakes a core for it if one is idle. With the kernel. */
void thread_ready(thread *which);

/* The running thread waits in a list until somebody takes it from there and makes it ready. Called with the kernel, and comes back without
 * it. */
void thread_block(thread_list *where);

#if THREADS_LATE
void late_put(queue *q, uint32_t now);
void thread_ready_here(thread *which); /* thread_ready, by a core that looks for a thread */
/* An item of a queue has arrived: it goes to who waits for it. With the kernel, by a core that looks for a thread. */
void queue_arrives(queue *q, uint32_t now);
#endif

#if THREADS_INTERRUPTED
/* switch.S: the handler, which calls thread_interrupted without interrupts. */
void thread_trap(void);
void thread_interrupted(void);
#endif

/* switch.S: sleeps until the bell of this core rings. */
void thread_idle(void);

/* switch.S: saves the registers that a procedure must keep on the stack of `from`, and goes on where `to` did the same. */
void thread_switch(thread *from, thread *to);

#endif
#endif
