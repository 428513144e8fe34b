#include "exercise.h"

#include <string.h>

#include "symbols/values.h"

/* Walks a type as a reader would: bounded, because structs may point to themselves. */
static size_t walk_type(const es_type *type, unsigned depth)
{
    size_t sum = strlen(type->name) + type->size;
    for (size_t i = 0; i < type->enumerator_count; i++)
        sum += strlen(type->enumerators[i].name);
    if (depth == 4)
        return sum;
    if (type->of)
        sum += walk_type(type->of, depth + 1);
    for (size_t i = 0; i < type->member_count && i < 20; i++)
        sum +=
            walk_type(type->members[i].type, depth + 1) + (type->members[i].name ? strlen(type->members[i].name) : 0);
    return sum;
}

static void any_register(void *context, unsigned reg, uint64_t *value, uint64_t *unknown)
{
    (void)context;
    *value = 0x1234 * (uint64_t)reg;
    *unknown = reg & 1 ? 0xFF : 0;
}

static void any_memory(void *context, uint32_t address, uint32_t size, uint8_t *bytes, uint8_t *unknown)
{
    (void)context, (void)address;
    memset(bytes, 0x5A, size);
    memset(unknown, 0, size);
}

/* All places of some variables. */
static size_t read_values(const es_symbols *symbols)
{
    static const es_value_context context = {any_register, any_register, any_memory, NULL};
    const es_variable *const *all;
    size_t count = es_symbols_variables(symbols, &all), sum = 0;
    for (size_t i = 0; i < count && i < 200; i++) {
        const es_value_copy *copies;
        size_t copy_count = es_symbols_value_copies(symbols, all[i], &copies);
        for (size_t k = 0; k < copy_count; k++)
            for (size_t n = 0; n < copies[k].count && n < 100; n++) {
                uint8_t bytes[64], unknown[64];
                es_value_part parts[ES_VALUE_PARTS];
                size_t part_count;
                const es_value *value = copies[k].ranges[n].value;
                sum += strlen(es_value_words(value));
                if (es_value_reason(value))
                    continue;
                uint32_t size = all[i]->type->size < sizeof bytes ? all[i]->type->size : sizeof bytes;
                es_value_read(value, &context, size, bytes, unknown, parts, &part_count);
                sum += part_count + (size ? bytes[size - 1] : 0);
                sum += es_value_at(&copies[k], copies[k].ranges[n].low) != NULL;
            }
        if (all[i]->procedure)
            sum += es_symbols_result(symbols, all[i]->procedure).reg;
    }
    return sum;
}

size_t exercise(const es_symbols *symbols)
{
    static const char *const names[] = {"plant", "hidden", "result",  "bits", "tight", "matrix",
                                        "value", "first",  "product", "kept", "local"};
    size_t sum = es_symbols_entry(symbols) + (es_symbols_arch(symbols) ? strlen(es_symbols_arch(symbols)) : 0);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        sum += segments[i].bytes[0] + segments[i].bytes[segments[i].size - 1];
    const es_procedure *const *procedures;
    count = es_symbols_procedures(symbols, &procedures);
    for (size_t i = 0; i < count; i++) {
        uint32_t size;
        const char *file;
        unsigned line;
        const es_store *stores;
        size_t store_count;
        sum += es_symbols_stores(symbols, procedures[i], &stores, &store_count);
        for (size_t k = 0; k < store_count; k++)
            sum += stores[k].site + stores[k].address;
        sum += strlen(procedures[i]->name) + (procedures[i]->file ? strlen(procedures[i]->file) : 0);
        sum += es_symbols_frame_size(symbols, procedures[i], &size);
        if (es_symbols_line(symbols, procedures[i]->low, &file, &line))
            sum += strlen(file) + line;
        sum += es_symbols_procedure_named(symbols, procedures[i]->name) != NULL;
    }
    const es_call_site *sites;
    count = es_symbols_calls(symbols, &sites);
    for (size_t i = 0; i < count; i++)
        sum += sites[i].caller->low + (sites[i].callee ? sites[i].callee->low : 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const es_variable *found[8];
        const char *near[3];
        count = es_symbols_find(symbols, NULL, names[i], found, 8);
        for (size_t k = 0; k < count && k < 8; k++) {
            sum += walk_type(found[k]->type, 0) + (found[k]->file ? strlen(found[k]->file) : 0);
            sum += found[k]->procedure ? strlen(found[k]->procedure->name) : 0;
            sum += found[k]->place == ES_PLACE_NONE ? strlen(found[k]->why) : 0;
        }
        sum += es_symbols_near(symbols, names[i], true, near, 3);
    }
    sum += read_values(symbols);
    const es_type *type;
    return sum + (es_symbols_enumerator(symbols, "ARMED", &type) ? strlen(type->name) : 0);
}
