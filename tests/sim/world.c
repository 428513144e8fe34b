#include "world.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/symbols.h"

static void on_console(void *context, const char *bytes, size_t size)
{
    world *w = context;
    ck_assert_uint_lt(w->console_size + size, sizeof w->console);
    memcpy(w->console + w->console_size, bytes, size);
    w->console_size += size;
}

static void on_retired(void *context, const es_retired *retired)
{
    world *w = context;
    if (w->retired_count == w->retired_room) {
        w->retired_room = w->retired_room ? 2 * w->retired_room : 65536;
        w->retired = realloc(w->retired, w->retired_room * sizeof *w->retired);
        ck_assert_ptr_nonnull(w->retired);
    }
    w->retired[w->retired_count++] = *retired;
}

world *world_new(const es_sim_config *config, const char *path, bool log)
{
    es_error err = {0};
    world *w = calloc(1, sizeof *w);
    ck_assert_ptr_nonnull(w);
    es_sim_config own = *config;
    own.on_console = on_console;
    own.on_retired = log ? on_retired : NULL;
    own.context = w;
    w->sim = es_sim_new(&own, &err);
    ck_assert_msg(w->sim != NULL, "%s", err.text);

    char full[256];
    snprintf(full, sizeof full, TESTS_BUILD "/%s", path);
    es_symbols *symbols = es_symbols_open(full, &err);
    ck_assert_msg(symbols != NULL, "%s", err.text);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    ck_assert_uint_gt(count, 0);
    for (size_t i = 0; i < count; i++)
        ck_assert(es_sim_load(w->sim, segments[i].address, segments[i].bytes, segments[i].size));
    es_symbols_close(symbols);
    return w;
}

void world_free(world *w)
{
    es_sim_free(w->sim);
    free(w->retired);
    free(w);
}

enum es_sim_state world_run(world *w)
{
    enum es_sim_state state = ES_SIM_RUNNING;
    es_sim_start_target(w->sim);
    while (state == ES_SIM_RUNNING) {
        state = es_sim_step(w->sim, 10000, 0);
        ck_assert_uint_lt(es_sim_cycles(w->sim), WORLD_MAX_CYCLES);
    }
    return state;
}
