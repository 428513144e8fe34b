/* Values whose ways are plain to see. After // stands what a line works for, by the letters of the variables that `finish` stores at the
 * end: asked for one of them, its lines are told, and no line that works for others alone. '+': told at -O2, too. */
#include "target.h"

struct pair {
    uint32_t left, right;
};

uint32_t a, b, c, d, e;
uint32_t table[8];
struct pair pairs[4];
uint32_t spare;

__attribute__((noinline)) static uint32_t twice(uint32_t x)
{
    return x * 2;
}

__attribute__((noinline)) static void put(uint32_t *where, uint32_t what)
{
    *where = what + 1; // abe+
}

__attribute__((noinline)) static uint32_t deep(uint32_t levels, uint32_t value)
{
    if (levels == 0)
        return value;
    return deep(levels - 1, value) + 1; // d
}

__attribute__((noinline)) static uint32_t pick(uint32_t i)
{
    return table[i]; // b
}

__attribute__((noinline)) static void finish(void)
{
    a = pairs[1].left + pairs[2].right; // a+
    b = pick(3) ^ 5;                    // b+
    d = deep(4, spare);                 // d+
    for (uint32_t i = 0; i < 8; i++)
        e += table[i]; // e+
}

int main(void)
{
    for (volatile int wait = 0; wait < 3000; wait++) /* longer than a heartbeat takes */
        continue;
    uint32_t one = target_random();
    uint32_t two = target_random();
    uint32_t three = target_random();
    put(&pairs[1].left, twice(one)); // a+
    pairs[2].right = 7;              // a
    pairs[1].right = two;            // -
    put(&pairs[1].right, 3);         // -
    for (uint32_t i = 0; i < 8; i++)
        table[i] = 9;     // e
    put(&table[3], two);  // be+
    spare = three & 0xFF; // cd+
    c = spare - 1;        // c+
    finish();
    return 0;
}
