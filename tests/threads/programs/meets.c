/* Barriers of two sizes in a loop: neighbours' cells, rounds of unequal work. */
#include "threads.h"
#include "work.h"

#ifndef THREADS
#define THREADS 6u
#endif
#ifndef ROUNDS
#define ROUNDS 10u
#endif

static barrier all = {.count = THREADS}, half[2] = {{.count = THREADS / 2}, {.count = THREADS / 2}};
static uint32_t cells[2][THREADS];

static void body(unsigned index)
{
    for (unsigned r = 0; r < ROUNDS; r++) {
        uint32_t left = cells[r & 1][(index + THREADS - 1) % THREADS];
        cells[(r + 1) & 1][index] = churn(left + index + r, 20 + (index * 13 + r * 29) % 90);
        if (r % 3 == 0)
            barrier_wait(&half[index % 2]);
        barrier_wait(&all);
    }
}

int main(void)
{
    uint32_t sum = 0;
    thread_doall(THREADS, body);
    for (unsigned i = 0; i < THREADS; i++)
        sum += cells[0][i];
    return report(sum);
}
