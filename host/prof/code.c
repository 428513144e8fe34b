#include "prof/code.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/code.h"

#define PAGE ((size_t)1 << ES_PROF_PAGE_BITS)
#define PAGES ((size_t)1 << (31 - ES_PROF_PAGE_BITS))
#define MOVED ".cold"

/* The number of a procedure; of one that is not listed: that of none. */
static uint32_t number_of(const es_prof_code *code, const es_procedure *procedure)
{
    const es_procedure *const *all;
    size_t first = 0, end = es_symbols_procedures(code->symbols, &all), count = end;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (all[middle]->low < procedure->low)
            first = middle + 1;
        else
            end = middle;
    }
    return (uint32_t)(first < count && all[first]->low == procedure->low ? first : count);
}

/* Whose part a moved part is: "f.cold" is f's. */
static const es_procedure *whole_of(const es_symbols *symbols, const es_procedure *procedure)
{
    const char *suffix = strstr(procedure->name, MOVED);
    char name[256];
    size_t length = suffix ? (size_t)(suffix - procedure->name) : 0;
    if (!length || length >= sizeof name)
        return procedure;
    memcpy(name, procedure->name, length);
    name[length] = 0;
    const es_procedure *whole = es_symbols_procedure_named(symbols, name);
    return whole ? whole : procedure;
}

uint32_t es_prof_procedure(const es_prof_code *code, uint32_t pc)
{
    const es_procedure *procedure = es_symbols_procedure_at(code->symbols, pc);
    return procedure ? number_of(code, whole_of(code->symbols, procedure)) : (uint32_t)code->procedure_count - 1;
}

void es_prof_code_init(es_prof_code *code, const es_symbols *symbols)
{
    const es_procedure *const *all;
    size_t count = es_symbols_procedures(symbols, &all);
    *code = (es_prof_code){.symbols = symbols, .isa = es_symbols_isa(symbols), .arena = es_arena_new()};
    code->pages = calloc(PAGES, sizeof *code->pages);
    if (!code->pages)
        abort();
    code->procedure_count = count + 1;
    code->names = es_arena_alloc(code->arena, (count + 1) * sizeof *code->names);
    code->starts = es_arena_alloc(code->arena, (count + 1) * sizeof *code->starts);
    for (size_t i = 0; i < count; i++) {
        code->names[i] = all[i]->name;
        code->starts[i] = all[i]->low;
    }
    code->names[count] = "(no symbol)";
    code->starts[count] = UINT32_MAX;
    code->switch_count = es_symbols_switches(symbols, code->arena, &code->switches);
}

void es_prof_code_free(es_prof_code *code)
{
    for (size_t i = 0; code->pages && i < PAGES; i++)
        free(code->pages[i]);
    free(code->pages);
    es_arena_free(code->arena);
    memset(code, 0, sizeof *code);
}

static enum es_prof_kind kind_of(const es_isa *isa, es_insn insn)
{
    if (es_insn_is_call(insn))
        return ES_PROF_CALL;
    if (insn.kind == ES_INSN_TRAP_RETURN)
        return ES_PROF_TRAP_RETURN;
    if (insn.kind == ES_INSN_RETURN && isa->helper_link && insn.rs1 == isa->helper_link)
        return ES_PROF_HELPER_RETURN;
    if (es_insn_by_register(insn) || (insn.kind == ES_INSN_SEVERAL && insn.untold))
        return ES_PROF_BY_REGISTER;
    return ES_PROF_PLAIN;
}

es_prof_cell *es_prof_cell_make(es_prof_code *code, uint32_t pc, uint32_t word)
{
    es_prof_cell **page = &code->pages[pc >> (ES_PROF_PAGE_BITS + 1)];
    if (!*page) {
        *page = calloc(PAGE, sizeof **page);
        if (!*page)
            abort();
    }
    es_prof_cell *cell = &(*page)[pc >> 1 & (PAGE - 1)];
    es_insn insn = es_isa_decode(code->isa, word);
    cell->word = word;
    cell->size = insn.size;
    cell->kind = (uint8_t)kind_of(code->isa, insn);
    cell->procedure = es_prof_procedure(code, pc);
    cell->switches = false;
    for (size_t i = 0; i < code->switch_count; i++)
        cell->switches = cell->switches || code->switches[i].address == pc;
    return cell;
}

void es_prof_each_cell(const es_prof_code *code, void (*each)(void *context, uint32_t pc, const es_prof_cell *cell),
                       void *context)
{
    for (size_t i = 0; i < PAGES; i++)
        for (size_t k = 0; code->pages[i] && k < PAGE; k++)
            if (code->pages[i][k].count)
                each(context, (uint32_t)(i * PAGE + k) << 1, &code->pages[i][k]);
}
