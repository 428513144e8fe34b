/* Ring: as many tokens as half the cores go round; each core works on what comes and passes it on. */
#include "work.h"

#ifndef ROUNDS
#define ROUNDS 20u
#endif

int main(void)
{
    unsigned self = mp_core(), cores = mp_cores();
    unsigned next = self + 1 < cores ? self + 1 : 0, before = self ? self - 1 : cores - 1;
    uint32_t value = 0;
    if (self % 2 == 0 && next != self)
        mp_async_send(next, self + 1);
    for (unsigned round = 0; round < ROUNDS && next != self; round++) {
        value = mp_recv(before);
        MARK_ITEM(MARK_RESULT, round);
        value = work(value, some_steps(round + 5 * self, 1, 8));
        if (round + 1 < ROUNDS || self % 2)
            mp_async_send(next, value);
    }
    return 0;
}
