/* A machine whose data are big endian, instruction by instruction: the bytes in memory and the numbers in registers are
 * written down here, as the manual has them. Both engines, where both have the instruction. */
#include <string.h>

#include "check_main.h"
#include "machine/machine.h"

enum { ROM = 0x1000, RAM = 0x20000, DEVICE = 0x10000000, SIZE = 0x1000, A0 = 10, A1 = 11, A2 = 12, A3 = 13 };

/* Instructions, as the assembler gives them. */
enum {
    LB_A0_1 = 0x00158503,  /* lb a0, 1(a1) */
    LH_A0_1 = 0x00159503,  /* lh a0, 1(a1) */
    LHU_A0_0 = 0x0005D503, /* lhu a0, 0(a1) */
    LW_A0_0 = 0x0005A503,  /* lw a0, 0(a1) */
    LW_A0_3 = 0x0035A503,  /* lw a0, 3(a1) */
    SW_A3_0 = 0x00D5A023,  /* sw a3, 0(a1) */
    SW_A3_3 = 0x00D5A1A3,  /* sw a3, 3(a1) */
    SH_A3_3 = 0x00D591A3,  /* sh a3, 3(a1) */
    LR = 0x1005A52F,       /* lr.w a0, (a1) */
    SC = 0x18D5A62F,       /* sc.w a2, a3, (a1) */
    AMOADD = 0x00D5A52F,   /* amoadd.w a0, a3, (a1) */
    AMOSWAP = 0x08D5A52F,  /* amoswap.w a0, a3, (a1) */
    AMOMAX = 0xA0D5A52F,   /* amomax.w a0, a3, (a1) */
    FLD_FA0 = 0x0005B507,  /* fld fa0, 0(a1) */
    FSD_FA0 = 0x00A5B427,  /* fsd fa0, 8(a1) */
    FLW_FA1 = 0x0005A587,  /* flw fa1, 0(a1) */
    FSW_FA0 = 0x00A5A827,  /* fsw fa0, 16(a1) */
};

typedef struct world {
    es_machine *machine;
    es_machine_access told[4];
    unsigned count;
    uint32_t written[4], write_count;
} world;

static world it;

static bool outside_read(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown)
{
    (void)context;
    *value = 0x44332211u >> 8 * (address & 3) & (size == 4 ? UINT32_MAX : (1u << 8 * size) - 1);
    *unknown = 0;
    return true;
}

static void outside_write(void *context, uint32_t address, unsigned size, uint32_t value, uint32_t unknown)
{
    (void)context, (void)address, (void)size, (void)unknown;
    it.written[it.write_count++ & 3] = value;
}

static void told_access(void *context, const es_machine_access *access)
{
    (void)context;
    if (access->kind != ES_KIND_FETCH)
        it.told[it.count++ & 3] = *access;
}

/* number: of the loop: 0 the fast engine, 1 the precise one, which tells. */
static void start(int number, bool misaligned)
{
    static const es_machine_listener listener = {.access = told_access};
    const es_machine_options options = {.isa = es_isa_of_simulated_target(),
                                        .reset_pc = ROM,
                                        .known_at_reset = true,
                                        .misaligned = misaligned,
                                        .big_endian = true,
                                        .outside = {outside_read, outside_write, NULL, NULL}};
    it = (world){.machine = es_machine_new(&options, NULL)};
    ck_assert_ptr_nonnull(it.machine);
    ck_assert(es_machine_big_endian(it.machine));
    ck_assert(es_machine_region(it.machine, ROM, SIZE, false, NULL));
    ck_assert(es_machine_region(it.machine, RAM, SIZE, true, NULL));
    ck_assert(es_machine_set_control(it.machine, 0x300, 0x3800, 0)); /* floating point is on */
    if (number)
        es_machine_listen(it.machine, &listener);
}

static void set(unsigned reg, uint32_t value, uint32_t unknown)
{
    es_machine_registers registers;
    es_machine_get(it.machine, &registers);
    registers.x[reg] = value;
    registers.x_unknown[reg] = unknown;
    es_machine_set(it.machine, &registers);
}

static es_machine_registers registers(void)
{
    es_machine_registers r;
    es_machine_get(it.machine, &r);
    return r;
}

static void memory(const char *bytes, uint32_t size)
{
    ck_assert(es_machine_poke(it.machine, RAM, (const uint8_t *)bytes, NULL, size));
}

static void has(uint32_t offset, const char *wanted, uint32_t size)
{
    uint8_t bytes[16], unknown[16];
    ck_assert(es_machine_peek(it.machine, RAM + offset, bytes, unknown, size));
    for (uint32_t i = 0; i < size; i++)
        ck_assert_msg(bytes[i] == (uint8_t)wanted[i] && !unknown[i], "byte %u is 0x%02x, not 0x%02x", offset + i,
                      bytes[i], (uint8_t)wanted[i]);
}

/* Executes one; instructions are little endian. */
static void execute(uint32_t word, uint32_t base)
{
    const uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    es_machine_registers r = registers();
    r.pc = ROM;
    r.x[A1] = base;
    es_machine_set(it.machine, &r);
    ck_assert(es_machine_poke(it.machine, ROM, bytes, NULL, 4));
    it.count = it.write_count = 0;
    enum es_machine_stop stop = es_machine_run(it.machine, es_machine_fetches(it.machine) + 1);
    ck_assert_msg(stop == ES_MACHINE_UNTIL, "0x%08x: %s", word, es_machine_reason(it.machine));
}

static void gives(uint32_t word, uint32_t base, uint32_t value)
{
    execute(word, base);
    ck_assert_msg(registers().x[A0] == value, "0x%08x gives 0x%08x, not 0x%08x", word, registers().x[A0], value);
}

START_TEST(loads_and_stores)
{
    start(_i, false);
    memory("\x81\x22\x33\x44", 4);
    gives(LW_A0_0, RAM, 0x81223344);
    gives(LHU_A0_0, RAM, 0x8122);
    gives(LHU_A0_0, RAM + 2, 0x3344);
    gives(LH_A0_1, RAM - 1, 0xFFFF8122);
    gives(LB_A0_1, RAM - 1, 0xFFFFFF81);
    if (_i) {
        execute(LHU_A0_0, RAM + 2);
        ck_assert(it.told[0].lanes == 12 && it.told[0].data == 0x44330000); /* as the bus has them */
    }
    set(A3, 0x11223344, 0);
    execute(SW_A3_0, RAM + 4);
    execute(SH_A3_3, RAM + 5);
    has(4, "\x11\x22\x33\x44\x33\x44", 6);
    execute(SW_A3_0, DEVICE);
    ck_assert_uint_eq(it.written[0], 0x44332211);
    gives(LW_A0_0, DEVICE, 0x11223344);
    gives(LHU_A0_0, DEVICE + 2, 0x3344);
    es_machine_free(it.machine);
}
END_TEST

START_TEST(misaligned)
{
    start(_i, true);
    memory("\x01\x02\x03\x04\x05\x06\x07\x08", 8);
    gives(LW_A0_3, RAM, 0x04050607);
    gives(LH_A0_1, RAM + 2, 0x0405);
    set(A3, 0x11223344, 0);
    execute(SW_A3_3, RAM);
    has(0, "\x01\x02\x03\x11\x22\x33\x44\x08", 8);
    execute(SH_A3_3, RAM + 4);
    has(6, "\x44\x33\x44", 3);
    gives(LW_A0_3, DEVICE, 0x44112233); /* its last byte, then the next word's first three */
    es_machine_free(it.machine);
}
END_TEST

/* What is not known of a number is not known of its bytes in memory, and the other way. */
START_TEST(unknown_bits)
{
    uint8_t bytes[4], unknown[4];
    start(_i, false);
    memory("\0\0\0\0", 4);
    ck_assert(es_machine_poke(it.machine, RAM + 4, (const uint8_t *)"\1\2\3\4", (const uint8_t *)"\0\xF0\0\0", 4));
    execute(LW_A0_0, RAM + 4);
    ck_assert(registers().x[A0] == 0x01020304 && registers().x_unknown[A0] == 0x00F00000);
    execute(LHU_A0_0, RAM + 4);
    ck_assert(registers().x[A0] == 0x0102 && registers().x_unknown[A0] == 0xF0);
    set(A3, 0x11220000, 0x0000000F);
    execute(SW_A3_0, RAM);
    ck_assert(es_machine_peek(it.machine, RAM, bytes, unknown, 4));
    ck_assert(bytes[0] == 0x11 && bytes[1] == 0x22 && !unknown[0] && !unknown[2] && unknown[3] == 0x0F);
    es_machine_free(it.machine);
}
END_TEST

START_TEST(atomics)
{
    start(_i, false);
    memory("\x7F\xFF\xFF\xFE", 4);
    set(A3, 3, 0);
    gives(LR, RAM, 0x7FFFFFFE);
    execute(SC, RAM);
    ck_assert_uint_eq(registers().x[A2], 0);
    has(0, "\0\0\0\3", 4);
    gives(AMOADD, RAM, 3);
    has(0, "\0\0\0\6", 4);
    set(A3, 0x01020304, 0);
    gives(AMOSWAP, RAM, 6);
    has(0, "\1\2\3\4", 4);
    set(A3, 0xFF000000, 0);
    gives(AMOMAX, RAM, 0x01020304);
    has(0, "\1\2\3\4", 4);
    set(A3, 0x02000000, 0);
    gives(AMOMAX, RAM, 0x01020304);
    has(0, "\2\0\0\0", 4);
    es_machine_free(it.machine);
}
END_TEST

START_TEST(floats)
{
    start(_i, false);
    memory("\x3F\xF8\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0", 20); /* 1.5, and a little */
    execute(FLD_FA0, RAM);
    ck_assert_uint_eq(registers().f[10], 0x3FF8000000000001u);
    if (_i)
        ck_assert(it.count == 2 && it.told[0].address == RAM && it.told[0].data == 0x0000F83F);
    execute(FSD_FA0, RAM);
    has(8, "\x3F\xF8\0\0\0\0\0\1", 8);
    execute(FLW_FA1, RAM);
    ck_assert_uint_eq(registers().f[11], 0xFFFFFFFF3FF80000u);
    execute(FSW_FA0, RAM);
    has(16, "\0\0\0\1", 4);
    es_machine_free(it.machine);
}
END_TEST

/* mstatush says it, or nothing: which, the processor decides. */
START_TEST(status)
{
    uint32_t value, unknown;
    start(_i, false);
    ck_assert(es_machine_control(it.machine, 0x310, &value, &unknown));
    ck_assert(value == 0 && unknown == 0x30);
    es_machine_free(it.machine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("orders");
    TCase *tests = tcase_create("orders");
    tcase_add_loop_test(tests, loads_and_stores, 0, 2);
    tcase_add_loop_test(tests, misaligned, 0, 2);
    tcase_add_loop_test(tests, unknown_bits, 0, 2);
    tcase_add_loop_test(tests, atomics, 0, 2);
    tcase_add_loop_test(tests, floats, 0, 2);
    tcase_add_loop_test(tests, status, 0, 1);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
