/* Master and workers: core 0 hands out items and collects results from whichever worker has finished, with an any-source receive, so the order of
 * the results depends on time. A task of 0 sends a worker home. */
#include "work.h"

#ifndef ITEMS
#define ITEMS 60u
#endif

static int master(unsigned cores)
{
    uint32_t sum = 0, next = 1;
    unsigned busy = 0;
    for (unsigned worker = 1; worker < cores && next <= ITEMS; worker++, next++, busy++)
        mp_async_send(worker, next);
    while (busy) {
        unsigned worker;
        uint32_t result = mp_any_recv(&worker);
        MARK_ITEM(MARK_RESULT, worker);
        sum += work(result, 1);
        if (next <= ITEMS)
            mp_async_send(worker, next++);
        else
            busy--;
    }
    for (unsigned worker = 1; worker < cores; worker++)
        mp_async_send(worker, 0);
    return sum == 0;
}

static void serve(unsigned self)
{
    uint32_t item;
    while ((item = mp_recv(0)) != 0)
        mp_async_send(0, work(item, some_steps(item + self, 4, 32)));
}

int main(void)
{
    unsigned self = mp_core();
    if (self == 0)
        return mp_cores() > 1 ? master(mp_cores()) : 0;
    serve(self);
    return 0;
}
