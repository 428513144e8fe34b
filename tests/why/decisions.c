/* Assignments and who decides about them. After // at an assignment stands the letter of the line whose condition decided that it was
 * executed, or - for none; at a condition its own letter, in capitals. */
#include "target.h"

uint32_t a, b, c, d, e, f, g, h, k;

__attribute__((noinline)) static void limited(uint32_t n)
{
    if (n > 2) // D
        d = n; // d
}

__attribute__((noinline)) static void deep(uint32_t n)
{
    e = n; // h
}

__attribute__((noinline)) static void through(uint32_t n)
{
    deep(n + 1);
}

__attribute__((noinline)) static void early(uint32_t n)
{
    while (n) { // F
        n--;
        if (n == 3) // G
            return;
        f = n; // g
    }
    g = 1; // f
}

int main(void)
{
    for (volatile int wait = 0; wait < 3000; wait++) /* longer than a heartbeat takes */
        continue;
    uint32_t x = target_random();
    h = x; // -
    if (x & 1 << 31) // A
        a = 1; // a
    else
        a = 2; // a
    for (uint32_t i = 0; i < 5; i++) // B
        b += i + x; // b
    switch (x % 7 + 1) { // C
    case 1: c = 17; break; // c
    case 2: c = 71; break; // c
    case 3: c = 45; break; // c
    case 4: c = 91; break; // c
    case 5: c = 18; break; // c
    case 6: c = 37; break; // c
    default: c = 53; break; // c
    }
    limited(7);
    limited(1);
    for (uint32_t i = 0; i < 2; i++) // E
        if (i != 1 || x == 1) // H
            through(i); /* e: by H */
    early(9);
    early(2);
    k = h + 1; // -
    return 0;
}
