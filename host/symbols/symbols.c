/* Opening, closing, and the small questions. */
#include "base/roomy.h"
#include "symbols/internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

static bool open_dwarf(es_symbols *symbols, es_error *err)
{
    symbols->dwarf = dwarf_begin_elf(symbols->elf, DWARF_C_READ, NULL);
    if (!symbols->dwarf)
        return es_symbols_damaged(symbols, err);
    es_symbols_open_frames(symbols);
    return true;
}

/* Every stage needs those before it. */
static bool read_all(es_symbols *symbols, es_error *err)
{
    if (!es_symbols_read_elf(symbols, err) || !open_dwarf(symbols, err))
        return false;
    es_symbols_find_libraries(symbols);
    es_symbols_find_lacking(symbols);
    if (!symbols->names_only && !es_symbols_read_lines(symbols, err))
        return false;
    if (!es_symbols_read_procedures(symbols, err))
        return false;
    if (!symbols->names_only)
        es_symbols_find_calls(symbols);
    if (!es_symbols_read_variables(symbols, err))
        return false;
    if (!symbols->names_only)
        es_symbols_place_parameters(symbols);
    return true;
}

struct reading {
    es_symbols *symbols;
    es_error *err;
    bool good;
};

static void read_on_own_stack(void *context)
{
    struct reading *reading = context;
    reading->good = read_all(reading->symbols, reading->err);
}

static es_symbols *open_file(const char *path, bool names_only, es_error *err)
{
    es_arena *arena = es_arena_new();
    es_symbols *symbols = es_arena_alloc(arena, sizeof *symbols);
    symbols->arena = arena;
    symbols->path = es_arena_copy(arena, path, strlen(path));
    symbols->names_only = names_only;
    struct reading reading = {.symbols = symbols, .err = err};
    es_roomy_call(read_on_own_stack, &reading); /* libdw keeps line tables on the stack */
    if (reading.good)
        return symbols;
    es_symbols_close(symbols);
    return NULL;
}

es_symbols *es_symbols_open(const char *path, es_error *err)
{
    return open_file(path, false, err);
}

es_symbols *es_symbols_open_names(const char *path, es_error *err)
{
    return open_file(path, true, err);
}

void es_symbols_close(es_symbols *symbols)
{
    if (!symbols)
        return;
    if (symbols->cfi_eh)
        dwarf_cfi_end(symbols->cfi_eh);
    if (symbols->dwarf)
        dwarf_end(symbols->dwarf);
    if (symbols->elf)
        elf_end(symbols->elf);
    free(symbols->file);
    es_arena_free(symbols->arena);
}

bool es_symbols_big_endian(const es_symbols *symbols)
{
    return symbols->big_endian;
}

uint32_t es_symbols_entry(const es_symbols *symbols)
{
    return symbols->entry;
}

size_t es_symbols_segments(const es_symbols *symbols, const es_segment **segments)
{
    *segments = symbols->segments.items;
    return symbols->segments.count;
}

bool es_symbols_value(const es_symbols *symbols, const char *name, uint32_t *value)
{
    const symbols_elf_symbol *symbol = es_symbols_elf_named(symbols, name);
    if (symbol)
        *value = symbol->value;
    return symbol;
}

bool es_symbols_stack_top(const es_symbols *symbols, uint32_t *address)
{
    return es_symbols_value(symbols, "__stack_top", address) || es_symbols_value(symbols, "__stack", address);
}

size_t es_symbols_variables(const es_symbols *symbols, const es_variable *const **variables)
{
    *variables = (const es_variable *const *)symbols->variables.items;
    return symbols->variables.count;
}

bool es_symbols_variable_in_library(const es_variable *variable)
{
    return ((const symbols_variable *)variable)->library;
}

bool es_symbols_procedure_in_library(const es_symbols *symbols, const es_procedure *procedure)
{
    return es_symbols_code_in_library(symbols, procedure->low);
}

size_t es_symbols_inlined_procedures(const es_symbols *symbols, const es_procedure *const **procedures)
{
    *procedures = (const es_procedure *const *)symbols->inlined.items;
    return symbols->inlined.count;
}

const char *es_symbols_inlined_into(const es_procedure *procedure)
{
    return ((const symbols_procedure *)procedure)->inlined;
}

const char *es_symbols_inlined(const es_symbols *symbols, const char *name)
{
    for (size_t i = 0; i < symbols->inlined.count; i++)
        if (strcmp(symbols->inlined.items[i]->public.name, name) == 0)
            return symbols->inlined.items[i]->inlined;
    return NULL;
}

static const char *name_of(const void *item)
{
    return ((const symbols_enumerator *)item)->enumerator->name;
}

const es_enumerator *es_symbols_enumerator(const es_symbols *symbols, const char *name, const es_type **type)
{
    size_t at = SYMBOLS_FIRST_NAMED(&symbols->enumerators, name_of, name);
    if (at == symbols->enumerators.count)
        return NULL;
    if (type)
        *type = symbols->enumerators.items[at].type;
    return symbols->enumerators.items[at].enumerator;
}

bool es_symbols_cleared(const es_symbols *symbols, uint32_t address, uint32_t size)
{
    for (size_t i = 0; i < symbols->cleared.count; i++) {
        const symbols_cleared *range = &symbols->cleared.items[i];
        if (address - range->low < range->size && range->size - (address - range->low) >= size)
            return true;
    }
    return false;
}

bool es_symbols_copied(const es_symbols *symbols, const es_segment *segment)
{
    for (size_t i = 0; i < symbols->loads.count; i++)
        if (symbols->loads.items[i].bytes == segment->bytes)
            return symbols->loads.items[i].address != segment->address;
    return false;
}
