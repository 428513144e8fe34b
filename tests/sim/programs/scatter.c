/* Reads and writes bytes, halves and words of an area in random order, with calls between, for some 250,000 clocks:
 * more than three epochs of the simulated probe. Exit code 0. */
#include "target.h"

#define BYTES 1024
#define ROUNDS 4000

static volatile unsigned *const area = (volatile unsigned *)0x30000; /* RAM that start-up code does not clear */
volatile unsigned sum;

static __attribute__((noinline)) void touch(unsigned what)
{
    unsigned at = what >> 8 & (BYTES - 1);
    volatile unsigned char *byte = (volatile unsigned char *)area + at;
    volatile unsigned short *half = (volatile unsigned short *)area + at / 2;
    switch (what & 7) {
    case 0: *byte = (unsigned char)(what >> 20); break;
    case 1: *half = (unsigned short)(what >> 16); break;
    case 2: area[at / 4] = what; break;
    case 3: sum += *byte; break;
    case 4: sum += *half; break;
    case 5: sum += area[at / 4]; break;
    default: *byte += 1; break;
    }
}

int main(void)
{
    for (unsigned round = 0; round < ROUNDS; round++)
        touch(target_random());
    return 0;
}
