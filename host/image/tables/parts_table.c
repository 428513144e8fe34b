#include "image/tables/parts_table.h"

#include <stdlib.h>
#include <string.h>

#include "image/plan/plan.h"
#include "image/tables/layout.h"
#include "image/tables/map.h"

/* A variable that may be written in parts. */
typedef struct part_variable {
    const es_procedure *frame; /* whose local it is, `start` from its CFA; NULL: */
    bool anywhere;             /* what a pointer leads to, or else of static storage */
    plan_span span;
} part_variable;

typedef struct table_entry {
    uint32_t site, flags;
    uint16_t later[2], earlier[2]; /* primary, secondary */
} table_entry;

typedef struct table {
    image_builder *b;
    part_variable *variables;
    size_t variable_count;
    unsigned largest; /* bytes of the largest of them */
    bool anywhere;
    bool in_words; /* none of them is in more than one word: stores of whole words leave no part of one unwritten */
    table_entry *entries;
    size_t count;
} table;

/* Whether a variable has its natural place in a word; what pointers lead to is aligned as its type demands. */
static bool in_one_word(plan_span span)
{
    return (span.bytes == 1 || span.bytes == 2 || span.bytes == 4) && span.start % span.bytes == 0;
}

static void find_variables(table *t)
{
    const image_plan *plan = &t->b->plan;
    t->in_words = true;
    t->variables = es_arena_alloc(t->b->arena, (plan->write_count + 1) * sizeof *t->variables);
    for (size_t i = 0; i < plan->write_count; i++) {
        const plan_write *write = &plan->writes[i];
        if (write->cover || !plan_in_parts(write))
            continue;
        part_variable *variable = &t->variables[t->variable_count++];
        *variable = (part_variable){write->frame, write->pointer != 0, plan_span_of(write)};
        t->anywhere |= variable->anywhere;
        t->in_words &= in_one_word(variable->span);
        if (variable->span.bytes > t->largest)
            t->largest = variable->span.bytes;
    }
}

/* Where a store writes, when that is at a known place of the same kind as the variable; else false. */
static bool place_in(const part_variable *variable, const es_procedure *procedure, const es_part *part, int64_t *at)
{
    if (variable->anywhere)
        return false;
    if (!variable->frame) {
        *at = (int64_t)part->store.address - variable->span.start;
        return part->store.kind == ES_STORE_CONSTANT;
    }
    *at = (int64_t)part->store.cfa_offset - (int32_t)variable->span.start;
    return variable->frame->low == procedure->low && (part->store.kind == ES_STORE_FRAME || part->store.above);
}

static bool overlaps(const part_variable *variable, const es_part *part, int64_t at)
{
    return at < variable->span.bytes && at + part->size > 0;
}

/* Whether a store may write one of the variables. */
static bool matters(const table *t, const es_procedure *procedure, const es_part *part)
{
    if (t->anywhere)
        return true;
    bool known = part->store.kind != ES_STORE_UNKNOWN || part->store.above;
    for (size_t i = 0; i < t->variable_count; i++) {
        const part_variable *variable = &t->variables[i];
        int64_t at;
        if (known ? place_in(variable, procedure, part, &at) && overlaps(variable, part, at)
                  : !part->store.in_frame || (variable->frame && variable->frame->low == procedure->low))
            return true;
    }
    return false;
}

/* Whether bytes that count from a store's first one are so near to it that a variable may hold both. */
static bool within_reach(const table *t, const es_part *part)
{
    uint32_t others = (uint32_t)(part->earlier | part->later), reach = 0;
    int32_t far = (int32_t)t->largest - 1;
    for (int32_t distance = -far; distance < part->size + far; distance++)
        if (distance >= -ES_PART_REACH && distance < ES_PART_REACH)
            reach |= 1u << (distance + ES_PART_REACH);
    return (others & reach) != 0;
}

/* --- bytes of a variable that are assigned one by one ------------------------------------------------------- */

/* One assignment of bytes of a variable, of several in a straight piece of code. */
typedef struct piece {
    size_t first, last; /* its stores */
    uint32_t assignment, bits;
    bool alone; /* it has nothing to do with others */
} piece;

static uint32_t bits_at(const part_variable *variable, const es_part *part, int64_t at)
{
    uint32_t all = (1u << variable->span.bytes) - 1, bytes = (1u << part->size) - 1;
    return (at < 0 ? bytes >> -at : bytes << at) & all;
}

/* Bytes that another store writes, counted from the first byte of one. */
static uint16_t seen_from(int64_t from, const es_part *part, int64_t at)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < part->size; i++)
        if (at + i - from >= -ES_PART_REACH && at + i - from < ES_PART_REACH)
            bits |= 1u << (at + i - from + ES_PART_REACH);
    return (uint16_t)bits;
}

/* The stores of pieces [from, to) are those of one assignment of the whole variable. */
static void join(const part_variable *variable, const es_procedure *procedure, const es_part *parts,
                 table_entry *entries, const piece *pieces, size_t from, size_t to)
{
    for (size_t i = pieces[from].first; i <= pieces[to - 1].last; i++)
        for (size_t k = pieces[from].first; k < i; k++) {
            int64_t x, y;
            if (!place_in(variable, procedure, &parts[i], &x) || !overlaps(variable, &parts[i], x) ||
                !place_in(variable, procedure, &parts[k], &y) || !overlaps(variable, &parts[k], y))
                continue;
            entries[k].later[0] |= seen_from(y, &parts[i], x);
            entries[i].earlier[0] |= seen_from(x, &parts[k], y);
        }
}

static void join_pieces(const part_variable *variable, const es_procedure *procedure, const es_part *parts,
                        table_entry *entries, const piece *pieces, size_t count)
{
    const uint32_t all = (1u << variable->span.bytes) - 1;
    for (size_t i = 0; i < count;) {
        uint32_t bits = 0;
        size_t end = i;
        while (end < count && bits != all && !pieces[end].alone && !(bits & pieces[end].bits))
            bits |= pieces[end++].bits;
        if (bits == all && end > i + 1) {
            join(variable, procedure, parts, entries, pieces, i, end);
            i = end;
        } else {
            i++;
        }
    }
}

/* A variable whose bytes, or halves, are assigned one after the other in a straight piece of code is assigned once. */
static void find_pieces(const table *t, const part_variable *variable, const es_procedure *procedure,
                        const es_part *parts, table_entry *entries, size_t count)
{
    piece *pieces = es_arena_alloc(t->b->arena, (count + 1) * sizeof *pieces);
    size_t found = 0;
    uint32_t way = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t at;
        if (!place_in(variable, procedure, &parts[i], &at) || !overlaps(variable, &parts[i], at))
            continue;
        if (found && parts[i].way != way) {
            join_pieces(variable, procedure, parts, entries, pieces, found);
            found = 0;
        }
        way = parts[i].way;
        if (!found || pieces[found - 1].assignment != parts[i].assignment)
            pieces[found++] = (piece){.first = i, .assignment = parts[i].assignment};
        piece *last = &pieces[found - 1];
        last->last = i;
        last->bits |= bits_at(variable, &parts[i], at);
        last->alone |= parts[i].alters || parts[i].run;
    }
    if (found)
        join_pieces(variable, procedure, parts, entries, pieces, found);
}

/* --- entries -------------------------------------------------------------------------------------------------- */

static void add_procedure(table *t, const es_procedure *procedure)
{
    es_part *parts;
    size_t count = es_symbols_parts(t->b->symbols, procedure, t->b->arena, &parts);
    if (!count)
        return;
    table_entry *entries = es_arena_alloc(t->b->arena, count * sizeof *entries);
    for (size_t i = 0; i < count; i++) {
        entries[i] = (table_entry){parts[i].store.site, 0, {0, parts[i].later}, {0, parts[i].earlier}};
        if (parts[i].run)
            entries[i].flags = PARTS_RUN | (parts[i].rising ? PARTS_RISING : 0);
        else if (parts[i].perhaps)
            entries[i].flags = PARTS_PERHAPS;
    }
    for (size_t i = 0; i < t->variable_count; i++)
        find_pieces(t, &t->variables[i], procedure, parts, entries, count);
    for (size_t i = 0; i < count; i++) {
        table_entry *entry = &entries[i];
        bool joined = entry->later[0] || entry->earlier[0];
        if (t->in_words && parts[i].size >= 4 && !parts[i].run)
            continue;
        if (!matters(t, procedure, &parts[i]) || !(joined || parts[i].run || within_reach(t, &parts[i])))
            continue;
        if (!joined) {
            entry->later[0] = entry->later[1];
            entry->earlier[0] = entry->earlier[1];
        }
        t->entries = es_arena_grow(t->b->arena, t->entries, t->count, sizeof *t->entries);
        t->entries[t->count++] = *entry;
    }
}

static void write_map(table *t, parts_map *map)
{
    image_builder *b = t->b;
    map_key *keys = es_arena_alloc(b->arena, (t->count + 1) * sizeof *keys);
    uint32_t places = map->size >> map->step_bits, columns;
    while (places >> map->row_bits > 32 && map->row_bits < 10)
        map->row_bits++;
    columns = (places >> map->row_bits) + 1;
    for (size_t i = 0; i < t->count; i++) {
        const table_entry *entry = &t->entries[i];
        uint32_t out[] = {entry->site << parts_shift(map) | entry->flags,
                          entry->later[1] | (uint32_t)entry->earlier[1] << 16,
                          entry->later[0] | (uint32_t)entry->earlier[0] << 16};
        uint32_t n = (entry->site - map->first) >> map->step_bits;
        keys[i] = (map_key){n & ((1u << map->row_bits) - 1), n >> map->row_bits, es_layout_put(b, out, sizeof out)};
    }
    map_packed packed;
    es_map_pack(&packed, b->arena, keys, t->count, 1u << map->row_bits, columns, true);
    size_t rows = 1u << map->row_bits, bytes = (rows + packed.cell_count) * sizeof(uint16_t);
    map->rows_at = es_layout_reserve(b, (bytes + 3) & ~(size_t)3);
    uint16_t *out = es_layout_at(b, map->rows_at);
    for (size_t i = 0; i < rows; i++)
        out[i] = (uint16_t)(map->rows_at + 2 * (rows + (size_t)packed.rows[i]));
    for (size_t i = 0; i < packed.cell_count; i++)
        out[rows + i] = (uint16_t)packed.cells[i];
}

parts_map es_parts_table_write(image_builder *b)
{
    parts_map map = {.blind = b->plan.blind, .step_bits = es_symbols_compressed(b->symbols) ? 1 : 2};
    table t = {.b = b};
    if (map.blind)
        return map;
    find_variables(&t);
    for (size_t i = 0; i < b->procedure_count; i++)
        add_procedure(&t, b->procedures[i]);
    uint32_t low = UINT32_MAX, high = 0;
    for (size_t i = 0; i < t.count; i++) {
        low = t.entries[i].site < low ? t.entries[i].site : low;
        high = t.entries[i].site > high ? t.entries[i].site : high;
    }
    if (t.count) {
        map.first = low;
        map.size = high + 4 - low;
    }
    write_map(&t, &map);
    return map;
}
