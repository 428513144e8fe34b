/* Conversions between integers, float and double (IEEE 754, round to nearest even, saturating to integers as RISC-V does).
 * Called by statements' code through `compute` (compute.S). No loop but over constants, no shift by a variable. */
#pragma GCC optimize("O2") /* for time: what is larger for it here is paid by the rest, which is compiled for size */
#include "arithmetic.h"
#include "firmware.h"

uint64_t right_operand; /* routine `operand` */

#define FLOAT_FRACTION 23

/* Shifts left until bit 63 is set; *shifted says how far. value is not 0. */
static uint64_t normalize(uint64_t value, int32_t *shifted)
{
    int32_t by = 0;
    if (!(value >> 32))
        value <<= 32, by += 32;
    if (!(value >> 48))
        value <<= 16, by += 16;
    if (!(value >> 56))
        value <<= 8, by += 8;
    if (!(value >> 60))
        value <<= 4, by += 4;
    if (!(value >> 62))
        value <<= 2, by += 2;
    if (!(value >> 63))
        value <<= 1, by += 1;
    *shifted = by;
    return value;
}

/* 1 when what is cut off rounds up. */
static uint32_t rounds_up(uint64_t rest, uint64_t half, uint32_t odd)
{
    return rest > half || (rest == half && (odd & 1));
}

/* what: bit 0 a double, else a float; bit 1 the value is signed */
uint64_t number_of_integer(uint64_t value, uint32_t what)
{
    uint32_t negative = what >> 1 & (uint32_t)(value >> 63);
    int32_t shifted;
    if (negative)
        value = 0 - value;
    if (!value)
        return 0;
    value = normalize(value, &shifted);
    if (what & 1) {
        uint64_t fraction = value >> 11; /* its highest bit adds 1 to the exponent */
        fraction += rounds_up(value & 0x7FF, 0x400, (uint32_t)fraction);
        return ((uint64_t)(negative << 31 | (uint32_t)(1023 + 62 - shifted) << 20) << 32) + fraction;
    }
    uint32_t fraction = (uint32_t)(value >> 40);
    fraction += rounds_up(value & 0xFFFFFFFFFF, 0x8000000000, fraction);
    return (negative << 31 | (uint32_t)(127 + 62 - shifted) << FLOAT_FRACTION) + fraction;
}

uint64_t double_of_float(uint64_t value, uint32_t unused)
{
    (void)unused;
    return arithmetic_widen((uint32_t)value);
}

uint64_t float_of_double(uint64_t value, uint32_t unused)
{
    (void)unused;
    return arithmetic_narrow(value);
}

/* what: 32 or 64 bits; bit 8 signed */
uint64_t integer_of_double(uint64_t value, uint32_t what)
{
    uint32_t high = (uint32_t)(value >> 32), negative = high >> 31, exponent = high >> 20 & 0x7FF;
    uint64_t fraction = value & 0xFFFFFFFFFFFFF;
    uint64_t most = what & 64 ? ~(uint64_t)0 : 0xFFFFFFFF; /* of magnitudes */
    if (what >> 8)
        most = (most >> 1) + negative;
    if (exponent == 0x7FF && fraction)
        return what >> 8 ? (what & 64 ? ~(uint64_t)0 >> 1 : 0x7FFFFFFF) : most;
    if (exponent < 1023 || (negative && !(what >> 8)))
        return 0;
    if (exponent >= 1023 + 64) {
        value = most;
    } else {
        uint32_t by = 1023 + 63 - exponent;
        value = fraction << 11 | (uint64_t)1 << 63;
        if (by & 32)
            value >>= 32;
        if (by & 16)
            value >>= 16;
        if (by & 8)
            value >>= 8;
        if (by & 4)
            value >>= 4;
        if (by & 2)
            value >>= 2;
        if (by & 1)
            value >>= 1;
        if (value > most)
            value = most;
    }
    return negative ? 0 - value : value;
}

/* what: ARITHMETIC_*; bit 2 of doubles, else of floats */
uint64_t number_arithmetic(uint64_t value, uint32_t what)
{
    if (what & 4)
        return arithmetic_double(value, right_operand, what & 3);
    return arithmetic_float((uint32_t)value, (uint32_t)right_operand, what & 3);
}

/* what: ARITHMETIC_MULTIPLY, ARITHMETIC_DIVIDE, or 0 for the remainder; bit 2 signed */
uint64_t wide_arithmetic(uint64_t value, uint32_t what)
{
    if ((what & 3) == ARITHMETIC_MULTIPLY)
        return arithmetic_multiply(value, right_operand);
    return arithmetic_divide(value, right_operand, what >> 2, !(what & 3));
}
