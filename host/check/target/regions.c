#include "check/target/regions.h"

#include <stdlib.h>
#include <string.h>

enum { HEAP_MAX = 1 << 24 }; /* beyond the stack's top */

size_t es_regions_at(const regions *r, uint32_t address)
{
    size_t low = 0, high = r->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (r->items[middle].low <= address)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static bool has_parts(const es_symbols *symbols, const es_object *object)
{
    const es_variable *variable = es_symbols_variable_at(symbols, object->address);
    if (!variable || variable->type->size != object->size)
        return object->size > 4;
    return variable->type->kind == ES_TYPE_ARRAY || variable->type->kind == ES_TYPE_STRUCT;
}

static void name_regions(regions *r, const es_object *objects, size_t object_count)
{
    const es_check_program *program = r->program;
    uint32_t top = object_count ? objects[object_count - 1].address + objects[object_count - 1].size : 0, stack;
    if (es_symbols_stack_top(program->symbols, &stack) && stack > top)
        top = stack;
    for (size_t i = 0; i < r->count; i++)
        r->items[i].address = r->items[i].low <= top && i > 0;
    r->items[r->count - 1].address = r->items[r->count - 1].low < INT32_MAX - HEAP_MAX;
    for (size_t i = 0; i < program->procedure_count; i++) {
        const es_procedure *p = program->procedures[i].procedure;
        for (size_t at = es_regions_at(r, p->low); at < r->count && r->items[at].low < p->high; at++)
            r->items[at].address = false;
    }
    for (size_t i = 0; i < object_count; i++) {
        bool parts = has_parts(program->symbols, &objects[i]);
        for (size_t at = es_regions_at(r, objects[i].address);
             at < r->count && r->items[at].low < objects[i].address + objects[i].size; at++) {
            r->items[at].object = r->items[at].address = true;
            r->items[at].aggregate |= parts;
        }
    }
}

void es_regions_make(regions *r, es_arena *arena, const es_check_program *program)
{
    *r = (regions){.program = program, .arena = arena};
    es_object *objects;
    size_t object_count = es_symbols_objects(program->symbols, arena, &objects), count = 0;
    uint32_t *cuts = es_arena_alloc(arena, (2 * (object_count + program->procedure_count) + 2) * sizeof *cuts);
    cuts[count++] = 0;
    for (size_t i = 0; i < object_count; i++) {
        if (i && objects[i].address < objects[i - 1].address + objects[i - 1].size)
            continue; /* an alias, or a part of the one before */
        cuts[count++] = objects[i].address;
        cuts[count++] = objects[i].address + objects[i].size;
    }
    for (size_t i = 0; i < program->procedure_count; i++) {
        cuts[count++] = program->procedures[i].procedure->low;
        cuts[count++] = program->procedures[i].procedure->high;
    }
    qsort(cuts, count, sizeof *cuts, by_number);
    r->items = es_arena_alloc(arena, (count + 1) * sizeof *r->items);
    for (size_t i = 0; i < count; i++)
        if (!i || cuts[i] != cuts[i - 1])
            r->items[r->count++].low = cuts[i];
    for (size_t i = 0; i < r->count; i++)
        r->items[i].last = i + 1 < r->count ? r->items[i + 1].low - 1 : UINT32_MAX;
    r->frames = r->count;
    r->all_frames = r->frames + program->procedure_count;
    r->words = r->all_frames / 64 + 1;
    name_regions(r, objects, object_count);
    r->table_room = 256;
    r->table = es_arena_alloc(arena, r->table_room * sizeof *r->table);
    r->sets = es_arena_grow(arena, r->sets, 0, sizeof *r->sets);
    r->sets[r->set_count++] = es_arena_alloc(arena, r->words * sizeof **r->sets);
}

static uint64_t hash_of(const regions *r, const uint64_t *bits)
{
    uint64_t sum = 1469598103934665603u;
    for (size_t i = 0; i < r->words; i++)
        sum = (sum ^ bits[i] ^ bits[i] >> 31) * 1099511628211u;
    return sum ^ sum >> 29;
}

static uint32_t *place_of(regions *r, const uint64_t *bits)
{
    size_t i = hash_of(r, bits) & (r->table_room - 1);
    while (r->table[i] && memcmp(r->sets[r->table[i] - 1], bits, r->words * sizeof *bits) != 0)
        i = (i + 1) & (r->table_room - 1);
    return &r->table[i];
}

/* The number of a set; bits may be changed afterwards. */
static uint32_t intern(regions *r, const uint64_t *bits)
{
    if (2 * (r->set_count + 1) > r->table_room) {
        r->table_room *= 2;
        r->table = es_arena_alloc(r->arena, r->table_room * sizeof *r->table);
        for (uint32_t i = 1; i < r->set_count; i++)
            *place_of(r, r->sets[i]) = i + 1;
    }
    uint32_t *place = place_of(r, bits);
    if (!*place) {
        uint64_t *copy = es_arena_alloc(r->arena, r->words * sizeof *copy);
        memcpy(copy, bits, r->words * sizeof *copy);
        r->sets = es_arena_grow(r->arena, r->sets, r->set_count, sizeof *r->sets);
        r->sets[r->set_count++] = copy;
        *place = (uint32_t)r->set_count;
    }
    return *place - 1;
}

bool es_regions_has(const regions *r, uint32_t set, size_t number)
{
    return r->sets[set][number / 64] >> number % 64 & 1;
}

uint32_t es_regions_one(regions *r, size_t number)
{
    uint64_t *bits = es_malloc(r->words * sizeof *bits);
    memset(bits, 0, r->words * sizeof *bits);
    bits[number / 64] = UINT64_C(1) << number % 64;
    uint32_t set = intern(r, bits);
    free(bits);
    return set;
}

uint32_t es_regions_union(regions *r, uint32_t a, uint32_t b)
{
    if (a == b || !b)
        return a;
    if (!a)
        return b;
    uint64_t *bits = es_malloc(r->words * sizeof *bits);
    for (size_t i = 0; i < r->words; i++)
        bits[i] = r->sets[a][i] | r->sets[b][i];
    uint32_t set = intern(r, bits);
    free(bits);
    return set;
}
