/* Polling: a pipeline whose stages ask for the next item again and again, instead of waiting for it. How often they ask depends on time, marks
 * included; what they do then does not. */
#include "work.h"

#ifndef ITEMS
#define ITEMS 40u
#endif

/* The next item from the core before. */
static inline uint32_t ask(unsigned before)
{
    uint32_t item;
    while (!mp_async_recv(before, &item))
        MARK_ITEM(MARK_IDLE, before);
    return item;
}

int main(void)
{
    unsigned self = mp_core(), last = mp_cores() - 1;
    uint32_t value = self;
    for (unsigned item = 0; item < ITEMS; item++) {
        if (self)
            value = ask(self - 1);
        value = work(value + item, some_steps(item + 7 * self, 2, 16));
        if (self < last)
            mp_async_send(self + 1, value);
    }
    return value == 0;
}
