/* One producer, several consumers and one queue. Which consumer gets an item depends on time; what all of them compute together does not. A
 * semaphore limits the items that are under way. */
#include "threads.h"
#include "work.h"

#ifndef CONSUMERS
#define CONSUMERS 4
#endif
#ifndef ITEMS
#define ITEMS 24
#endif
#ifndef ROOM
#define ROOM 4
#endif
#ifndef WORK
#define WORK 200
#endif
#define LAST 0 /* as an item: there are no more */

static uint32_t room[ROOM];
static queue items = {.room = room, .size = ROOM};
static semaphore credit = {.value = ROOM + CONSUMERS};
static mutex lock;
static uint32_t total;

static void consumer(unsigned index)
{
    (void)index;
    uint32_t sum = 0;
    for (uint32_t item; (item = queue_receive(&items)) != LAST;) {
        sum += churn(item, WORK + item % 5 * (WORK / 8));
        semaphore_post(&credit);
    }
    mutex_lock(&lock);
    total += sum;
    mutex_unlock(&lock);
}

static void producer(void *argument)
{
    (void)argument;
    for (uint32_t i = 1; i <= ITEMS; i++) {
        semaphore_wait(&credit);
        queue_send(&items, i);
    }
    for (int i = 0; i < CONSUMERS; i++)
        queue_send(&items, LAST);
}

int main(void)
{
    thread *from = thread_create(producer, 0);
    thread_doall(CONSUMERS, consumer);
    thread_join(from);
    return report(total);
}
