/* A tree of threads: each makes two children, works, and joins them; leaves compute. */
#include "threads.h"
#include "work.h"

#ifndef DEPTH
#define DEPTH 3 /* the tree has 2^(DEPTH + 1) - 2 threads */
#endif
#ifndef WORK
#define WORK 200
#endif

typedef struct node {
    uint32_t seed, sum;
    int depth;
} node;

static void grow(void *argument)
{
    node *self = argument;
    self->sum = churn(self->seed, WORK + self->seed % 7 * (WORK / 16));
    if (self->depth == 0)
        return;
    node left = {2 * self->seed, 0, self->depth - 1}, right = {2 * self->seed + 1, 0, self->depth - 1};
    thread *one = thread_create(grow, &left), *two = thread_create(grow, &right);
    thread_join(one);
    thread_join(two);
    self->sum = self->sum * 31 + left.sum * 7 + right.sum;
}

int main(void)
{
    node root = {1, 0, DEPTH};
    grow(&root);
    return report(root.sum);
}
