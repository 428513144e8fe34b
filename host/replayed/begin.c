#include "replayed/begin.h"

#include <string.h>

#include "base/arena.h"
#include "probe_defs.h"
#include "replay/moment.h"
#include "replayed/begin_cells.h"

#define EARLIER 16384u /* instructions: what is between two heartbeats, and assignments in parts, are over by then */
#define TRIES 64u      /* moments that are looked at */
#define APART 4093u    /* instructions between two of them */
#define BLOCK 4096u

static bool switches_stacks(const es_symbols *symbols)
{
    es_arena *arena = es_arena_new();
    es_switch *switches;
    size_t count = es_symbols_switches(symbols, arena, &switches);
    es_arena_free(arena);
    return count;
}

static bool find(es_replayed_begin *begin, es_timeline *timeline, const es_symbols *symbols, es_begin_cells *cells,
                 uint64_t moment, const char **why)
{
    es_error err;
    uint64_t until = moment;
    *why = "it is near the start";
    if (moment <= EARLIER)
        return false;
    if (switches_stacks(symbols)) {
        *why = "the program switches stacks";
        return false;
    }
    *why = cells ? "what is in registers follows from what came long before"
                 : "the calls that are active there are not known for sure";
    moment -= EARLIER;
    for (unsigned i = 0; i < TRIES && moment > 0; i++, moment = moment > APART ? moment - APART : 0) {
        if (!es_timeline_seek(timeline, moment, &err) || !es_replay_moment_pace(timeline, moment, &begin->time, &err)) {
            *why = "the recording is damaged there";
            return false;
        }
        begin->moment = moment;
        if (es_replayed_stack(symbols, es_timeline_machine(timeline), begin->calls, ES_BEGIN_DEPTH, &begin->count) &&
            es_begin_cells_settle(cells, begin->calls, begin->count, until))
            return es_timeline_seek(timeline, moment, &err);
    }
    return false;
}

bool es_replayed_begin_find(es_replayed_begin *begin, es_timeline *timeline, const es_symbols *symbols, uint64_t clock,
                            const char **why)
{
    es_begin_cells *cells = es_begin_cells_new(symbols, timeline);
    bool found = find(begin, timeline, symbols, cells, es_replay_moment_before(timeline, clock), why);
    es_begin_cells_free(cells);
    return found;
}

static uint32_t word_of(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Memory as the program has it there. */
static void poke_all(const es_machine *machine, const es_replay_region *region, es_softprobe *probe)
{
    uint8_t bytes[BLOCK], unknown[BLOCK], nothing[BLOCK];
    memset(nothing, 0xFF, sizeof nothing);
    for (uint32_t at = 0, size; at < region->size; at += size) {
        size = region->size - at < BLOCK ? region->size - at : BLOCK;
        if (!es_machine_peek(machine, region->base + at, bytes, unknown, size) || memcmp(unknown, nothing, size) == 0)
            continue;
        for (uint32_t i = 0; i + 4 <= size; i += 4)
            es_softprobe_poke(probe, region->base + at + i, word_of(bytes + i), word_of(unknown + i));
    }
}

/* The fetch of one instruction. */
static void fetch(const es_machine *machine, uint32_t address, uint64_t time, es_softprobe *probe)
{
    uint8_t bytes[4] = {0};
    if (!es_machine_peek(machine, address, bytes, NULL, 4))
        es_machine_peek(machine, address, bytes, NULL, 2);
    bool is_short = (bytes[0] & 3) != 3;
    const es_machine_access access = {.kind = ES_KIND_FETCH,
                                      .lanes = address & 2 ? 12
                                               : is_short  ? 3
                                                           : 15,
                                      .address = address,
                                      .data = is_short ? word_of(bytes) & 0xFFFF : word_of(bytes)};
    es_softprobe_access(probe, &access, time);
}

void es_replayed_begin_tell(const es_replayed_begin *begin, es_timeline *timeline, const es_symbols *symbols,
                            const es_replay_program *program, es_softprobe *probe)
{
    const es_machine *machine = es_timeline_machine(timeline);
    for (size_t i = 0; i < program->region_count; i++)
        poke_all(machine, &program->regions[i], probe);
    fetch(machine, es_symbols_entry(symbols), begin->time, probe);
    for (size_t i = 0; i < begin->count; i++) {
        fetch(machine, begin->calls[i].site, begin->time, probe);
        fetch(machine, begin->calls[i].entry, begin->time, probe);
    }
}
