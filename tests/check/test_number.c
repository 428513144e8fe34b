/* Ranges of numbers against the numbers in them: whatever instructions make of some, is in the range that is said. */
#include "check/target/number.h"
#include "check_main.h"

enum { ROUNDS = 200000, BASES = 3 };

static uint32_t seed = 1;
static uint32_t bases[BASES]; /* what they stand for; base 0 for nothing */

static uint32_t draw(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % below;
}

static int32_t some_number(void)
{
    static const int32_t near[] = {0, 0, 1, -1, 7, 100, 255, 256, -128, 32767, INT32_MAX, INT32_MIN};
    return draw(3) ? near[draw(sizeof near / sizeof *near)] : (int32_t)(draw(0xFFFF) << 16 | draw(0xFFFF));
}

static number some_range(void)
{
    int64_t low = some_number(), high = draw(2) ? low : low + draw(300);
    return es_number_range(low, high, (uint8_t)(draw(3) ? 0 : draw(BASES)));
}

static uint32_t one_of(number n)
{
    uint64_t span = (uint64_t)((int64_t)n.high - n.low) + 1;
    uint32_t at = draw(4) == 0   ? 0
                  : draw(3) == 0 ? (uint32_t)(span - 1)
                                 : (uint32_t)(((uint64_t)draw(0xFFFF) << 16 | draw(0xFFFF)) % span);
    return bases[n.base] + (uint32_t)n.low + at;
}

static bool has(number n, uint32_t word)
{
    int32_t offset = (int32_t)(word - bases[n.base]);
    return offset >= n.low && offset <= n.high;
}

static uint32_t computed(uint32_t insn, uint32_t a, uint32_t b)
{
    bool immediate = !(insn & 0x20);
    if (!immediate && (insn >> 25 & 1))
        return a * b;
    switch (insn >> 12 & 7) {
    case 0: return !immediate && (insn >> 30 & 1) ? a - b : a + b;
    case 1: return a << (b & 31);
    case 2: return (int32_t)a < (int32_t)b;
    case 3: return a < b;
    case 4: return a ^ b;
    case 5: return insn >> 30 & 1 ? (uint32_t)((int32_t)a >> (b & 31)) : a >> (b & 31);
    case 6: return a | b;
    default: return a & b;
    }
}

static bool goes(unsigned funct3, uint32_t a, uint32_t b)
{
    bool is = funct3 < 2 ? a == b : (funct3 & 6) == 4 ? (int32_t)a < (int32_t)b : a < b;
    return is == !(funct3 & 1);
}

static void new_bases(void)
{
    for (unsigned i = 1; i < BASES; i++)
        bases[i] = draw(2) ? 0x20000 + draw(4096) : (uint32_t)some_number();
}

START_TEST(instructions)
{
    unsigned exact = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        new_bases();
        number a = some_range(), b = some_range();
        unsigned funct3 = draw(8);
        uint32_t insn = (draw(2) ? 0x33 : 0x13) | funct3 << 12;
        if ((funct3 == 0 || funct3 == 5) && draw(2))
            insn |= UINT32_C(1) << 30;
        else if (funct3 == 0 && insn & 0x20 && draw(2))
            insn |= UINT32_C(1) << 25;
        number result = es_number_compute(insn, a, b);
        uint32_t x = one_of(a), y = one_of(b), word = computed(insn, x, y);
        ck_assert_msg(has(result, word), "0x%08x: 0x%08x of 0x%08x, 0x%08x is not in %d to %d from %u", insn, word, x,
                      y, result.low, result.high, result.base);
        exact += !es_number_is_any(result);
        number joined = es_number_join(a, b);
        ck_assert(has(joined, x) && has(joined, y));
    }
    ck_assert_msg(exact > ROUNDS / 3, "%u of %u are known", exact, (unsigned)ROUNDS);
}
END_TEST

START_TEST(branches)
{
    static const unsigned kinds[] = {0, 1, 4, 5, 6, 7};
    unsigned decided = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        new_bases();
        number a = some_range(),
               b = draw(3) ? some_range()
                           : es_number_range((int64_t)a.low + draw(9) - 4, (int64_t)a.high + draw(9), a.base);
        b = b.low > b.high ? a : b;
        unsigned funct3 = kinds[draw(6)];
        uint32_t x = one_of(a), y = one_of(b);
        enum number_truth is = es_number_branch(funct3, a, b);
        bool taken = goes(funct3, x, y);
        ck_assert_msg(is == NUMBER_PERHAPS || (is == NUMBER_TRUE) == taken, "kind %u of 0x%08x, 0x%08x", funct3, x, y);
        decided += is != NUMBER_PERHAPS;
        ck_assert_msg(es_number_refine(funct3, taken, &a, &b) && has(a, x) && has(b, y),
                      "kind %u, %d, of 0x%08x, 0x%08x", funct3, taken, x, y);
    }
    ck_assert_msg(decided > ROUNDS / 3, "%u of %u are decided", decided, (unsigned)ROUNDS);
}
END_TEST

START_TEST(memory)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        new_bases();
        number n = some_range();
        unsigned bytes = 1u << draw(3);
        bool is_signed = draw(2);
        uint32_t word = one_of(n), mask = bytes == 4 ? UINT32_MAX : (UINT32_C(1) << 8 * bytes) - 1, kept = word & mask;
        number stored = es_number_stored(n, bytes), loaded = es_number_loaded(stored, bytes, is_signed);
        ck_assert(has(stored, kept));
        bool minus = is_signed && bytes < 4 && kept >> (8 * bytes - 1);
        ck_assert(has(loaded, minus ? kept | ~mask : kept));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("number");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, instructions);
    tcase_add_test(all, branches);
    tcase_add_test(all, memory);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
