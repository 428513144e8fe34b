/* A tree of threads, as examples/threads/forkjoin.c: but what each has computed goes to its parent through a queue. */
#include "threads.h"
#include "work.h"

#ifndef DEPTH
#define DEPTH 3
#endif
#ifndef WORK
#define WORK 200
#endif
#define NODES (2u << DEPTH)

static uint32_t rooms[NODES][2];
static queue results[NODES]; /* of the children of each node, which has the number of its place in the tree */

static void grow(void *argument)
{
    unsigned self = (unsigned)(uintptr_t)argument;
    uint32_t sum = churn(self, WORK + self % 7 * (WORK / 16));
    if (2 * self < NODES) {
        thread *one = thread_create(grow, (void *)(uintptr_t)(2 * self));
        thread *two = thread_create(grow, (void *)(uintptr_t)(2 * self + 1));
        sum += queue_receive(&results[self]);
        sum += queue_receive(&results[self]);
        thread_join(one);
        thread_join(two);
    }
    queue_send(&results[self / 2], sum);
}

int main(void)
{
    for (unsigned i = 0; i < NODES; i++)
        results[i] = (queue){.room = rooms[i], .size = 2};
    thread *root = thread_create(grow, (void *)(uintptr_t)1);
    uint32_t sum = queue_receive(&results[0]);
    thread_join(root);
    return report(sum);
}
