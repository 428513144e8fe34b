/* What an instruction of floating point computes with (es_isa.operands), against the machine that executes it: a change of any
 * other register changes nothing of the result, and of each one that is named a change is seen sooner or later. */
#include <string.h>

#include "check_main.h"
#include "draw.h"
#include "isa/rv32/rv32.h"
#include "machine/machine.h"

enum { ROM = 0x1000, SIZE = 0x1000, MSTATUS = 0x300, FCSR = 3, FS = 0x6000, WORDS = 3000, CHANGES = 24, OPS = 4096 };

typedef struct result {
    uint64_t f[32];
    uint32_t x[32];
} result;

static es_machine *machine;

static void run(es_machine_registers *r, uint32_t word, result *out, bool *executed)
{
    uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    es_machine_reset(machine);
    r->pc = ROM;
    es_machine_set(machine, r);
    ck_assert(es_machine_set_control(machine, MSTATUS, FS, 0) && es_machine_set_control(machine, FCSR, 0, 0));
    ck_assert(es_machine_poke(machine, ROM, bytes, NULL, 4));
    es_machine_registers after;
    enum es_machine_stop stop = es_machine_run(machine, 1);
    es_machine_get(machine, &after);
    *executed = stop == ES_MACHINE_UNTIL && after.pc == ROM + 4;
    memcpy(out->f, after.f, sizeof out->f);
    memcpy(out->x, after.x, sizeof out->x);
}

static uint32_t some(void)
{
    static const uint32_t numbers[] = {0x3F800000, 0x40490FDB, 0xC2280000, 0x7F800000, 0x00000001, 0x42F6E979, 0, 3};
    return draw(2) ? draw(UINT32_MAX) : numbers[draw(8)];
}

static void change(es_machine_registers *r, unsigned reg, bool single)
{
    if (reg < 32)
        r->x[reg] = reg ? some() : 0;
    else
        r->f[reg - 32] = (single ? UINT64_C(0xFFFFFFFF00000000) : (uint64_t)some() << 32) | some();
}

/* Of the registers that both runs may have changed by themselves, the destination's is compared. */
static bool same_made(const result *a, const result *b, uint32_t word, unsigned changed, bool inside)
{
    unsigned rd = word >> 7 & 31;
    if (inside && rd && rd < 31 && changed != rd + 1 && a->x[rd + 1] != b->x[rd + 1]) /* a pair */
        return false;
    if (changed != ES_INSN_FOREIGN + rd && a->f[rd] != b->f[rd])
        return false;
    return changed == rd || a->x[rd] == b->x[rd];
}

static void check_set(const char *arch, unsigned (*operands)(const uint8_t *, size_t, uint8_t *), bool inside)
{
    static uint8_t seen[OPS], named[OPS]; /* by operation and operand */
    es_error err = {0};
    const es_machine_options options = {.isa = es_isa_of_simulated_target(), .arch = arch, .reset_pc = ROM};
    unsigned executed = 0;
    memset(seen, 0, sizeof seen);
    memset(named, 0, sizeof named);
    machine = es_machine_new(&options, &err);
    ck_assert_msg(machine && es_machine_region(machine, ROM, SIZE, false, &err), "%s", err.text);
    draw_seed = 7;
    for (unsigned i = 0; i < WORDS; i++) {
        static const uint8_t opcodes[] = {0x43, 0x47, 0x4B, 0x4F, 0x53, 0x53, 0x53, 0x53};
        static const uint8_t functions[] = {0, 1, 2, 3, 4, 5, 8, 11, 20, 24, 26, 28, 30};
        uint32_t word = (draw(UINT32_MAX) & 0x01FF0F80u) | opcodes[draw(8)];
        bool wide = draw(2), plain, single;
        word |= (uint32_t)(word & 0x10 ? functions[draw(13)] : draw(32)) << 27 | (uint32_t)wide << 25 | draw(3) << 12;
        if (word & 0x10 && word >> 27 >= 8 && word >> 27 != 20) /* what is no second operand */
            word &= ~(30u << 20);
        if (inside)
            word &= ~(1u << 7 | 1u << 15 | 1u << 20 | 1u << 27);
        const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
        uint8_t of[ES_ISA_OPERANDS];
        unsigned count = operands(bytes, sizeof bytes, of);
        es_machine_registers r = {.pc = ROM};
        result first, other;
        single = (word & 0x7C) == 0x50 && word >> 27 == 8 ? wide : !wide; /* conversions between both take the other */
        for (unsigned reg = 1; reg < 64; reg++)
            change(&r, reg, single);
        run(&r, word, &first, &plain);
        ck_assert_msg(plain == (count > 0), "0x%08x: %u operands, and is%s executed", word, count, plain ? "" : " not");
        executed += plain;
        for (unsigned k = 0; plain && k < CHANGES; k++) {
            unsigned reg = k < count ? of[k] : 1 + draw(63), which = k < count ? k : ES_ISA_OPERANDS;
            es_machine_registers changed = r;
            bool is_operand = false;
            for (unsigned n = 0; n < count; n++)
                is_operand |= of[n] == reg;
            change(&changed, reg, single);
            run(&changed, word, &other, &plain);
            unsigned op = (word >> 2 & 31) == 0x14 ? 32 + (word >> 27) * 8 + (word >> 12 & 7) : word >> 2 & 31;
            bool same = same_made(&first, &other, word, reg, inside);
            ck_assert_msg(is_operand || same, "0x%08x: register %u is not named, and changes the result", word, reg);
            if (which < ES_ISA_OPERANDS) {
                named[op * ES_ISA_OPERANDS + which] = 1;
                seen[op * ES_ISA_OPERANDS + which] |= !same;
            }
        }
    }
    ck_assert_uint_gt(executed, WORDS / 4);
    for (unsigned i = 0; i < OPS; i++) /* in pairs, the lower half of a sign's operand is named, too */
        ck_assert_msg(!named[i] || seen[i] || inside, "operand %u of operation %u has changed nothing",
                      i % ES_ISA_OPERANDS, i / ES_ISA_OPERANDS);
    es_machine_free(machine);
}

START_TEST(separate)
{
    check_set("rv32imafdc_zicsr", es_rv32_operands, false);
}
END_TEST

START_TEST(in_integers)
{
    check_set("rv32ima_zicsr_zfinx_zdinx", es_rv32_operands_zfinx, true);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("operands");
    TCase *tests = tcase_create("operands");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, separate);
    tcase_add_test(tests, in_integers);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
