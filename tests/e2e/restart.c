/* A program that starts anew in many ways: at each it tells on the console what it knows of itself, which is the truth
 * that the probe is compared with. `run` lies in .data, which the start-up code leaves as it is. */
#include <stdint.h>

#include "target.h"

void _start(void);

int run = 1;               /* how often the program has begun */
int total;                 /* cleared at each beginning */
volatile int sink;
volatile int steady = 5;   /* never written */
struct item { int id, seen; } items[2];
struct item *current;      /* cleared, too */

__attribute__((noinline)) static void tell(const char *what, int value)
{
    target_puts(what);
    target_put_int(value);
    target_puts("\n");
}

/* Two locals, so that a frame that is taken for another one's shows. */
__attribute__((noinline)) static void deep(int depth, int value)
{
    volatile int guard = 1000 + run, loc = 0;
    loc = value;
    tell("loc ", loc);
    if (depth)
        deep(depth - 1, value + 1);
    else if (run % 2)
        _start();                              /* a call */
    else
        ((void (*)(void))(uintptr_t)_start)(); /* the same through a pointer */
    sink = guard;
}

__attribute__((noinline)) static void jump(int value)
{
    volatile int loc = value;
    tell("jump ", loc);
    __asm__ volatile("la t0, _start\n\tjr t0");
}

__attribute__((noinline)) static void direct(int value)
{
    volatile int loc = value;
    tell("direct ", loc);
    __asm__ volatile("j _start");
}

__attribute__((interrupt("machine"), aligned(4))) static void isr(void)
{
    volatile int cause = run;
    target_timer_at(UINT64_MAX);
    tell("cause ", cause);
    __asm__ volatile("csrci mstatus, 8\n\tj _start"); /* as a watchdog's handler would */
}

__attribute__((noinline)) static void wait(int value)
{
    volatile int loc = value;
    tell("wait ", loc);
    target_interrupts_on(isr);
    target_timer_at(target_cycles() + 100);
    for (;;)
        sink++;
}

int main(void)
{
    volatile int mine = 100 * run;
    int at = run++;
    tell("main ", mine);
    total += at;
    tell("total ", total);
    current = &items[at & 1];
    current->seen = at;
    tell("seen ", current->seen);
    switch (at) {
    case 1: deep(0, 10);
    case 2: deep(3, 20);
    case 3: jump(30);
    case 4: direct(40);
    case 5: wait(50);
    case 6: deep(70, 60);  /* beyond what the probe's stack of activations holds */
    case 7: jump(70);
    default: return 0;
    }
}
