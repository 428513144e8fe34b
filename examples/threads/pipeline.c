/* A pipeline: each stage is a thread that takes items from the queue before it, works on them, and sends them to the queue after it. */
#include "threads.h"
#include "work.h"

#ifndef STAGES
#define STAGES 4
#endif
#ifndef ITEMS
#define ITEMS 16
#endif
#ifndef ROOM
#define ROOM 2 /* items in each queue at most */
#endif
#ifndef WORK
#define WORK 200 /* rounds for an item in a stage, of about 15 clocks */
#endif

static uint32_t rooms[STAGES + 1][ROOM];
static queue queues[STAGES + 1];

static void stage(void *argument)
{
    unsigned number = (unsigned)(uintptr_t)argument;
    for (int i = 0; i < ITEMS; i++)
        queue_send(&queues[number + 1], churn(queue_receive(&queues[number]) + number, WORK + 20 * number));
}

static void source(void *argument)
{
    (void)argument;
    for (uint32_t i = 0; i < ITEMS; i++)
        queue_send(&queues[0], i * 7919);
}

int main(void)
{
    thread *threads[STAGES + 1];
    for (unsigned i = 0; i <= STAGES; i++)
        queues[i] = (queue){.room = rooms[i], .size = ROOM};
    for (unsigned i = 0; i < STAGES; i++)
        threads[i] = thread_create(stage, (void *)(uintptr_t)i);
    threads[STAGES] = thread_create(source, 0);
    uint32_t sum = 0;
    for (int i = 0; i < ITEMS; i++)
        sum = sum * 31 + queue_receive(&queues[STAGES]);
    for (unsigned i = 0; i <= STAGES; i++)
        thread_join(threads[i]);
    return report(sum);
}
