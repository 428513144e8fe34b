/* Stacks that the program switches by hand: coroutines, contexts. Nothing names the one that runs, so which activations
 * are on it, and where they lie, is not known from there on: path and NP are unknown, no local of before is watched.
 * What is called then is followed as always. It ends where start-up code is returned to, or main, where that is called
 * at one place only. */
#include "firmware.h"

static void count_unknown(uint32_t where)
{
    if (HEADER->switches & where)
        doubt_nobodys(1);
}

void stack_switched(void)
{
    if (es.beyond)
        forget_beyond();
    lose_stack();
    es.tasks_lost++;
    es.stacks = STACKS_SWITCHED;
    count_unknown(ES_MI_SWITCHES_LOCALS);
}

/* Where nothing is active, start-up code makes its stack. A longjmp stays on its stack as long as there is no other. */
void switches_met(uint32_t flags)
{
    bool nothing = top == stack && !es.beyond && !(es.flags & ES_HITF_PATH_UNKNOWN);
    if (!nothing && (flags & ES_MI_FETCH_SWITCH || es.stacks & STACKS_SWITCHED))
        stack_switched();
    else
        es.stacks |= flags & ES_MI_FETCH_LONGJMP ? STACKS_JUMPED : 0;
}

bool switches_returned(void)
{
    uint32_t stacks = es.stacks;
    es.stacks &= ~STACKS_JUMPED;
    if (!stacks)
        return false;
    count_unknown(ES_MI_SWITCHES_LEAVES);
    if (es.flags & ES_HITF_PATH_UNKNOWN) /* out of all that was called since */
        lose_stack();
    else
        stack_switched();
    return true;
}
