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

__attribute__((interrupt("machine"))) static void on_timer(void)
{
    fired++;
    fired_at = target_cycles();
    target_timer_at(UINT64_MAX);
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

    char *text = malloc(100);
    snprintf(text, 100, "%d/%x/%s", -12, 255u, "heap");
    puts(text);
    TARGET_REGISTER(ES_TARGET_IO_EXIT) = 42;
    for (;;)
        continue;
}
