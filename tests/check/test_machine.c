/* Worst-case clocks against runs of an independent model of the core: never less than any run, and exactly the longest
 * way where every way can be gone. */
#include <string.h>

#include "check/firmware/machine.h"
#include "check_main.h"
#include "cpu_cycles.h"
#include "rv32_model.h"

enum { CODE = 0x100, RAM = 0x1000, TABLE = 0x2000, STACK = 0x3000, STACK_SIZE = 256, SIZE = 0x4000, END = 0xF00 };

static uint32_t seed;

static uint32_t draw(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % below;
}

/* --- code --------------------------------------------------------------------------------------------------- */

static uint8_t memory[SIZE];
static uint32_t at;

static void put(uint32_t word)
{
    memcpy(memory + at, &word, 4);
    at += 4;
}

static uint32_t immediate(int32_t value)
{
    return (uint32_t)value << 20;
}

static void addi(unsigned rd, unsigned rs1, int32_t value)
{
    put(immediate(value) | rs1 << 15 | rd << 7 | 0x13);
}
static void lw(unsigned rd, unsigned rs1, int32_t value)
{
    put(immediate(value) | rs1 << 15 | 2u << 12 | rd << 7 | 0x03);
}

static void sw(unsigned rs2, unsigned rs1, int32_t value)
{
    put(((uint32_t)value >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | 2u << 12 | ((uint32_t)value & 31) << 7 | 0x23);
}

static uint32_t branch_word(unsigned funct3, unsigned rs1, unsigned rs2, int32_t offset)
{
    uint32_t o = (uint32_t)offset;
    return (o >> 12 & 1) << 31 | (o >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (o >> 1 & 15) << 8 |
           (o >> 11 & 1) << 7 | 0x63;
}

static uint32_t jal_word(unsigned rd, int32_t offset)
{
    uint32_t o = (uint32_t)offset;
    return (o >> 20 & 1) << 31 | (o >> 1 & 0x3FF) << 21 | (o >> 11 & 1) << 20 | (o >> 12 & 0xFF) << 12 | rd << 7 | 0x6F;
}

static void start(void)
{
    memset(memory, 0, sizeof memory);
    at = CODE;
}

static void finish(void)
{
    put(jal_word(0, END - (int32_t)at));
}

static const es_check_fact *facts;
static size_t fact_count, *budget;
static es_check_functions *functions;
static uint32_t split_at, never;

static bool worst_with(const es_check_live *live, uint32_t *clocks, es_error *err)
{
    es_check_machine machine = {.memory = memory,
                                .size = SIZE,
                                .constant = TABLE,
                                .constant_end = TABLE + 0x400,
                                .stack = STACK,
                                .stack_end = STACK + STACK_SIZE,
                                .facts = facts,
                                .fact_count = fact_count,
                                .live = live,
                                .budget = budget,
                                .functions = functions,
                                .split_at = split_at,
                                .split_most = 5,
                                .never = {never},
                                .end = END};
    es_check_word regs[32] = {0};
    regs[2] = check_known(STACK + STACK_SIZE);
    regs[8] = check_known(RAM);
    regs[9] = check_known(TABLE);
    return es_check_machine_worst(&machine, CODE, regs, clocks, err);
}

static bool worst(uint32_t *clocks, es_error *err)
{
    return worst_with(NULL, clocks, err);
}

static uint32_t clocks_of(enum rv32_class c)
{
    static const uint32_t clocks[RV32_CLASSES] = {
        [RV32_ALU] = CYCLES_alu,   [RV32_SHIFT] = CYCLES_shift, [RV32_AUIPC] = CYCLES_auipc,
        [RV32_LOAD] = CYCLES_load, [RV32_STORE] = CYCLES_store, [RV32_BRANCH] = CYCLES_branch,
        [RV32_JAL] = CYCLES_jal,   [RV32_JALR] = CYCLES_jalr,
    };
    return clocks[c];
}

/* One run with random registers and RAM. */
static uint32_t run(void)
{
    static rv32 m;
    memcpy(m.mem, memory, SIZE);
    for (uint32_t i = RAM; i < RAM + 0x800; i++)
        m.mem[i] = (uint8_t)(draw(3) ? draw(256) : draw(2));
    rv32_reset(&m, CODE);
    for (unsigned i = 1; i < 32; i++)
        m.x[i] = draw(4) ? (draw(0x10000) << 16 | draw(0x10000)) : draw(3);
    m.x[2] = STACK + STACK_SIZE;
    m.x[8] = RAM;
    m.x[9] = TABLE;
    uint32_t clocks = 0, steps = 0;
    while (m.pc != END) {
        rv32_effect effect;
        rv32_step(&m, rv32_load_word(&m, m.pc), &effect);
        ck_assert(effect.insn != NULL && !effect.halt);
        clocks += clocks_of(effect.insn->class_);
        ck_assert(++steps < 100000);
    }
    return clocks;
}

/* --- tests -------------------------------------------------------------------------------------------------- */

START_TEST(straight_line)
{
    start();
    addi(5, 0, 1);
    lw(6, 8, 0);
    put(5u << 20 | 6u << 15 | 1u << 12 | 7u << 7 | 0x33); /* sll */
    finish();
    uint32_t clocks;
    ck_assert(worst(&clocks, NULL));
    ck_assert_uint_eq(clocks, CYCLES_alu + CYCLES_load + CYCLES_shift + CYCLES_jal);
}
END_TEST

START_TEST(both_arms_of_an_unknown_branch)
{
    start();
    lw(5, 8, 0);
    put(branch_word(0, 5, 0, 12)); /* beqz: over two loads */
    lw(6, 8, 0);
    lw(6, 8, 0);
    finish();
    uint32_t clocks;
    ck_assert(worst(&clocks, NULL));
    ck_assert_uint_eq(clocks, 3 * CYCLES_load + CYCLES_branch + CYCLES_jal);
}
END_TEST

START_TEST(a_table_ends_its_loop)
{
    start();
    uint32_t entries[] = {7, 9, 3, 0};
    memcpy(memory + TABLE, entries, sizeof entries);
    lw(5, 9, 0); /* until 0 */
    addi(9, 9, 4);
    put(branch_word(1, 5, 0, -8));
    finish();
    uint32_t clocks;
    ck_assert(worst(&clocks, NULL));
    ck_assert_uint_eq(clocks, 4 * (CYCLES_load + CYCLES_alu + CYCLES_branch) + CYCLES_jal);
}
END_TEST

START_TEST(a_loop_ends_by_a_fact)
{
    start();
    lw(5, 8, 0);
    addi(5, 5, -1);
    put(branch_word(1, 5, 0, -4));
    finish();
    uint32_t clocks;
    es_error err = {0};
    ck_assert(!worst(&clocks, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "0x0104 has no end"));
    es_check_fact fact = {.address = RAM, .word = check_known(5)};
    facts = &fact;
    fact_count = 1;
    ck_assert(worst(&clocks, &err));
    fact_count = 0;
    ck_assert_uint_eq(clocks, CYCLES_load + 5 * (CYCLES_alu + CYCLES_branch) + CYCLES_jal);
}
END_TEST

START_TEST(a_loop_ends_by_each_number)
{
    start();
    lw(5, 8, 0);
    put(branch_word(0, 5, 0, 12));
    addi(5, 5, -1);
    put(jal_word(0, -8));
    finish();
    uint32_t clocks;
    es_error err = {0};
    ck_assert(!worst(&clocks, &err));
    split_at = CODE;
    bool fine = worst(&clocks, &err);
    split_at = 0;
    ck_assert(fine);
    ck_assert_uint_eq(clocks, CYCLES_load + 6 * CYCLES_branch + 5 * (CYCLES_alu + CYCLES_jal) + CYCLES_jal);
}
END_TEST

START_TEST(no_way_leads_to_what_is_excluded)
{
    start();
    lw(5, 8, 0);
    put(branch_word(0, 5, 0, 12));
    put(branch_word(0, 5, 8, 0x40)); /* to what has no end */
    put(jal_word(0, -(int32_t)at));  /* to the reset */
    finish();
    at = CODE + 8 + 0x40;
    put(jal_word(0, 0));
    uint32_t clocks;
    es_error err = {0};
    ck_assert(!worst(&clocks, &err));
    never = CODE + 8 + 0x40;
    bool fine = worst(&clocks, &err);
    never = 0;
    ck_assert_msg(fine, "%s", err.text);
    ck_assert_uint_eq(clocks, CYCLES_load + 2 * CYCLES_branch);
}
END_TEST

START_TEST(endless_loops_and_wild_jumps_are_told)
{
    uint32_t clocks;
    es_error err = {0};
    start();
    put(jal_word(0, 0));
    ck_assert(!worst(&clocks, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "never ends"));
    start();
    lw(5, 8, 0);
    put(5u << 15 | 0x67);
    ck_assert(!worst(&clocks, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "not known"));
}
END_TEST

START_TEST(calls_return_through_the_stack)
{
    start();
    addi(2, 2, -16);
    sw(1, 2, 12);
    put(jal_word(1, 20)); /* to the callee */
    lw(1, 2, 12);
    addi(2, 2, 16);
    finish();
    addi(0, 0, 0);
    ck_assert_uint_eq(at, CODE + 28);
    addi(2, 2, -16); /* callee: spills ra and returns by what it loads back */
    sw(1, 2, 12);
    addi(1, 0, 0);
    lw(1, 2, 12);
    addi(2, 2, 16);
    put(1u << 15 | 0x67);
    uint32_t clocks;
    uint32_t call = jal_word(1, 20);
    memcpy(memory + CODE + 8, &call, 4);
    ck_assert(worst(&clocks, NULL));
    ck_assert_uint_eq(clocks, 5 * CYCLES_alu + 2 * CYCLES_store + 2 * CYCLES_load + 2 * CYCLES_jal + CYCLES_jalr);
}
END_TEST

/* Every branch looks at a word of its own that may be anything: the worst case is the longest way, no more. */
START_TEST(exact_where_all_ways_exist)
{
    for (unsigned round = 0; round < 300; round++) {
        seed = (uint32_t)_i * 1000 + round + 1;
        start();
        unsigned count = 5 + draw(25);
        uint32_t longest[64] = {0}, cost[32], target[32];
        for (unsigned i = 0; i < count; i++) { /* two words each: a load, then a branch or something else */
            lw(5, 8, (int32_t)(4 * i));
            bool branch = draw(2);
            unsigned ahead = 1 + draw(count - i);
            target[i] = branch ? i + ahead : i + 1;
            cost[i] = CYCLES_load + (branch ? CYCLES_branch : CYCLES_alu);
            if (branch)
                put(branch_word(draw(2), 5, 0, (int32_t)(8 * ahead - 4)));
            else
                addi(6, 5, 1);
        }
        finish();
        longest[count] = CYCLES_jal;
        for (unsigned i = count; i-- > 0;) {
            uint32_t a = longest[i + 1], b = longest[target[i]];
            longest[i] = cost[i] + (a > b ? a : b);
        }
        uint32_t clocks;
        ck_assert(worst(&clocks, NULL));
        ck_assert_msg(clocks == longest[0], "seed %u: %u clocks, the longest way takes %u", _i * 1000 + round + 1,
                      clocks, longest[0]);
    }
}
END_TEST

static void random_insn(unsigned left)
{
    static const uint8_t alu3[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const uint8_t branch3[] = {0, 1, 4, 5, 6, 7};
    unsigned rd = 10 + draw(8), rs1 = draw(3) ? 10 + draw(8) : 0, rs2 = 10 + draw(8);
    switch (draw(8)) {
    case 0: lw(rd, 8, (int32_t)(4 * draw(64))); break;
    case 1: lw(rd, 9, (int32_t)(4 * draw(64))); break;
    case 2: { /* lb, lh, lbu, lhu from the table or RAM */
        static const uint8_t widths[] = {0, 1, 4, 5};
        unsigned funct3 = widths[draw(4)];
        put(immediate((int32_t)(2 * draw(64))) | (8 + draw(2)) << 15 | funct3 << 12 | rd << 7 | 0x03);
        break;
    }
    case 3: sw(rs2, 2, -4 * (int32_t)(1 + draw(16))); break;
    case 4: lw(rd, 2, -4 * (int32_t)(1 + draw(16))); break;
    case 5: {
        unsigned ahead = 1 + draw(left ? left : 1);
        put(branch_word(branch3[draw(6)], rs1, draw(2) ? rs2 : 0, (int32_t)(4 * ahead)));
        break;
    }
    case 6: {
        unsigned funct3 = alu3[draw(8)];
        uint32_t seven = (funct3 == 0 || funct3 == 5) && draw(2) ? 0x40000000u : 0;
        put(seven | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x33);
        break;
    }
    default: {
        unsigned funct3 = alu3[draw(8)];
        int32_t value = funct3 == 1 || funct3 == 5 ? (int32_t)draw(32) : (int32_t)draw(64) - 16;
        put(immediate(value) | (funct3 == 5 && draw(2) ? 0x40000000u : 0) | rs1 << 15 | funct3 << 12 | rd << 7 | 0x13);
        break;
    }
    }
}

START_TEST(never_less_than_a_run)
{
    uint32_t tight = 0, rounds = 150;
    for (unsigned round = 0; round < rounds; round++) {
        uint32_t own = (uint32_t)_i * 100000 + round + 1;
        seed = own;
        start();
        for (uint32_t i = 0; i < 0x400; i++)
            memory[TABLE + i] = (uint8_t)draw(256);
        for (unsigned left = 10 + draw(30); left-- > 0;)
            random_insn(left);
        finish();
        uint32_t clocks, most = 0;
        es_error err = {0};
        ck_assert_msg(worst(&clocks, &err), "seed %u: %s", own, err.text);
        for (unsigned i = 0; i < 60; i++) {
            uint32_t took = run();
            most = took > most ? took : most;
        }
        ck_assert_msg(most <= clocks, "seed %u: %u clocks in a run, at most %u said", own, most, clocks);
        tight += most == clocks;
        es_arena *arena = es_arena_new();
        uint32_t again;
        ck_assert_msg(worst_with(es_check_live_find(arena, es_check_code(arena, memory, TABLE + 0x400), TABLE + 0x400),
                                 &again, &err),
                      "seed %u: %s", own, err.text);
        ck_assert_msg(again == clocks, "seed %u: %u clocks, %u when what is dead is forgotten", own, clocks, again);
        es_arena_free(arena);
    }
    ck_assert_msg(tight > rounds / 2, "only %u of %u are tight", tight, rounds);
}
END_TEST

/* Twenty times one of two ways, which leave another number in a register and on the stack each: a million states, but
 * that nobody reads the numbers. */
START_TEST(ways_come_together)
{
    start();
    addi(2, 2, -16);
    for (int i = 0; i < 20; i++) {
        lw(5, 8, 4 * i);
        put(branch_word(0, 5, 0, 12));
        addi(10, 10, i + 1);
        sw(10, 2, 4);
        addi(10, 0, 1);
    }
    lw(11, 2, 8);
    addi(2, 2, 16);
    finish();
    size_t states = 100;
    uint32_t clocks;
    es_error err = {0};
    es_arena *arena = es_arena_new();
    budget = &states;
    ck_assert_msg(worst_with(es_check_live_find(arena, es_check_code(arena, memory, TABLE + 0x400), TABLE + 0x400),
                             &clocks, &err),
                  "%s", err.text);
    ck_assert_uint_eq(clocks, 20 * (CYCLES_load + CYCLES_branch + 2 * CYCLES_alu + CYCLES_store) + 2 * CYCLES_alu +
                                  CYCLES_load + CYCLES_jal);
    states = 100;
    ck_assert(!worst(&clocks, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "too many execution paths"));
    budget = NULL;
    es_arena_free(arena);
}
END_TEST

/* A function is looked at once, and has to leave s0 as its caller had it. */
START_TEST(functions_keep_registers)
{
    for (int changes = 0; changes < 2; changes++) {
        start();
        put(jal_word(1, 0x40));
        put(jal_word(1, 0x3C));
        finish();
        at = CODE + 0x40;
        addi(2, 2, -16);
        sw(8, 2, 12);
        lw(8, 9, 0);
        if (!changes)
            lw(8, 2, 12);
        addi(2, 2, 16);
        put(1u << 15 | 0x67);
        es_arena *arena = es_arena_new();
        es_check_functions known = {.addresses = {CODE + 0x40}, .arena = arena};
        functions = &known;
        uint32_t clocks;
        es_error err = {0};
        if (changes) {
            ck_assert(!worst(&clocks, &err));
            ck_assert_ptr_nonnull(strstr(err.text, "s0"));
        } else {
            ck_assert_msg(worst(&clocks, &err), "%s", err.text);
            ck_assert_uint_eq(clocks, 2 * (CYCLES_jal + 2 * CYCLES_alu + CYCLES_store + 2 * CYCLES_load + CYCLES_jalr) +
                                          CYCLES_jal);
            ck_assert_uint_eq(known.call_count, 1);
        }
        functions = NULL;
        es_arena_free(arena);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("machine");
    TCase *plain = tcase_create("plain");
    tcase_set_timeout(plain, 120);
    tcase_add_test(plain, straight_line);
    tcase_add_test(plain, both_arms_of_an_unknown_branch);
    tcase_add_test(plain, a_table_ends_its_loop);
    tcase_add_test(plain, a_loop_ends_by_a_fact);
    tcase_add_test(plain, a_loop_ends_by_each_number);
    tcase_add_test(plain, no_way_leads_to_what_is_excluded);
    tcase_add_test(plain, endless_loops_and_wild_jumps_are_told);
    tcase_add_test(plain, calls_return_through_the_stack);
    tcase_add_test(plain, functions_keep_registers);
    tcase_add_test(plain, ways_come_together);
    tcase_add_loop_test(plain, exact_where_all_ways_exist, 0, 4);
    tcase_add_loop_test(plain, never_less_than_a_run, 0, 4);
    suite_add_tcase(suite, plain);
    return check_main(suite);
}
