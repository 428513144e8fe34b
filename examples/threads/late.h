/* Items of queues that are on their way: a part of kernel.c, with THREADS_LATENCY. A core that looks for a thread looks first which items
 * have arrived; a core that sleeps is woken for that by the target's timer. */
#ifndef LATE_H
#define LATE_H

#include "kernel.h"
#include "target.h"

#define LATE_ROOM 64u

/* The same code for all latencies. */
static const volatile uint32_t threads_latency = THREADS_LATENCY;

static struct late_item {
    uint32_t when; /* it arrives */
    queue *to;
} late[LATE_ROOM]; /* a ring, in the order of time */
static uint32_t late_first, late_count;

static uint32_t late_nowhere;

/* Another item of a queue is on its way, from a time on. With the kernel. Takes as long whatever is on its way. */
void late_put(queue *q, uint32_t now)
{
    if (late_count == LATE_ROOM) {
        target_puts("more items of queues are on their way than LATE_ROOM\n");
        _exit(123);
    }
    uint32_t when = now + threads_latency;
    late[(late_first + late_count) % LATE_ROOM] = (struct late_item){when, q};
    uint32_t first = late_count++ == 0; /* else the timer is set, or a core is on its way */
    NO_BRANCH(first);
    uintptr_t timer = (uintptr_t)&SHARED(ES_TARGET_SHARED_WAKE_AT), nowhere = (uintptr_t)&late_nowhere;
    *(volatile uint32_t *)(nowhere ^ ((nowhere ^ timer) & -first)) = when;
}

/* By a core that looks for a thread: it sees to the first one that becomes ready itself. */
KEPT void thread_ready_here(thread *which)
{
    if (ready.first)
        thread_ready(which);
    else
        ready_append(which);
}

/* What has arrived. The timer is set to what comes next. It takes as long whether anything is on its way or not, so that it can be
 * foreseen. */
KEPT static void late_look(void)
{
    uint32_t now = TARGET_REGISTER(ES_TARGET_IO_CYCLE);
    for (;;) {
        uint32_t any = (late_count != 0) & ((int32_t)(now - late[late_first].when) >= 0);
        NO_BRANCH(any);
        if (!any)
            break;
        queue *q = late[late_first].to;
        late_first = (late_first + 1) % LATE_ROOM;
        late_count--;
        queue_arrives(q, now);
    }
    uint32_t none = late_count == 0;
    NO_BRANCH(none);
    SHARED(ES_TARGET_SHARED_WAKE_AT + none * (ES_TARGET_SHARED_WAKE_NEVER - ES_TARGET_SHARED_WAKE_AT)) = late[late_first].when;
}

#endif
