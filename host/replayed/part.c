/* One part of a recording: what happens on the bus, and when. */
#include "replayed/part.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define ROOM ((size_t)3 << 17) /* accesses of most parts */

/* --- what a machine tells --- */

typedef struct hearing {
    es_bus_part *part;
    es_shadow_noter *noter;
} hearing;

static void add_access(es_bus_part *part, const es_machine_access *access)
{
    if (part->count == part->room) {
        part->room = part->room ? 2 * part->room : ROOM;
        part->accesses = es_realloc(part->accesses, part->room * sizeof *part->accesses);
    }
    part->accesses[part->count++] = *access;
}

static void on_access_alone(void *context, const es_machine_access *access)
{
    add_access(((hearing *)context)->part, access);
}

static void on_access(void *context, const es_machine_access *access)
{
    hearing *h = context;
    es_shadow_noter_access(h->noter, access, h->part->count);
    add_access(h->part, access);
}

static void on_sets(void *context, unsigned reg)
{
    es_shadow_noter_sets(((hearing *)context)->noter, reg);
}

static void on_trap(void *context, uint32_t cause)
{
    (void)cause;
    es_shadow_noter_trap(((hearing *)context)->noter);
}

static void on_changed(void *context, uint32_t address, uint32_t word, uint8_t lanes)
{
    (void)word;
    (void)lanes;
    es_shadow_noter_changed(((hearing *)context)->noter, address);
}

static void on_restarted(void *context)
{
    es_shadow_noter_restarted(((hearing *)context)->noter);
}

static bool execute(hearing *h, es_timeline *timeline)
{
    const es_machine_listener alone = {.access = on_access_alone, .context = h},
                              with_cells = {NULL, on_access, on_sets, on_trap, h};
    es_machine *machine = es_timeline_machine(timeline);
    if (!es_timeline_seek(timeline, h->part->first, &h->part->error))
        return false;
    es_machine_listen(machine, h->noter ? &with_cells : &alone);
    es_timeline_hear_changes(timeline, h->noter ? on_changed : NULL, h);
    es_timeline_hear_restarts(timeline, h->noter ? on_restarted : NULL, h);
    bool good = es_timeline_run(timeline, h->part->end, &h->part->error) == ES_MACHINE_UNTIL;
    es_machine_listen(machine, NULL);
    es_timeline_hear_changes(timeline, NULL, NULL);
    es_timeline_hear_restarts(timeline, NULL, NULL);
    return good;
}

/* --- when --- */

static void add_pace(es_bus_part *part, const es_replay_pace *pace)
{
    if (part->pace_count == part->pace_room) {
        part->pace_room = part->pace_room ? 2 * part->pace_room : 256;
        part->paces = es_realloc(part->paces, part->pace_room * sizeof *part->paces);
    }
    part->paces[part->pace_count++] = *pace;
}

static void add_beat(es_bus_part *part, const es_replay_anchor *beat)
{
    if (part->beat_count == part->beat_room) {
        part->beat_room = part->beat_room ? 2 * part->beat_room : 256;
        part->beats = es_realloc(part->beats, part->beat_room * sizeof *part->beats);
    }
    part->beats[part->beat_count++] = *beat;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool take_times(es_bus_part *part, es_timeline *timeline)
{
    const es_replay_anchor *anchors;
    size_t count;
    for (uint64_t first = part->first, end; first < part->end; first = end) {
        if (!es_timeline_anchors(timeline, first, &anchors, &count, &part->error))
            return false;
        end = lesser(es_timeline_border(timeline, first), part->end);
        es_replay_pace pace;
        for (uint64_t fetch = first; fetch < end; fetch = pace.end) {
            es_replay_pace_between(anchors, count, fetch, &pace);
            add_pace(part, &pace);
        }
        for (size_t i = 0; i < count; i++)
            if (!anchors[i].exact && anchors[i].fetches > first && anchors[i].fetches <= end)
                add_beat(part, &anchors[i]);
    }
    return true;
}

void es_bus_part_make(es_bus_part *part, es_timeline *timeline, es_shadow_noter *noter, es_shadow_notes *notes)
{
    hearing h = {part, noter};
    part->count = part->cell_count = part->pace_count = part->beat_count = 0;
    if (noter)
        es_shadow_noter_begin(noter, notes);
    part->failed = !execute(&h, timeline);
    if (noter)
        es_shadow_noter_end(noter, part->count);
    part->failed = part->failed || !take_times(part, timeline);
    if (part->failed)
        part->count = part->pace_count = part->beat_count = 0;
}

void es_bus_part_free(es_bus_part *part)
{
    free(part->accesses);
    free(part->cells);
    free(part->paces);
    free(part->beats);
}

/* --- shadow cells --- */

struct es_bus_cells {
    es_shadow_tracker *tracker;
    es_timeline *memory; /* NULL: it is not needed */
    es_bus_part *told;   /* to which it adds */
    size_t next;         /* the last one that is announced, an index of its accesses; SIZE_MAX: none */
};

static void add_cell(es_bus_part *part, size_t before, const es_machine_access *access)
{
    if (part->cell_count == part->cell_room) {
        part->cell_room = part->cell_room ? 2 * part->cell_room : 1024;
        part->cells = es_realloc(part->cells, part->cell_room * sizeof *part->cells);
    }
    part->cells[part->cell_count++] = (es_bus_cell){before, *access};
}

static void tell_cell(es_bus_cells *c, uint8_t kind, uint32_t address, uint32_t word, uint32_t unknown, uint8_t lanes)
{
    es_shadow_place place = es_shadow_tracker_place(c->tracker);
    if (!place.follows && c->next != place.access) {
        uint32_t pc = c->told->accesses[place.access].address;
        add_cell(c->told, place.access, &(es_machine_access){.kind = ES_BUS_NEXT, .address = pc});
        c->next = place.access;
    }
    add_cell(c->told, place.access,
             &(es_machine_access){.kind = kind,
                                  .lanes = lanes,
                                  .address = address,
                                  .data = es_shadow_tracker_marked(c->tracker, word, unknown),
                                  .unknown = unknown});
}

static void on_assigned(void *context, uint32_t address, uint32_t word, uint32_t unknown)
{
    tell_cell(context, ES_BUS_ASSIGNED, address, word, unknown, 0xF);
}

static void on_moved(void *context, uint32_t address, uint32_t word, uint32_t unknown, bool freed)
{
    tell_cell(context, ES_BUS_MOVED, address, word, unknown, freed ? ES_BUS_FREED : 0);
}

es_bus_cells *es_bus_cells_new(const char *path, const es_symbols *symbols, uint64_t first, es_error *err)
{
    es_bus_cells *c = es_malloc(sizeof *c);
    const es_shadow_told told = {on_assigned, on_moved, c};
    memset(c, 0, sizeof *c);
    c->tracker = es_shadow_tracker_new(symbols, NULL, &told);
    if (!es_shadow_tracker_needs_memory(c->tracker))
        return c;
    c->memory = es_timeline_open(path, symbols, err);
    if (!c->memory || !es_timeline_seek(c->memory, first, err)) {
        es_bus_cells_free(c);
        return NULL;
    }
    es_shadow_tracker_use_memory(c->tracker, es_timeline_machine(c->memory));
    return c;
}

void es_bus_cells_free(es_bus_cells *cells)
{
    if (!cells)
        return;
    es_shadow_tracker_free(cells->tracker);
    es_timeline_close(cells->memory);
    free(cells);
}

es_shadow_noter *es_bus_cells_noter(const es_bus_cells *cells, es_timeline *timeline)
{
    return es_shadow_noter_new(cells->tracker, es_timeline_machine(timeline));
}

void es_bus_cells_follow(es_bus_cells *cells, es_bus_part *part, const es_shadow_notes *notes)
{
    cells->told = part;
    cells->next = SIZE_MAX;
    if (!part->failed)
        es_shadow_tracker_follow(cells->tracker, notes, part->accesses, part->count);
}
