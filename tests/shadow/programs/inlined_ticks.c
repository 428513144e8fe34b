/* Inlined copies that a timer interrupts, with a copy in the handler, too (inlined.py). */
#include "target.h"

volatile uint32_t ticks, out;
uint64_t next;

static inline __attribute__((always_inline)) uint32_t inner(uint32_t n)
{
    out = n;
    return n * 3 + out;
}

static __attribute__((noinline)) void tick(void)
{
    ticks += inner(ticks) & 1;
}

__attribute__((interrupt("machine"), aligned(4))) void on_timer(void)
{
    next += 211;
    target_timer_at(next);
    tick();
}

static inline __attribute__((always_inline)) uint32_t sum(uint32_t n)
{
    out = n;
    uint32_t all = n;
    for (uint32_t i = 0; i < 5; i++)
        all += inner(i + n);
    out = all;
    return all;
}

int main(void)
{
    uint32_t all = 0;
    next = target_cycles() + 100;
    target_timer_at(next);
    target_interrupts_on(on_timer);
    for (uint32_t i = 0; i < 40; i++)
        all += sum(i);
    target_interrupts_off();
    out = all;
    return 0;
}
