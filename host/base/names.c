#include "base/names.h"

#include <stdint.h>
#include <string.h>

/* Where a name stands, or would. There is a free place. */
static size_t place_of(const es_names *names, const char *name)
{
    uint32_t hash = 2166136261u;
    for (const char *at = name; *at; at++)
        hash = (hash ^ (uint8_t)*at) * 16777619u;
    size_t place = hash & (names->room - 1);
    while (names->names[place] && strcmp(names->names[place], name) != 0)
        place = (place + 1) & (names->room - 1);
    return place;
}

size_t es_names_find(const es_names *names, const char *name)
{
    if (!names->room)
        return ES_NO_NAME;
    size_t place = place_of(names, name);
    return names->names[place] ? names->numbers[place] : ES_NO_NAME;
}

void es_names_put(es_names *names, es_arena *arena, const char *name, size_t number)
{
    if (2 * (names->count + 1) > names->room) {
        es_names old = *names;
        names->room = old.room ? 2 * old.room : 64;
        names->names = es_arena_alloc(arena, names->room * sizeof *names->names);
        names->numbers = es_arena_alloc(arena, names->room * sizeof *names->numbers);
        for (size_t i = 0; i < old.room; i++) {
            if (!old.names[i])
                continue;
            size_t place = place_of(names, old.names[i]);
            names->names[place] = old.names[i];
            names->numbers[place] = old.numbers[i];
        }
    }
    size_t place = place_of(names, name);
    names->count += !names->names[place];
    names->names[place] = name;
    names->numbers[place] = number;
}
