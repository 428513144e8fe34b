#include "fake_symbols.h"

#include "symbols/code.h"
#include "symbols/shadows.h"

#include <string.h>

uint32_t es_symbols_entry(const es_symbols *symbols)
{
    return symbols->entry;
}

bool es_symbols_big_endian(const es_symbols *symbols)
{
    (void)symbols;
    return false;
}

bool es_symbols_stack_top(const es_symbols *symbols, uint32_t *address)
{
    *address = symbols->stack_top;
    return symbols->stack_top != 0;
}

size_t es_symbols_segments(const es_symbols *symbols, const es_segment **segments)
{
    *segments = symbols->segments;
    return symbols->segment_count;
}

size_t es_symbols_procedures(const es_symbols *symbols, const es_procedure *const **procedures)
{
    *procedures = symbols->procedures;
    return symbols->procedure_count;
}

const es_procedure *es_symbols_procedure_at(const es_symbols *symbols, uint32_t address)
{
    for (size_t i = 0; i < symbols->procedure_count; i++)
        if (address >= symbols->procedures[i]->low && address < symbols->procedures[i]->high)
            return symbols->procedures[i];
    return NULL;
}

const es_procedure *es_symbols_procedure_named(const es_symbols *symbols, const char *name)
{
    for (size_t i = 0; i < symbols->procedure_count; i++)
        if (strcmp(symbols->procedures[i]->name, name) == 0)
            return symbols->procedures[i];
    return NULL;
}

bool es_symbols_value(const es_symbols *symbols, const char *name, uint32_t *value)
{
    const es_procedure *procedure = es_symbols_procedure_named(symbols, name);
    *value = procedure ? procedure->low : 0;
    return procedure != NULL;
}

size_t es_symbols_switches(const es_symbols *symbols, es_arena *arena, es_switch **switches)
{
    (void)arena;
    *switches = symbols->switches;
    return symbols->switch_count;
}

size_t es_symbols_calls(const es_symbols *symbols, const es_call_site **sites)
{
    *sites = symbols->sites;
    return symbols->site_count;
}

bool es_symbols_frame_size(const es_symbols *symbols, const es_procedure *procedure, uint32_t *bytes)
{
    for (size_t i = 0; i < symbols->procedure_count; i++) {
        if (symbols->procedures[i] == procedure && symbols->frame_sizes[i] >= 0) {
            *bytes = (uint32_t)symbols->frame_sizes[i];
            return true;
        }
    }
    return false;
}

bool es_symbols_stores(const es_symbols *symbols, const es_procedure *procedure, const es_store **stores, size_t *count)
{
    for (size_t i = 0; symbols->stores && i < symbols->procedure_count; i++) {
        if (symbols->procedures[i] == procedure) {
            *stores = symbols->stores[i].stores;
            *count = symbols->stores[i].count;
            return symbols->stores[i].followed;
        }
    }
    return false;
}

bool es_symbols_traps(const es_symbols *symbols)
{
    return symbols->traps;
}

uint32_t es_symbols_site(const es_symbols *symbols, uint32_t address)
{
    (void)symbols;
    return address;
}

bool es_symbols_compressed(const es_symbols *symbols)
{
    return symbols->compressed;
}

const char *es_symbols_untold(const es_symbols *symbols)
{
    return symbols->untold;
}

size_t es_symbols_parts(const es_symbols *symbols, const es_procedure *procedure, es_arena *arena, es_part **parts)
{
    size_t count = 0;
    *parts = es_arena_alloc(arena, (symbols->part_count + 1) * sizeof **parts);
    for (size_t i = 0; i < symbols->part_count; i++)
        if (symbols->parts[i].store.site >= procedure->low && symbols->parts[i].store.site < procedure->high)
            (*parts)[count++] = symbols->parts[i];
    return count;
}

bool es_symbols_word(const es_symbols *symbols, uint32_t address, uint32_t *word)
{
    for (size_t i = 0; i < symbols->segment_count; i++) {
        const es_segment *segment = &symbols->segments[i];
        if (address >= segment->address && segment->size >= 4 && address - segment->address <= segment->size - 4) {
            memcpy(word, segment->bytes + (address - segment->address), 4);
            return true;
        }
    }
    return false;
}

const es_isa *es_symbols_isa(const es_symbols *symbols)
{
    (void)symbols;
    return es_isa_of_soft_core();
}

bool es_symbols_insn(const es_symbols *symbols, uint32_t address, es_insn *insn)
{
    uint32_t word;
    if (!es_symbols_word(symbols, address, &word))
        return false;
    *insn = es_isa_decode(es_symbols_isa(symbols), word);
    return true;
}

size_t es_symbols_prologue(const es_symbols *symbols, const es_procedure *procedure, const es_store **stores,
                           uint32_t *end)
{
    *end = procedure->low;
    for (size_t i = 0; symbols->prologues && i < symbols->procedure_count; i++)
        if (symbols->procedures[i] == procedure && symbols->prologues[i].count) {
            *stores = symbols->prologues[i].stores;
            *end = symbols->prologues[i].end;
            return symbols->prologues[i].count;
        }
    return 0;
}

uint32_t es_symbols_begin(const es_symbols *symbols, const es_procedure *procedure)
{
    for (size_t i = 0; symbols->begins && i < symbols->procedure_count; i++)
        if (symbols->procedures[i]->low == procedure->low && symbols->begins[i])
            return symbols->begins[i];
    return procedure->low;
}

bool es_symbols_cleared(const es_symbols *symbols, uint32_t address, uint32_t size)
{
    (void)symbols, (void)address, (void)size;
    return false;
}

bool es_symbols_begins_written(const es_symbols *symbols, const es_procedure *procedure, int32_t cfa_offset,
                               uint32_t size)
{
    (void)cfa_offset;
    (void)size;
    return es_symbols_begin(symbols, procedure) != procedure->low;
}

bool es_symbols_assigns(const es_symbols *symbols, const es_procedure *procedure, const es_variable *variable)
{
    (void)symbols, (void)procedure, (void)variable;
    return false;
}
