/* What `earshot check --replay` promises against runs: the bytes that wait for a link of some rate, by the stream of a
 * recorder that was written from docs/replay.md alone (tests/replay/encoder.h), are never more than the bound. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "check/recorder.h"
#include "check_main.h"
#include "encoder.h"
#include "replay/vectors.h"
#include "sim.h"

#define PERIOD 13u
#define MOST_CYCLES 3000000u
#define FULL 240   /* bytes of tokens in a full frame (docs/link.md, docs/replay.md) */
#define OVERHEAD 8 /* bytes of a frame besides */

static const char *const programs[] = {
    "thermostat-O0", "thermostat-O2", "recursion-O0", "recursion-O2",
    "interrupts-O0", "interrupts-O2", "nested-O0",    "nested-O2",
};

/* Bytes per bus clock that the link takes: a UART of 3 Mbaud at 10 MHz, and faster ones. */
static const double rates[] = {0.03, 0.1, 0.16, 0.2, 0.24, 0.3, 1, 3};
#define RATES (sizeof rates / sizeof *rates)

/* A link: tokens wait until a frame is full, or for a heartbeat, which fills its word up and ends the frame. */
typedef struct link {
    double waiting, sending; /* bytes of tokens; bytes on the wire that are left of the frame under way */
    double most;             /* that were in the buffer */
    bool flush;
} link;

typedef struct watched {
    encoder encoder;
    size_t size, heartbeats; /* of the stream so far */
    link links[RATES];
    uint64_t last, last_interrupt, gap;
} watched;

/* So many bytes go over it. */
static void send(link *l, double credit)
{
    while (credit > 0) {
        if (l->sending <= 0) {
            double frame = l->waiting >= FULL ? FULL : l->flush ? l->waiting : 0;
            if (frame <= 0) {
                l->flush = false;
                return;
            }
            l->waiting -= frame;
            l->sending = frame + OVERHEAD;
        }
        double now = credit < l->sending ? credit : l->sending;
        l->sending -= now;
        credit -= now;
    }
}

static void on_retired(void *context, const es_retired *retired)
{
    watched *w = context;
    encoder_retired(&w->encoder, retired);
    bool beat = w->encoder.heartbeats != w->heartbeats;
    for (size_t i = 0; i < RATES; i++) {
        link *l = &w->links[i];
        send(l, rates[i] * (double)(retired->cycle - w->last));
        l->waiting += (double)(w->encoder.size - w->size);
        if (beat)
            l->waiting += (double)((uint64_t) - (int64_t)l->waiting & 3);
        l->flush |= beat;
        l->most = l->waiting + l->sending > l->most ? l->waiting + l->sending : l->most;
    }
    w->heartbeats = w->encoder.heartbeats;
    w->size = w->encoder.size;
    w->last = retired->cycle;
    if (retired->interrupt) {
        uint64_t gap = retired->fetch_cycle - w->last_interrupt;
        w->gap = w->last_interrupt && gap < w->gap ? gap : w->gap;
        w->last_interrupt = retired->fetch_cycle;
    }
}

static void run(watched *w, const char *path, const es_symbols *symbols)
{
    es_error err;
    const es_segment *segments;
    const es_sim_config config = {.world = ES_SIM_BARE, .seed = 1, .on_retired = on_retired, .context = w};
    es_sim *sim = es_sim_new(&config, &err);
    ck_assert_msg(sim != NULL, "%s: %s", path, sim ? "" : err.text);
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        ck_assert(es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size));
    w->gap = UINT32_MAX;
    w->encoder.window_base = 0;
    w->encoder.window_size = ES_TARGET_ROM_SIZE + ES_TARGET_RAM_SIZE;
    w->encoder.period = PERIOD;
    w->encoder.mask[1] = UINT32_MAX;
    w->encoder.vector[0] = 1;
    es_replay_program program;
    es_replay_reference(&program, symbols);
    if (es_vectors_find(&program, &err) && program.traps.used) {
        w->encoder.vector[0] = program.traps.value;
        w->encoder.mask[0] = program.traps.mask;
    }
    encoder_begin(&w->encoder, symbols, 0);
    es_sim_start_target(sim);
    while (es_sim_cycles(sim) < MOST_CYCLES && es_sim_step(sim, 100000, 0) == ES_SIM_RUNNING)
        ;
    es_sim_free(sim);
}

static size_t judge(const char *name, const watched *w, const es_symbols *symbols)
{
    size_t guaranteed = 0;
    for (size_t i = 0; i < RATES; i++) {
        const es_check_recorder_options options = {.memory_size = ES_TARGET_ROM_SIZE + ES_TARGET_RAM_SIZE,
                                                   .ratio = {4, 1},
                                                   .bytes_per_clock = rates[i] / 4,
                                                   .buffer = 4096,
                                                   .fifo = 4096,
                                                   .period = PERIOD,
                                                   .levels = 16,
                                                   .nest = 64,
                                                   .interrupt_gap = w->gap == UINT32_MAX ? 0 : (int64_t)w->gap};
        es_check_recorder_report report;
        es_check_recorder(symbols, &options, &report);
        double promised = report.bytes - FULL; /* this link has no answers to send besides */
        if (report.bytes >= 0)
            ck_assert_msg(w->links[i].most <= promised, "%s at %g: %g bytes waited, promised were %g", name, rates[i],
                          w->links[i].most, promised);
        if (getenv("EARSHOT_FIGURES"))
            printf("%s at %g: %g of %g\n", name, rates[i], w->links[i].most, promised);
        if (report.guaranteed)
            ck_assert_msg(w->links[i].most <= options.buffer, "%s at %g", name, rates[i]);
        ck_assert(report.guaranteed == !report.why);
        guaranteed += report.guaranteed;
        es_check_recorder_report_free(&report);
    }
    return guaranteed;
}

START_TEST(runs_keep_to_the_bound)
{
    char path[256];
    es_error err;
    snprintf(path, sizeof path, "%s/examples/%s.elf", TESTS_BUILD, programs[_i]);
    es_symbols *symbols = es_symbols_open(path, &err);
    ck_assert_msg(symbols != NULL, "%s: %s", path, symbols ? "" : err.text);
    watched w = {0};
    run(&w, path, symbols);
    ck_assert_uint_gt(w.size, 0);
    /* the fastest link is enough for each of them */
    ck_assert_uint_gt(judge(programs[_i], &w, symbols), 0);
    encoder_free(&w.encoder);
    es_symbols_close(symbols);
}
END_TEST

/* A device that is read as fast as can be does not fit through a slow line, and the loop is named. */
START_TEST(what_cannot_fit_is_named)
{
    es_error err;
    es_symbols *symbols = es_symbols_open(TESTS_BUILD "/examples/thermostat-O2.elf", &err);
    ck_assert_ptr_nonnull(symbols);
    const es_check_recorder_options options = {.memory_size = ES_TARGET_ROM_SIZE + ES_TARGET_RAM_SIZE,
                                               .ratio = {4, 1},
                                               .bytes_per_clock = 0.001,
                                               .buffer = 4096,
                                               .fifo = 4096,
                                               .period = PERIOD};
    es_check_recorder_report report;
    es_check_recorder(symbols, &options, &report);
    ck_assert(!report.guaranteed);
    ck_assert(report.bytes < 0 && report.least_rate > 0.004);
    ck_assert_ptr_nonnull(report.place);
    es_check_recorder_report_free(&report);
    es_symbols_close(symbols);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder");
    TCase *tests = tcase_create("recorder");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, runs_keep_to_the_bound, 0, (int)(sizeof programs / sizeof *programs));
    tcase_add_test(tests, what_cannot_fit_is_named);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
