#include "number.h"

static __attribute__((noinline)) uint64_t add(uint64_t left, uint64_t right)
{
    uint64_t magnitude_left = left << 1, magnitude_right = right << 1;
    uint32_t swap = is_less(magnitude_left, magnitude_right);
    unpacked a = unpack(choose(swap, right, left)), b = unpack(choose(swap, left, right));
    int32_t distance = a.exponent - b.exponent, exponent = a.exponent + 1;
    uint64_t large = a.fraction >> 1,
             small = arithmetic_shift_right(b.fraction >> 1, (uint32_t)choose_int(distance > 63, 63, distance));
    uint64_t differ = mask(a.sign ^ b.sign);
    uint64_t sum = large + (small ^ differ) - differ;
    uint32_t nothing = is_zero(sum);
    sum = arithmetic_normalize(sum, &exponent);
    return arithmetic_pack((uint32_t)choose_int(nothing, (int32_t)(a.sign & b.sign), (int32_t)a.sign), exponent, sum);
}

static __attribute__((noinline)) uint64_t multiply(uint64_t left, uint64_t right)
{
    unpacked a = unpack(left), b = unpack(right);
    int32_t exponent = 0;
    uint64_t factor = arithmetic_normalize(a.fraction, &a.exponent) >> 1,
             other = arithmetic_normalize(b.fraction, &b.exponent) >> 11;
    uint64_t product = 0;
    uint32_t lost = 0;
    for (uint32_t steps = 53; steps; steps--) {
        product += factor & mask((uint32_t)other & 1);
        lost |= (uint32_t)product & 1;
        product >>= 1;
        other >>= 1;
    }
    exponent = a.exponent + b.exponent - 1023 + 2;
    product = arithmetic_normalize(product | lost, &exponent);
    return arithmetic_pack(a.sign ^ b.sign, exponent, product);
}

static __attribute__((noinline)) uint64_t divide(uint64_t left, uint64_t right)
{
    unpacked a = unpack(left), b = unpack(right);
    uint64_t rest = arithmetic_normalize(a.fraction, &a.exponent) >> 1,
             divisor = arithmetic_normalize(b.fraction, &b.exponent) >> 1, quotient = 0;
    for (uint32_t steps = 57; steps; steps--) {
        uint32_t fits = !is_less(rest, divisor);
        quotient = quotient << 1 | fits;
        rest = (rest - (divisor & mask(fits))) << 1;
    }
    int32_t exponent = a.exponent - b.exponent + 1023;
    quotient = arithmetic_normalize(quotient << 7 | !is_zero(rest), &exponent);
    return arithmetic_pack(a.sign ^ b.sign, exponent, quotient);
}

uint64_t arithmetic_double(uint64_t left, uint64_t right, uint32_t operation)
{
    uint64_t result;
    if (operation == ARITHMETIC_SUBTRACT)
        right ^= (uint64_t)1 << SIGN;
    uint64_t a = left << 1, b = right << 1, infinite = INFINITE << 1;
    uint32_t a_infinite = is_zero(a ^ infinite), b_infinite = is_zero(b ^ infinite), a_zero = is_zero(a),
             b_zero = is_zero(b);
    uint32_t nan = is_less(infinite, a) | is_less(infinite, b), differ = (uint32_t)((left ^ right) >> SIGN);
    uint64_t sign = (uint64_t)differ << SIGN;
    if (operation <= ARITHMETIC_SUBTRACT) {
        nan |= a_infinite & b_infinite & differ;
        result = add(left, right);
        result = choose(a_infinite, left, result);
        result = choose(b_infinite, right, result);
    } else if (operation == ARITHMETIC_MULTIPLY) {
        nan |= (a_infinite & b_zero) | (a_zero & b_infinite);
        result = multiply(left, right);
        result = choose(a_infinite | b_infinite, INFINITE | sign, result);
    } else {
        nan |= (a_infinite & b_infinite) | (a_zero & b_zero);
        result = divide(left, right);
        result = choose(a_infinite | b_zero, INFINITE | sign, result);
        result = choose(b_infinite | (a_zero & !b_zero), sign, result);
    }
    return choose(nan, QUIET, result);
}

/* Of floats, the double result of any of the four, rounded once more, is exact, as a double has more than twice a
 * float's digits. */
uint32_t arithmetic_float(uint32_t left, uint32_t right, uint32_t operation)
{
    return arithmetic_narrow(arithmetic_double(arithmetic_widen(left), arithmetic_widen(right), operation));
}

/* what: ARITHMETIC_*; bit 2 of doubles, else of floats */
uint64_t number_arithmetic(uint64_t value, uint32_t what)
{
    if (what & 4)
        return arithmetic_double(value, right_operand, what & 3);
    return arithmetic_float((uint32_t)value, (uint32_t)right_operand, what & 3);
}
