#include "number.h"

uint64_t arithmetic_shift_right(uint64_t value, uint32_t by)
{
    uint32_t lost;
    value = shift(value, by, &lost);
    return value | (lost != 0);
}

uint64_t arithmetic_normalize(uint64_t value, int32_t *exponent)
{
    return normalize(value, exponent);
}
