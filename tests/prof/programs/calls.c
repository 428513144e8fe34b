/* Calls of all sorts, the same wherever it is compiled: by name, through pointers, from loops, of each other, of
 * itself, last of all in a procedure, and of what is small enough to be inlined. Each has an effect, so that none is
 * left out. */
#include <stdint.h>

#define KEPT __attribute__((noinline))

volatile uint32_t seen[8];
static uint32_t state = 12345;

static uint32_t next(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 16;
}

static inline void note(unsigned at)
{
    seen[at]++;
}

KEPT static uint32_t leaf(uint32_t value)
{
    note(0);
    return value ^ next();
}

static uint32_t small(uint32_t value)
{
    note(1);
    return leaf(value) + 1;
}

/* Its last call is a jump where that is allowed. */
KEPT static uint32_t last(uint32_t value)
{
    note(2);
    return leaf(value + seen[2]);
}

KEPT static uint32_t odd(uint32_t n);

KEPT static uint32_t even(uint32_t n)
{
    note(3);
    return n ? odd(n - 1) : 1;
}

KEPT static uint32_t odd(uint32_t n)
{
    note(3);
    return n ? even(n - 1) : 0;
}

/* Not last of all: what it returns is used. */
KEPT static uint32_t tree(uint32_t depth)
{
    note(4);
    uint32_t left = depth ? tree(depth - 1) : leaf(depth);
    uint32_t right = depth > 1 ? tree(depth - 2) : small(left);
    seen[5] += left + right;
    return left ^ right;
}

KEPT static uint32_t twice(uint32_t value)
{
    note(6);
    return small(value) + small(value + 1);
}

static uint32_t (*volatile chosen[])(uint32_t) = {leaf, last, twice, even};

KEPT static uint32_t through(uint32_t value)
{
    note(7);
    return chosen[next() % 4](value % 5);
}

KEPT static void round_of(uint32_t number)
{
    for (uint32_t i = 0; i < number % 7; i++)
        seen[5] += through(i) + last(i);
    seen[5] += tree(number % 6);
}

int main(void)
{
    for (uint32_t i = 0; i < 40; i++)
        round_of(i);
    seen[5] += even(91);
    return 0;
}
