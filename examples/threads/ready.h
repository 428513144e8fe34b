/* Who is ready: a part of kernel.c, by the policy that it is compiled for. */
#ifndef READY_H
#define READY_H

#include "kernel.h"
#include "target.h"

#if THREADS_WORK
#define QUEUE_ROOM 64u
#if THREADS_MAX >= 64
#error "THREADS_WORK has room for fewer than 64 threads besides main"
#endif
static thread *ready[ES_TARGET_CORES * QUEUE_ROOM]; /* a ring for each core */
static uint32_t ready_firsts[ES_TARGET_CORES];      /* of each, the place of its first one */
static uint32_t ready_counts[ES_TARGET_CORES];
#elif THREADS_PRIORITIES > 1
static thread_list ready[THREADS_PRIORITIES];
#define READY_OF(thread) (&ready[(thread)->priority])
#else
static thread_list ready;
#define READY_OF(thread) (&ready)
#endif

#if THREADS_PREEMPTIVE
/* Of each core the priority of its thread, and 1; 0: it has none, or has been asked to look for a better one. */
static uint8_t may_stop[ES_TARGET_CORES];
#define MAY_STOP(core, thread) (may_stop[core] = (uint8_t)((thread)->priority + 1u))
#define MAY_NOT_STOP(core) (may_stop[core] = 0)
#else
#define MAY_STOP(core, thread) ((void)0)
#define MAY_NOT_STOP(core) ((void)0)
#endif

#if THREADS_PREEMPTIVE || THREADS_WORK || THREADS_LATE
/* Of the first two kernels, what is about ready threads takes as long whoever they are, so that it can be foreseen. */

/* The compiler does not know the value, so it does not tell apart what it may be. */
#define NO_BRANCH(value) __asm__("" : "+r"(value))
#endif

#if THREADS_PREEMPTIVE
/* As list_append. */
static void ready_append(thread *which)
{
    thread_list *list = READY_OF(which);
    uintptr_t empty = (uintptr_t)&list->first, after = (uintptr_t)&list->last->next;
    which->next = 0;
    uintptr_t any = list->first != 0;
    NO_BRANCH(any);
    *(thread **)(empty ^ ((empty ^ after) & -any)) = which;
    list->last = which;
}

/* The best priority of those that are ready; THREADS_PRIORITIES: nobody is. */
static unsigned best_ready(void)
{
    unsigned best = THREADS_PRIORITIES;
    for (unsigned i = THREADS_PRIORITIES; i-- > 0;) {
        unsigned any = ready[i].first != 0;
        NO_BRANCH(any);
        best ^= (best ^ i) & -any;
    }
    return best;
}

/* The bell of an idle core, or else of the core with the worst thread, the first of several, if the new one is better. */
static uint32_t bell_for(const thread *which, uint32_t idle_bell)
{
    unsigned worst = 0; /* its may_stop * 16 + 15 - core */
    for (unsigned core = 0; core < ES_TARGET_CORES; core++) {
        unsigned less = worst - (16u * may_stop[core] + 15 - core);
        worst -= less & (unsigned)((int)less >> 31);
    }
    unsigned core = 15 - worst % 16;
    uint32_t asks = (idle_bell == 0) & (worst >= 16 * (which->priority + 2u));
    NO_BRANCH(asks);
    may_stop[core] &= (uint8_t)(asks - 1);
    return idle_bell | asks << core;
}
#elif THREADS_WORK
static void ready_append(thread *which)
{
    unsigned queue = which->home;
    ready[queue * QUEUE_ROOM + (ready_firsts[queue] + ready_counts[queue]) % QUEUE_ROOM] = which;
    ready_counts[queue]++;
}
#else
#define ready_append(which) list_append(READY_OF(which), which)
#endif

#if THREADS_WORK
/* The first one of its own queue, or else the last one of the longest, the first of several. */
static thread *take_ready(unsigned core)
{
    unsigned longest = 0; /* its count * 16 + 15 - its core */
#pragma GCC unroll 8
    for (unsigned c = 0; c < ES_TARGET_CORES; c++) {
        unsigned less = longest - (16u * ready_counts[c] + 15 - c);
        longest -= less & (unsigned)((int)less >> 31);
    }
    unsigned queue = 15 - longest % 16;
    unsigned own = ready_counts[core] != 0;
    NO_BRANCH(own);
    queue ^= (queue ^ core) & -own;
    unsigned first = ready_firsts[queue], count = ready_counts[queue];
    unsigned any = count != 0;
    NO_BRANCH(any);
    thread *next = ready[queue * QUEUE_ROOM + (first + ((count - 1) & (own - 1))) % QUEUE_ROOM];
    ready_firsts[queue] = (first + own) % QUEUE_ROOM;
    ready_counts[queue] = count - any;
    return (thread *)((uintptr_t)next & -any);
}
#elif THREADS_PREEMPTIVE
#define take_ready(core) take_best()
static thread *take_best(void)
{
    unsigned best = best_ready();
    return best < THREADS_PRIORITIES ? list_take(&ready[best]) : 0;
}
#elif THREADS_PRIORITIES > 1
/* The first one of the best. */
#define take_ready(core) take_best()
static thread *take_best(void)
{
    thread *next = 0;
    for (unsigned i = 0; i < THREADS_PRIORITIES && !next; i++)
        next = list_take(&ready[i]);
    return next;
}
#else
#define take_ready(core) list_take(&ready)
#endif

#endif
