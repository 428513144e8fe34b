/* Floats and doubles: rounding, and one as the other. */
#include "number.h"

uint64_t arithmetic_pack(uint32_t sign, int32_t exponent, uint64_t fraction)
{
    uint32_t low = exponent < 1;
    int32_t by = choose_int(low, 1 - exponent, 0);
    fraction = arithmetic_shift_right(fraction, (uint32_t)choose_int(by > 63, 63, by));
    exponent = choose_int(low, 1, exponent);
    uint32_t rest = (uint32_t)fraction & 0x7FF, large = exponent > 2046;
    uint64_t kept = fraction >> 11; /* its highest bit adds 1 to the exponent */
    kept += (rest > 0x400) | ((rest == 0x400) & ((uint32_t)kept & 1));
    uint64_t bits = ((uint64_t)(uint32_t)choose_int(large, 2046, exponent - 1) << 52) + kept;
    bits = choose(large, INFINITE, bits);
    bits = choose(is_zero(fraction), 0, bits);
    return bits | (uint64_t)sign << SIGN;
}

uint64_t arithmetic_widen(uint32_t bits)
{
    uint32_t exponent = bits >> 23 & 0xFF, sign = bits >> 31;
    int32_t of_double = (int32_t)(exponent | (exponent == 0)) + 1023 - 127;
    uint64_t fraction = arithmetic_normalize(((uint64_t)bits << 41 >> 1) | (uint64_t)(exponent != 0) << 63, &of_double);
    uint64_t special = INFINITE | (uint64_t)(bits & 0x7FFFFF) << 29 | (uint64_t)sign << SIGN;
    return choose(exponent == 0xFF, special, arithmetic_pack(sign, of_double, fraction));
}

uint32_t arithmetic_narrow(uint64_t bits)
{
    unpacked a = unpack(bits);
    int32_t exponent = a.exponent - (1023 - 127);
    uint32_t low = exponent<1, large = exponent> 254;
    int32_t by = choose_int(low, 1 - exponent, 0);
    uint64_t fraction = arithmetic_shift_right(a.fraction, (uint32_t)choose_int(by > 63, 63, by));
    uint32_t kept = (uint32_t)(fraction >> 32) | ((uint32_t)fraction != 0), rest = kept & 0xFF;
    kept >>= 8;
    kept += (rest > 0x80) | ((rest == 0x80) & (kept & 1));
    kept += (uint32_t)choose_int(low, 0, exponent - 1) << 23;
    kept = (uint32_t)choose_int(large, 0x7F800000, (int32_t)kept);
    kept = (uint32_t)choose_int(is_less(INFINITE << 1, bits << 1), 0x7FC00000, (int32_t)kept);
    return kept | a.sign << 31;
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
