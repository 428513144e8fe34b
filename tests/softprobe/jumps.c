/* For stretches of a recording: recursion hundreds of activations deep, calls through pointers, tail calls, interrupts in all of it, and
 * start-up code that takes longer than what is executed before a stretch; with -DLONGJMP also jumps out of the recursion. */
#include "target.h"
#ifdef LONGJMP
#include <setjmp.h>
static jmp_buf there;
#endif

volatile int in = 3, other, depth, rounds, ticks;
volatile char large[80000];

#define OWN __attribute__((noinline))

OWN int leaf(int n)
{
    other = n;
    return n ^ in;
}

OWN int tail(int n)
{
    depth = -n;
    return leaf(n + 1);
}

OWN int down(int n)
{
    depth = n;
#ifdef LONGJMP
    if (n % 50 == 7 && (rounds & 1))
        longjmp(there, n);
#endif
    int r = n <= 0 ? leaf(n) : down(n - 1) + in;
    depth = ~n;
    return r;
}

OWN int tree(int n)
{
    int s = n > 1 ? tree(n - 1) + tree(n - 2) : 1;
    other = s;
    return s;
}

int (*volatile table[])(int) = {leaf, tail, down, tree};

__attribute__((interrupt("machine"), aligned(4))) void isr(void)
{
    target_timer_at(target_cycles() + 777);
    ticks++;
    leaf(ticks);
}

int main(void)
{
    target_timer_at(target_cycles() + 500);
    target_interrupts_on(isr);
    for (rounds = 0; rounds < 24; rounds++) {
#ifdef LONGJMP
        if (!setjmp(there))
#endif
            down(20 + rounds * 12);
        table[rounds % 4](rounds % 9);
        large[rounds] = (char)tree(8);
    }
    target_interrupts_off();
    return 0;
}
