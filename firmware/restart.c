/* The program starts anew, and start-up code.
 *
 * It starts anew when its first instruction is executed, after a reset or because it jumped there. Memory holds what it
 * held, so values stay as they are; all that was begun is over.
 *
 * What start-up code writes, it and procedures that copy and clear for it, is no event: while no other activation
 * exists, dispatch.S drops writes in a loop of its own. Phantom memory knows what was written; pointers look there. */
#include "firmware.h"

static void forget(void)
{
    if (HEADER->anew_at)
        ((void (*)(void))(uintptr_t)HEADER->anew_at)();
}

void begin(void)
{
    tells_at = HEADER->tells_at;
    if (start_mode == ES_MI_START_AT_RESET) {
        hushed = es.waiting = es.stopped = true; /* stopped: a flush tells no deadlines */
    } else if (start_mode == ES_MI_START_RUNNING) {
        es.begun = true;
        es.stacks = STACKS_SWITCHED;
        lose_stack();
        forget();
    }
}

void restarted(void)
{
    bool first = !es.begun;
    es.begun = true;
    if (es.waiting) {
        es.waiting = es.stopped = false;
        es.lost_before = REG(ES_REG_LOST);
        pointers_start();
        forget();
        send_status();
    }
    if (first) /* nothing was begun before */
        return;
    if (HEADER->marks_at) /* what has passed before */
        tell_deadlines(REG(ES_REG_HIT_TIME), REG(ES_REG_TIME_HIGH));
    drop_all();
    es.stacks = 0;
    es.resume = (struct interruption){0, 0};
    tasks_start();
    forget();
}

/* Whether all activations are of procedures that copy and clear for start-up code. */
static bool in_start_up(void)
{
    if (es.flags & ES_HITF_PATH_UNKNOWN || es.beyond || (HEADER->tasks_at && !es.boot))
        return false;
    for (const struct activation *entry = top; entry-- != stack;)
        if (!(procedure_of(entry)->size & ES_MI_SIZE_COPIES))
            return false;
    return true;
}

void hush(void)
{
    hushed = HEADER->hush && in_start_up();
}
