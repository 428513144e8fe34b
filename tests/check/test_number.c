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

static uint32_t computed(es_insn_op op, uint32_t a, uint32_t b)
{
    switch (op) {
    case ES_ALU_ADD: return a + b;
    case ES_ALU_SUBTRACT: return a - b;
    case ES_ALU_MULTIPLY: return a * b;
    case ES_ALU_SHIFT_LEFT: return a << (b & 31);
    case ES_ALU_SHIFT_RIGHT: return a >> (b & 31);
    case ES_ALU_SHIFT_ARITHMETIC: return (uint32_t)((int32_t)a >> (b & 31));
    case ES_ALU_LESS: return (int32_t)a < (int32_t)b;
    case ES_ALU_LESS_UNSIGNED: return a < b;
    case ES_ALU_XOR: return a ^ b;
    case ES_ALU_OR: return a | b;
    default: return a & b;
    }
}

static bool goes(es_insn_condition condition, uint32_t a, uint32_t b)
{
    switch (condition) {
    case ES_IF_EQUAL: return a == b;
    case ES_IF_NOT_EQUAL: return a != b;
    case ES_IF_LESS: return (int32_t)a < (int32_t)b;
    case ES_IF_NOT_LESS: return (int32_t)a >= (int32_t)b;
    case ES_IF_LESS_UNSIGNED: return a < b;
    default: return a >= b;
    }
}

static void new_bases(void)
{
    for (unsigned i = 1; i < BASES; i++)
        bases[i] = draw(2) ? 0x20000 + draw(4096) : (uint32_t)some_number();
}

START_TEST(instructions)
{
    static const es_insn_op ops[] = {
        ES_ALU_ADD,
        ES_ALU_ADD,
        ES_ALU_SUBTRACT,
        ES_ALU_MULTIPLY,
        ES_ALU_SHIFT_LEFT,
        ES_ALU_SHIFT_RIGHT,
        ES_ALU_SHIFT_ARITHMETIC,
        ES_ALU_AND,
        ES_ALU_OR,
        ES_ALU_XOR,
        ES_ALU_LESS,
        ES_ALU_LESS_UNSIGNED,
    };
    unsigned exact = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        new_bases();
        number a = some_range(), b = some_range();
        es_insn_op op = ops[draw(sizeof ops / sizeof *ops)];
        number result = es_number_compute(op, a, b);
        uint32_t x = one_of(a), y = one_of(b), word = computed(op, x, y);
        ck_assert_msg(has(result, word), "operation %d: 0x%08x of 0x%08x, 0x%08x is not in %d to %d from %u", (int)op,
                      word, x, y, result.low, result.high, result.base);
        exact += !es_number_is_any(result);
        number joined = es_number_join(a, b);
        ck_assert(has(joined, x) && has(joined, y));
    }
    ck_assert_msg(exact > ROUNDS / 3, "%u of %u are known", exact, (unsigned)ROUNDS);
}
END_TEST

START_TEST(branches)
{
    unsigned decided = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        new_bases();
        number a = some_range(),
               b = draw(3) ? some_range()
                           : es_number_range((int64_t)a.low + draw(9) - 4, (int64_t)a.high + draw(9), a.base);
        b = b.low > b.high ? a : b;
        es_insn_condition condition = (es_insn_condition)draw(6);
        uint32_t x = one_of(a), y = one_of(b);
        enum number_truth is = es_number_branch(condition, a, b);
        bool taken = goes(condition, x, y);
        ck_assert_msg(is == NUMBER_PERHAPS || (is == NUMBER_TRUE) == taken, "condition %d of 0x%08x, 0x%08x",
                      (int)condition, x, y);
        decided += is != NUMBER_PERHAPS;
        ck_assert_msg(es_number_refine(condition, taken, &a, &b) && has(a, x) && has(b, y),
                      "condition %d, %d, of 0x%08x, 0x%08x", (int)condition, taken, x, y);
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
