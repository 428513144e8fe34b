/* The worlds with a probe, with a small firmware that reports every hit: exact hits, clocks that may be left out, the
 * FT245 pins.
 *
 * Watched is one word of a program; what must hit is known from the log of retired instructions. */
#include <string.h>

#include "../support/check_main.h"
#include "byte_port.h"
#include "probe_defs.h"
#include "symbols/symbols.h"
#include "transport/command.h"
#include "world.h"

#define PROGRAM "examples/recursion-O2.elf"
#define HIT_WORDS 6
#define HITS_MAX 16384

typedef struct hits {
    uint32_t word[HITS_MAX][HIT_WORDS]; /* flags, time, address, new, old, pc */
    size_t count;
} hits;

typedef struct session {
    world *world;
    es_transport *transport;
    es_link *link;
    hits hits;
} session;

static void on_event(void *context, const es_event *event)
{
    hits *h = context;
    if (event->kind != ES_EVENT_COUNTERS || event->word_count != HIT_WORDS - 1)
        return;
    ck_assert_uint_lt(h->count, HITS_MAX);
    h->word[h->count][0] = event->first_index;
    memcpy(&h->word[h->count++][1], event->words, 4 * (HIT_WORDS - 1));
}

static uint32_t address_in(const char *program, const char *name)
{
    es_error err;
    char path[256];
    uint32_t address = 0;
    snprintf(path, sizeof path, TESTS_BUILD "/%s", program);
    es_symbols *symbols = es_symbols_open(path, &err);
    ck_assert_msg(symbols != NULL, "%s", err.text);
    ck_assert(es_symbols_value(symbols, name, &address));
    es_symbols_close(symbols);
    return address;
}

static uint32_t watched_address(const char *name)
{
    return address_in(PROGRAM, name);
}

static uint32_t read_word(session *s, uint32_t address)
{
    es_error err = {0};
    uint32_t value = 0;
    ck_assert_msg(es_link_read(s->link, address, &value, 1, &err), "%s", err.text);
    return value;
}

static void write_word(session *s, uint32_t address, uint32_t value)
{
    es_error err = {0};
    ck_assert_msg(es_link_write(s->link, address, &value, 1, &err), "%s", err.text);
}

/* A world with a program and the firmware running; nothing is armed, and no word of memory known. */
static session *session_with(const es_sim_config *config, const char *program)
{
    session *s = calloc(1, sizeof *s);
    es_error err = {0};
    ck_assert_ptr_nonnull(s);
    s->world = world_new(config, program, true);
    s->transport = es_transport_sim(s->world->sim);
    s->link = es_link_new(s->transport, on_event, &s->hits);
    ck_assert_uint_eq(read_word(s, ES_REG_BASE + ES_REG_ID), ES_PROBE_ID);
    ck_assert_uint_eq(read_word(s, ES_REG_BASE + ES_REG_WINDOW_SIZE), ES_TARGET_ROM_SIZE + ES_TARGET_RAM_SIZE);

    write_word(s, ES_REG_BASE + ES_REG_CTRL, ES_CTRL_CLEAR);
    while (read_word(s, ES_REG_BASE + ES_REG_CTRL) & 1)
        continue;
    uint32_t code[256] = {0};
    FILE *file = fopen(TESTS_BUILD "/tests/sim/monitor.bin", "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_gt(fread(code, 1, sizeof code, file), 0);
    fclose(file);
    ck_assert_msg(es_link_write(s->link, ES_MEM_BASE, code, 256, &err), "%s", err.text);
    write_word(s, ES_REG_BASE + ES_REG_CPU_CTRL, 1);
    return s;
}

/* The same with a word of PROGRAM armed. */
static session *session_new(const es_sim_config *config, uint32_t watched, uint32_t plane_bits)
{
    session *s = session_with(config, PROGRAM);
    write_word(s, ES_PLANE_DATA_BASE + watched, plane_bits);
    return s;
}

static void session_free(session *s)
{
    es_link_free(s->link);
    s->transport->ops->close(s->transport);
    world_free(s->world);
    free(s);
}

/* Runs the target to its end and the probe until it is idle. Returns the bytes that the probe sent from then on. */
static size_t session_run(session *s, uint8_t *bytes, size_t room)
{
    size_t got = 0;
    ck_assert_int_eq(world_run(s->world), ES_SIM_EXITED);
    for (int i = 0; i < 1000; i++) {
        got += es_sim_read(s->world->sim, bytes + got, room - got);
        if (es_sim_idle(s->world->sim))
            break;
        es_sim_step(s->world->sim, 10000, 0);
    }
    ck_assert(es_sim_idle(s->world->sim));
    got += es_sim_read(s->world->sim, bytes + got, room - got);
    ck_assert_uint_lt(got, room);
    es_decoder *decoder = es_decoder_new(on_event, &s->hits);
    es_decoder_push(decoder, bytes, got);
    es_decoder_free(decoder);
    return got;
}

static uint8_t bytes[2][1 << 20];

/* Every write of the watched word is a hit, in order, with the clock and the values that the target's own log tells. */
static void check_hits(const session *s, uint32_t watched)
{
    size_t k = 0;
    uint32_t value = 0;
    bool known = false;
    for (size_t i = 0; i < s->world->retired_count; i++) {
        const es_retired *r = &s->world->retired[i];
        if (r->mem_addr != watched || !r->mem_wmask)
            continue;
        ck_assert_uint_lt(k, s->hits.count);
        const uint32_t *hit = s->hits.word[k++];
        ck_assert_uint_eq(hit[0] & ES_HIT_KIND_MASK, ES_KIND_WRITE);
        ck_assert_uint_eq(hit[0] >> ES_HIT_LANES_SHIFT & 15, r->mem_wmask);
        ck_assert_uint_eq(hit[1], (uint32_t)r->cycle);
        ck_assert_uint_eq(hit[2], watched);
        if (known)
            ck_assert_uint_eq(hit[4], value);
        ck_assert_uint_eq(r->mem_wmask, 15);
        ck_assert_uint_eq(hit[3], r->mem_wdata);
        value = r->mem_wdata;
        known = true;
        ck_assert_uint_eq(hit[5], r->pc);
    }
    ck_assert_uint_eq(k, s->hits.count);
    ck_assert_uint_gt(k, 50);
}

static const es_sim_config configs[] = {
    {.world = ES_SIM_BYTES, .ratio = 0, .seed = 3}, {.world = ES_SIM_BYTES, .ratio = 0, .seed = 3, .every_clock = true},
    {.world = ES_SIM_BYTES, .ratio = 3, .seed = 3}, {.world = ES_SIM_BYTES, .ratio = 3, .seed = 3, .every_clock = true},
    {.world = ES_SIM_FT245, .ratio = 3, .seed = 3}, {.world = ES_SIM_FT245, .ratio = 3, .seed = 3, .every_clock = true},
};

START_TEST(hits_are_exact)
{
    uint32_t watched = watched_address("depth");
    session *s = session_new(&configs[_i], watched, _i & 1 ? 3 : 1);
    session_run(s, bytes[0], sizeof bytes[0]);
    check_hits(s, watched);
    ck_assert_uint_eq(read_word(s, ES_REG_BASE + ES_REG_LOST), 0);
    session_free(s);
}
END_TEST

/* Leaving out clocks of an idle probe and of a sleeping soft core changes no byte. */
START_TEST(elision_is_equivalent)
{
    uint32_t watched = watched_address("depth");
    size_t size[2];
    for (int i = 0; i < 2; i++) {
        es_sim_config config = configs[2 * _i];
        config.every_clock = i;
        session *s = session_new(&config, watched, 3);
        size[i] = session_run(s, bytes[i], sizeof bytes[i]);
        session_free(s);
    }
    ck_assert_uint_gt(size[0], 50 * 4 * HIT_WORDS);
    ck_assert_uint_eq(size[0], size[1]);
    ck_assert(memcmp(bytes[0], bytes[1], size[0]) == 0);
}
END_TEST

#define SCATTER "tests/sim/scatter.elf"
#define AREA 0x30000u /* as in scatter.c */
#define AREA_WORDS 256

/* A run of SCATTER in steps of all sizes. What the probe learns of the area before any of it is armed is seen in the
 * hits after that: what was there before, whether it was known, what was fetched last, and when. */
static session *scattered(bool every_clock, uint32_t seed, uint32_t phantom[AREA_WORDS], uint64_t *arm_at)
{
    es_sim_config config = {.world = ES_SIM_BYTES, .seed = seed, .every_clock = every_clock};
    es_error err = {0};
    uint32_t touch = address_in(SCATTER, "touch"), step = 1;
    *arm_at = 3000 + seed * 1000;
    bool armed = false;
    session *s = session_with(&config, SCATTER);
    es_sim *sim = s->world->sim;
    es_sim_start_target(sim);
    while (es_sim_step(sim, step, 0) == ES_SIM_RUNNING || !es_sim_idle(sim)) {
        step = step * 7 % 1009; /* 1 to 1008 */
        ck_assert_uint_lt(es_sim_cycles(sim), WORLD_MAX_CYCLES);
        read_word(s, ES_REG_BASE + ES_REG_ID); /* takes what has been sent meanwhile */
        if (armed || es_sim_cycles(sim) < *arm_at)
            continue;
        armed = true;
        *arm_at = es_sim_cycles(sim);
        for (uint32_t i = 0; i < AREA_WORDS; i++) /* one word in four without, two of four with a lock */
            write_word(s, ES_PLANE_DATA_BASE + AREA + 4 * i, (i * 5 + seed) & 3);
        write_word(s, ES_PLANE_FETCH_BASE + touch, 1);
    }
    for (uint32_t i = 0; i < AREA_WORDS; i += 32)
        ck_assert_msg(es_link_read(s->link, ES_PHANTOM_BASE + AREA + 4 * i, phantom + i, 32, &err), "%s", err.text);
    return s;
}

/* Transactions that go past the probe leave in it what they would have left on their way through it. */
START_TEST(short_cut_is_equivalent)
{
    static uint32_t phantom[2][AREA_WORDS];
    uint64_t armed[2];
    session *cut = scattered(false, (uint32_t)_i, phantom[0], &armed[0]);
    session *whole = scattered(true, (uint32_t)_i, phantom[1], &armed[1]);
    ck_assert_uint_eq(armed[0], armed[1]);
    /* what the tap takes in the clock before the words are armed is still on its way there, and elsewhere past */
    size_t before = whole->hits.word[0][1] + 1 == (uint32_t)armed[1];
    ck_assert_uint_gt(es_sim_cycles(cut->world->sim), 3 << 16);
    ck_assert_uint_eq(es_sim_cycles(cut->world->sim), es_sim_cycles(whole->world->sim));
    ck_assert(memcmp(phantom[0], phantom[1], sizeof phantom[0]) == 0);
    ck_assert_uint_gt(cut->hits.count, 4000);
    ck_assert_uint_eq(cut->hits.count, whole->hits.count - before);
    size_t known = 0, unknown = 0, wraps = 0;
    for (size_t i = 0; i < cut->hits.count; i++) {
        const uint32_t *hit = cut->hits.word[i];
        ck_assert_msg(memcmp(hit, whole->hits.word[i + before], sizeof cut->hits.word[i]) == 0, "hit %zu", i);
        bool write = (hit[0] & ES_HIT_KIND_MASK) == ES_KIND_WRITE;
        known += write && hit[0] & ES_HIT_OLD_KNOWN;
        unknown += write && !(hit[0] & ES_HIT_OLD_KNOWN);
        wraps += (hit[0] & ES_HIT_KIND_MASK) == ES_KIND_MARK;
    }
    ck_assert(known > 500 && unknown > 50 && wraps >= 3);
    session_free(cut);
    session_free(whole);
}
END_TEST

/* With a probe much slower than its target, transactions are lost and counted; the elastic clock loses none
 * (hits_are_exact). */
START_TEST(probe_does_not_touch_the_target)
{
    world *alone = world_new(&(es_sim_config){.world = ES_SIM_BARE, .seed = 3}, PROGRAM, true);
    ck_assert_int_eq(world_run(alone), ES_SIM_EXITED);
    session *s = session_new(&configs[2 * _i], watched_address("depth"), 3);
    session_run(s, bytes[0], sizeof bytes[0]);
    ck_assert_uint_eq(alone->retired_count, s->world->retired_count);
    for (size_t i = 0; i < alone->retired_count; i++)
        ck_assert_msg(memcmp(&alone->retired[i], &s->world->retired[i], sizeof alone->retired[i]) == 0,
                      "instruction %zu", i);
    ck_assert_uint_eq(es_sim_cycles(alone->sim), es_sim_cycles(s->world->sim));
    session_free(s);
    world_free(alone);
}
END_TEST

/* The firmware is held: hits pile up, the FIFO overflows, and the elastic clock gives the caller its turn all the
 * same. */
START_TEST(a_stuck_probe_does_not_hang)
{
    uint32_t watched = watched_address("depth");
    session *s = session_new(&configs[0], watched, 3);
    write_word(s, ES_REG_BASE + ES_REG_CPU_CTRL, 0);
    es_sim_start_target(s->world->sim);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(es_sim_step(s->world->sim, 1000, 0), ES_SIM_RUNNING);
    ck_assert(!es_sim_idle(s->world->sim));
    session_free(s);
}
END_TEST

/* Pulses of the trigger pins are seen, and the halt pin stops the target for good, with every clock and without those
 * that change nothing. */
START_TEST(pins_are_seen)
{
    session *s = session_new(&configs[_i], watched_address("depth"), 0);
    write_word(s, ES_REG_BASE + ES_REG_TRIGGER, 0x21);
    write_word(s, ES_REG_BASE + ES_REG_TRIGGER, 0x01);
    es_sim_start_target(s->world->sim);
    ck_assert_int_eq(es_sim_step(s->world->sim, 1000, 0), ES_SIM_RUNNING);
    ck_assert_uint_ge(es_sim_pulses(s->world->sim, 0), 1); /* the second write may have made the first pulse longer */
    ck_assert_uint_eq(es_sim_pulses(s->world->sim, 1), 0);
    ck_assert_uint_eq(es_sim_pulses(s->world->sim, 5), 1);
    write_word(s, ES_REG_BASE + ES_REG_HALT, 1);
    ck_assert_int_eq(es_sim_step(s->world->sim, 1000, 0), ES_SIM_HALTED);
    uint64_t cycles = es_sim_cycles(s->world->sim);
    ck_assert_int_eq(es_sim_step(s->world->sim, 100000, 0), ES_SIM_HALTED);
    ck_assert_uint_eq(es_sim_cycles(s->world->sim), cycles);
    ck_assert_uint_eq(read_word(s, ES_REG_BASE + ES_REG_ID), ES_PROBE_ID); /* the probe is well */
    session_free(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("probe");
    TCase *cases = tcase_create("probe");
    tcase_set_timeout(cases, 30);
    tcase_add_loop_test(cases, hits_are_exact, 0, 6);
    tcase_add_loop_test(cases, elision_is_equivalent, 0, 3);
    tcase_add_loop_test(cases, short_cut_is_equivalent, 1, 9);
    tcase_add_loop_test(cases, probe_does_not_touch_the_target, 0, 3);
    tcase_add_test(cases, a_stuck_probe_does_not_hang);
    tcase_add_loop_test(cases, pins_are_seen, 0, 4);
    suite_add_tcase(suite, cases);
    return check_main(suite);
}
