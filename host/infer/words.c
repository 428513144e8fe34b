#include "infer/words.h"

#include <string.h>

#include "base/arena.h"

struct es_infer_table {
    es_arena *arena;
    const char **names;
    uint32_t *slots; /* number + 1; 0: free. A power of two of them, at most half full */
    uint32_t count, slot_count, max;
};

static es_infer_table *new_table(uint32_t max)
{
    es_arena *arena = es_arena_new();
    es_infer_table *table = es_arena_alloc(arena, sizeof *table);
    table->arena = arena;
    table->max = max;
    return table;
}

static void free_table(es_infer_table *table)
{
    if (!table)
        return;
    es_arena *arena = table->arena;
    es_arena_free(arena);
}

static uint64_t hash_of(const char *name, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

static uint32_t *slot_of(const es_infer_table *table, const char *name, size_t length)
{
    uint32_t mask = table->slot_count - 1, i = (uint32_t)hash_of(name, length) & mask;
    while (table->slots[i]) {
        const char *other = table->names[table->slots[i] - 1];
        if (strncmp(other, name, length) == 0 && other[length] == 0)
            break;
        i = (i + 1) & mask;
    }
    return &table->slots[i];
}

static void grow(es_infer_table *table)
{
    uint32_t old = table->slot_count;
    if (old && table->count * 2 < old)
        return;
    table->slot_count = old ? old * 2 : 64;
    table->slots = es_arena_alloc(table->arena, table->slot_count * sizeof *table->slots);
    for (uint32_t i = 0; i < table->count; i++)
        *slot_of(table, table->names[i], strlen(table->names[i])) = i + 1;
}

static uint32_t number_of(es_infer_table *table, const char *name, size_t length, bool add)
{
    const char *nul = memchr(name, 0, length);
    length = nul ? (size_t)(nul - name) : length;
    if (table->slot_count) {
        uint32_t *slot = slot_of(table, name, length);
        if (*slot)
            return *slot - 1;
    }
    if (!add || table->count == table->max)
        return ES_INFER_NONE;
    grow(table);
    table->names = es_arena_grow(table->arena, table->names, table->count, sizeof *table->names);
    table->names[table->count] = es_arena_copy(table->arena, name, length);
    uint32_t number = table->count++;
    *slot_of(table, name, length) = number + 1;
    return number;
}

void es_infer_words_begin(es_infer_words *words)
{
    *words = (es_infer_words){.events = new_table(ES_INFER_EVENTS_MAX),
                              .fields = new_table(ES_INFER_FIELDS_MAX),
                              .texts = new_table(ES_INFER_TEXTS_MAX)};
}

void es_infer_words_end(es_infer_words *words)
{
    free_table(words->events);
    free_table(words->fields);
    free_table(words->texts);
    *words = (es_infer_words){0};
}

uint32_t es_infer_event_number(es_infer_words *words, const char *name, size_t length, bool add)
{
    return number_of(words->events, name, length, add);
}

uint32_t es_infer_field_number(es_infer_words *words, const char *name, size_t length, bool add)
{
    return number_of(words->fields, name, length, add);
}

const char *es_infer_event_name(const es_infer_words *words, uint32_t event)
{
    return words->events->names[event];
}

const char *es_infer_field_name(const es_infer_words *words, uint32_t field)
{
    return words->fields->names[field];
}

uint32_t es_infer_event_count(const es_infer_words *words)
{
    return words->events->count;
}

uint32_t es_infer_field_count(const es_infer_words *words)
{
    return words->fields->count;
}

es_infer_value es_infer_text_value(es_infer_words *words, const char *text, size_t length)
{
    uint32_t number = number_of(words->texts, text, length, true);
    return INT64_MIN + (number == ES_INFER_NONE ? UINT32_MAX : number);
}

const char *es_infer_value_text(const es_infer_words *words, es_infer_value value)
{
    uint64_t number = (uint64_t)value - (uint64_t)INT64_MIN;
    return number < words->texts->count ? words->texts->names[number] : "...";
}
