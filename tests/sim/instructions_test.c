/* The short cut through the soft core (sim/shim/core_cut.hpp): random firmware does the same, in the same clocks, with
 * it as with every clock of the RTL.
 *
 * The firmware takes hits, one after the other: between random instructions it reads the hit's registers, the clocks
 * that it has been awake, phantom memory; it sends values, pops the hit, and sleeps. A clock more or less would show in
 * the next value of REG_CYCLES, and a hit's cell that is not there yet in REG_HIT_CELL. */
#include <string.h>

#include "../support/check_main.h"
#include "byte_port.h"
#include "probe_defs.h"
#include "symbols/symbols.h"
#include "transport/command.h"
#include "world.h"

#define PROGRAM "examples/recursion-O2.elf"
#define CODE_WORDS 1024
#define DATA 0x8000u /* of the soft core's memory */
#define DATA_WORDS 512

#define WFI 0x10500073u

/* Registers that random instructions leave alone. */
enum { IO = 16, MEMORY, PHANTOM, BLOCK, HEAD };

typedef struct code {
    uint32_t word[CODE_WORDS];
    uint32_t count, random;
} code;

static uint32_t below(code *c, uint32_t limit)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 17;
    c->random ^= c->random << 5;
    return (uint32_t)((uint64_t)c->random * limit >> 32);
}

static void put(code *c, uint32_t word)
{
    ck_assert_uint_lt(c->count, CODE_WORDS);
    c->word[c->count++] = word;
}

static uint32_t r_type(uint32_t funct7, uint32_t rs2, uint32_t rs1, uint32_t funct3, uint32_t rd)
{
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x33;
}

static uint32_t i_type(uint32_t imm, uint32_t rs1, uint32_t funct3, uint32_t rd, uint32_t opcode)
{
    return imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static uint32_t s_type(uint32_t imm, uint32_t rs2, uint32_t rs1, uint32_t funct3)
{
    return (imm >> 5 & 127) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (imm & 31) << 7 | 0x23;
}

static uint32_t b_type(int32_t offset, uint32_t rs2, uint32_t rs1, uint32_t funct3)
{
    uint32_t o = (uint32_t)offset;
    return (o >> 12 & 1) << 31 | (o >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (o >> 1 & 15) << 8 |
           (o >> 11 & 1) << 7 | 0x63;
}

static uint32_t j_type(int32_t offset, uint32_t rd)
{
    uint32_t o = (uint32_t)offset;
    return (o >> 20 & 1) << 31 | (o >> 1 & 1023) << 21 | (o >> 11 & 1) << 20 | (o >> 12 & 255) << 12 | rd << 7 | 0x6F;
}

static uint32_t u_type(uint32_t value, uint32_t rd, uint32_t opcode)
{
    return (value & ~0xFFFu) | rd << 7 | opcode;
}

static uint32_t load_word(uint32_t rd, uint32_t base, uint32_t offset)
{
    return i_type(offset, base, 2, rd, 0x03);
}

static uint32_t store_word(uint32_t value, uint32_t base, uint32_t offset)
{
    return s_type(offset, value, base, 2);
}

/* One that changes registers x0 to x15, data, or the next few instructions' being executed. */
static void put_random(code *c, uint32_t block)
{
    static const uint8_t branches[] = {0, 1, 4, 5, 6, 7}, loads[] = {0, 1, 2, 4, 5};
    static const uint16_t registers[] = {
        ES_REG_HIT_FLAGS, ES_REG_HIT_TIME, ES_REG_HIT_ADDR, ES_REG_HIT_NEW,  ES_REG_HIT_OLD,  ES_REG_HIT_PC,
        ES_REG_HIT_CELL,  ES_REG_HIT_CELL, ES_REG_CYCLES,   ES_REG_TIME_NOW, ES_REG_EV_ROOM,  ES_REG_STATUS,
        ES_REG_FIFO_MAX,  ES_REG_UNKNOWN,  ES_REG_CYCLES,   ES_REG_LOST,     ES_REG_TIME_HIGH};
    uint32_t rd = below(c, 16), a = below(c, 16), b = below(c, 16), ahead = 4 * (1 + below(c, 4)), f, imm;
    switch (below(c, 16)) {
    case 0:
    case 1:
        f = below(c, 8);
        put(c, r_type((f == 0 || f == 5) && below(c, 2) ? 0x20 : 0, b, a, f, rd));
        break;
    case 2:
    case 3:
        f = below(c, 8);
        imm = f % 4 == 1 ? below(c, 32) | (f == 5 ? below(c, 2) << 10 : 0) : below(c, 4096);
        put(c, i_type(imm, a, f, rd, 0x13));
        break;
    case 4: put(c, u_type(below(c, ~0u), rd, below(c, 2) ? 0x37 : 0x17)); break;
    case 5: put(c, i_type(below(c, 4096), a, 0, rd, below(c, 2) ? 0x0F : 0x13)); break;
    case 6:
    case 7:
        f = loads[below(c, 5)];
        put(c, i_type(below(c, 2048) & ~((1u << f % 4) - 1), MEMORY, f, rd, 0x03));
        break;
    case 8:
    case 9:
        f = below(c, 3);
        put(c, s_type(below(c, 2048) & ~((1u << f) - 1), a, MEMORY, f));
        break;
    case 10: put(c, b_type((int32_t)ahead, b, a, branches[below(c, 6)])); break;
    case 11: put(c, j_type((int32_t)ahead, rd)); break;
    case 12: put(c, i_type(4 * (c->count - block) + ahead + below(c, 2), BLOCK, 0, rd, 0x67)); break;
    case 13:
        imm = 4 * below(c, 512);
        put(c, below(c, 2) ? load_word(rd, PHANTOM, imm) : store_word(a, PHANTOM, imm));
        break;
    default:
        f = loads[below(c, 4) ? 2 : below(c, 5)];
        put(c, i_type(registers[below(c, sizeof registers / sizeof *registers)], IO, f, rd, 0x03));
        break;
    }
}

/* Instructions over which none of those before jumps. */
static void put_guard(code *c)
{
    for (uint32_t i = 0; i < 5; i++)
        put(c, i_type(i, below(c, 16), 0, below(c, 16), 0x13));
}

/* Endless: a hit for each block. */
static void put_firmware(code *c)
{
    put(c, u_type(ES_REG_BASE, IO, 0x37));
    put(c, u_type(DATA, MEMORY, 0x37));
    put(c, u_type(ES_PHANTOM_BASE + 0x1000, PHANTOM, 0x37));
    uint32_t loop = c->count;
    for (int i = 0; i < 8; i++) {
        put(c, WFI);
        uint32_t block = c->count;
        put(c, u_type(0, BLOCK, 0x17));
        for (uint32_t count = 10 + below(c, 40); count; count--)
            put_random(c, block);
        put_guard(c);
        uint32_t words = 1 + below(c, 6);
        put(c, i_type(ES_FRAME_COUNTERS | words << 8, 0, 0, HEAD, 0x13));
        put(c, store_word(HEAD, IO, ES_REG_EV_HEAD));
        while (--words)
            put(c, store_word(below(c, 16), IO, ES_REG_EV_DATA));
        put(c, store_word(below(c, 16), IO, ES_REG_EV_LAST));
        put(c, store_word(0, IO, ES_REG_HIT_POP));
        for (uint32_t count = below(c, 8); count; count--)
            put_random(c, block);
        put_guard(c);
    }
    put(c, j_type(4 * ((int32_t)loop - (int32_t)c->count), 0));
}

/* What is left of a run: what was sent, memory, the registers, clocks. */
typedef struct outcome {
    uint8_t sent[1 << 18];
    size_t sent_size;
    uint32_t data[DATA_WORDS];
    uint64_t probe_clocks, bus_clocks;
    uint32_t awake, fifo_max;
    bool idle;
} outcome;

static outcome outcomes[2]; /* with the short cut, without */

static void ignore(void *context, const es_event *event)
{
    (void)context;
    (void)event;
}

static uint32_t address_of(const char *name)
{
    es_error err;
    uint32_t address = 0;
    es_symbols *symbols = es_symbols_open(TESTS_BUILD "/" PROGRAM, &err);
    ck_assert_msg(symbols != NULL, "%s", err.text);
    ck_assert(es_symbols_value(symbols, name, &address));
    es_symbols_close(symbols);
    return address;
}

static void transfer(bool ok, const es_error *err)
{
    ck_assert_msg(ok, "%s", err->text);
}

/* Runs the firmware for `clocks` bus clocks, with a word of the target's program armed. */
static void run(const code *c, bool every_instruction, uint64_t clocks)
{
    es_error err = {0};
    outcome *o = &outcomes[every_instruction];
    es_sim_config config = {.world = ES_SIM_BYTES, .seed = 3, .every_instruction = every_instruction};
    world *w = world_new(&config, PROGRAM, false);
    es_transport *transport = es_transport_sim(w->sim);
    es_link *link = es_link_new(transport, ignore, NULL);
    uint32_t clear = ES_CTRL_CLEAR, on = 1, locking = 3, data[DATA_WORDS];
    for (uint32_t i = 0; i < DATA_WORDS; i++)
        data[i] = (i + 1) * 0x9E3779B1u;
    transfer(es_link_write(link, ES_REG_BASE + ES_REG_CTRL, &clear, 1, &err), &err);
    es_sim_step(w->sim, 10000, 0);
    transfer(es_link_write(link, ES_PLANE_DATA_BASE + address_of("depth"), &locking, 1, &err), &err);
    transfer(es_link_write(link, ES_MEM_BASE, c->word, CODE_WORDS, &err), &err);
    transfer(es_link_write(link, DATA, data, DATA_WORDS, &err), &err);
    transfer(es_link_write(link, ES_REG_BASE + ES_REG_CPU_CTRL, &on, 1, &err), &err);
    memset(o, 0, sizeof *o);
    o->probe_clocks = es_sim_probe_clocks(w->sim);
    es_sim_start_target(w->sim);
    for (uint64_t done = 0; done < clocks; done += 500) {
        es_sim_step(w->sim, 500, 0);
        o->sent_size += es_sim_read(w->sim, o->sent + o->sent_size, sizeof o->sent - o->sent_size);
    }
    o->idle = es_sim_idle(w->sim);
    o->probe_clocks = es_sim_probe_clocks(w->sim) - o->probe_clocks;
    o->bus_clocks = es_sim_cycles(w->sim);
    es_sim_stop_target(w->sim);
    transfer(es_link_read(link, DATA, o->data, DATA_WORDS, &err), &err);
    transfer(es_link_read(link, ES_REG_BASE + ES_REG_CYCLES, &o->awake, 1, &err), &err);
    transfer(es_link_read(link, ES_REG_BASE + ES_REG_FIFO_MAX, &o->fifo_max, 1, &err), &err);
    es_link_free(link);
    transport->ops->close(transport);
    world_free(w);
}

static void compare(const code *c, uint64_t clocks)
{
    const outcome *cut = &outcomes[0], *whole = &outcomes[1];
    run(c, false, clocks);
    run(c, true, clocks);
    ck_assert_uint_eq(cut->bus_clocks, whole->bus_clocks);
    ck_assert_uint_eq(cut->probe_clocks, whole->probe_clocks);
    ck_assert_uint_eq(cut->fifo_max, whole->fifo_max);
    ck_assert_uint_eq(cut->idle, whole->idle);
    if (cut->idle) /* else it goes on while it is read */
        ck_assert_uint_eq(cut->awake, whole->awake);
    ck_assert_uint_eq(cut->sent_size, whole->sent_size);
    ck_assert(memcmp(cut->sent, whole->sent, cut->sent_size) == 0);
    for (uint32_t i = 0; i < DATA_WORDS; i++)
        ck_assert_msg(cut->data[i] == whole->data[i], "word %u: %08x, not %08x", i, cut->data[i], whole->data[i]);
}

START_TEST(random_firmware)
{
    code c = {.random = (uint32_t)_i * 0x9E3779B1u + 1};
    put_firmware(&c);
    compare(&c, 60000);
    ck_assert(outcomes[0].idle);
    ck_assert_uint_gt(outcomes[0].sent_size, 1000);
}
END_TEST

/* Instructions at which a core stops, or which need more than it and its memory, each with others around it. */
static const uint32_t odd[] = {
    0x00000000,                        /* illegal */
    0xFFFFFFFF,                        /* illegal */
    0x00000073,                        /* ecall */
    0x30001073,                        /* a CSR */
    0x0000100F,                        /* fence.i */
    0x00000013 | 1 << 12 | 0x20 << 25, /* slli with a bit too many */
    0x00000013 | 5 << 12 | 0x21 << 25, /* srli with one */
    0x00000033 | 1 << 25,              /* mul */
    0x00000033 | 0x20 << 25 | 4 << 12, /* xor as if it had an opposite */
    0x00000003 | 3 << 12,              /* loads and stores of no size */
    0x00000003 | 6 << 12,
    0x00000023 | 3 << 12,
    0x00000023 | 4 << 12,
    0x00000063 | 2 << 12, /* branches on nothing */
    0x00000063 | 3 << 12,
    0x00000067 | 1 << 12, /* jalr of another kind */
    0x00000012,           /* 16 bits */
};

static void check_odd(uint32_t word, uint32_t before)
{
    code c = {.random = before + 1};
    put(&c, WFI);
    put(&c, u_type(ES_REG_BASE, IO, 0x37));
    put(&c, u_type(DATA, MEMORY, 0x37));
    put(&c, u_type(ES_MEM_BASE + 0x30000000, PHANTOM, 0x37)); /* a region where nothing is */
    for (uint32_t i = 0; i < before; i++)
        put(&c, i_type(i, i & 15, 0, (i + 1) & 15, 0x13));
    put(&c, word);
    for (uint32_t i = 0; i < 16; i++)
        put(&c, store_word(i, MEMORY, 4 * i));
    put(&c, load_word(1, IO, ES_REG_CYCLES));
    put(&c, store_word(1, MEMORY, 64));
    put(&c, WFI);
    put(&c, j_type(-4, 0));
    compare(&c, 500);
}

START_TEST(odd_instructions)
{
    check_odd(odd[_i], 0);
    check_odd(odd[_i], 9);
    check_odd(odd[_i] | 5 << 7, 4);
}
END_TEST

/* The same for accesses and jumps that are misaligned, or go elsewhere. */
START_TEST(odd_places)
{
    static const uint8_t bases[] = {MEMORY, IO, PHANTOM, 0};
    for (uint32_t low = 0; low < 4; low++) {
        uint32_t base = bases[(low + (uint32_t)_i) % 4];
        check_odd(i_type(0x40 + low, base, (uint32_t)_i, 7, 0x03), low);
        check_odd(s_type(0x80 + low, MEMORY, base, (uint32_t)_i % 4), low);
    }
    check_odd(b_type(4 + _i % 4, 0, 0, (uint32_t)_i), 1); /* taken or not */
    check_odd(b_type(6, 0, 0, (uint32_t)_i), 1);
    check_odd(j_type(8 + _i, 5), 2);
    check_odd(i_type(40 + (uint32_t)_i, 0, 0, 5, 0x67), 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("short cut through the soft core");
    TCase *tests = tcase_create("instructions");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, random_firmware, 0, 24);
    tcase_add_loop_test(tests, odd_instructions, 0, (int)(sizeof odd / sizeof *odd));
    tcase_add_loop_test(tests, odd_places, 0, 8);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
