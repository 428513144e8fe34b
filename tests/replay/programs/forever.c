/* Goes on for as long as it is wanted: reads a device now and then, calls, and changes its memory. */
#include "target.h"

#define WORDS 4096u

volatile uint32_t table[WORDS], rounds, last;

static uint32_t mixed(uint32_t a, uint32_t b)
{
    for (unsigned i = 0; i < 24; i++)
        a = (a << 5 | a >> 27) ^ (b + i * 0x9E3779B9u);
    return a;
}

int main(void)
{
    for (;;) {
        uint32_t input = target_random();
        for (unsigned i = 0; i < 40; i++) {
            uint32_t at = (input + i * 77u) % WORDS;
            table[at] = mixed(table[at], input + i);
        }
        last = mixed(last, input);
        rounds++;
    }
}
