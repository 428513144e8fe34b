/* Two tasks and a queue: a producer measures and filters, a consumer filters again and adds up. Both call `filter`, each on a stack of
 * its own, and the kernel takes the processor from either at any instruction. */
#include "kernel.h"
#include "target.h"

#define ITEMS 60u
#define PLACES 4u

struct queue {
    uint32_t place[PLACES];
    uint32_t count;
    uint32_t head;
};

struct queue queue;
uint32_t produced, consumed, sum, full;

struct task main_task, producer_task, consumer_task;

static bool queue_put(uint32_t value)
{
    uint32_t before = target_interrupts_off();
    bool room = queue.count < PLACES;
    if (room) {
        queue.place[(queue.head + queue.count) % PLACES] = value;
        queue.count++;
    } else {
        full++;
    }
    target_interrupts_restore(before);
    return room;
}

static bool queue_get(uint32_t *value)
{
    uint32_t before = target_interrupts_off();
    bool any = queue.count > 0;
    if (any) {
        *value = queue.place[queue.head];
        queue.head = (queue.head + 1) % PLACES;
        queue.count--;
    }
    target_interrupts_restore(before);
    return any;
}

/* A running mean over the last few values. */
static uint32_t filter(uint32_t *state, uint32_t value)
{
    uint32_t mean = *state;
    for (uint32_t step = 0; step < 4; step++)
        mean = mean - mean / 4 + value / 4;
    *state = mean;
    return mean;
}

static void producer(void)
{
    uint32_t state = 0;
    while (produced < ITEMS) {
        uint32_t smooth = filter(&state, target_random() & 0xFFF);
        while (!queue_put(smooth))
            continue;
        produced++;
    }
}

static void consumer(void)
{
    uint32_t state = 0, value;
    while (consumed < ITEMS) {
        if (!queue_get(&value))
            continue;
        sum += filter(&state, value);
        consumed++;
    }
}

int main(void)
{
    task_create(&producer_task, "producer", producer);
    task_create(&consumer_task, "consumer", consumer);
    kernel_run(&main_task, 400);
    while (producer_task.ready || consumer_task.ready)
        target_wait();
    target_interrupts_off();
    target_puts("tasks: produced ");
    target_put_int((int32_t)produced);
    target_puts(", consumed ");
    target_put_int((int32_t)consumed);
    target_puts(", sum ");
    target_put_int((int32_t)sum);
    target_puts("\n");
    return !(produced == ITEMS && consumed == ITEMS);
}
