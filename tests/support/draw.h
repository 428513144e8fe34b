/* Random numbers for tests: the same ones in every run. */
#ifndef TESTS_SUPPORT_DRAW_H
#define TESTS_SUPPORT_DRAW_H

#include <stdint.h>

static uint32_t draw_seed = 1; /* not 0 */

/* A number below `range`, by xorshift32. */
static inline uint32_t draw(uint32_t range)
{
    draw_seed ^= draw_seed << 13;
    draw_seed ^= draw_seed >> 17;
    draw_seed ^= draw_seed << 5;
    return draw_seed % range;
}

#endif
