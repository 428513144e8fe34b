/* A priority queue of events with a pool of nodes: pointers, recursion. */
#include "note.h"

typedef struct event {
    struct event *left, *right;
    uint32_t due;
    uint16_t kind;
} event;

static event pool[24];
static event *unused;
volatile uint32_t seed = 99;
uint32_t handled;

static uint32_t random_bits(void)
{
    seed = seed * 1103515245u + 12345u;
    return seed >> 16;
}

OWN event *merge(event *a, event *b)
{
    if (!a)
        return b;
    if (!b)
        return a;
    if (b->due < a->due) {
        event *other = a;
        a = b;
        b = other;
    }
    event *rest = merge(a->right, b);
    a->right = a->left;
    a->left = rest;
    return a;
}

OWN event *take(uint32_t due, unsigned kind)
{
    event *made = unused;
    NOTE(made);
    if (!made)
        return 0;
    unused = made->left;
    *made = (event){.due = due, .kind = (uint16_t)kind};
    return made;
}

OWN uint32_t drain(event **queue, uint32_t until)
{
    uint32_t sum = 0, steps = 0;
    while (*queue && (*queue)->due < until) {
        event *first = *queue;
        NOTE(first);
        sum += first->due ^ first->kind;
        NOTE(sum);
        *queue = merge(first->left, first->right);
        first->left = unused;
        unused = first;
        steps++;
        NOTE(steps);
    }
    return sum + steps;
}

int main(void)
{
    event *queue = 0;
    for (int i = 0; i < 24; i++) {
        pool[i].left = unused;
        unused = &pool[i];
    }
    for (unsigned round = 0; round < 30; round++) {
        uint32_t due = random_bits() & 1023;
        NOTE(due);
        event *made = take(due, round);
        if (made)
            queue = merge(queue, made);
        if (round % 7 == 6)
            handled += drain(&queue, 600);
    }
    return (int)(handled & 1);
}
