/* * / % of 64 bits. */
#include "arithmetic.h"
#include "choose.h"

#define SIGN 63

uint64_t right_operand; /* routine `operand` */

uint64_t arithmetic_multiply(uint64_t left, uint64_t right)
{
    uint64_t product = 0;
    for (uint32_t steps = 64; steps; steps--) {
        product += left & mask((uint32_t)right & 1);
        left <<= 1;
        right >>= 1;
    }
    return product;
}

uint64_t arithmetic_divide(uint64_t left, uint64_t right, uint32_t is_signed, uint32_t want_remainder)
{
    uint64_t left_sign = mask((uint32_t)(left >> SIGN) & is_signed),
             right_sign = mask((uint32_t)(right >> SIGN) & is_signed);
    uint64_t value = (left ^ left_sign) - left_sign, divisor = (right ^ right_sign) - right_sign, rest = 0;
    for (uint32_t steps = 64; steps; steps--) { /* the quotient comes in where the value goes out */
        uint32_t beyond = (uint32_t)(rest >> 63);
        rest = rest << 1 | value >> 63;
        uint32_t fits = beyond | !is_less(rest, divisor);
        value = value << 1 | fits;
        rest -= divisor & mask(fits);
    }
    return want_remainder ? (rest ^ left_sign) - left_sign
                          : (value ^ left_sign ^ right_sign) - (left_sign ^ right_sign);
}

/* what: ARITHMETIC_MULTIPLY, ARITHMETIC_DIVIDE, or 0 for the remainder; bit 2 signed */
uint64_t wide_arithmetic(uint64_t value, uint32_t what)
{
    if ((what & 3) == ARITHMETIC_MULTIPLY)
        return arithmetic_multiply(value, right_operand);
    return arithmetic_divide(value, right_operand, what >> 2, !(what & 3));
}
