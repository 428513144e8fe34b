/* Numbers in parts: what convert.c, floats.c and doubles.c share. */
#ifndef ES_LIBRARY_NUMBER_H
#define ES_LIBRARY_NUMBER_H

#include "arithmetic.h"
#include "choose.h"

#define SIGN 63
#define SPECIAL 0x7FF /* exponent of infinities and NaNs */
#define INFINITE ((uint64_t)SPECIAL << 52)
#define QUIET ((uint64_t)0xFFF << 51)

/* To the right, by 0 to 63; *lost: what is cut off, not 0 if any of it is. The halves move by words first, then by
 * bits: by 32 - n in two steps, as n may be 0. */
static inline __attribute__((always_inline)) uint64_t shift(uint64_t value, uint32_t by, uint32_t *lost)
{
    uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32), far = (uint32_t)mask(by >> 5), n = by & 31;
    *lost = low & far;
    low ^= (low ^ high) & far;
    high &= ~far;
    *lost |= low << 1 << (~n & 31);
    low = low >> n | high << 1 << (~n & 31);
    return (uint64_t)(high >> n) << 32 | low;
}

/* How far a word is to be shifted until one of its upper bits is set: 0 or `bits`. */
static inline __attribute__((always_inline)) uint32_t step(uint32_t word, uint32_t bits)
{
    return (uint32_t)(word >> (32 - bits) == 0) * bits;
}

/* Left until bit 63 is set; *exponent is reduced by how far. 0 stays 0. */
static inline __attribute__((always_inline)) uint64_t normalize(uint64_t value, int32_t *exponent)
{
    uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32), far = (uint32_t)mask(high == 0), by, n = 0;
    high |= low & far;
    low &= ~far;
    by = step(high, 16), n += by, high <<= by;
    by = step(high, 8), n += by, high <<= by;
    by = step(high, 4), n += by, high <<= by;
    by = step(high, 2), n += by, high <<= by;
    by = step(high, 1), n += by, high <<= by;
    *exponent -= (int32_t)(n + (far & 32));
    return (uint64_t)(high | low >> 1 >> (~n & 31)) << 32 | low << n;
}

/* shift.c: the same, as functions; what is cut off to the right leaves bit 0 set. */
uint64_t arithmetic_shift_right(uint64_t value, uint32_t by);
uint64_t arithmetic_normalize(uint64_t value, int32_t *exponent);

/* A double: the value is fraction / 2^63 * 2^(exponent - 1023). */
typedef struct unpacked {
    uint32_t sign;
    int32_t exponent;
    uint64_t fraction;
} unpacked;

static inline unpacked unpack(uint64_t bits)
{
    uint32_t exponent = (uint32_t)(bits >> 52) & 0x7FF;
    return (unpacked){(uint32_t)(bits >> SIGN), (int32_t)(exponent | (exponent == 0)),
                      (bits << 12 >> 1) | (uint64_t)(exponent != 0) << 63};
}

/* floats.c: of a fraction with bit 63 set, or 0 */
uint64_t arithmetic_pack(uint32_t sign, int32_t exponent, uint64_t fraction);

#endif
