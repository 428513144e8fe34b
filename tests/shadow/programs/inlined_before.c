/* At -O2, GCC 12 puts all instructions of first in main before the call of second, and its statements at that call. */
#include <stdint.h>
volatile int32_t out;
int32_t table[16];
static uint32_t seed = 9;
static inline void first(int32_t a, int32_t b)
{
    int32_t v = table[a & 15] * 24, w = (int32_t)((uint32_t)b >> 5) ^ (a - b);
    out = v + w;
}
static __attribute__((noinline)) void second(int32_t a)
{
    first(table[table[15] & 15], a);
}
int main(void)
{
    int32_t s = 0;
    for (int32_t n = 0; n < 12; n++) {
        seed = seed * 1664525u + 1013904223u;
        int32_t r = (int32_t)(seed >> 8 & 63);
        first(r, s & 31);
        second(r + 1);
        if (table[r & 15] > r)
            out = r ^ 18;
    }
    return 0;
}
