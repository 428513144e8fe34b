/* A program that has long been running when the probe comes: mode is never 1 again, as the file has it. It starts anew after some rounds. */
#include "target.h"

void _start(void);

int mode = 1, run = 1;
volatile int ticks;
int constant[2] = {3, 4};
const int fixed = 11;

__attribute__((noinline)) static void tick(int by)
{
    volatile int loc = by;
    ticks += loc;
}

__attribute__((noinline)) static void work(void)
{
    for (int i = 0; i < 3000; i++)
        tick(i + 1);
}

int main(void)
{
    mode = 7;
    run++;
    work();
    __asm__ volatile("j _start");
}
