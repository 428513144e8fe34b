/* Choices and comparisons without branches. */
#ifndef ES_LIBRARY_CHOOSE_H
#define ES_LIBRARY_CHOOSE_H

#include <stdint.h>

/* All ones when the condition is 1, else 0. */
static inline __attribute__((always_inline)) uint64_t mask(uint32_t condition)
{
    uint32_t low = 0u - condition, high = low;
    __asm__("" : "+r"(low), "+r"(high)); /* else the compiler takes it for a factor, and multiplies */
    return (uint64_t)high << 32 | low;
}

static inline __attribute__((always_inline)) uint64_t choose(uint32_t condition, uint64_t yes, uint64_t no)
{
    return no ^ ((yes ^ no) & mask(condition));
}

static inline __attribute__((always_inline)) int32_t choose_int(uint32_t condition, int32_t yes, int32_t no)
{
    return no ^ ((yes ^ no) & (int32_t)(uint32_t)mask(condition));
}

static inline __attribute__((always_inline)) uint32_t is_less(uint64_t a, uint64_t b)
{
    uint32_t low = (uint32_t)a < (uint32_t)b, a_high = (uint32_t)(a >> 32), b_high = (uint32_t)(b >> 32);
    uint32_t high = a_high < b_high, equal_and_less = a_high - b_high < low;
    __asm__("" : "+r"(high), "+r"(equal_and_less)); /* else it branches */
    return high | equal_and_less;
}

static inline __attribute__((always_inline)) uint32_t is_zero(uint64_t value)
{
    return ((uint32_t)value | (uint32_t)(value >> 32)) == 0;
}

#endif
