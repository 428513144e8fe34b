/* Calls that need not be tracked among those that must be: chains, cycles, switches,
 * jumps at the end of procedures of both sorts, calls through pointers, longjmp, deep recursion. */
#include <setjmp.h>

#include "target.h"

#define KEPT __attribute__((noinline, noclone))

volatile int x, plain; /* x is watched */
static jmp_buf bail;
int (*volatile operation)(int);

KEPT int leaf(int n)
{
    plain = n;
    return n + 1;
}

KEPT int chain(int n)
{
    return leaf(n * 2) + leaf(n);
}

KEPT int ends_in_leaf(int n)
{
    x = n;
    return leaf(n + 2);
}

KEPT int ends_in_chain(int n)
{
    x = n;
    return chain(n + 2);
}

KEPT int countdown(int n)
{
    plain = n;
    return n > 0 ? countdown(n - 1) + 1 : 0;
}

KEPT int pong(int n);
KEPT int ping(int n)
{
    plain = -n;
    return n > 0 ? pong(n - 1) : 4;
}

KEPT int pong(int n)
{
    plain = n;
    return n > 0 ? ping(n - 1) : 3;
}

KEPT int pointed_at(int n)
{
    return leaf(n) + 1;
}

KEPT int pointed_at_too(int n)
{
    x = n;
    return countdown(n & 3);
}

KEPT int choose(int n)
{
    volatile int kept = 0;
    switch (n & 7) {
    case 0: kept = plain; break;
    case 1: kept = leaf(4); break;
    case 2: kept = 9; break;
    case 3: kept = chain(1); break;
    case 4: kept = -7; break;
    case 5: kept = countdown(3); break;
    case 6: kept = 12; break;
    default: kept = 5; break;
    }
    return kept;
}

KEPT int choose_jump(int n)
{
    switch (n & 7) {
    case 0: x = 4; break;
    case 1: return ends_in_leaf(4);
    case 2: return choose(n);
    case 3: return chain(n);
    case 4: return ends_in_chain(n);
    case 5: return operation(n);
    default: return leaf(n);
    }
    return 3;
}

KEPT void thrower(int n)
{
    x = n;
    leaf(n);
    if (n > 2)
        longjmp(bail, n);
    thrower(n + 1);
    leaf(n);
}

KEPT int deep(int n)
{
    if (n == 0) {
        x++;
        return chain(3);
    }
    int sum = deep(n - 1) + leaf(n);
    if (n % 16 == 0)
        x = sum;
    return sum;
}

int main(void)
{
    for (int i = 0; i < 12; i++) {
        operation = i & 1 ? pointed_at : pointed_at_too;
        x = ends_in_leaf(i) + ends_in_chain(i);
        x = countdown(i) + ping(i) + pong(i);
        x = choose(i);
        x = choose_jump(i);
        if (setjmp(bail) == 0)
            thrower(0);
        else
            x = chain(i);
        leaf(i);
    }
    x = deep(70);
    x = deep(20) + deep(66);
    return 0;
}
