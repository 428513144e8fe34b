/* Calls through inlined copies, in other files' procedures too, and tail calls (backtrace.py). */
#include "chain.h"

volatile int sink, in = 3;

OWN int leaf(int n)
{
    sink = n;
    return n + in;
}

OWN int last(int n)
{
    return leaf(n + 1); /* a tail call */
}

static inline __attribute__((always_inline)) int inner(int n)
{
    int sum = leaf(n) * 2;
    sum += through(n);
    return sum;
}

static inline __attribute__((always_inline)) int outer(int n)
{
    int sum = 1;
    for (int i = 0; i < 2; i++)
        sum += inner(i + n);
    return sum + inner(9);
}

OWN int deep(int n)
{
    return n <= 0 ? leaf(n) + 1 : deep(n - 1) + last(n) + 2;
}

OWN int middle(int n)
{
    return outer(n) + outer(n + 1) * 3 + 1;
}

int main(void)
{
    int sum = middle(4) + 1;
    sum += deep(3) + 2;
    return sum & 0x7f;
}
