/* Words that are changed by lr and sc: locks, sums, a stack of indices; some of the stores fail, as nothing was reserved.
 * With A all is done by the processor's own instructions (VexRiscv as LiteX has it knows lr and sc, and traps amo...), elsewhere,
 * on this machine for one, by plain C: it prints the same. */
#include <stdint.h>

#include "say.h"

#ifndef ROUNDS
#define ROUNDS 40
#endif

#define APART __attribute__((noinline))

uint32_t sum, lock, failed, top = 8, next[8], taken;
uint32_t drawn = 1;

#ifdef __riscv_atomic
static uint32_t load_reserved(uint32_t *at)
{
    uint32_t value;
    __asm__ volatile("lr.w %0, (%1)" : "=r"(value) : "r"(at) : "memory");
    return value;
}
static uint32_t store_conditional(uint32_t *at, uint32_t value)
{
    uint32_t lost;
    __asm__ volatile("sc.w %0, %2, (%1)" : "=r"(lost) : "r"(at), "r"(value) : "memory");
    return lost;
}
#else
static uint32_t *reserved;
static uint32_t load_reserved(uint32_t *at)
{
    reserved = at;
    return *at;
}
static uint32_t store_conditional(uint32_t *at, uint32_t value)
{
    uint32_t lost = reserved != at;
    if (!lost)
        *at = value;
    reserved = 0;
    return lost;
}
#endif

static APART void add(uint32_t *at, uint32_t amount)
{
    while (store_conditional(at, load_reserved(at) + amount))
        ;
}

static APART uint32_t swap(uint32_t *at, uint32_t value)
{
    uint32_t before;

    do
        before = load_reserved(at);
    while (store_conditional(at, value));
    return before;
}

static APART void push(uint32_t index)
{
    do
        next[index] = load_reserved(&top);
    while (store_conditional(&top, index));
}

static APART uint32_t pop(void)
{
    uint32_t index;

    do
        index = load_reserved(&top);
    while (index < 8 && store_conditional(&top, next[index]));
    return index;
}

static APART void without_reservation(uint32_t value)
{
    if (store_conditional(&sum, value))
        failed++;
}

static APART void one_round(uint32_t round)
{
    drawn = drawn * 1664525u + 1013904223u;
    while (swap(&lock, 1))
        ;
    add(&sum, drawn >> 24);
    without_reservation(round);
    push(round & 7);
    if (round % 3 == 0)
        taken += pop();
    swap(&lock, 0);
}

int main(void)
{
    for (uint32_t round = 0; round < ROUNDS; round++) {
        if (round % 8 == 0)
            top = 8;
        one_round(round);
    }
    say("sum ", sum);
    say("failed ", failed);
    say("taken ", taken);
    return failed != ROUNDS;
}
