/* Producer and consumer: the first example of the paper on perturbation tracking. Producers (all cores but 0) compute results and hand them over
 * with synchronous sends; the consumer (core 0) looks for results between other work and never waits for them. */
#include "work.h"

#ifndef ITEMS
#define ITEMS 40u
#endif

static uint32_t produce(unsigned self)
{
    uint32_t result = self;
    for (uint32_t item = 0; item < ITEMS; item++) {
        result = work(result + item, some_steps(item + 7 * self, 2, 16));
        MARK_ITEM(MARK_RESULT, item);
        mp_sync_send(0, result);
    }
    return result;
}

static uint32_t consume(unsigned cores)
{
    uint32_t sum = 0, other = 1;
    unsigned producer = 1;
    for (uint32_t open = (cores - 1) * ITEMS; open;) {
        uint32_t result;
        other = work(other, 3);
        if (mp_async_recv(producer, &result)) {
            MARK_ITEM(MARK_RESULT, open);
            sum += work(result, 2);
            open--;
        } else {
            MARK_ITEM(MARK_IDLE, open);
            other = work(other, 1);
        }
        producer = producer + 1 < cores ? producer + 1 : 1;
    }
    return sum;
}

int main(void)
{
    unsigned self = mp_core();
    uint32_t value = self ? produce(self) : consume(mp_cores());
    return value == 0;
}
