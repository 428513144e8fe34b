#include "infer/paths/known.h"

#include <stdlib.h>
#include <string.h>

#include "record/path.h"

#define PATHS_MAX 65536u
#define BUCKETS 16384u    /* a power of two */
#define LISTS_MAX 262144u /* of a table */
#define LIST_MAX 64u      /* what one list has at most */

void es_known_begin(es_known *known, const es_symbols *symbols, es_names *names)
{
    *known = (es_known){.arena = es_arena_new(), .names = names};
    known->procedure_count = es_symbols_procedures(symbols, &known->procedures);
    known->called = es_arena_alloc(known->arena, (2 * known->procedure_count + 2) * sizeof *known->called);
    known->buckets = es_arena_alloc(known->arena, BUCKETS * sizeof *known->buckets);
}

void es_known_end(es_known *known)
{
    es_arena_free(known->arena);
    free(known->of_names);
    free(known->places.slots);
    free(known->steps.slots);
    *known = (es_known){0};
}

/* --- paths ------------------------------------------------------------------------------------------------------ */

static uint32_t hash_of(const es_active *parts, uint32_t count)
{
    uint32_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ parts[i]) * 0x9E3779B1u;
    return (hash ^ hash >> 15) & (BUCKETS - 1);
}

uint32_t es_known_path_of(es_known *k, const es_active *parts, uint32_t count)
{
    if (count > ES_PATH_DEPTH)
        return ES_PATH_NONE;
    uint32_t *bucket = &k->buckets[hash_of(parts, count)];
    for (uint32_t at = *bucket; at; at = k->paths[at - 1].next) {
        const es_known_path *path = &k->paths[at - 1];
        if (path->count == count && (!count || memcmp(path->parts, parts, count * sizeof *parts) == 0))
            return at - 1;
    }
    if (k->path_count == PATHS_MAX)
        return ES_PATH_NONE;
    es_known_path path = {
        .parts = es_arena_alloc(k->arena, (count + 1) * sizeof *parts), .count = count, .next = *bucket};
    if (count)
        memcpy(path.parts, parts, count * sizeof *parts);
    k->paths = es_arena_grow(k->arena, k->paths, k->path_count, sizeof *k->paths);
    k->paths[k->path_count++] = path;
    *bucket = k->path_count;
    return k->path_count - 1;
}

static size_t procedure_named(const es_known *k, const char *name)
{
    size_t i = 0;
    while (i < k->procedure_count && (!name || strcmp(k->procedures[i]->name, name) != 0))
        i++;
    return i;
}

static uint32_t find_named(es_known *k, uint32_t name)
{
    const char *at = es_names_text(k->names, name);
    es_active parts[ES_PATH_DEPTH];
    es_text_buffer text = {0};
    es_path_part part;
    uint32_t count = 0;
    bool good = at != NULL;
    while (good && es_path_next(&at, &text, &part)) {
        size_t procedure = procedure_named(k, part.name);
        good = count < ES_PATH_DEPTH && procedure < k->procedure_count;
        if (good)
            parts[count++] = (es_active)(2 * procedure + part.interrupt);
    }
    es_text_free(&text);
    return good ? es_known_path_of(k, parts, count) : ES_PATH_NONE;
}

uint32_t es_known_named(es_known *k, uint32_t name)
{
    if (!name)
        return ES_PATH_NONE;
    if (name >= k->names_room) {
        size_t room = k->names_room ? k->names_room : 256;
        while (room <= name)
            room *= 2;
        k->of_names = es_realloc(k->of_names, room * sizeof *k->of_names);
        memset(k->of_names + k->names_room, 0, (room - k->names_room) * sizeof *k->of_names);
        k->names_room = room;
    }
    if (!k->of_names[name])
        k->of_names[name] = find_named(k, name) + 1; /* ES_PATH_NONE becomes 0, and is looked up again */
    return k->of_names[name] - 1;
}

uint32_t es_known_name(es_known *k, uint32_t number)
{
    es_known_path *path = &k->paths[number];
    if (path->name)
        return path->name;
    es_text_buffer text = {0};
    for (uint32_t i = 0; i < path->count; i++) {
        es_path_part part = {.name = k->procedures[path->parts[i] / 2]->name, .interrupt = path->parts[i] & 1};
        es_path_add(&text, &part);
    }
    path->name = es_names_add(k->names, text.text ? text.text : "", text.length);
    es_text_free(&text);
    return path->name;
}

bool es_known_ends_with(const es_known *k, uint32_t number, const es_active *parts, uint32_t count)
{
    const es_known_path *path = &k->paths[number];
    return path->count >= count && memcmp(path->parts + path->count - count, parts, count * sizeof *parts) == 0;
}

uint32_t es_known_common(const es_known *k, uint32_t from, uint32_t to)
{
    const es_known_path *a = &k->paths[from], *b = &k->paths[to];
    uint32_t common = 0;
    while (common < a->count && common < b->count && a->parts[common] == b->parts[common])
        common++;
    return common;
}

uint32_t es_known_after(es_known *k, uint32_t number, uint32_t left, const es_active *entered, uint32_t count)
{
    es_active parts[ES_PATH_DEPTH];
    const es_known_path *path = &k->paths[number];
    if (left > path->count || path->count - left + count > ES_PATH_DEPTH)
        return ES_PATH_NONE;
    uint32_t kept = path->count - left;
    memcpy(parts, path->parts, kept * sizeof *parts);
    if (count)
        memcpy(parts + kept, entered, count * sizeof *parts);
    return es_known_path_of(k, parts, kept + count);
}

/* --- counts ----------------------------------------------------------------------------------------------------- */

static uint64_t mixed(uint64_t a, uint64_t b)
{
    uint64_t hash = (a ^ b * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xD6E8FEB86659FD93);
    return (hash ^ hash >> 32) | 1;
}

uint64_t es_known_place(uint32_t pc, uint32_t statement)
{
    return mixed((uint64_t)statement << 32 | pc, 1);
}

uint64_t es_known_entered(es_active active)
{
    return mixed(active, 2);
}

uint64_t es_known_callers(const es_active *parts, uint32_t count)
{
    uint64_t key = mixed(count, 3);
    for (uint32_t i = 0; i < count; i++)
        key = mixed(key, parts[i]);
    return key;
}

static es_count_list *slot_of(const es_count_table *table, uint64_t key)
{
    uint32_t at = (uint32_t)(key >> 20) & (table->room - 1);
    while (table->slots[at].total && table->slots[at].key != key)
        at = (at + 1) & (table->room - 1);
    return &table->slots[at];
}

static void grow(es_count_table *table)
{
    es_count_table larger = {.room = table->room ? table->room * 2 : 256, .used = table->used};
    larger.slots = es_malloc(larger.room * sizeof *larger.slots);
    memset(larger.slots, 0, larger.room * sizeof *larger.slots);
    for (uint32_t i = 0; i < table->room; i++)
        if (table->slots[i].total)
            *slot_of(&larger, table->slots[i].key) = table->slots[i];
    free(table->slots);
    *table = larger;
}

/* NULL: there are too many. */
static es_count_list *list_of(es_count_table *table, uint64_t key)
{
    if (2 * (table->used + 1) > table->room)
        grow(table);
    es_count_list *list = slot_of(table, key);
    if (!list->total && table->used == LISTS_MAX)
        return NULL;
    if (!list->total)
        *list = (es_count_list){.key = key}, table->used++;
    return list;
}

static const es_count_list *found(const es_count_table *table, uint64_t key)
{
    const es_count_list *list = table->room ? slot_of(table, key) : NULL;
    return list && list->total ? list : NULL;
}

void es_known_learn(es_known *k, uint64_t place, uint32_t path)
{
    es_count_list *list = list_of(&k->places, place);
    if (!list)
        return;
    list->total++;
    for (uint32_t at = list->first; at; at = k->counts[at - 1].next)
        if (k->counts[at - 1].path == path) {
            k->counts[at - 1].count++;
            return;
        }
    if (list->distinct == LIST_MAX)
        return;
    k->counts = es_arena_grow(k->arena, k->counts, k->count_count, sizeof *k->counts);
    k->counts[k->count_count++] = (es_path_count){path, 1, list->first};
    list->first = k->count_count;
    list->distinct++;
}

void es_known_learn_step(es_known *k, uint64_t from_place, uint32_t from, uint64_t to_place, uint32_t to, uint32_t over)
{
    uint32_t common = es_known_common(k, from, to), left = k->paths[from].count - common;
    uint32_t entered = es_known_path_of(k, k->paths[to].parts + common, k->paths[to].count - common);
    es_count_list *list = entered == ES_PATH_NONE ? NULL : list_of(&k->steps, mixed(from_place, to_place + over));
    if (!list)
        return;
    list->total++;
    for (uint32_t at = list->first; at; at = k->step_counts[at - 1].next)
        if (k->step_counts[at - 1].left == left && k->step_counts[at - 1].entered == entered) {
            k->step_counts[at - 1].count++;
            return;
        }
    if (list->distinct == LIST_MAX)
        return;
    k->step_counts = es_arena_grow(k->arena, k->step_counts, k->step_count, sizeof *k->step_counts);
    k->step_counts[k->step_count++] = (es_path_step){left, entered, 1, list->first};
    list->first = k->step_count;
    list->distinct++;
}

const es_count_list *es_known_paths_at(const es_known *k, uint64_t place)
{
    return found(&k->places, place);
}

const es_count_list *es_known_steps(const es_known *k, uint64_t from_place, uint64_t to_place, uint32_t over)
{
    return found(&k->steps, mixed(from_place, to_place + over));
}

uint32_t es_known_step_count(const es_known *k, const es_count_list *steps, uint32_t from, uint32_t to)
{
    uint32_t common = es_known_common(k, from, to), left = k->paths[from].count - common;
    for (uint32_t at = steps ? steps->first : 0; at; at = k->step_counts[at - 1].next) {
        const es_path_step *s = &k->step_counts[at - 1];
        const es_known_path *entered = &k->paths[s->entered];
        if (s->left == left && entered->count == k->paths[to].count - common &&
            es_known_ends_with(k, to, entered->parts, entered->count))
            return s->count;
    }
    return 0;
}
