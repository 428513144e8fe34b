/* Uses every device of the reference target and the C library; prints what it saw. Exit code 42. */
#include <stdio.h>
#include <stdlib.h>

#include "target.h"

static int prepared;
static volatile unsigned fired;
static volatile uint64_t fired_at;

__attribute__((constructor)) static void prepare(void)
{
    prepared = 1;
}

__attribute__((interrupt("machine"), aligned(4))) static void on_timer(void)
{
    fired++;
    fired_at = target_cycles();
    target_timer_at(UINT64_MAX);
}

static volatile unsigned alarms, in_timer, from_timer, kept;

/* The alarm interrupts the timer's handler as soon as that lets it. */
__attribute__((interrupt("machine"), aligned(4))) static void on_both(void)
{
    if (target_source() == TARGET_ALARM) {
        alarms++;
        from_timer += in_timer;
        target_alarm_at(UINT64_MAX);
        return;
    }
    target_timer_at(UINT64_MAX);
    target_alarm_at(target_cycles());
    in_timer = 1;
    kept = alarms == 1; /* no interrupt yet */
    struct target_nesting nesting = target_nesting_begin(TARGET_ALARM);
    while (alarms == 1)
        continue;
    target_nesting_end(nesting);
    in_timer = 0;
}

int main(void)
{
    printf("prepared %d\n", prepared);
    uint32_t first = target_random(), second = target_random();
    printf("random %08lx %08lx\n", (unsigned long)first, (unsigned long)second);

    uint64_t from = target_cycles();
    uint64_t until = from + 500;
    target_interrupts_on(on_timer);
    target_timer_at(until);
    target_wait();
    while (!fired)
        continue;
    printf("timer %u %s\n", fired, fired_at >= until && fired_at < until + 200 ? "in time" : "late");

    uint32_t before = target_interrupts_off();
    target_timer_at(target_cycles());
    for (volatile int i = 0; i < 20; i++)
        continue;
    unsigned while_off = fired;
    target_interrupts_restore(before);
    while (fired == 1)
        continue;
    printf("masked %u then %u\n", while_off, fired);

    before = target_interrupts_off(); /* both pending: the alarm goes first */
    target_timer_at(target_cycles());
    target_alarm_at(target_cycles());
    target_interrupts_enable(TARGET_ALARM);
    target_interrupts_on(on_both);
    target_interrupts_restore(before);
    while (alarms < 2 || in_timer)
        continue;
    printf("alarms %u, kept out %u, in the timer's handler %u\n", alarms, kept, from_timer);

    char *text = malloc(100);
    snprintf(text, 100, "%d/%x/%s", -12, 255u, "heap");
    puts(text);
    TARGET_REGISTER(ES_TARGET_IO_EXIT) = 42;
    for (;;)
        continue;
}
