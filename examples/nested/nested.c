/* Interrupts that nest: an alarm, at random times, interrupts the slow handler of a timer, wherever that is: in its loop, deep in
 * a recursion, between two instructions of a procedure's beginning or end. What both change is not always protected. */
#include "target.h"

#define TICKS 40u
#define PERIOD 8000u /* clocks between two ticks */

volatile uint32_t ticks, alarms;
volatile uint32_t unsafe;    /* counted by both handlers with no regard to each other */
volatile uint32_t events;    /* the same, with interrupts kept out */
volatile int pending_work;   /* what the alarm has left for the main loop */
volatile uint32_t deepest;   /* level at which the alarm found the search, at most */
volatile uint32_t level;     /* of the search as it is now */

static void (*handler)(void);

/* A search that goes down and comes back. */
static uint32_t search(uint32_t depth, uint32_t key)
{
    uint32_t found = key & 1;
    level = depth;
    if (depth < 5)
        found += search(depth + 1, key >> 1);
    level = depth - 1;
    return found;
}

static void record(uint32_t at)
{
    uint32_t seen = at;
    if (seen > deepest)
        deepest = seen;
    pending_work++;
}

static void on_alarm(void)
{
    uint32_t sample = target_random() & 0xFF;
    alarms++;
    unsafe++;
    events++;
    target_alarm_at(ticks < TICKS ? target_cycles() + 600 + sample * 4 : UINT64_MAX);
    record(level);
}

static void on_timer(void)
{
    uint32_t found = 0;
    target_timer_at(++ticks < TICKS ? target_cycles() + PERIOD : UINT64_MAX);
    struct target_nesting nesting = target_nesting_begin(TARGET_ALARM);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t copy = unsafe;
        found += search(1, target_random());
        unsafe = copy + 1; /* alarms since it was copied are forgotten */
        uint32_t before = target_interrupts_off();
        events++;
        target_interrupts_restore(before);
    }
    pending_work += (int)(found & 1);
    target_nesting_end(nesting);
}

__attribute__((interrupt("machine"), aligned(4))) void isr(void)
{
    handler = target_source() == TARGET_TIMER ? on_timer : on_alarm;
    handler();
}

int main(void)
{
    uint32_t done = 0;
    target_timer_at(target_cycles() + 500);
    target_alarm_at(target_cycles() + 700);
    target_interrupts_enable(TARGET_ALARM);
    target_interrupts_on(isr);
    while (ticks < TICKS) {
        uint32_t before = target_interrupts_off();
        done += (uint32_t)pending_work;
        pending_work = 0;
        target_interrupts_restore(before);
    }
    target_interrupts_off();
    target_puts("nested: alarms ");
    target_put_int((int32_t)alarms);
    target_puts(", forgotten ");
    target_put_int((int32_t)(events - unsafe));
    target_puts(", deepest ");
    target_put_int((int32_t)deepest);
    target_puts("\n");
    return events != 3 * ticks + alarms || done == 0;
}
