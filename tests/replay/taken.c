#include "taken.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "byte_port.h"
#include "replay/recorder.h"
#include "replay/vectors.h"

static void on_retired(void *context, const es_retired *retired)
{
    taken *t = context;
    if (retired->core != t->shared.core)
        return;
    if (t->truth.count == t->truth.room) {
        t->truth.room = t->truth.room ? 2 * t->truth.room : 65536;
        t->truth.log = realloc(t->truth.log, t->truth.room * sizeof *t->truth.log);
        ck_assert_ptr_nonnull(t->truth.log);
    }
    t->truth.log[t->truth.count++] = *retired;
}

void taken_ignore_console(void *context, const char *bytes, size_t size)
{
    (void)context, (void)bytes, (void)size;
}

static void take(void *context, const uint8_t *bytes, size_t size)
{
    taken *t = context;
    if (t->size + size > t->room) {
        t->room = 2 * (t->size + size);
        t->bytes = realloc(t->bytes, t->room);
        ck_assert_ptr_nonnull(t->bytes);
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}

static void lost(void *context, const char *why)
{
    ((taken *)context)->lost = why;
}

void taken_load(es_sim *sim, const es_symbols *symbols)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        ck_assert(es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size));
}

void taken_pump(es_input_recorder *recorder, int timeout_ms)
{
    es_error err = {0};
    int got;
    while ((got = es_input_recorder_pump(recorder, timeout_ms, &err)) > 0)
        continue;
    ck_assert_msg(got == 0, "%s", err.text);
}

void taken_record(taken *t, const char *name, taken_processor *processor, unsigned ratio, uint64_t cycles)
{
    es_error err = {0};
    char path[256];
    snprintf(path, sizeof path, TESTS_BUILD "/%s", name);
    t->truth.symbols = es_symbols_open(path, &err);
    ck_assert_msg(t->truth.symbols != NULL, "%s", err.text);
    es_replay_program *program = &t->truth.program;
    processor(program, t->truth.symbols);
    es_sim_config config = {.world = ES_SIM_BYTES,
                            .shared = t->shared,
                            .ratio = ratio,
                            .seed = 5,
                            .on_retired = on_retired,
                            .on_console = taken_ignore_console,
                            .context = t};
    es_sim *sim = es_sim_new(&config, &err);
    ck_assert_msg(sim != NULL, "%s", err.text);
    taken_load(sim, t->truth.symbols);
    es_transport *transport = es_transport_sim(sim);
    es_input_recorder_sink sink = {take, lost, t};
    es_input_recorder *recorder = es_input_recorder_open(transport, program, true, &sink, &err);
    ck_assert_msg(recorder != NULL, "%s", err.text);
    es_vectors_find(program, &err);
    ck_assert_msg(es_input_recorder_start(recorder, program, 12, &err), "%s", err.text);
    es_sim_start_target(sim);
    enum es_sim_state state = ES_SIM_RUNNING;
    while (state == ES_SIM_RUNNING && es_sim_cycles(sim) < cycles) {
        state = es_sim_step(sim, 10000, 200);
        taken_pump(recorder, 0);
    }
    t->exit_code = es_sim_exit_code(sim);
    es_sim_stop_target(sim);
    ck_assert_msg(es_input_recorder_stop(recorder, &err), "%s", err.text);
    ck_assert(es_input_recorder_has_begun(recorder));
    ck_assert(es_input_recorder_has_ended(recorder));
    ck_assert_ptr_null(t->lost);
    es_input_recorder_free(recorder);
    es_transport_close(transport);
    es_sim_free(sim);
}

void taken_free(taken *t)
{
    es_symbols_close(t->truth.symbols);
    free(t->truth.log);
    free(t->bytes);
}
