/* What threads tell each other in memory, by -DWAY=...: whether ways through the code hang on who comes first. */
#include "threads.h"
#include "work.h"

#define THREADS 8
#define ITEMS 36

static mutex lock;
static barrier meet = {.count = THREADS};
static semaphore full, room = {.value = 1};
static queue line = {.room = (uint32_t[4]){0}, .size = 4};
static unsigned taken, order[THREADS];
static volatile uint32_t flags[THREADS];
static volatile uint32_t results[ITEMS];
static uint32_t most, sum;

static uint32_t work(unsigned seed, unsigned rounds)
{
    return results[seed % ITEMS] = churn(seed + 1, rounds);
}

static unsigned ticket(void)
{
    mutex_lock(&lock);
    unsigned mine = taken++;
    mutex_unlock(&lock);
    return mine;
}

/* --- time decides ------------------------------------------------------------------- */

/* Who is free takes the next piece of work. */
static void counter(unsigned index)
{
    (void)index;
    for (unsigned mine = ticket(); mine < ITEMS; mine = ticket())
        work(mine, 150);
}

/* Who comes last does the rest. */
static void last(unsigned index)
{
    work(index, index ? 150 : 2000);
    if (ticket() == THREADS - 1)
        work(index, 2000);
}

/* The same, told through memory of one's own, and after all have met. */
static void late(unsigned index)
{
    order[index] = ticket();
    barrier_wait(&meet);
    if (order[index] == THREADS - 1)
        work(index, 2000);
}

static void spin(unsigned index)
{
    while (index && !flags[index - 1]) {
    }
    work(index, 400);
    flags[index] = 1;
}

static void look(unsigned index)
{
    for (int i = 0; i < 4; i++) {
        if (*(volatile bool *)&lock.taken)
            work(index, 40);
        mutex_lock(&lock);
        work(index, 150);
        mutex_unlock(&lock);
    }
}

/* The first reader keeps writers out, the last one lets them in. Alone, each is the first and the last. */
static void readers(unsigned index)
{
    for (int i = 0; i < 3; i++) {
        if (index % 4 == 3) {
            semaphore_wait(&room);
            work(index, 90);
            semaphore_post(&room);
            continue;
        }
        mutex_lock(&lock);
        if (taken++ == 0)
            semaphore_wait(&room);
        mutex_unlock(&lock);
        work(index, 60);
        mutex_lock(&lock);
        if (--taken == 0)
            semaphore_post(&room);
        mutex_unlock(&lock);
    }
}

static void cores(unsigned index)
{
    if (index < thread_cores())
        work(index, 6000 / thread_cores());
}

/* --- it does not ---------------------------------------------------------------------- */

static void reduce(unsigned index)
{
    uint32_t own = work(index, 300) & 0xFFFF;
    mutex_lock(&lock);
    most = own > most ? own : most;
    sum += own;
    mutex_unlock(&lock);
    barrier_wait(&meet);
    for (uint32_t i = 0; i < (most & 7); i++)
        work(index, 20 + (sum & 15));
}

static void hand(unsigned index)
{
    if (index == 0) {
        for (unsigned i = 0; i < ITEMS; i++) {
            flags[0] = work(i, 60) & 1;
            queue_send(&line, i);
            semaphore_wait(&full);
        }
    } else if (index == 1) {
        for (unsigned i = 0; i < ITEMS; i++) {
            uint32_t got = queue_receive(&line);
            if (flags[0])
                work(got, 100);
            semaphore_post(&full);
        }
    }
}

int main(void)
{
    thread_doall(THREADS, WAY);
    return most > 0xFFFF ? 1 : 0;
}
