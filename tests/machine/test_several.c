/* Pushes, pops and moves of Zcmp, and jumps of Zcmt: each on one machine, and what the specification says that it is, in
 * ordinary instructions, on another one, with data of either order. Memory, registers, the way on and the accesses are
 * the same. */
#include <string.h>

#include "check_main.h"
#include "draw.h"
#include "machine/machine.h"

enum { ROM = 0x1000, RAM = 0x20000, SIZE = 0x1000, SP = 2, RA = 1, A0 = 10, A1 = 11, JVT = 0x017, MOST = 40 };

typedef struct heard {
    es_machine_access accesses[MOST];
    unsigned count;
} heard;

static void on_access(void *context, const es_machine_access *access)
{
    heard *h = context;
    if (access->kind == ES_KIND_FETCH)
        return;
    ck_assert_uint_lt(h->count, MOST);
    h->accesses[h->count++] = *access;
}

static es_machine *machine_of(const char *arch, bool big)
{
    es_error err = {0};
    const es_machine_options options = {
        .isa = es_isa_of_simulated_target(), .arch = arch, .reset_pc = ROM, .big_endian = big};
    es_machine *machine = es_machine_new(&options, &err);
    ck_assert_msg(machine != NULL, "%s", err.text);
    ck_assert(es_machine_region(machine, ROM, SIZE, false, &err) && es_machine_region(machine, RAM, SIZE, true, &err));
    return machine;
}

static void put(es_machine *machine, uint32_t address, uint32_t value, unsigned bytes)
{
    uint8_t all[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    ck_assert(es_machine_poke(machine, address, all, NULL, bytes));
}

/* --- the naive model: registers as the tables of the specification list them --- */

static const unsigned in_order[] = {1, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27};

static unsigned listed(unsigned list) /* how many of in_order */
{
    return list == 15 ? 13 : list - 3;
}

static unsigned adjusted(unsigned list, unsigned blocks)
{
    return (list < 8 ? 16 : list < 12 ? 32 : list < 15 ? 48 : 64) + 16 * blocks;
}

static uint32_t addi(unsigned rd, unsigned rs1, int32_t imm)
{
    return (uint32_t)imm << 20 | rs1 << 15 | rd << 7 | 0x13;
}

static uint32_t sw(unsigned rs2, unsigned rs1, int32_t imm)
{
    return ((uint32_t)imm >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | 2 << 12 | ((uint32_t)imm & 31) << 7 | 0x23;
}

static uint32_t lw(unsigned rd, unsigned rs1, int32_t imm)
{
    return (uint32_t)imm << 20 | rs1 << 15 | 2 << 12 | rd << 7 | 0x03;
}

typedef struct expansion {
    uint32_t words[24];
    unsigned count;
} expansion;

static void then(expansion *e, uint32_t word)
{
    e->words[e->count++] = word;
}

enum { PUSH, POP, POPRETZ, POPRET };

static expansion frame(unsigned what, unsigned list, unsigned blocks)
{
    expansion e = {.count = 0};
    int32_t adjust = (int32_t)adjusted(list, blocks), at = what == PUSH ? 0 : adjust;
    for (unsigned i = listed(list); i-- > 0;) {
        at -= 4;
        then(&e, what == PUSH ? sw(in_order[i], SP, at) : lw(in_order[i], SP, at));
    }
    if (what == POPRETZ)
        then(&e, addi(A0, 0, 0));
    then(&e, addi(SP, SP, what == PUSH ? -adjust : adjust));
    if (what >= POPRETZ)
        then(&e, 0x00008067); /* ret */
    return e;
}

/* --- both --- */

static void fill(es_machine *machine, uint32_t seed, bool some_unknown)
{
    draw_seed = seed;
    es_machine_registers r = {.pc = ROM};
    for (unsigned i = 1; i < 32; i++) {
        r.x[i] = draw(UINT32_MAX);
        r.x_unknown[i] = some_unknown && draw(4) == 0 ? draw(UINT32_MAX) : 0;
        r.x[i] &= ~r.x_unknown[i];
    }
    r.x[SP] = RAM + 512 + 16 * draw(32);
    r.x_unknown[SP] = 0;
    es_machine_set(machine, &r);
    for (uint32_t at = 0; at < SIZE; at += 4)
        put(machine, RAM + at, draw(UINT32_MAX) & ~1u, 4);
}

static void same(es_machine *one, es_machine *other, const heard *a, const heard *b, uint32_t what, bool jumped)
{
    es_machine_registers r, s;
    uint8_t x[SIZE], y[SIZE];
    es_machine_get(one, &r);
    es_machine_get(other, &s);
    if (jumped)
        ck_assert_msg(r.pc == s.pc, "0x%04x goes to 0x%08x, not to 0x%08x", what, r.pc, s.pc);
    else
        ck_assert_uint_eq(r.pc, ROM + 2);
    for (unsigned i = 0; i < 32; i++)
        ck_assert_msg(r.x[i] == s.x[i] && r.x_unknown[i] == s.x_unknown[i], "0x%04x: x%u is 0x%08x, not 0x%08x", what,
                      i, r.x[i], s.x[i]);
    ck_assert(es_machine_peek(one, RAM, x, NULL, SIZE) && es_machine_peek(other, RAM, y, NULL, SIZE));
    ck_assert_msg(memcmp(x, y, SIZE) == 0, "0x%04x: memory differs", what);
    ck_assert_uint_eq(a->count, b->count);
    for (unsigned i = 0; i < a->count; i++) {
        const es_machine_access *p = &a->accesses[i], *q = &b->accesses[i];
        ck_assert_msg(p->kind == q->kind && p->address == q->address && p->data == q->data &&
                          p->unknown == q->unknown && p->lanes == q->lanes,
                      "0x%04x: access %u differs", what, i);
    }
}

static void compare(uint32_t half, const expansion *e, bool jumped, bool some_unknown, uint32_t seed)
{
    static es_machine *ones[2], *others[2];
    bool big = seed % 3 == 0;
    if (!ones[big]) {
        ones[big] = machine_of("rv32imc_zcmp", big);
        others[big] = machine_of("rv32imc", big);
    }
    es_machine *one = ones[big], *other = others[big];
    es_machine_reset(one);
    es_machine_reset(other);
    heard a = {.count = 0}, b = {.count = 0};
    const es_machine_listener hear_one = {.access = on_access, .context = &a},
                              hear_other = {.access = on_access, .context = &b};
    fill(one, seed, some_unknown);
    fill(other, seed, some_unknown);
    put(one, ROM, half, 2);
    for (unsigned i = 0; i < e->count; i++)
        put(other, ROM + 4 * i, e->words[i], 4);
    es_machine_listen(one, &hear_one);
    es_machine_listen(other, &hear_other);
    ck_assert_int_eq(es_machine_run(one, 1), ES_MACHINE_UNTIL);
    ck_assert_int_eq(es_machine_run(other, e->count), ES_MACHINE_UNTIL);
    same(one, other, &a, &b, half, jumped);
    es_machine_listen(one, NULL);
    es_machine_listen(other, NULL);
}

START_TEST(frames)
{
    unsigned tried = 0;
    for (unsigned what = PUSH; what <= POPRET; what++)
        for (unsigned list = 4; list < 16; list++)
            for (unsigned blocks = 0; blocks < 4; blocks++)
                for (unsigned unknown = 0; unknown < 2; unknown++) {
                    expansion e = frame(what, list, blocks);
                    uint32_t half = 5u << 13 | 3u << 11 | what << 9 | list << 4 | blocks << 2 | 2;
                    compare(half, &e, what >= POPRETZ, unknown, 1 + tried++);
                }
    ck_assert_uint_eq(tried, 384);
}
END_TEST

START_TEST(moves)
{
    static const unsigned s[] = {8, 9, 18, 19, 20, 21, 22, 23};
    for (unsigned first = 0; first < 8; first++)
        for (unsigned second = 0; second < 8; second++)
            for (unsigned to = 0; to < 2; to++) {
                expansion e = {.count = 0};
                if (!to && first == second)
                    continue;
                then(&e, to ? addi(A0, s[first], 0) : addi(s[first], A0, 0));
                then(&e, to ? addi(A1, s[second], 0) : addi(s[second], A1, 0));
                compare(5u << 13 | 3u << 10 | first << 7 | 1u << 5 | to << 6 | second << 2 | 2, &e, false, true,
                        1 + first * 16 + second * 2 + to);
            }
}
END_TEST

/* cm.jt 0 to 31, cm.jalt 32 to 255. Entries have the data's order of bytes. */
START_TEST(tables)
{
    es_machine *machine = machine_of("rv32imc_zcmt", _i);
    for (uint32_t index = 0; index < 256; index++) {
        es_machine_registers r;
        uint32_t entry = ROM + 0x100 + 2 * index;
        es_machine_reset(machine);
        fill(machine, 1 + index, false);
        put(machine, ROM, 5u << 13 | index << 2 | 2, 2);
        put(machine, RAM + 0x400 + 4 * index, _i ? __builtin_bswap32(entry) : entry, 4);
        ck_assert(es_machine_set_control(machine, JVT, RAM + 0x400, 0));
        es_machine_registers before;
        es_machine_get(machine, &before);
        ck_assert_msg(es_machine_run(machine, 1) == ES_MACHINE_UNTIL, "%s", es_machine_reason(machine));
        es_machine_get(machine, &r);
        ck_assert_uint_eq(r.pc, entry);
        ck_assert_uint_eq(r.x[RA], index < 32 ? before.x[RA] : ROM + 2);
    }
    es_machine_free(machine);
}
END_TEST

/* Encodings that are none, and what stops: nothing has changed then. */
START_TEST(others)
{
    static const uint32_t none[] = {0xB832 /* list 3 */, 0xB942, 0xAC22 /* mvsa01 s0, s0 */, 0xAC02, 0xB002};
    for (unsigned i = 0; i < sizeof none / sizeof *none; i++) {
        es_machine *machine = machine_of("rv32imc_zcmp", false);
        es_machine_registers r = {.pc = ROM};
        es_machine_set(machine, &r);
        put(machine, ROM, none[i], 2);
        ck_assert_msg(es_machine_run(machine, 1) != ES_MACHINE_UNTIL, "0x%04x is executed", none[i]);
        es_machine_free(machine);
    }
    es_machine *machine = machine_of("rv32imc_zcmp", false);
    es_machine_registers r = {.pc = ROM}, after;
    r.x[SP] = RAM + 64;
    r.x_unknown[SP] = 16;
    es_machine_set(machine, &r);
    put(machine, ROM, 0xB872, 2); /* cm.push {ra, s0-s2}, -16 */
    ck_assert_int_eq(es_machine_run(machine, 1), ES_MACHINE_UNKNOWN);
    es_machine_get(machine, &after);
    ck_assert(after.pc == ROM && after.x_unknown[SP] == 16);
    es_machine_free(machine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("several");
    TCase *tests = tcase_create("several");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, frames);
    tcase_add_test(tests, moves);
    tcase_add_loop_test(tests, tables, 0, 2);
    tcase_add_test(tests, others);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
