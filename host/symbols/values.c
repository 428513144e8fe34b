/* All places of a variable: its DIEs, in its procedure's own code and in inlined copies, with their ranges. */
#include "symbols/location.h"
#include "symbols/values_private.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 10000, GUARDED_BYTES = 8 };

typedef SYMBOLS_LIST(es_value_range) range_list;
typedef SYMBOLS_LIST(es_code_range) code_list;
typedef SYMBOLS_LIST(es_value_copy) copy_list;

/* What debug information has of one copy. */
typedef struct places {
    range_list ranges;
    const es_value *entry; /* es_value_copy.entry */
    bool later;            /* es_value_copy.later */
} places;

/* --- ranges ------------------------------------------------------------------------------------------------ */

/* What has a list has a range for each place. A single expression is for all of the block in which the variable is
 * declared: what shares its place has it in the others.
 *
 * What is expressed by the frame is compiled anew where the frame's description changes. */
static void add_ranges(value_place place, uint32_t low, uint32_t high, const Dwarf_Op *ops, size_t count,
                       range_list *ranges)
{
    while (low < high) {
        uint32_t end = high;
        place.low = low;
        place.high = &end;
        const es_value *value = es_symbols_compile_value(&place, ops, count);
        SYMBOLS_PUSH(place.symbols, ranges, (es_value_range){low, end, value});
        low = end;
    }
}

static int by_low(const void *a, const void *b)
{
    const es_value_range *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

/* Sorted and apart: where two say something, the one that begins first counts. */
static void part_ranges(range_list *ranges)
{
    size_t kept = 0;
    uint32_t end = 0;
    SYMBOLS_SORT(ranges, by_low);
    for (size_t i = 0; i < ranges->count; i++) {
        es_value_range range = ranges->items[i];
        range.low = range.low < end ? end : range.low;
        if (range.low >= range.high)
            continue;
        end = range.high;
        ranges->items[kept++] = range;
    }
    ranges->count = kept;
}

/* A range without bytes at the procedure's beginning: there GCC has a parameter as it was called with, which is
 * something else at the first instruction (after `x--`, for which there is no instruction). */
static bool is_entry(const symbols_procedure *procedure, Dwarf_Addr start, Dwarf_Addr end)
{
    return start == end && (start == procedure->public.low || (procedure->described && start == procedure->described));
}

static void read_list(value_place place, const symbols_procedure *procedure, places *f)
{
    Dwarf_Addr base, start, end;
    Dwarf_Op *ops;
    size_t count;
    ptrdiff_t at = 0;
    unsigned reg = 64;
    for (unsigned i = 0;
         i < MAX_ENTRIES && (at = dwarf_getlocations(place.attribute, at, &base, &start, &end, &ops, &count)) > 0;
         i++) {
        if (procedure && is_entry(procedure, start, end) && !f->entry) {
            uint32_t high = procedure->public.high;
            place.low = (uint32_t)start;
            place.high = &high;
            f->entry = es_symbols_compile_value(&place, ops, count);
        }
        if (start >= end || end > UINT32_MAX)
            continue;
        if (procedure && !es_symbols_right_slots(place.symbols, procedure, place.function, reg, &ops, count)) {
            f->later = true;
            continue;
        }
        bool nops = procedure && procedure->described && start == procedure->described;
        uint32_t low = nops ? procedure->public.low : (uint32_t)start, from = low;
        if (procedure)
            from = es_symbols_stored_from(place.symbols, &procedure->public, ops, count, low, (uint32_t)end);
        f->later |= from > low;
        add_ranges(place, from, (uint32_t)end, ops, count, &f->ranges);
        reg = count == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31
                  ? (unsigned)(ops[0].atom - DW_OP_reg0)
                  : reg;
    }
}

static void read_everywhere(value_place place, const es_value *constant, const code_list *code, range_list *ranges)
{
    Dwarf_Op *ops;
    size_t count;
    bool good = constant || dwarf_getlocation(place.attribute, &ops, &count) == 0;
    for (size_t i = 0; i < code->count && good; i++) {
        es_code_range range = code->items[i];
        if (constant)
            SYMBOLS_PUSH(place.symbols, ranges, (es_value_range){range.low, range.high, constant});
        else
            add_ranges(place, range.low, range.high, ops, count, ranges);
    }
}

static const es_value *constant_of(es_symbols *symbols, Dwarf_Attribute *attribute)
{
    Dwarf_Block block;
    uint64_t number;
    unsigned form = dwarf_whatform(attribute);
    if (form == DW_FORM_block || form == DW_FORM_block1 || form == DW_FORM_block2 || form == DW_FORM_block4 ||
        form == DW_FORM_data16) {
        if (dwarf_formblock(attribute, &block) != 0 || block.length > UINT32_MAX)
            return NULL;
        return es_symbols_value_of_bytes(symbols, block.data, (uint32_t)block.length, "is a constant, stored nowhere");
    }
    if (form == DW_FORM_string || form == DW_FORM_strp || form == DW_FORM_line_strp || form == DW_FORM_strx) {
        const char *text = dwarf_formstring(attribute);
        return text ? es_symbols_value_of_bytes(symbols, (const uint8_t *)text, (uint32_t)strlen(text) + 1,
                                                "is a constant, stored nowhere")
                    : NULL;
    }
    if (!es_symbols_number(attribute, &number))
        return NULL;
    return es_symbols_value_of_number(
        symbols, number, es_arena_format(symbols->arena, "is the constant %lld, stored nowhere", (long long)number));
}

static void read_die(es_symbols *symbols, Dwarf_Die *die, Dwarf_Die *function, const symbols_procedure *procedure,
                     const code_list *code, places *f)
{
    Dwarf_Attribute attribute;
    Dwarf_Die origin = es_symbols_die_origin(die);
    value_place place = {.symbols = symbols, .function = function, .attribute = &attribute};
    if (dwarf_attr(die, DW_AT_location, &attribute) || dwarf_attr(&origin, DW_AT_location, &attribute)) {
        if (es_symbols_is_expression(&attribute))
            read_everywhere(place, NULL, code, &f->ranges);
        else
            read_list(place, procedure, f);
    } else if (dwarf_attr(die, DW_AT_const_value, &attribute) || dwarf_attr(&origin, DW_AT_const_value, &attribute)) {
        const es_value *constant = constant_of(symbols, &attribute);
        if (constant)
            read_everywhere(place, constant, code, &f->ranges);
    }
    part_ranges(&f->ranges);
}

/* --- copies ------------------------------------------------------------------------------------------------- */

static void code_of_die(es_symbols *symbols, Dwarf_Die *die, code_list *code)
{
    Dwarf_Addr base, low, high;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(die, next, &base, &low, &high)) > 0;)
        if (low < high && high <= UINT32_MAX)
            SYMBOLS_PUSH(symbols, code, (es_code_range){(uint32_t)low, (uint32_t)high});
}

static void code_of_procedure(es_symbols *symbols, const symbols_procedure *procedure, code_list *code)
{
    for (size_t i = 0; i < symbols->ranges.count; i++)
        if (symbols->ranges.items[i].procedure == procedure)
            SYMBOLS_PUSH(symbols, code, (es_code_range){symbols->ranges.items[i].low, symbols->ranges.items[i].high});
    if (!code->count)
        SYMBOLS_PUSH(symbols, code, (es_code_range){procedure->public.low, procedure->public.high});
}

static const es_value *guarded_value(es_symbols *symbols, const es_value *of)
{
    es_value *value = es_arena_alloc(symbols->arena, sizeof *value);
    *value = *of;
    value->guarded = true;
    return value;
}

/* What debug information does not have at the procedure's first instruction, the calling convention has. */
static void add_entry(es_symbols *symbols, const symbols_instance *instance, Dwarf_Die *die, Dwarf_Die *function,
                      const es_type *type, range_list *ranges)
{
    es_value_range entry;
    symbols_there there = {0};
    Dwarf_Attribute attribute;
    bool guarded;
    there.always = dwarf_attr(die, DW_AT_location, &attribute) && es_symbols_is_expression(&attribute);
    for (size_t i = 0; i < ranges->count; i++)
        if (ranges->items[i].low <= instance->procedure->public.low &&
            ranges->items[i].high > instance->procedure->public.low)
            there.value = ranges->items[i].value;
    if (!es_symbols_enters(symbols, instance->procedure, function, instance->origin, type, &there, &entry, &guarded))
        return;
    for (size_t i = 0; i < ranges->count; i++) {
        es_value_range *range = &ranges->items[i];
        if (range->low >= entry.low && range->low < entry.high)
            range->low = range->high < entry.high ? range->high : entry.high;
        if (!guarded)
            continue;
        range->value = guarded_value(symbols, range->value);
    }
    SYMBOLS_PUSH(symbols, ranges, entry);
    part_ranges(ranges);
}

/* A number that debug information has in the frame during all of the procedure, as it has what the compiler keeps there
 * for want of registers: it is one from the first store on. (In a block, the store may come before the block's code;
 * and what the procedure itself does not store, others do by its address, perhaps another task.) */
static void guard_number(es_symbols *symbols, const es_procedure *procedure, Dwarf_Die *die, const es_type *type,
                         range_list *ranges)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t count;
    if (type->size > GUARDED_BYTES || !dwarf_attr(die, DW_AT_location, &attribute) ||
        !es_symbols_is_expression(&attribute) || dwarf_getlocation(&attribute, &ops, &count) != 0 || count != 1 ||
        !es_symbols_stores_at(symbols, procedure, &ops[0], type->size))
        return;
    for (size_t i = 0; i < ranges->count; i++)
        if (es_value_in_frame(ranges->items[i].value))
            ranges->items[i].value = guarded_value(symbols, ranges->items[i].value);
}

static void add_instance(es_symbols *symbols, const symbols_instance *instance, const es_type *type, copy_list *copies)
{
    Dwarf_Die die, function, inlined, block;
    code_list code = {0}, scope = {0};
    places f = {0};
    if (!dwarf_die_addr_die(symbols->dwarf, instance->die, &die) ||
        !dwarf_die_addr_die(symbols->dwarf, instance->function, &function) ||
        (instance->inlined && !dwarf_die_addr_die(symbols->dwarf, instance->inlined, &inlined)) ||
        (instance->block && !dwarf_die_addr_die(symbols->dwarf, instance->block, &block)))
        return;
    if (instance->inlined)
        code_of_die(symbols, &inlined, &code);
    else
        code_of_procedure(symbols, instance->procedure, &code);
    if (instance->block)
        code_of_die(symbols, &block, &scope);
    read_die(symbols, &die, &function, instance->procedure, scope.count ? &scope : &code, &f);
    bool parameter = dwarf_tag(&die) == DW_TAG_formal_parameter;
    if (instance->inlined || !parameter || (f.entry && es_value_reason(f.entry)))
        f.entry = NULL;
    if (!instance->inlined && parameter && !f.entry)
        add_entry(symbols, instance, &die, &function, type, &f.ranges);
    if (!parameter)
        f.later |= es_symbols_drop_unset(symbols, &instance->procedure->public, &die,
                                         instance->inlined ? &inlined : &function, &f.ranges.items, &f.ranges.count);
    if (!parameter && !instance->inlined && !instance->block)
        guard_number(symbols, &instance->procedure->public, &die, type, &f.ranges);
    part_ranges(&f.ranges);
    es_value_copy copy = {.procedure = &instance->procedure->public,
                          .parameter = parameter,
                          .inlined = instance->inlined,
                          .of = es_symbols_copy_of(symbols, instance->inlined),
                          .code = code.items,
                          .code_count = code.count,
                          .scope = scope.count ? scope.items : code.items,
                          .scope_count = scope.count ? scope.count : code.count,
                          .ranges = f.ranges.items,
                          .count = f.ranges.count,
                          .entry = f.entry,
                          .later = f.later};
    copy.contradiction = es_symbols_drop_contradicted(symbols, copy.procedure, f.ranges.items, f.ranges.count);
    SYMBOLS_PUSH(symbols, copies, copy);
}

static void add_file_scope(es_symbols *symbols, Dwarf_Die *die, copy_list *copies)
{
    places f = {0};
    code_list code = {0};
    SYMBOLS_PUSH(symbols, &code, (es_code_range){0, UINT32_MAX});
    read_die(symbols, die, NULL, NULL, &code, &f);
    SYMBOLS_PUSH(symbols, copies, (es_value_copy){.ranges = f.ranges.items, .count = f.ranges.count});
}

static size_t first_instance(const es_symbols *symbols, const void *origin)
{
    size_t low = 0, high = symbols->instances.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((uintptr_t)symbols->instances.items[middle].origin < (uintptr_t)origin)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void find_copies(es_symbols *symbols, symbols_variable *variable)
{
    Dwarf_Die die;
    copy_list copies = {0};
    variable->copied = true;
    if (!variable->die || !dwarf_die_addr_die(symbols->dwarf, (void *)variable->die, &die))
        return;
    if (!variable->public.procedure || variable->public.place == ES_PLACE_STATIC) {
        add_file_scope(symbols, &die, &copies);
    } else {
        const void *origin = es_symbols_die_origin(&die).addr;
        for (size_t i = first_instance(symbols, origin);
             i < symbols->instances.count && symbols->instances.items[i].origin == origin; i++)
            add_instance(symbols, &symbols->instances.items[i], variable->public.type, &copies);
    }
    variable->copies = copies.items;
    variable->copy_count = copies.count;
}

size_t es_symbols_value_copies(const es_symbols *symbols, const es_variable *variable, const es_value_copy **copies)
{
    symbols_variable *found = (symbols_variable *)variable; /* both belong to symbols, which look when asked */
    if (!found->copied)
        find_copies((es_symbols *)symbols, found);
    *copies = found->copies;
    return found->copy_count;
}

const char *es_symbols_contradiction(const es_symbols *symbols, const es_variable *variable)
{
    const es_value_copy *copies;
    size_t count = es_symbols_value_copies(symbols, variable, &copies);
    for (size_t i = 0; i < count; i++)
        if (copies[i].contradiction)
            return copies[i].contradiction;
    return NULL;
}

bool es_symbols_has_value(const es_symbols *symbols, const es_variable *variable)
{
    const es_value_copy *copies;
    size_t count = es_symbols_value_copies(symbols, variable, &copies);
    for (size_t i = 0; i < count; i++) {
        if (copies[i].entry)
            return true;
        for (size_t k = 0; k < copies[i].count; k++)
            if (!es_value_reason(copies[i].ranges[k].value))
                return true;
    }
    return false;
}
