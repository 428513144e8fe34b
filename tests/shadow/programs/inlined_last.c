/* What a copy of outer has left in v, GCC 12 tells at -O1 by registers that tell nothing before. */
#include <stdint.h>
volatile int32_t out;
int32_t table[16];
static uint32_t seed = 9;
static inline uint32_t rnd(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}
static inline __attribute__((always_inline)) int32_t inner(int32_t a, int32_t b)
{
    int32_t v = ((15 + a) & table[(b)&15]), w = (27 * (b * 6));
    out = a;
    out = table[(b)&15];
    v ^= a;
    table[15 & 15] = table[(table[(19) & 15]) & 15];
    out = v + w;
    return v ^ w;
}
static inline __attribute__((always_inline)) int32_t outer(int16_t a, int32_t b)
{
    int32_t v = 20, w = (int32_t)((uint32_t)(table[(a)&15]) >> 7);
    out = a;
    v = inner(((a * b) - b), (int32_t)((uint32_t)((25 ^ b)) >> 3));
    table[v & 15] = (int32_t)((uint32_t)(v) >> 5);
    out = v + w;
    return v ^ w;
}
int main(void)
{
    int32_t s = 0;
    for (int32_t n = 0; n < 12; n++) {
        int32_t r = (int32_t)(rnd() & 63);
        s += inner(r + 0, s & 31);
        s += outer(r + 1, s & 31);
        out = s;
    }
    return 0;
}
