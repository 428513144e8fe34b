#include "arithmetic.h"

#ifdef __riscv
#pragma GCC optimize("Os") /* it takes a seventh of the memory below the image */
#endif

#define SIGN 63
#define SPECIAL 0x7FF /* exponent of infinities and NaNs */
#define INFINITE ((uint64_t)SPECIAL << 52)
#define QUIET ((uint64_t)0xFFF << 51)

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

/* One step of a shift to the right; what is cut off leaves bit 0 set. */
static inline __attribute__((always_inline)) uint64_t shift_step(uint64_t value, uint32_t by, uint32_t step)
{
    uint64_t rest = value << (64 - step);
    return choose(by / step & 1, value >> step | !is_zero(rest), value);
}

/* By 0 to 63. */
static __attribute__((noinline)) uint64_t shift_right(uint64_t value, uint32_t by)
{
    value = shift_step(value, by, 32);
    value = shift_step(value, by, 16);
    value = shift_step(value, by, 8);
    value = shift_step(value, by, 4);
    value = shift_step(value, by, 2);
    return shift_step(value, by, 1);
}

static inline __attribute__((always_inline)) uint64_t normal_step(uint64_t value, int32_t *exponent, uint32_t step)
{
    uint32_t go = is_zero(value >> (64 - step));
    *exponent -= choose_int(go, (int32_t)step, 0);
    return choose(go, value << step, value);
}

/* Left until bit 63 is set; *exponent is reduced by how far. 0 stays 0. */
static __attribute__((noinline)) uint64_t normalize(uint64_t value, int32_t *exponent)
{
    value = normal_step(value, exponent, 32);
    value = normal_step(value, exponent, 16);
    value = normal_step(value, exponent, 8);
    value = normal_step(value, exponent, 4);
    value = normal_step(value, exponent, 2);
    return normal_step(value, exponent, 1);
}

/* --- doubles: the value is fraction / 2^63 * 2^(exponent - 1023) ------------------------------------------------------- */

typedef struct unpacked {
    uint32_t sign;
    int32_t exponent;
    uint64_t fraction;
} unpacked;

static unpacked unpack(uint64_t bits)
{
    uint32_t exponent = (uint32_t)(bits >> 52) & 0x7FF;
    return (unpacked){(uint32_t)(bits >> SIGN), (int32_t)(exponent | (exponent == 0)),
                      (bits << 12 >> 1) | (uint64_t)(exponent != 0) << 63};
}

/* Of a fraction with bit 63 set, or 0. */
static __attribute__((noinline)) uint64_t pack(uint32_t sign, int32_t exponent, uint64_t fraction)
{
    uint32_t low = exponent < 1;
    int32_t by = choose_int(low, 1 - exponent, 0);
    fraction = shift_right(fraction, (uint32_t)choose_int(by > 63, 63, by));
    exponent = choose_int(low, 1, exponent);
    uint32_t rest = (uint32_t)fraction & 0x7FF, large = exponent > 2046;
    uint64_t kept = fraction >> 11; /* its highest bit adds 1 to the exponent */
    kept += (rest > 0x400) | ((rest == 0x400) & ((uint32_t)kept & 1));
    uint64_t bits = ((uint64_t)(uint32_t)choose_int(large, 2046, exponent - 1) << 52) + kept;
    bits = choose(large, INFINITE, bits);
    bits = choose(is_zero(fraction), 0, bits);
    return bits | (uint64_t)sign << SIGN;
}

static __attribute__((noinline)) uint64_t add(uint64_t left, uint64_t right)
{
    uint64_t magnitude_left = left << 1, magnitude_right = right << 1;
    uint32_t swap = is_less(magnitude_left, magnitude_right);
    unpacked a = unpack(choose(swap, right, left)), b = unpack(choose(swap, left, right));
    int32_t distance = a.exponent - b.exponent, exponent = a.exponent + 1;
    uint64_t large = a.fraction >> 1,
             small = shift_right(b.fraction >> 1, (uint32_t)choose_int(distance > 63, 63, distance));
    uint64_t differ = mask(a.sign ^ b.sign);
    uint64_t sum = large + (small ^ differ) - differ;
    uint32_t nothing = is_zero(sum);
    sum = normalize(sum, &exponent);
    return pack((uint32_t)choose_int(nothing, (int32_t)(a.sign & b.sign), (int32_t)a.sign), exponent, sum);
}

static __attribute__((noinline)) uint64_t multiply(uint64_t left, uint64_t right)
{
    unpacked a = unpack(left), b = unpack(right);
    int32_t exponent = 0;
    uint64_t factor = normalize(a.fraction, &a.exponent) >> 1, other = normalize(b.fraction, &b.exponent) >> 11;
    uint64_t product = 0;
    uint32_t lost = 0;
    for (uint32_t steps = 53; steps; steps--) {
        product += factor & mask((uint32_t)other & 1);
        lost |= (uint32_t)product & 1;
        product >>= 1;
        other >>= 1;
    }
    exponent = a.exponent + b.exponent - 1023 + 2;
    product = normalize(product | lost, &exponent);
    return pack(a.sign ^ b.sign, exponent, product);
}

static __attribute__((noinline)) uint64_t divide(uint64_t left, uint64_t right)
{
    unpacked a = unpack(left), b = unpack(right);
    uint64_t rest = normalize(a.fraction, &a.exponent) >> 1, divisor = normalize(b.fraction, &b.exponent) >> 1,
             quotient = 0;
    for (uint32_t steps = 57; steps; steps--) {
        uint32_t fits = !is_less(rest, divisor);
        quotient = quotient << 1 | fits;
        rest = (rest - (divisor & mask(fits))) << 1;
    }
    int32_t exponent = a.exponent - b.exponent + 1023;
    quotient = normalize(quotient << 7 | !is_zero(rest), &exponent);
    return pack(a.sign ^ b.sign, exponent, quotient);
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

/* --- floats: of these, the double result of any of the four, rounded once more, is exact, as a double has more than twice a float's
 * digits --- */

uint64_t arithmetic_widen(uint32_t bits)
{
    uint32_t exponent = bits >> 23 & 0xFF, sign = bits >> 31;
    int32_t of_double = (int32_t)(exponent | (exponent == 0)) + 1023 - 127;
    uint64_t fraction = normalize(((uint64_t)bits << 41 >> 1) | (uint64_t)(exponent != 0) << 63, &of_double);
    uint64_t special = INFINITE | (uint64_t)(bits & 0x7FFFFF) << 29 | (uint64_t)sign << SIGN;
    return choose(exponent == 0xFF, special, pack(sign, of_double, fraction));
}

uint32_t arithmetic_narrow(uint64_t bits)
{
    unpacked a = unpack(bits);
    int32_t exponent = a.exponent - (1023 - 127);
    uint32_t low = exponent<1, large = exponent> 254;
    int32_t by = choose_int(low, 1 - exponent, 0);
    uint64_t fraction = shift_right(a.fraction, (uint32_t)choose_int(by > 63, 63, by));
    uint32_t kept = (uint32_t)(fraction >> 32) | ((uint32_t)fraction != 0), rest = kept & 0xFF;
    kept >>= 8;
    kept += (rest > 0x80) | ((rest == 0x80) & (kept & 1));
    kept += (uint32_t)choose_int(low, 0, exponent - 1) << 23;
    kept = (uint32_t)choose_int(large, 0x7F800000, (int32_t)kept);
    kept = (uint32_t)choose_int(is_less(INFINITE << 1, bits << 1), 0x7FC00000, (int32_t)kept);
    return kept | a.sign << 31;
}

uint32_t arithmetic_float(uint32_t left, uint32_t right, uint32_t operation)
{
    return arithmetic_narrow(arithmetic_double(arithmetic_widen(left), arithmetic_widen(right), operation));
}

/* --- 64 bits ------------------------------------------------------------------------------------------------------------ */

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
