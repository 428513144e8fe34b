/* A lock convoy: threads that work a little on their own and then need the same mutex for as long as it takes. */
#include "threads.h"
#include "work.h"

#ifndef THREADS
#define THREADS 6
#endif
#ifndef ROUNDS
#define ROUNDS 6
#endif
#ifndef WORK
#define WORK 160 /* rounds outside of the mutex */
#endif
#ifndef HELD
#define HELD 60 /* and with it */
#endif

static mutex lock;
static uint32_t total, entries;

static void worker(unsigned index)
{
    uint32_t own = index + 1;
    for (int i = 0; i < ROUNDS; i++) {
        own = churn(own, WORK + 8 * index);
        mutex_lock(&lock);
        total += churn(own, HELD);
        entries++;
        mutex_unlock(&lock);
    }
}

int main(void)
{
    thread_doall(THREADS, worker);
    return entries == THREADS * ROUNDS ? report(total) : 1;
}
