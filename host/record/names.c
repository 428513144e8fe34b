#include "record/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define SLOTS_LEAST 64u /* a power of two, as all later numbers of slots */

struct es_names {
    es_arena *arena;
    const char **texts; /* by number - 1 */
    uint32_t count;
    uint32_t *slots; /* numbers, by hash; 0: free */
    uint32_t slot_count;
};

es_names *es_names_new(void)
{
    es_names *names = es_malloc(sizeof *names);
    *names = (es_names){.arena = es_arena_new(), .slot_count = SLOTS_LEAST};
    names->slots = es_malloc(SLOTS_LEAST * sizeof *names->slots);
    memset(names->slots, 0, SLOTS_LEAST * sizeof *names->slots);
    return names;
}

void es_names_free(es_names *names)
{
    if (!names)
        return;
    es_arena_free(names->arena);
    free(names->slots);
    free(names);
}

/* FNV-1a. */
static uint32_t hash_of(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

/* The slot that has the text, or the free one where it belongs. */
static uint32_t *slot_of(const es_names *names, const char *text, size_t length)
{
    for (uint32_t at = hash_of(text, length);; at++) {
        uint32_t *slot = &names->slots[at & (names->slot_count - 1)];
        if (!*slot)
            return slot;
        const char *found = names->texts[*slot - 1];
        if (strncmp(found, text, length) == 0 && !found[length])
            return slot;
    }
}

static void make_room(es_names *names)
{
    if (names->count * 2 < names->slot_count)
        return;
    free(names->slots);
    names->slot_count *= 2;
    names->slots = es_malloc(names->slot_count * sizeof *names->slots);
    memset(names->slots, 0, names->slot_count * sizeof *names->slots);
    for (uint32_t i = 0; i < names->count; i++)
        *slot_of(names, names->texts[i], strlen(names->texts[i])) = i + 1;
}

uint32_t es_names_add(es_names *names, const char *text, size_t length)
{
    if (!length)
        return 0;
    make_room(names);
    uint32_t *slot = slot_of(names, text, length), known = *slot;
    if (known)
        return known;
    names->texts = es_arena_grow(names->arena, names->texts, names->count, sizeof *names->texts);
    names->texts[names->count] = es_arena_copy(names->arena, text, length);
    return *slot = ++names->count;
}

const char *es_names_text(const es_names *names, uint32_t number)
{
    return number && number <= names->count ? names->texts[number - 1] : NULL;
}

uint32_t es_names_count(const es_names *names)
{
    return names->count;
}
