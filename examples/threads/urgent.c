/* Threads of several priorities: many are ready, and which of them a core takes first makes the time. Every worker makes parcels for a few
 * carriers that are more urgent, and there is always somebody at work who is not. */
#include "threads.h"
#include "work.h"

#ifndef WORKERS
#define WORKERS 6u
#endif
#ifndef CARRIERS
#define CARRIERS 2u
#endif
#ifndef PARCELS
#define PARCELS 5u
#endif
#ifndef WORK
#define WORK 100u
#endif

static semaphore parcels[CARRIERS];
static uint32_t carried[CARRIERS], made[WORKERS], idled[WORKERS];
static thread *threads_of[CARRIERS + 2 * WORKERS];

/* The best priority: few clocks at a time. */
static void carrier(void *argument)
{
    unsigned index = (unsigned)(uintptr_t)argument;
    for (unsigned i = 0; i < WORKERS * PARCELS; i++) {
        semaphore_wait(&parcels[index]);
        carried[index] = churn(carried[index], WORK / 4);
    }
}

static void worker(void *argument)
{
    unsigned index = (unsigned)(uintptr_t)argument;
    for (unsigned i = 0; i < PARCELS; i++) {
        made[index] = churn(made[index] + index, WORK + 7 * index);
        for (unsigned c = 0; c < CARRIERS; c++)
            semaphore_post(&parcels[c]);
    }
}

/* The last priority: when there is nothing else to do. */
static void filler(void *argument)
{
    unsigned index = (unsigned)(uintptr_t)argument;
    idled[index] = churn(index, WORK * PARCELS);
}

int main(void)
{
    uint32_t sum = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < WORKERS; i++)
        threads_of[count++] = thread_create_priority(filler, (void *)(uintptr_t)i, 2);
    for (unsigned i = 0; i < WORKERS; i++)
        threads_of[count++] = thread_create_priority(worker, (void *)(uintptr_t)i, 1);
    for (unsigned i = 0; i < CARRIERS; i++)
        threads_of[count++] = thread_create_priority(carrier, (void *)(uintptr_t)i, 0);
    while (count)
        thread_join(threads_of[--count]);
    for (unsigned i = 0; i < WORKERS; i++)
        sum += made[i] ^ idled[i];
    return report(sum ^ carried[0] ^ carried[CARRIERS - 1]);
}
