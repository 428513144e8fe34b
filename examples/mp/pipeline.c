/* Pipeline: core 0 makes items, every core works on them for a time of its own and hands them on; the last one adds them up. */
#include "work.h"

#ifndef ITEMS
#define ITEMS 60u
#endif

int main(void)
{
    unsigned self = mp_core(), last = mp_cores() - 1;
    uint32_t sum = 0;
    for (uint32_t item = 1; item <= ITEMS; item++) {
        uint32_t value = self ? mp_recv(self - 1) : item;
        value = work(value, some_steps(item * (self + 3), 2, 8));
        if (self < last)
            mp_async_send(self + 1, value);
        else
            sum += value;
    }
    MARK_ITEM(MARK_RESULT, sum);
    return self == last && sum == 0;
}
