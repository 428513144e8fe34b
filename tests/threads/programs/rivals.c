/* Threads of three priorities want one mutex, and one semaphore, again and again: who of those that wait goes on first is
 * what the run's length depends on, and not what they compute. */
#include "threads.h"
#include "work.h"

#ifndef RIVALS
#define RIVALS 9u
#endif
#ifndef ROUNDS
#define ROUNDS 6u
#endif
#ifndef WORK
#define WORK 20u
#endif

static mutex lock;
static semaphore room = {2, {0, 0}};
static uint32_t computed[RIVALS], entries;

static void rival(void *argument)
{
    unsigned index = (unsigned)(uintptr_t)argument;
    for (unsigned i = 0; i < ROUNDS; i++) {
        computed[index] = churn(computed[index] + index, WORK * (1 + index % 3));
        mutex_lock(&lock);
        entries++;
        (void)churn(index, WORK);
        mutex_unlock(&lock);
        semaphore_wait(&room);
        computed[index] = churn(computed[index], WORK);
        semaphore_post(&room);
    }
}

int main(void)
{
    thread *made[RIVALS];
    uint32_t sum = 0;
    for (unsigned i = 0; i < RIVALS; i++)
        made[i] = thread_create_priority(rival, (void *)(uintptr_t)i, i % 3);
    for (unsigned i = 0; i < RIVALS; i++)
        thread_join(made[i]);
    for (unsigned i = 0; i < RIVALS; i++)
        sum ^= computed[i];
    return report(sum + entries);
}
