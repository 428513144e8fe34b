#include "check/target/memory.h"

#include <string.h>

enum { RISES_MAX = 4, PLACES_MAX = 64 };

/* --- cells ------------------------------------------------------------------------------------------------------ */

static uint64_t static_key(uint32_t address)
{
    return (uint64_t)(address & ~3u) + 1;
}

static uint64_t frame_key(size_t procedure, int32_t offset)
{
    return ((uint64_t)(procedure + 1) << 32) + (uint32_t)(offset & ~3) + 1;
}

static memory_cell *find(memory *m, uint64_t key)
{
    size_t i = (key * 0x9E3779B97F4A7C15u >> 20) & (m->room - 1);
    while (m->cells[i].key && m->cells[i].key != key)
        i = (i + 1) & (m->room - 1);
    return &m->cells[i];
}

/* New cells of static storage hold what the program is loaded with; outside of objects (devices, heap) any number. */
static memory_cell *cell(memory *m, uint64_t key)
{
    memory_cell *found = find(m, key);
    if (found->key)
        return found;
    if (2 * (m->count + 1) > m->room) {
        memory_cell *old = m->cells;
        size_t room = m->room;
        m->room *= 2;
        m->cells = es_arena_alloc(m->arena, m->room * sizeof *m->cells);
        for (size_t i = 0; i < room; i++)
            if (old[i].key)
                *find(m, old[i].key) = old[i];
        found = find(m, key);
    }
    m->count++;
    found->key = key;
    uint32_t word = 0;
    if (key <= UINT64_C(1) << 32) {
        bool loaded = es_symbols_data_word(m->regions->program->symbols, (uint32_t)(key - 1), &word);
        bool object = m->regions->items[es_regions_at(m->regions, (uint32_t)(key - 1))].object;
        found->held = loaded || object ? value_constant(loaded ? word : 0) : value_number(INT32_MIN, INT32_MAX);
    }
    return found;
}

static void add(memory *m, size_t procedure, memory_cell *to, value v)
{
    value joined = es_value_join(m->regions, procedure, to->held, v);
    if (value_same(joined, to->held))
        return;
    if (to->held.kind != VALUE_NONE && ++to->rises > RISES_MAX)
        joined = es_value_widen(m->regions, procedure, to->held, joined);
    m->changed |= !value_same(joined, to->held);
    to->held = joined;
}

static void read_initial(memory *m)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(m->regions->program->symbols, &segments);
    const regions *r = m->regions;
    for (size_t i = 0; i < r->count; i++)
        add(m, 0, &m->all[i], r->items[i].object ? value_constant(0) : value_number(INT32_MIN, INT32_MAX));
    for (size_t s = 0; s < count; s++) {
        size_t i = es_regions_at(r, segments[s].address);
        for (uint32_t at = segments[s].address & ~3u; at - segments[s].address < segments[s].size; at += 4) {
            uint32_t word;
            while (i + 1 < r->count && r->items[i].last < at)
                i++;
            if (r->items[i].address && es_symbols_data_word(r->program->symbols, at, &word))
                add(m, 0, &m->all[i], value_constant(word));
        }
    }
}

void es_memory_make(memory *m, es_arena *arena, regions *r)
{
    *m = (memory){.arena = arena, .regions = r, .room = 1024};
    m->cells = es_arena_alloc(arena, m->room * sizeof *m->cells);
    m->all = es_arena_alloc(arena, (r->all_frames + 1) * sizeof *m->all);
    m->spread = es_arena_alloc(arena, (r->all_frames + 1) * sizeof *m->spread);
    read_initial(m);
}

/* --- access ------------------------------------------------------------------------------------------------------ */

/* Few enough places to be told one by one. */
static bool is_few(value address)
{
    return (address.kind == VALUE_NUMBER || (address.kind == VALUE_STACK && address.high < 0)) &&
           (int64_t)address.high - address.low <= PLACES_MAX;
}

static bool holds_data(const memory *m, uint32_t address)
{
    return m->regions->items[es_regions_at(m->regions, address)].address;
}

static uint32_t objects_of(memory *m, size_t procedure, value address)
{
    if (address.kind == VALUE_NUMBER && !is_few(address)) {
        uint32_t set = 0;
        for (size_t i = es_regions_at(m->regions, (uint32_t)address.low);
             i < m->regions->count && m->regions->items[i].low <= (uint32_t)address.high; i++)
            set = es_regions_union(m->regions, set, es_regions_one(m->regions, i));
        return set;
    }
    return es_value_made_from(m->regions, procedure, address);
}

static value load_few(memory *m, size_t procedure, value address)
{
    value got = {0};
    bool frame = address.kind == VALUE_STACK;
    for (int64_t at = address.low & ~3; at <= address.high; at += 4) {
        if (!frame && !holds_data(m, (uint32_t)at)) {
            uint32_t word; /* a constant among the code, or a device */
            value v = es_symbols_data_word(m->regions->program->symbols, (uint32_t)at, &word)
                          ? value_constant(word)
                          : value_number(INT32_MIN, INT32_MAX);
            got = es_value_join(m->regions, procedure, got, v);
            continue;
        }
        uint64_t key = frame ? frame_key(procedure, (int32_t)at) : static_key((uint32_t)at);
        size_t around = frame ? m->regions->frames + procedure : es_regions_at(m->regions, (uint32_t)at);
        got = es_value_join(m->regions, procedure, got, cell(m, key)->held);
        if (got.kind != VALUE_SAVED)
            got = es_value_join(m->regions, procedure, got, m->spread[around].held);
    }
    return got;
}

static value load_objects(memory *m, size_t procedure, uint32_t set)
{
    value got = {0};
    for (size_t i = 0; i <= m->regions->all_frames; i++)
        if (es_regions_has(m->regions, set, i))
            got = es_value_join(m->regions, procedure, got, m->all[i].held);
    return got;
}

value es_memory_load(memory *m, size_t procedure, value address, unsigned bytes, bool is_signed)
{
    value got;
    if (address.kind == VALUE_ANY || address.kind == VALUE_SAVED)
        return (value){.kind = VALUE_ANY};
    if (is_few(address))
        got = load_few(m, procedure, address);
    else
        got = load_objects(m, procedure, objects_of(m, procedure, address));
    if (got.kind == VALUE_NONE)
        got = value_number(INT32_MIN, INT32_MAX);
    if (got.kind != VALUE_SAVED)
        got = es_value_join(m->regions, procedure, got, m->anywhere.held);
    if (bytes == 4 || got.kind == VALUE_ANY)
        return got;
    if (got.kind == VALUE_SAVED)
        return (value){.kind = VALUE_ANY};
    uint32_t set = es_value_made_from(m->regions, procedure, got);
    if (set)
        return es_value_derived(set);
    int32_t most = bytes == 1 ? 0xFF : 0xFFFF;
    return is_signed ? value_number(-(most / 2) - 1, most / 2) : value_number(0, most);
}

void es_memory_store(memory *m, size_t procedure, value address, unsigned bytes, value stored)
{
    regions *r = m->regions;
    bool saved = stored.kind == VALUE_SAVED, frame = address.kind == VALUE_STACK;
    stored = es_value_outside(r, procedure, stored);
    if (stored.kind == VALUE_NONE)
        return;
    if (bytes != 4 && stored.kind == VALUE_NUMBER)
        stored = value_number(INT32_MIN, INT32_MAX);
    if (address.kind == VALUE_ANY || address.kind == VALUE_SAVED ||
        (address.kind == VALUE_NUMBER && address.low == INT32_MIN && address.high == INT32_MAX)) {
        if (!saved)
            add(m, procedure, &m->anywhere, stored);
        return;
    }
    if (is_few(address)) {
        for (int64_t at = address.low & ~3; at <= address.high; at += 4) {
            if (!frame && !holds_data(m, (uint32_t)at))
                continue;
            if (frame || !saved)
                add(m, procedure, cell(m, frame ? frame_key(procedure, (int32_t)at) : static_key((uint32_t)at)),
                    stored);
            if (saved)
                continue;
            if (frame)
                add(m, procedure, &m->all[r->all_frames], stored);
            add(m, procedure, &m->all[frame ? r->frames + procedure : es_regions_at(r, (uint32_t)at)], stored);
        }
        return;
    }
    uint32_t set = saved ? 0 : objects_of(m, procedure, address);
    for (size_t i = 0; i <= r->all_frames; i++) {
        if (!es_regions_has(r, set, i))
            continue;
        add(m, procedure, &m->all[i], stored);
        add(m, procedure, &m->spread[i], stored);
        if (i >= r->frames) {
            add(m, procedure, &m->all[r->all_frames], stored);
            if (i == r->all_frames) /* any frame: all of them, and what is read in them */
                for (size_t f = r->frames; f < r->all_frames; f++) {
                    add(m, procedure, &m->all[f], stored);
                    add(m, procedure, &m->spread[f], stored);
                }
        }
    }
}
