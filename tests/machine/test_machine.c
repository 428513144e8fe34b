/* What machine.h promises, one by one. */
#include <string.h>

#include "check_main.h"
#include "machine/machine.h"

enum {
    ROM = 0x1000,
    RAM = 0x20000,
    DEVICE = 0x10000000,
    SIZE = 0x1000,
    A0 = 10,
    A1 = 11,
    MSTATUS = 0x300,
    MTVEC = 0x305
};
enum { MEPC = 0x341, MCAUSE = 0x342 };

/* Instructions, as the assembler gives them. */
enum {
    NOP = 0x00000013,
    ADDI_A0_1 = 0x00150513,  /* addi a0, a0, 1 */
    ADDI_A0_16 = 0x01050513, /* addi a0, a0, 16 */
    LW_A0_A1 = 0x0005A503,   /* lw a0, 0(a1) */
    SW_A0_A1 = 0x00A5A023,   /* sw a0, 0(a1) */
    SB_A0_A1_1 = 0x00A580A3, /* sb a0, 1(a1) */
    BEQ_A0_8 = 0x00050463,   /* beqz a0, 8 */
    BACK = 0xFFDFF06F,       /* j -4 */
    RDCYCLE_A0 = 0xB0002573, /* csrr a0, mcycle */
    WFI = 0x10500073,
    ECALL = 0x00000073,
    MRET = 0x30200073,
};

/* What outside knows, and what the machine has told. */
typedef struct world {
    es_machine *machine;
    bool here;
    uint32_t value, unknown, written, last_pc, traps;
    char told[64];
    es_machine_access last;
} world;

static world it;

static bool outside_read(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown)
{
    (void)context, (void)address, (void)size;
    *value = it.value;
    *unknown = it.unknown;
    return it.here;
}

static void outside_write(void *context, uint32_t address, unsigned size, uint32_t value, uint32_t unknown)
{
    (void)context, (void)address, (void)size, (void)unknown;
    it.written = value;
    es_machine_stop_soon(it.machine);
}

static bool outside_control(void *context, unsigned number, uint32_t *value, uint32_t *unknown)
{
    return outside_read(context, number, 4, value, unknown);
}

static void put(uint32_t address, uint32_t word)
{
    const uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    ck_assert(es_machine_poke(it.machine, address, bytes, NULL, 4));
}

static void put_program(const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        put(ROM + 4 * i, words[i]);
}

#define PROGRAM(...) put_program((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static void set(unsigned reg, uint32_t value, uint32_t unknown)
{
    es_machine_registers registers;
    es_machine_get(it.machine, &registers);
    registers.x[reg] = value;
    registers.x_unknown[reg] = unknown;
    es_machine_set(it.machine, &registers);
}

static uint32_t get(unsigned reg)
{
    es_machine_registers registers;
    es_machine_get(it.machine, &registers);
    ck_assert_uint_eq(registers.x_unknown[reg], 0);
    return registers.x[reg];
}

static void start(void)
{
    es_machine_options options = {.isa = es_isa_of_simulated_target(),
                                  .reset_pc = ROM,
                                  .outside = {outside_read, outside_write, outside_control, &it}};
    it = (world){.machine = es_machine_new(&options, NULL), .here = true};
    ck_assert_ptr_nonnull(it.machine);
    ck_assert(es_machine_region(it.machine, ROM, SIZE, false, NULL));
    ck_assert(es_machine_region(it.machine, RAM, SIZE + 8, true, NULL));
}

static void stop(void)
{
    es_machine_free(it.machine);
}

START_TEST(regions_are_checked)
{
    es_error err;
    ck_assert(!es_machine_region(it.machine, ROM + 8, 4, true, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "overlap"));
    ck_assert(!es_machine_region(it.machine, 0x8001, 4, true, &err));
    ck_assert(!es_machine_region(it.machine, 0x8000, 0, true, &err));
    ck_assert(!es_machine_region(it.machine, 0xFFFFFFFC, 8, true, &err));
    ck_assert(es_machine_region(it.machine, 0xFFFFFFF0, 16, true, &err));
    ck_assert(es_machine_region(it.machine, ROM + SIZE, 4, true, &err));
    ck_assert(es_machine_in_memory(it.machine, ROM, SIZE + 4));
    ck_assert(!es_machine_in_memory(it.machine, ROM, SIZE + 5));
    ck_assert(es_machine_in_memory(it.machine, 0xFFFFFFF0, 16));
    ck_assert(!es_machine_in_memory(it.machine, 0xFFFFFFF0, 17));
}
END_TEST

START_TEST(memory_is_unknown_until_it_is_set)
{
    uint8_t bytes[4], unknown[4];
    ck_assert(es_machine_peek(it.machine, RAM + SIZE + 4, bytes, unknown, 4));
    ck_assert_uint_eq(unknown[3], 0xFF);
    ck_assert(es_machine_poke(it.machine, RAM + SIZE + 4, (uint8_t[]){0xFF, 2}, (uint8_t[]){0xF0, 0}, 2));
    ck_assert(es_machine_peek(it.machine, RAM + SIZE + 4, bytes, unknown, 4));
    ck_assert_uint_eq(bytes[0], 0x0F);
    ck_assert_uint_eq(unknown[0], 0xF0);
    ck_assert_uint_eq(bytes[1], 2);
    ck_assert_uint_eq(unknown[1], 0);
    ck_assert_uint_eq(unknown[2], 0xFF);
    ck_assert(!es_machine_poke(it.machine, RAM + SIZE + 4, bytes, NULL, 5));
}
END_TEST

START_TEST(a_mark_stops_before_it_but_not_at_once)
{
    PROGRAM(ADDI_A0_1, ADDI_A0_1, BACK);
    set(A0, 0, 0);
    es_machine_mark(it.machine, ROM + 4, true);
    ck_assert_int_eq(es_machine_run(it.machine, 100), ES_MACHINE_MARK);
    ck_assert_uint_eq(es_machine_pc(it.machine), ROM + 4);
    ck_assert_uint_eq(get(A0), 1);
    ck_assert_int_eq(es_machine_run(it.machine, 100), ES_MACHINE_MARK);
    ck_assert_uint_eq(es_machine_fetches(it.machine), 3);
    ck_assert_int_eq(es_machine_run(it.machine, 4), ES_MACHINE_UNTIL);
    es_machine_mark(it.machine, ROM + 4, false);
    ck_assert_int_eq(es_machine_run(it.machine, 100), ES_MACHINE_UNTIL);
    ck_assert_uint_eq(es_machine_fetches(it.machine), 100);
}
END_TEST

START_TEST(what_is_outside_is_asked_for)
{
    PROGRAM(LW_A0_A1, SW_A0_A1, RDCYCLE_A0, NOP);
    set(A1, DEVICE, 0);
    it.here = false;
    ck_assert_int_eq(es_machine_run(it.machine, 9), ES_MACHINE_INPUT);
    ck_assert_uint_eq(es_machine_fetches(it.machine), 0);
    it = (world){.machine = it.machine, .here = true, .value = 77};
    ck_assert_int_eq(es_machine_run(it.machine, 9), ES_MACHINE_ASKED);
    ck_assert_uint_eq(it.written, 77);
    ck_assert_uint_eq(es_machine_fetches(it.machine), 2);
    it.value = 78, it.unknown = 0;
    ck_assert_int_eq(es_machine_run(it.machine, 4), ES_MACHINE_UNTIL);
    ck_assert_uint_eq(get(A0), 78);
}
END_TEST

START_TEST(what_depends_on_something_unknown_is_not_executed)
{
    PROGRAM(BEQ_A0_8, LW_A0_A1, NOP);
    ck_assert_int_eq(es_machine_run(it.machine, 9), ES_MACHINE_UNKNOWN);
    ck_assert_ptr_nonnull(strstr(es_machine_reason(it.machine), "branch at 0x00001000"));
    set(A0, 1, 0xFFFFFFFE); /* not 0 for certain */
    ck_assert_int_eq(es_machine_run(it.machine, 9), ES_MACHINE_UNKNOWN);
    ck_assert_uint_eq(es_machine_fetches(it.machine), 1);
    ck_assert_ptr_nonnull(strstr(es_machine_reason(it.machine), "load at 0x00001004"));
    set(A1, RAM, 0);
    ck_assert_int_eq(es_machine_run(it.machine, 3), ES_MACHINE_UNTIL);
    ck_assert_int_eq(es_machine_run(it.machine, 4), ES_MACHINE_UNKNOWN);
    ck_assert_ptr_nonnull(strstr(es_machine_reason(it.machine), "the instruction at 0x0000100c"));
}
END_TEST

START_TEST(wfi_waits_and_interrupts_are_vectored)
{
    uint32_t value, unknown;
    PROGRAM(WFI, NOP);
    put(ROM + 0x100 + 4 * 7, MRET);
    ck_assert_int_eq(es_machine_run(it.machine, 9), ES_MACHINE_WAITS);
    ck_assert_uint_eq(es_machine_pc(it.machine), ROM + 4);
    ck_assert(!es_machine_interrupt(it.machine, 7, 0));
    ck_assert(es_machine_set_control(it.machine, MTVEC, (ROM + 0x100) | 1, 0));
    ck_assert(es_machine_set_control(it.machine, MSTATUS, 0x1808, 0));
    ck_assert(!es_machine_interrupt(it.machine, 0, 15));
    ck_assert(es_machine_interrupt(it.machine, 7, 0));
    ck_assert_uint_eq(es_machine_pc(it.machine), ROM + 0x100 + 4 * 7);
    ck_assert(es_machine_control(it.machine, MSTATUS, &value, &unknown));
    ck_assert_uint_eq(value | unknown, 0x1880);
    ck_assert(es_machine_control(it.machine, MCAUSE, &value, &unknown));
    ck_assert_uint_eq(value, 0x80000007);
    ck_assert_int_eq(es_machine_run(it.machine, 2), ES_MACHINE_UNTIL);
    ck_assert_uint_eq(es_machine_pc(it.machine), ROM + 4);
    ck_assert(es_machine_control(it.machine, MSTATUS, &value, &unknown));
    ck_assert_uint_eq(value | unknown, 0x1888);
    ck_assert(es_machine_set_control(it.machine, MTVEC, ROM, 0));
    ck_assert(es_machine_interrupt(it.machine, 3, 8)); /* direct: of unknown cause, too */
    ck_assert(es_machine_control(it.machine, MCAUSE, &value, &unknown));
    ck_assert_uint_eq(unknown, 8);
    ck_assert_uint_eq(value, 0x80000003);
}
END_TEST

static void told_insn(void *context, uint32_t pc)
{
    ck_assert_uint_eq(pc, es_machine_pc(context));
    strcat(it.told, "i");
}

static void told_access(void *context, const es_machine_access *access)
{
    (void)context;
    it.last = *access;
    strcat(it.told, access->kind == ES_KIND_FETCH ? "f" : access->kind == ES_KIND_READ ? "r" : "w");
}

static void told_sets(void *context, unsigned reg)
{
    ck_assert_uint_eq(reg, A0);
    ck_assert_uint_ne(es_machine_pc(context), ROM);
    strcat(it.told, "s");
}

static void told_trap(void *context, uint32_t cause)
{
    (void)context;
    ck_assert_uint_eq(cause, 11);
    strcat(it.told, "t");
}

START_TEST(listeners_are_told_in_order)
{
    es_machine_listener listener = {told_insn, told_access, told_sets, told_trap, it.machine};
    PROGRAM(ADDI_A0_1, LW_A0_A1, SB_A0_A1_1, ECALL);
    set(A0, 1, 0);
    set(A1, RAM, 0);
    put(RAM, 0x11223344);
    es_machine_set_control(it.machine, MTVEC, ROM, 0);
    es_machine_listen(it.machine, &listener);
    ck_assert_int_eq(es_machine_run(it.machine, 3), ES_MACHINE_UNTIL);
    ck_assert_str_eq(it.told, "ifsifrsifw");
    ck_assert_uint_eq(it.last.lanes, 2);
    ck_assert_uint_eq(it.last.address, RAM);
    ck_assert_uint_eq(it.last.data, 0x4400);
    ck_assert_int_eq(es_machine_run(it.machine, 4), ES_MACHINE_UNTIL);
    ck_assert_str_eq(it.told, "ifsifrsifwift");
    ck_assert_uint_eq(es_machine_pc(it.machine), ROM);
}
END_TEST

/* docs/replay.md, "Heartbeats", by hand. */
START_TEST(the_hash_is_the_documented_one)
{
    PROGRAM(LW_A0_A1, SB_A0_A1_1);
    set(A1, RAM, 0);
    put(RAM, 0x11223344);
    const uint32_t x[] = {ROM, 0x02000000 ^ 0x11223344, ROM + 4, 0x00000002 ^ 0x4400};
    uint32_t sum = 0, sums = 0;
    for (unsigned i = 0; i < 4; i++)
        sum += x[i], sums += sum;
    ck_assert_int_eq(es_machine_run(it.machine, 2), ES_MACHINE_UNTIL);
    ck_assert_uint_eq(es_machine_get_hash(it.machine).sum, sum);
    ck_assert_uint_eq(es_machine_get_hash(it.machine).sums, sums);
    ck_assert(!es_machine_hash_unknown(it.machine));
    set(A0, 0, 1 << 7);
    es_machine_registers registers;
    es_machine_get(it.machine, &registers);
    registers.pc = ROM + 4;
    es_machine_set(it.machine, &registers);
    ck_assert_int_eq(es_machine_run(it.machine, 3), ES_MACHINE_UNTIL);
    ck_assert(es_machine_hash_unknown(it.machine));
}
END_TEST

START_TEST(snapshots_bring_code_back)
{
    PROGRAM(ADDI_A0_1, BACK);
    set(A0, 0, 0);
    es_machine_snapshot *before = es_machine_save(it.machine);
    ck_assert_int_eq(es_machine_run(it.machine, 21), ES_MACHINE_UNTIL);
    ck_assert_uint_eq(get(A0), 11);
    put(ROM, ADDI_A0_16);
    es_machine_snapshot *changed = es_machine_save(it.machine);
    ck_assert_int_eq(es_machine_run(it.machine, 41), ES_MACHINE_UNTIL);
    ck_assert_uint_eq(get(A0), 11 + 160);
    for (unsigned i = 0; i < 3; i++) {
        es_machine_restore(it.machine, before);
        ck_assert_int_eq(es_machine_run(it.machine, 21), ES_MACHINE_UNTIL);
        ck_assert_uint_eq(get(A0), 11);
        es_machine_restore(it.machine, changed);
        ck_assert_int_eq(es_machine_run(it.machine, 41), ES_MACHINE_UNTIL);
        ck_assert_uint_eq(get(A0), 11 + 160);
    }
    es_machine_snapshot_free(before);
    es_machine_snapshot_free(changed);
}
END_TEST

START_TEST(snapshots_cost_what_has_changed)
{
    PROGRAM(SW_A0_A1, BACK);
    set(A1, RAM, 0);
    put(RAM, 0);
    es_machine_snapshot *one = es_machine_save(it.machine), *two = es_machine_save(it.machine);
    ck_assert_uint_lt(es_machine_snapshot_size(one), 4096);
    ck_assert_int_eq(es_machine_run(it.machine, 9), ES_MACHINE_UNTIL);
    es_machine_snapshot_free(two);
    ck_assert_uint_gt(es_machine_snapshot_size(one), 4096); /* the page that was written */
    ck_assert_uint_lt(es_machine_snapshot_size(one), 16384);
    es_machine_snapshot_free(one);
}
END_TEST

START_TEST(other_instruction_sets_are_refused)
{
    es_isa toy = {.name = "toy", .machine = 1};
    es_error err;
    ck_assert_ptr_null(es_machine_new(&(es_machine_options){.isa = &toy}, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "toy"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("machine");
    TCase *tests = tcase_create("machine");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_test(tests, regions_are_checked);
    tcase_add_test(tests, memory_is_unknown_until_it_is_set);
    tcase_add_test(tests, a_mark_stops_before_it_but_not_at_once);
    tcase_add_test(tests, what_is_outside_is_asked_for);
    tcase_add_test(tests, what_depends_on_something_unknown_is_not_executed);
    tcase_add_test(tests, wfi_waits_and_interrupts_are_vectored);
    tcase_add_test(tests, listeners_are_told_in_order);
    tcase_add_test(tests, the_hash_is_the_documented_one);
    tcase_add_test(tests, snapshots_bring_code_back);
    tcase_add_test(tests, snapshots_cost_what_has_changed);
    tcase_add_test(tests, other_instruction_sets_are_refused);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
