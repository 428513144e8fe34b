#include "net/analysis/state_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define MEMORY_MAX ((size_t)1 << 30) /* bytes of states */

static size_t begin_of(const es_state_store *store, size_t number)
{
    return number ? store->ends[number - 1] : 0;
}

static uint64_t hash_of(const uint32_t *kept, size_t count)
{
    uint64_t hash = UINT64_C(0x9E3779B97F4A7C15);
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ kept[i]) * UINT64_C(0xFF51AFD7ED558CCD);
        hash ^= hash >> 32;
    }
    return hash;
}

static void grow_table(es_state_store *store)
{
    store->table_size = store->table_size ? store->table_size * 2 : 1024;
    store->table = es_realloc(store->table, store->table_size * sizeof *store->table);
    memset(store->table, 0, store->table_size * sizeof *store->table);
    for (size_t i = 0; i < store->count; i++) {
        size_t begin = begin_of(store, i),
               at = hash_of(store->kept + begin, store->ends[i] - begin) & (store->table_size - 1);
        while (store->table[at])
            at = (at + 1) & (store->table_size - 1);
        store->table[at] = (uint32_t)i + 1;
    }
}

/* Writes the state's words after those that are kept. Returns how many. */
static size_t add_words(es_state_store *store, const uint32_t *state)
{
    size_t most = store->kept_count + 2 * (size_t)store->words;
    if (most > store->kept_room) {
        store->kept_room = most + most / 2;
        store->kept = es_realloc(store->kept, store->kept_room * sizeof *store->kept);
    }
    uint32_t *begin = store->kept + store->kept_count, *to = begin;
    for (uint32_t i = 0; i < store->words; i++)
        if (state[i]) {
            *to++ = i;
            *to++ = state[i];
        }
    return (size_t)(to - begin);
}

enum es_state_found es_state_keep(es_state_store *store, const uint32_t *state)
{
    if ((store->count + 1) * 2 > store->table_size)
        grow_table(store);
    size_t length = add_words(store, state);
    const uint32_t *words = store->kept + store->kept_count;
    size_t at = hash_of(words, length) & (store->table_size - 1);
    for (; store->table[at]; at = (at + 1) & (store->table_size - 1)) {
        size_t number = store->table[at] - 1, begin = begin_of(store, number);
        if (store->ends[number] - begin == length &&
            memcmp(store->kept + begin, words, length * sizeof *store->kept) == 0)
            return ES_STATE_KNOWN;
    }
    if (store->count >= store->limit || store->count >= UINT32_MAX - 1 ||
        store->kept_count > MEMORY_MAX / sizeof *store->kept)
        return ES_STATE_NO_ROOM;
    if (store->count == store->ends_room) {
        store->ends_room = store->ends_room ? store->ends_room * 2 : 64;
        store->ends = es_realloc(store->ends, store->ends_room * sizeof *store->ends);
    }
    store->kept_count += length;
    store->ends[store->count++] = store->kept_count;
    store->table[at] = (uint32_t)store->count;
    return ES_STATE_NEW;
}

void es_state_get(const es_state_store *store, size_t number, uint32_t *state)
{
    memset(state, 0, store->words * sizeof *state);
    for (size_t i = begin_of(store, number); i < store->ends[number]; i += 2)
        state[store->kept[i]] = store->kept[i + 1];
}

void es_state_store_free(es_state_store *store)
{
    free(store->kept);
    free(store->ends);
    free(store->table);
}
