/* The firmware's arithmetic against the host's, on millions of operands of all kinds. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../../firmware/library/convert.c"
#include "../../firmware/library/doubles.c"
#include "../../firmware/library/floats.c"
#include "../../firmware/library/shift.c"
#include "../../firmware/library/wide.c"
#include "check_main.h"

#define ROUNDS 500000

static uint64_t state = 88172645463325252u;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double number_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Numbers of any size, near others, with few bits, subnormal, infinite, none. */
static uint64_t draw_number(uint64_t other)
{
    /* clang-format off */
    static const uint64_t edges[] = {0, 1, 0xFFFFFFFFFFFFF, 0x10000000000000, 0x3FF0000000000000, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000,
        0x7FF8000000000000, 0x3CA0000000000000, 0x4340000000000000, 0x3FE0000000000000, 0x0008000000000000};
    /* clang-format on */
    uint64_t random = draw(), sign = draw() << 63;
    switch (draw() % 8) {
    case 0: return edges[random % 12] | sign;
    case 1: return (edges[random % 12] + random % 5 - 2) ^ sign;
    case 2: return (other + random % 9 - 4) ^ sign;
    case 3: return (random & 0xFFFFFFFFFFFFF) | sign;
    case 4: return (other & 0x7FF0000000000000) + ((random % 128 - 64) << 52) + (random & 0xFFFFFFFFFFFFF);
    case 5: return (random & 0xFFF8000000000000) | (draw() % 3 ? 0 : 1);
    case 6: return (0x3FF0000000000000 + ((random % 64 - 32) << 52) + (draw() & 0xFFFFFFF000000000)) ^ sign;
    default: return random;
    }
}

static void same(uint64_t got, double wanted, uint64_t a, uint64_t b, char operation)
{
    if (isnan(wanted) ? isnan(number_of(got)) : got == bits_of(wanted))
        return;
    ck_abort_msg("%a %c %a is %a (%016llx), not %a", number_of(a), operation, number_of(b), number_of(got),
                 (unsigned long long)got, wanted);
}

START_TEST(doubles)
{
    uint64_t a = 0;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t b = draw_number(a);
        a = draw_number(b);
        double x = number_of(a), y = number_of(b);
        same(arithmetic_double(a, b, ARITHMETIC_ADD), x + y, a, b, '+');
        same(arithmetic_double(a, b, ARITHMETIC_SUBTRACT), x - y, a, b, '-');
        same(arithmetic_double(a, b, ARITHMETIC_MULTIPLY), x * y, a, b, '*');
        same(arithmetic_double(a, b, ARITHMETIC_DIVIDE), x / y, a, b, '/');
    }
}
END_TEST

static uint32_t draw_float(uint32_t other)
{
    static const uint32_t edges[] = {0,          1,          0x7FFFFF,   0x800000,   0x3F800000,
                                     0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x00400000, 0x4B800000};
    uint32_t random = (uint32_t)draw(), sign = (uint32_t)draw() << 31;
    switch (draw() % 5) {
    case 0: return (edges[random % 10] + (uint32_t)(draw() % 3) - 1) ^ sign;
    case 1: return (other + random % 9 - 4) ^ sign;
    case 2: return (random & 0x7FFFFF) | sign;
    case 3: return (0x3F800000 + ((random % 60 - 30) << 23) + ((uint32_t)draw() & 0x7FFF00)) ^ sign;
    default: return random;
    }
}

static void same_float(uint32_t got, float wanted, uint32_t a, uint32_t b, char operation)
{
    uint32_t bits;
    memcpy(&bits, &wanted, sizeof bits);
    bool nan = (got & 0x7FFFFFFF) > 0x7F800000;
    ck_assert_msg(isnan(wanted) ? nan : got == bits, "%08x %c %08x is %08x, not %08x", a, operation, b, got, bits);
}

START_TEST(floats)
{
    uint32_t a = 0;
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t b = draw_float(a);
        float x, y;
        a = draw_float(b);
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        same_float(arithmetic_float(a, b, ARITHMETIC_ADD), x + y, a, b, '+');
        same_float(arithmetic_float(a, b, ARITHMETIC_SUBTRACT), x - y, a, b, '-');
        same_float(arithmetic_float(a, b, ARITHMETIC_MULTIPLY), x * y, a, b, '*');
        same_float(arithmetic_float(a, b, ARITHMETIC_DIVIDE), x / y, a, b, '/');
    }
}
END_TEST

START_TEST(wide)
{
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t a = draw() >> draw() % 64, b = draw() >> draw() % 64;
        a = draw() % 2 ? 0 - a : a;
        b = draw() % 2 ? 0 - b : b;
        ck_assert_uint_eq(arithmetic_multiply(a, b), a * b);
        if (!b)
            continue;
        ck_assert_uint_eq(arithmetic_divide(a, b, 0, 0), a / b);
        ck_assert_uint_eq(arithmetic_divide(a, b, 0, 1), a % b);
        if (a == (uint64_t)1 << 63 && b == ~(uint64_t)0) {
            ck_assert_uint_eq(arithmetic_divide(a, b, 1, 0), a);
            continue;
        }
        ck_assert_uint_eq(arithmetic_divide(a, b, 1, 0), (uint64_t)((int64_t)a / (int64_t)b));
        ck_assert_uint_eq(arithmetic_divide(a, b, 1, 1), (uint64_t)((int64_t)a % (int64_t)b));
    }
}
END_TEST

static double draw_convertible(void)
{
    uint64_t bits = draw();
    if (draw() % 4) /* else of any size */
        bits = (bits & 0x800FFFFFFFFFFFFF) | (1010 + draw() % 90) << 52;
    return number_of(draw() % 50 ? bits : draw_number(bits));
}

/* Of integers C says what a cast gives; of numbers RISC-V says it, where C does not. */
START_TEST(conversions)
{
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t value = draw() >> draw() % 64, from = i < 100 ? (uint64_t)i - 50 : draw() % 2 ? 0 - value : value;
        ck_assert_uint_eq(number_of_integer(from, 1), bits_of((double)from));
        ck_assert_uint_eq(number_of_integer(from, 3), bits_of((double)(int64_t)from));
        same_float((uint32_t)number_of_integer(from, 0), (float)from, 0, 0, '=');
        same_float((uint32_t)number_of_integer(from, 2), (float)(int64_t)from, 0, 0, '=');
        double d = draw_convertible();
        bool nan = isnan(d);
        int64_t of_64 = nan || d >= 0x1p63 ? INT64_MAX : d < -0x1p63 ? INT64_MIN : (int64_t)d;
        int32_t of_32 = nan || d >= 0x1p31 ? INT32_MAX : d <= -0x1p31 - 1 ? INT32_MIN : (int32_t)d;
        uint64_t of_u64 = nan || d >= 0x1p64 ? UINT64_MAX : d <= 0 ? 0 : (uint64_t)d;
        uint32_t of_u32 = nan || d >= 0x1p32 ? UINT32_MAX : d <= 0 ? 0 : (uint32_t)d;
        ck_assert_msg(integer_of_double(bits_of(d), 64 | 256) == (uint64_t)of_64, "%a", d);
        ck_assert_msg((uint32_t)integer_of_double(bits_of(d), 32 | 256) == (uint32_t)of_32, "%a", d);
        ck_assert_msg(integer_of_double(bits_of(d), 64) == of_u64, "%a", d);
        ck_assert_msg((uint32_t)integer_of_double(bits_of(d), 32) == of_u32, "%a", d);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arithmetic");
    TCase *tests = tcase_create("arithmetic");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, doubles);
    tcase_add_test(tests, floats);
    tcase_add_test(tests, wide);
    tcase_add_test(tests, conversions);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
