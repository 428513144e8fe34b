/* With the probe's tracker and without it (an image that does not ask for it) the probe tells the same, bit for bit: all
 * event frames of a run, with times, paths and counters. And the tracker spares the soft core work. */
#include <stdlib.h>
#include <string.h>

#include "../support/check_main.h"
#include "base/text.h"
#include "byte_port.h"
#include "check/firmware/service.h"
#include "probe/boot.h"
#include "probe_defs.h"
#include "sim.h"
#include "stream/event.h"
#include "symbols/code.h"
#include "symbols/symbols.h"
#include "transport/command.h"

#define PROGRAM(name) TESTS_BUILD "/examples/" name ".elf"
#define STATEMENTS(name) "examples/" name ".watch"

enum { STEP = 2000, WORDS_MAX = 1 << 20 };

static const struct {
    const char *program, *file;
    const char *text; /* instead of a file */
} cases[] = {
    {PROGRAM("thermostat-O0"), STATEMENTS("thermostat/thermostat"), NULL},
    {PROGRAM("thermostat-O2"), STATEMENTS("thermostat/thermostat"), NULL},
    {PROGRAM("thermostat-O0"), STATEMENTS("thermostat/locals"), NULL},
    {PROGRAM("recursion-O0"), STATEMENTS("recursion/recursion"), NULL},
    {PROGRAM("recursion-O0"), STATEMENTS("recursion/locals"), NULL},
    {PROGRAM("recursion-O2"), STATEMENTS("recursion/recursion"), NULL},
    {PROGRAM("interrupts-O0"), STATEMENTS("interrupts/interrupts"), NULL},
    {PROGRAM("interrupts-O0"), STATEMENTS("interrupts/locals"), NULL},
    {PROGRAM("nested-O0"), STATEMENTS("nested/nested"), NULL},
    {PROGRAM("tasks-O0"), STATEMENTS("tasks/tasks"), NULL},
    {PROGRAM("thermostat-O0"), NULL,
     "a: when temp > 80 { print temp }\nb: when temp < 30 || temp == 77 { print temp }"},
    {PROGRAM("thermostat-O2"), NULL, "a: when mode == 2 { count n }\nb: when !(temp <= 70) && temp != 75 { print n }"},
};

typedef struct run {
    uint32_t *words;
    size_t count;
    bool hello, done;
    uint32_t cycles; /* in which the soft core was awake */
} run;

static void on_event(void *context, const es_event *event)
{
    run *r = context;
    r->hello |= event->kind == ES_EVENT_HELLO;
    r->done |= event->kind == ES_EVENT_DONE;
    if (event->kind == ES_EVENT_HELLO) /* tells the image's checksum */
        return;
    ck_assert_uint_lt(r->count + event->word_count + 16, WORDS_MAX);
    const uint32_t head[] = {
        (uint32_t)event->kind, event->sequence, (uint32_t)event->time, (uint32_t)(event->time >> 32), event->statement,
        event->flags,          event->pc,       event->lost,           (uint32_t)event->word_count};
    memcpy(r->words + r->count, head, sizeof head);
    r->count += sizeof head / sizeof *head;
    memcpy(r->words + r->count, event->words, event->word_count * sizeof *event->words);
    r->count += event->word_count;
}

static void pump(es_sim *sim, es_link *link, es_error *err)
{
    while (!es_sim_idle(sim)) {
        es_sim_step(sim, STEP, 0);
        while (es_link_pump(link, 0, err) == 1)
            ;
    }
}

static run watch(int number, unsigned ratio, bool tracker)
{
    es_error err = {0};
    es_text_buffer text = {0};
    run r = {.words = es_malloc(WORDS_MAX * sizeof *r.words)};
    es_symbols *symbols = es_symbols_open(cases[number].program, &err);
    ck_assert_msg(symbols != NULL, "%s", err.text);
    if (cases[number].file)
        ck_assert_msg(es_text_read_file(&text, cases[number].file, 1 << 20, &err), "%s", err.text);
    es_text source = {"statements", cases[number].file ? text.text : cases[number].text};
    es_program program;
    ck_assert_msg(es_program_parse(symbols, &source, 1, &program, &err), "%s", err.text);
    es_sim *sim = es_sim_new(&(es_sim_config){.world = ES_SIM_BYTES, .ratio = ratio, .seed = 1}, &err);
    ck_assert_msg(sim != NULL, "%s", err.text);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        ck_assert(es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size));
    es_transport *transport = es_transport_sim(sim);
    es_link *link = es_link_new(transport, on_event, &r);
    es_probe_info info;
    es_image image;
    ck_assert_msg(es_probe_info_read(link, &info, &err), "%s", err.text);
    es_probe_limits limits = es_probe_info_limits(&info);
    ck_assert_msg(limits.tracker, "the simulated probe has a tracker");
    limits.bus_hz = ES_SIM_BUS_HZ;
    limits.tracker = tracker;
    ck_assert_msg(es_image_build(symbols, &program, &limits, &image, &err), "%s", err.text);
    size_t phantom;
    ck_assert_msg(es_probe_boot(link, &info, &image, symbols, &phantom, &err), "%s", err.text);
    pump(sim, link, &err);
    es_sim_start_target(sim);
    while (es_sim_step(sim, STEP, 256) == ES_SIM_RUNNING)
        while (es_link_pump(link, 0, &err) == 1)
            ;
    pump(sim, link, &err);
    uint32_t mail = ES_MAIL_FLUSH;
    ck_assert(es_link_read(link, ES_REG_BASE + ES_REG_CYCLES, &r.cycles, 1, &err));
    ck_assert(es_link_write(link, ES_REG_BASE + ES_REG_MAILBOX, &mail, 1, &err));
    for (int i = 0; i < 1000 && !r.done; i++)
        es_link_pump(link, 10, &err);
    ck_assert(r.hello && r.done);
    es_image_free(&image);
    es_link_free(link);
    es_transport_close(transport);
    es_sim_free(sim);
    es_program_free(&program);
    es_text_free(&text);
    es_symbols_close(symbols);
    return r;
}

/* Statements on `temp`, whose word has a filter or not, as the tracker's own part of the image says. */
static const struct {
    const char *text;
    unsigned bytes;
} filters[] = {
    {"temp > 80 { print temp }", 4},  {"temp < 20 || temp == 77", 4},
    {"!(temp != 30) && temp > 5", 4}, {"write(temp)", 0},
    {"temp > old(temp)", 0},          {"temp > 80 && mode == 2", 0},
    {"temp > 80 for 1ms", 0},
};

START_TEST(has_filters)
{
    es_error err = {0};
    es_symbols *symbols = es_symbols_open(PROGRAM("thermostat-O0"), &err);
    ck_assert_msg(symbols != NULL, "%s", err.text);
    es_text source = {"statements", filters[_i].text};
    es_program program;
    ck_assert_msg(es_program_parse(symbols, &source, 1, &program, &err), "%s", err.text);
    uint32_t temp = program.statements[0].references[0].address;
    for (int tracker = 0; tracker < 2; tracker++) {
        es_probe_limits limits = {.memory_size = ES_MEM_SIZE, .window_size = 1u << 18, .tracker = tracker};
        es_arena *arena = es_arena_new();
        es_image image;
        limits.bus_hz = ES_SIM_BUS_HZ;
        ck_assert_msg(es_image_build(symbols, &program, &limits, &image, &err), "%s", err.text);
        es_check_service *service = es_check_service_new(arena, &image, es_symbols_isa(symbols));
        ck_assert_uint_eq(es_check_service_filtered(service, temp & ~3u), tracker ? filters[_i].bytes : 0);
        es_image_free(&image);
        es_arena_free(arena);
    }
    es_program_free(&program);
    es_symbols_close(symbols);
}
END_TEST

/* ratio 0: the target waits for the probe; else so many clocks of the probe in one of the bus, few enough for hits to
 * wait in the queue. */
static void same(int number, unsigned ratio)
{
    run with = watch(number, ratio, true), without = watch(number, ratio, false);
    ck_assert_uint_eq(with.count, without.count);
    ck_assert_mem_eq(with.words, without.words, with.count * sizeof *with.words);
    ck_assert_msg(with.cycles < without.cycles, "the soft core was awake for %u clocks, without the tracker for %u",
                  (unsigned)with.cycles, (unsigned)without.cycles);
    printf("%s, %s, ratio %u: %zu words the same, the soft core was awake for %.0f %% of the clocks\n",
           cases[number].program, cases[number].file ? cases[number].file : cases[number].text, ratio, with.count,
           100.0 * with.cycles / without.cycles);
    free(with.words);
    free(without.words);
}

START_TEST(unhurried)
{
    same(_i, 0);
}
END_TEST

START_TEST(hurried)
{
    same(_i, 96);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tracker");
    TCase *tests = tcase_create("tracker");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, has_filters, 0, sizeof filters / sizeof *filters);
    tcase_add_loop_test(tests, unhurried, 0, sizeof cases / sizeof *cases);
    tcase_add_loop_test(tests, hurried, 0, sizeof cases / sizeof *cases);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
