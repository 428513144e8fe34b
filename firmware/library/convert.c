/* Conversions between integers and numbers. What is simple to tell apart, as 0, is done at once: that is not the worst
 * case. */
#include "number.h"

/* 1 when what is cut off rounds up. */
static inline uint32_t rounds_up(uint32_t rest, uint32_t half, uint32_t odd)
{
    return (uint32_t)(rest > half) | ((uint32_t)(rest == half) & odd & 1);
}

/* The fraction's highest bit adds 1 to the exponent. */
uint64_t number_of_integer(uint64_t value, uint32_t what)
{
    uint32_t negative = what >> 1 & (uint32_t)(value >> SIGN);
    int32_t exponent = 62;
    if (negative)
        value = 0 - value;
    if (!value)
        return 0;
    uint64_t fraction = normalize(value, &exponent);
    if (what & 1) {
        uint64_t bits = fraction >> 11;
        bits += rounds_up((uint32_t)fraction & 0x7FF, 0x400, (uint32_t)bits);
        return bits + ((uint64_t)(negative << 31 | (uint32_t)(1023 + exponent) << 20) << 32);
    }
    uint32_t upper = (uint32_t)(fraction >> 32) | ((uint32_t)fraction != 0), kept = upper >> 8;
    return (negative << 31 | (uint32_t)(127 + exponent) << 23) + kept + rounds_up(upper & 0xFF, 0x80, kept);
}

uint64_t integer_of_double(uint64_t value, uint32_t what)
{
    uint32_t negative = (uint32_t)(value >> SIGN), exponent = (uint32_t)(value >> 52) & SPECIAL, is_signed = what >> 8,
             lost;
    uint64_t most = what & 64 ? ~(uint64_t)0 : 0xFFFFFFFF, fraction = value << 12; /* most: of magnitudes */
    if (is_signed)
        most >>= 1;
    if (exponent == SPECIAL && fraction)
        return most;
    if (exponent < 1023 || (negative && !is_signed))
        return 0;
    most += negative;
    if (exponent < 1023 + 64) {
        uint64_t magnitude = shift(fraction >> 1 | (uint64_t)1 << 63, 1023 + 63 - exponent, &lost);
        most = magnitude < most ? magnitude : most;
    }
    return negative ? 0 - most : most;
}
