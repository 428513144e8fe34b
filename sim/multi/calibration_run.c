#include "calibration_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "multi.h"
#include "probe_defs.h"
#include "symbols/symbols.h"

#define TIMES (ES_CALIBRATION_RUNS + 1)
#define NOP 0x00000013u
#define LUI_T0(address) (((address)&0xFFFFF000u) | 0x2B7u)
#define SW_ZERO_T0(offset) (0x0002A023u | ((offset)&0x1Fu) << 7 | ((offset)&0xFE0u) << 20)
#define JUMP_HERE 0x0000006Fu
#define PATIENCE 1000u /* clocks for each instruction, at the very most */

/* A mark's code is at `at` in this run, TIMES times; then one instruction that does nothing. */
typedef struct run {
    const es_calibration *calibration;
    size_t site;
    uint32_t size;                              /* of the mark's code, bytes */
    uint64_t stores[TIMES], fetched[TIMES + 1]; /* fetched[i]: the first instruction of the ith */
    size_t store_count, fetch_count;
    bool stray;
} run;

static void on_mark(void *context, const es_mark *mark)
{
    run *r = context;
    if (mark->id != r->calibration->places[r->site].id || r->store_count == TIMES)
        r->stray = true;
    else
        r->stores[r->store_count++] = mark->time;
}

static void on_fetch(void *context, unsigned core, uint64_t time, uint32_t address)
{
    run *r = context;
    (void)core;
    if (r->fetch_count <= TIMES && address == r->fetch_count * r->size)
        r->fetched[r->fetch_count++] = time;
}

static bool load_words(es_multi *multi, uint32_t at, const uint32_t *words, size_t count)
{
    bool fits = true;
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[4] = {(uint8_t)words[i], (uint8_t)(words[i] >> 8), (uint8_t)(words[i] >> 16),
                            (uint8_t)(words[i] >> 24)};
        fits = fits && es_multi_load(multi, 0, at + 4 * (uint32_t)i, bytes, 4);
    }
    return fits;
}

static bool play(run *r, const uint8_t *code, es_error *err)
{
    static const uint32_t end[] = {NOP, LUI_T0(ES_TARGET_IO_BASE), SW_ZERO_T0(ES_TARGET_IO_EXIT), JUMP_HERE};
    es_multi_config config = {.cores = 1, .latency = 4, .on_mark = on_mark, .on_fetch = on_fetch, .context = r};
    es_multi *multi = es_multi_new(&config, err);
    if (!multi)
        return false;
    bool fits = true;
    for (uint32_t i = 0; i <= TIMES; i++) {
        fits = fits && (i == TIMES ? load_words(multi, i * r->size, end, 4)
                                   : es_multi_load(multi, 0, i * r->size, code, r->size));
        es_multi_watch(multi, 0, i * r->size);
    }
    es_multi_start(multi);
    bool exited = fits && es_multi_step(multi, (uint64_t)PATIENCE * TIMES * (r->size / 2 + 4)) == ES_MULTI_EXITED;
    es_multi_free(multi);
    if (!fits)
        return es_fail(err, ES_USAGE, "the mark at site %zu has %u bytes of code: too much for a calibration run",
                       r->site, (unsigned)r->size);
    if (!exited || r->stray || r->store_count != TIMES || r->fetch_count != TIMES + 1)
        return es_fail(err, ES_PROBE,
                       "the code of the mark at site %zu (id %u) is not just a mark: %zu stores to the marker window "
                       "where %u were expected",
                       r->site, (unsigned)r->calibration->places[r->site].id, r->store_count, TIMES);
    return true;
}

static bool measure(const run *r, es_net_cost *cost, es_error *err)
{
    *cost = (es_net_cost){.site = (uint32_t)r->site, .id = r->calibration->places[r->site].id, .least = INT64_MAX};
    for (size_t i = 1; i < TIMES; i++) {
        int64_t apart = (int64_t)(r->stores[i] - r->stores[i - 1]),
                fetched = (int64_t)(r->fetched[i + 1] - r->fetched[i]);
        if (apart != fetched)
            return es_fail(err, ES_PROBE,
                           "the mark at site %zu takes %lld clocks by its stores and %lld by its fetches", r->site,
                           (long long)apart, (long long)fetched);
        cost->least = apart < cost->least ? apart : cost->least;
        cost->most = apart > cost->most ? apart : cost->most;
        cost->after = (int64_t)(r->fetched[i + 1] - r->stores[i]);
    }
    cost->delay = cost->most;
    return true;
}

/* The file's bytes at an address, or NULL. */
static const uint8_t *bytes_at(const es_symbols *symbols, uint32_t address, uint32_t size)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (address >= segments[i].address && address - segments[i].address <= segments[i].size &&
            size <= segments[i].size - (address - segments[i].address))
            return segments[i].bytes + (address - segments[i].address);
    return NULL;
}

static bool calibrate(es_calibration *c, const es_symbols *symbols, const char *path, es_error *err)
{
    for (size_t i = 0; i < c->count; i++) {
        const es_net_mark_place *place = &c->places[i];
        if (place->end <= place->begin || (place->end - place->begin) % 2)
            return es_fail(err, ES_USAGE, "%s: the mark at site %zu has no code; is it a build without marks?", path,
                           i);
        run r = {.calibration = c, .site = i, .size = place->end - place->begin};
        const uint8_t *code = bytes_at(symbols, place->begin, r.size);
        if (!code)
            return es_fail(err, ES_USAGE, "%s: the mark at site %zu is not in the program's code", path, i);
        if (!play(&r, code, err) || !measure(&r, &c->costs[i], err))
            return false;
    }
    return true;
}

bool es_calibrate(es_calibration *calibration, const char *path, es_error *err)
{
    *calibration = (es_calibration){0};
    es_symbols *symbols = es_symbols_open(path, err);
    calibration->places = symbols ? es_net_mark_table(path, &calibration->count, err) : NULL;
    bool good = calibration->places != NULL;
    if (good) {
        calibration->costs = es_malloc((calibration->count + 1) * sizeof *calibration->costs);
        good = calibrate(calibration, symbols, path, err);
    }
    es_symbols_close(symbols);
    if (!good)
        es_calibration_free(calibration);
    return good;
}

void es_calibration_free(es_calibration *calibration)
{
    free(calibration->places);
    free(calibration->costs);
    *calibration = (es_calibration){0};
}
