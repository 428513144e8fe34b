/* Procedures: DWARF's subprograms merged with the symbol table's functions. */
#include "symbols/internal.h"

#include "base/search.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* A procedure before merging: as one source of information sees it. */
typedef struct candidate {
    const char *name;
    uint32_t low, high; /* high == low: size unknown */
    uint32_t limit;     /* end of its section, for those without a size */
    Dwarf_Die die;      /* addr NULL: from the symbol table */
    unsigned rank;      /* among names of one address: lower wins */
    uint32_t described; /* if not 0: the address that debug information has instead of low */
    bool moved_part;    /* "f.cold" */
} candidate;

typedef SYMBOLS_LIST(candidate) candidates;

enum rank { RANK_DWARF, RANK_GLOBAL, RANK_WEAK, RANK_LOCAL, RANK_LABEL };

/* --- DWARF ---------------------------------------------------------------------------------------- */

static uint32_t in_code(const es_symbols *symbols, uint32_t address)
{
    for (size_t i = 0; i < symbols->loads.count; i++) {
        const symbols_load *load = &symbols->loads.items[i];
        if (load->executable && address - load->address < load->size)
            return load->address + load->size;
    }
    return 0;
}

static void add_subprogram(es_symbols *symbols, candidates *list, Dwarf_Die *die)
{
    ptrdiff_t offset = 0;
    Dwarf_Addr base, low, high, entry;
    const char *name = es_symbols_die_name(symbols, die);
    if (!name || es_symbols_die_flag(die, DW_AT_declaration) || dwarf_entrypc(die, &entry) != 0)
        return;
    for (unsigned i = 0; i < 64 && (offset = dwarf_ranges(die, offset, &base, &low, &high)) > 0; i++) {
        if (low > UINT32_MAX || high > UINT32_MAX || high < low || !in_code(symbols, (uint32_t)low))
            continue;
        if (low == 0 && !es_symbols_kept_at_zero(symbols, name))
            continue; /* removed by the linker (--gc-sections) */
        bool moved = entry != low;
        SYMBOLS_PUSH(symbols, list,
                     (candidate){.name = name,
                                 .low = (uint32_t)low,
                                 .high = (uint32_t)high,
                                 .limit = in_code(symbols, (uint32_t)low),
                                 .die = *die,
                                 .rank = RANK_DWARF,
                                 .moved_part = moved});
    }
}

static bool walk(es_symbols *symbols, candidates *list, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;
    if (depth > SYMBOLS_MAX_DEPTH)
        return false;
    int more = dwarf_child(parent, &die);
    if (more != 0)
        return more > 0;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_subprogram)
            add_subprogram(symbols, list, &die);
        bool holds = tag == DW_TAG_subprogram || tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
                     tag == DW_TAG_class_type || tag == DW_TAG_lexical_block || tag == DW_TAG_module;
        if (holds && !walk(symbols, list, &die, depth + 1))
            return false;
    } while ((more = es_symbols_sibling(&die)) > 0);
    return more == 0;
}

/* --- symbol table --------------------------------------------------------------------------------- */

/* Whether code calls or makes the address: only then is an assembler label without a type taken for a procedure. */
static bool is_target(const uint32_t *targets, size_t count, uint32_t address)
{
    size_t at = es_first_from(targets, count, address);
    return at < count && targets[at] == address;
}

static void add_symbols(es_symbols *symbols, candidates *list)
{
    size_t count;
    const uint32_t *targets = es_symbols_code_targets(symbols, &count);
    for (size_t i = 0; i < symbols->elf_symbols.count; i++) {
        const symbols_elf_symbol *symbol = &symbols->elf_symbols.items[i];
        uint32_t limit = in_code(symbols, symbol->value);
        if (!limit || !symbol->in_code || symbol->value >= symbol->section_end)
            continue;
        unsigned rank = symbol->binding == STB_LOCAL  ? RANK_LOCAL
                        : symbol->binding == STB_WEAK ? RANK_WEAK
                                                      : RANK_GLOBAL;
        if (symbol->type == STT_NOTYPE && symbol->name[0] != '$' && symbol->name[0] != '.') {
            if (symbol->binding == STB_LOCAL && !is_target(targets, count, symbol->value))
                continue;
            rank += RANK_LABEL;
        } else if (symbol->type != STT_FUNC)
            continue;
        limit = limit < symbol->section_end ? limit : symbol->section_end;
        uint32_t size = symbol->size < limit - symbol->value ? symbol->size : limit - symbol->value;
        size_t length = strlen(symbol->name);
        bool cold = length > 5 && strcmp(symbol->name + length - 5, ".cold") == 0;
        SYMBOLS_PUSH(symbols, list,
                     (candidate){.name = symbol->name,
                                 .low = symbol->value,
                                 .high = symbol->value + size,
                                 .limit = limit,
                                 .rank = rank,
                                 .moved_part = cold});
    }
}

/* --- merging -------------------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->moved_part != y->moved_part)
        return x->moved_part ? 1 : -1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->die.addr > y->die.addr) - (x->die.addr < y->die.addr);
}

static int ranges_by_address(const void *a, const void *b)
{
    const symbols_range *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

static int names_by_name(const void *a, const void *b)
{
    const symbols_name *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    if (order)
        return order;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->procedure->public.low > y->procedure->public.low) -
           (x->procedure->public.low < y->procedure->public.low);
}

static int subprograms_by_die(const void *a, const void *b)
{
    const symbols_subprogram *x = a, *y = b;
    return (x->die > y->die) - (x->die < y->die);
}

/* Length of a name without a clone's or moved part's suffix: "f.constprop.0", "f.cold". */
static size_t base_length(const char *name)
{
    return name[0] == '.' ? strlen(name) : strcspn(name, ".");
}

/* The procedure that a moved part belongs to: DWARF says it by its DIE, the symbol table by its name. */
static symbols_procedure *owner_of_part(const es_symbols *symbols, const candidate *part)
{
    if (part->die.addr)
        for (size_t i = 0; i < symbols->subprograms.count; i++)
            if (symbols->subprograms.items[i].die == part->die.addr)
                return symbols->subprograms.items[i].procedure;
    size_t length = base_length(part->name);
    for (size_t i = 0; i < symbols->names.count; i++)
        if (strncmp(symbols->names.items[i].name, part->name, length) == 0 && symbols->names.items[i].name[length] == 0)
            return symbols->names.items[i].procedure;
    return NULL;
}

/* -fpatchable-function-entry: instructions that do nothing, between the symbol of a procedure and where debug
 * information lets it begin. Calls come to the symbol; what is said of the procedure's first instruction is said of
 * that one. */
static void begin_at_symbols(es_symbols *symbols, candidates *list)
{
    const candidate *symbol = NULL; /* the last function of the symbol table up to here */
    bool moved = false;
    for (size_t i = 0; i < list->count; i++) {
        candidate *here = &list->items[i];
        if (!here->die.addr) {
            symbol = here->rank < RANK_LABEL && !here->moved_part ? here : symbol;
            continue;
        }
        if (here->moved_part || !symbol || symbol->low >= here->low || symbol->high < here->high ||
            !es_symbols_only_nops(symbols, symbol->low, here->low))
            continue;
        es_symbols_move_lines(symbols, here->low, symbol->low);
        here->described = here->low;
        here->low = symbol->low;
        moved = true;
    }
    if (moved)
        SYMBOLS_SORT(list, by_address);
}

/* All candidates of one address become one procedure. */
static symbols_procedure *merge(es_symbols *symbols, const candidate *same, size_t count)
{
    symbols_procedure *procedure = es_arena_alloc(symbols->arena, sizeof *procedure);
    es_procedure *public = &procedure->public;
    public->name = same[0].name;
    public->low = same[0].low;
    public->high = same[0].low;
    for (size_t i = 0; i < count; i++) {
        bool first_of_name = true;
        for (size_t k = 0; k < i; k++)
            first_of_name &= strcmp(same[k].name, same[i].name) != 0;
        /* The name of DWARF is also a clone's: whose symbol is exactly so comes first. */
        bool exact = same[i].rank != RANK_DWARF;
        for (size_t k = 0; k < count; k++)
            exact |= same[k].rank != RANK_DWARF && strcmp(same[k].name, same[i].name) == 0;
        procedure->described = same[i].described ? same[i].described : procedure->described;
        procedure->is_part |= strstr(same[i].name, ".part.") != NULL;
        procedure->is_clone |=
            strstr(same[i].name, ".part.") || strstr(same[i].name, ".isra.") || strstr(same[i].name, ".constprop.");
        procedure->may_drop |= strstr(same[i].name, ".isra.") != NULL;
        if (first_of_name)
            SYMBOLS_PUSH(symbols, &symbols->names,
                         (symbols_name){same[i].name, procedure, same[i].rank + (exact ? 0 : 16)});
        if (public->high == public->low && same[i].high > same[i].low) {
            public->high = same[i].high;
            procedure->sized = true;
        }
        if (!same[i].die.addr)
            continue;
        Dwarf_Die die = same[i].die;
        SYMBOLS_PUSH(symbols, &symbols->subprograms, (symbols_subprogram){die.addr, procedure});
        if (!public->has_debug) {
            public->has_debug = true;
            public->file = es_symbols_die_file(symbols, &die, &public->line);
            procedure->unit = es_symbols_die_unit(symbols, &die);
        }
    }
    return procedure;
}

static void set_ends(es_symbols *symbols, const candidates *list)
{
    for (size_t i = 0, k = 0; list->count && i < symbols->procedures.count; i++) {
        es_procedure *procedure = symbols->procedures.items[i];
        while (k + 1 < list->count && list->items[k].low != procedure->low)
            k++;
        uint32_t limit = list->items[k].limit;
        if (i + 1 < symbols->procedures.count && symbols->procedures.items[i + 1]->low < limit)
            limit = symbols->procedures.items[i + 1]->low;
        bool sized = ((symbols_procedure *)procedure)->sized;
        if (!sized || procedure->high > limit)
            procedure->high = limit;
        SYMBOLS_PUSH(symbols, &symbols->ranges,
                     (symbols_range){procedure->low, procedure->high, (symbols_procedure *)procedure});
    }
}

bool es_symbols_read_procedures(es_symbols *symbols, es_error *err)
{
    candidates list = {0};
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    uint8_t type;
    int more;
    while ((more = dwarf_get_units(symbols->dwarf, cu, &cu, NULL, &type, &unit, NULL)) == 0)
        if (type == DW_UT_compile && !walk(symbols, &list, &unit, 0))
            return es_symbols_damaged(symbols, err);
    if (more < 0)
        return es_symbols_damaged(symbols, err);
    add_symbols(symbols, &list);
    SYMBOLS_SORT(&list, by_address);
    begin_at_symbols(symbols, &list);
    uint32_t covered = 0; /* end of the last procedure with a size */
    for (size_t i = 0, next; i < list.count; i = next) {
        for (next = i + 1; next < list.count && list.items[next].low == list.items[i].low; next++)
            ;
        bool label = list.items[i].rank >= RANK_LABEL;
        if (list.items[i].moved_part || (label && list.items[i].low < covered))
            continue;
        symbols_procedure *procedure = merge(symbols, &list.items[i], next - i);
        procedure->index = symbols->procedures.count;
        SYMBOLS_PUSH(symbols, &symbols->procedures, &procedure->public);
        if (procedure->sized && procedure->public.high > covered)
            covered = procedure->public.high;
    }
    SYMBOLS_SORT(&symbols->names, names_by_name);
    set_ends(symbols, &list);
    for (size_t i = 0; i < list.count; i++) {
        const candidate *part = &list.items[i];
        symbols_procedure *owner = part->moved_part && part->high > part->low ? owner_of_part(symbols, part) : NULL;
        if (owner && !es_symbols_procedure_at(symbols, part->low))
            SYMBOLS_PUSH(symbols, &symbols->ranges, (symbols_range){part->low, part->high, owner});
        if (owner)
            SYMBOLS_SORT(&symbols->ranges, ranges_by_address);
    }
    SYMBOLS_SORT(&symbols->subprograms, subprograms_by_die);
    es_symbols_name_procedures(symbols);
    return true;
}

/* --- looking up ----------------------------------------------------------------------------------- */

static const symbols_range *range_at(const es_symbols *symbols, uint32_t address)
{
    size_t at = SYMBOLS_LAST_AT(&symbols->ranges, address);
    return at < symbols->ranges.count && address < symbols->ranges.items[at].high ? &symbols->ranges.items[at] : NULL;
}

const es_procedure *es_symbols_procedure_at(const es_symbols *symbols, uint32_t address)
{
    const symbols_range *range = range_at(symbols, address);
    return range ? &range->procedure->public : NULL;
}

symbols_procedure *es_symbols_procedure_starting_at(const es_symbols *symbols, uint32_t address)
{
    const symbols_range *range = range_at(symbols, address);
    return range && range->procedure->public.low == address ? range->procedure : NULL;
}

bool es_symbols_is_part(const es_procedure *procedure)
{
    return ((const symbols_procedure *)procedure)->is_part;
}

bool es_symbols_are_clones(const es_procedure *a, const es_procedure *b)
{
    const void *origin = ((const symbols_procedure *)a)->origin;
    return origin && origin == ((const symbols_procedure *)b)->origin;
}

symbols_procedure *es_symbols_procedure_of_die(const es_symbols *symbols, const Dwarf_Die *die)
{
    symbols_subprogram key = {die->addr, NULL};
    const symbols_subprogram *found =
        symbols->subprograms.count
            ? bsearch(&key, symbols->subprograms.items, symbols->subprograms.count, sizeof key, subprograms_by_die)
            : NULL;
    return found ? found->procedure : NULL;
}

size_t es_symbols_procedures(const es_symbols *symbols, const es_procedure *const **procedures)
{
    *procedures = (const es_procedure *const *)symbols->procedures.items;
    return symbols->procedures.count;
}
