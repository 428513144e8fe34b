/* Marks in every kind of place, one to a line: claims.py compiles this file with EARSHOT_MARKS=0, and again without the lines that name a
 * mark, and wants the same object code. */
#include "earshot_mark.h" /* mark */
#include "mp.h"

volatile uint32_t cell;
uint32_t steps(uint32_t n);
uint32_t worth(void);

uint32_t steps(uint32_t n)
{
    uint32_t sum = 0;
    earshot_mark(0);
    for (uint32_t i = 0; i < n; i++) {
        earshot_mark_value(1, i);
        if (i & 1) {
            sum += cell;
            earshot_mark_value(511, sum * 3 + worth());
        } else {
            cell = sum;
            earshot_mark(2);
        }
    }
    earshot_mark(3);
    return sum;
}

int main(void)
{
    earshot_mark_value(4, worth());
    uint32_t word = steps(worth());
    if (mp_async_recv(0, &word))
        mp_sync_send(1, word);
    mp_async_send(0, word);
    unsigned from;
    word = mp_any_recv(&from);
    word += mp_recv(2);
    mp_barrier();
    return (int)word;
}
