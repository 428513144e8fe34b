/* The program starts anew: its first instruction is executed again, after a reset or because it jumped there. Memory
 * holds what it held, so values and what pointers lead to stay as they are; all that was begun is over. */
#include "firmware.h"

#pragma GCC optimize("Os") /* it is rare, and memory is short */

void restarted(void)
{
    if (HEADER->marks_at) /* what has passed before */
        tell_deadlines(REG(ES_REG_HIT_TIME), REG(ES_REG_TIME_HIGH));
    if (es.beyond)
        forget_beyond();
    drop_all();
    es.stacks = 0;
    es.resume = (struct interruption){0, 0};
    tasks_start();
    if (HEADER->anew_at)
        ((void (*)(void))(uintptr_t)HEADER->anew_at)();
}
