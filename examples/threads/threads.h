/* Threads on the target with shared memory (docs/threads.md): one program, one binary, 1 to 8 cores.
 *
 * Every core takes threads from one ready queue, first come first served (with THREADS_PRIORITIES from one for each), and a thread runs until it blocks: there is no preemption.
 * What a thread waits for keeps its waiters in a queue, and who ends the wait hands over what was waited for to the first of them: a mutex
 * is never free while somebody waits. So no wait is ever repeated, and what a program computes does not depend on the number of cores as
 * long as it does not depend on who comes first.
 *
 * All of it may be called from any thread, main included, and from nowhere else. */
#ifndef THREADS_H
#define THREADS_H

#include <stdbool.h>
#include <stdint.h>

#ifndef THREADS_MAX
#define THREADS_MAX 40u /* threads at the same time, besides main */
#endif
#ifndef THREADS_STACK
#define THREADS_STACK 1024u /* bytes for each, a multiple of 16 */
#endif
#ifndef THREADS_PRIORITIES
#define THREADS_PRIORITIES 1u /* of threads: 0, which goes first, up to one less than this */
#endif
/* Policies of who waits for the same thing. Programs without conditions alone may barge: */
#ifndef THREADS_LAST_FIRST
#define THREADS_LAST_FIRST 0 /* 1: who has come last goes on first */
#endif
#ifndef THREADS_BEST_FIRST
#define THREADS_BEST_FIRST 0 /* 1: who has the best priority goes on first, of these the one that has waited longest */
#endif
#ifndef THREADS_BARGE
#define THREADS_BARGE 0 /* 1: what is given back is free for whoever comes first; who has waited for it tries again */
#endif
/* Policies of who runs. With none of them a thread runs until it blocks: */
#ifndef THREADS_QUANTUM
#define THREADS_QUANTUM 0u /* clocks after which a thread goes to the end of the ready ones, if there are any; 0: never */
#endif
#ifndef THREADS_PREEMPTIVE
#define THREADS_PREEMPTIVE 0 /* 1: a thread that becomes ready interrupts a worse one, if no core is idle. Not with a quantum */
#endif
#ifndef THREADS_WORK
#define THREADS_WORK 0 /* 1: a queue of ready threads for each core; who has none takes the newest of the longest. One priority */
#endif

/* THREADS_LATENCY, where it is defined: clocks from sending into a queue to when it can be received, 0 to 2^30. */
#ifdef THREADS_LATENCY
#define THREADS_LATE 1
#else
#define THREADS_LATE 0
#endif

typedef struct thread thread;

/* Threads that wait, the first to go on first. All zeros: nobody. */
typedef struct thread_list {
    thread *first, *last;
} thread_list;

/* Makes a thread that calls body(argument), and exits when that returns. It is ready at once and runs when a core takes it. The run ends
 * with exit code 120 when there are too many. */
thread *thread_create(void (*body)(void *argument), void *argument);
/* The same with a priority: of the threads that are ready, a core takes the first one of the best. A thread that runs goes on until it blocks,
 * also when a better one becomes ready. thread_create makes threads of their maker's priority; main has 0. */
#if THREADS_PRIORITIES > 1
thread *thread_create_priority(void (*body)(void *argument), void *argument, unsigned priority);
#else
static inline thread *thread_create_priority(void (*body)(void *argument), void *argument, unsigned priority)
{
    (void)priority;
    return thread_create(body, argument);
}
#endif
_Noreturn void thread_exit(void);
/* Waits until the thread has exited; then it is gone. Once for each thread, by one that waits for it. */
void thread_join(thread *which);

/* Calls body(0) to body(count - 1), each in a thread of its own, and waits until all have returned. Up to THREADS_MAX. */
void thread_doall(unsigned count, void (*body)(unsigned index));

unsigned thread_cores(void); /* of the machine */

/* All zeros: free, nobody waits. */
typedef struct mutex {
    bool taken;
    thread_list waiting;
} mutex;
void mutex_lock(mutex *m);
void mutex_unlock(mutex *m); /* by the thread that has it */

/* All zeros: nobody waits. */
typedef struct condition {
    thread_list waiting;
} condition;
/* Unlocks m, waits to be woken, and has m locked again when it returns. */
void condition_wait(condition *c, mutex *m);
void condition_signal(condition *c);    /* wakes the first waiter, if there is one */
void condition_broadcast(condition *c); /* wakes all */

typedef struct barrier {
    unsigned count; /* threads that meet */
    unsigned here;
    thread_list waiting;
} barrier;
void barrier_wait(barrier *b); /* until `count` threads are here; it can then be used again */

typedef struct semaphore {
    unsigned value;
    thread_list waiting;
} semaphore;
void semaphore_wait(semaphore *s); /* until value is not 0; takes one off */
void semaphore_post(semaphore *s);

/* A queue of words, with room for `size` of them. */
typedef struct queue {
    uint32_t *room;
    unsigned size;
    unsigned used, next; /* words in it; the place of the first */
    thread_list senders, receivers;
#if THREADS_LATE
    unsigned arrived; /* of its words */
#endif
} queue;
void queue_send(queue *q, uint32_t word); /* waits while it is full */
uint32_t queue_receive(queue *q);         /* waits while it is empty */

#endif
