/* What the examples leave out: two waits for any in one core, tests and plain receives of one channel, synchronous and asynchronous sends on one
 * channel, messages to oneself, several calls for one peer, a barrier between. */
#include "work.h"

static uint32_t gather(unsigned cores)
{
    uint32_t sum = 0, word;
    unsigned from;
    for (unsigned round = 0; round < 6; round++) {
        for (unsigned i = 1; i < cores; i++) {
            sum += mp_any_recv(&from); /* asynchronous ones */
            MARK_ITEM(MARK_RESULT, from);
        }
        sum = work(sum, round);
        for (unsigned i = 1; i < cores; i++) {
            sum ^= mp_any_recv(&from); /* synchronous ones */
            MARK_STEP(MARK_RESULT, from);
        }
        mp_async_send(0, sum);
        while (!mp_async_recv(0, &word))
            MARK_ITEM(MARK_IDLE, round);
        for (unsigned to = cores - 1; to; to--)
            mp_async_send(to, word);
        for (unsigned to = 1; to < cores; to++)
            mp_sync_send(to, round);
    }
    return sum;
}

static uint32_t take_part(unsigned self)
{
    uint32_t sum = self, word;
    for (uint32_t round = 0; round < 6; round++) {
        sum = work(sum, some_steps(round + 3 * self, 1, 8));
        mp_async_send(0, sum);
        sum = work(sum, some_steps(round * self, 1, 4));
        mp_sync_send(0, sum);
        if (!mp_async_recv(0, &word))
            word = mp_recv(0);
        sum += word + mp_recv(0);
    }
    return sum;
}

int main(void)
{
    unsigned self = mp_core();
    uint32_t value = self ? take_part(self) : gather(mp_cores());
    mp_barrier();
    return value == 0xFFFFFFFF;
}
