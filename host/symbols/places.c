/* Where a variable lives, from its DWARF location; and in words for the user why it cannot be watched, if so. */
#include "symbols/internal.h"
#include "symbols/location.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* GCC notes its options in the unit's producer. */
static bool compiled_without_optimisation(Dwarf_Die *die)
{
    Dwarf_Die unit;
    Dwarf_Attribute attribute;
    if (!dwarf_diecu(die, &unit, NULL, NULL) || !dwarf_attr(&unit, DW_AT_producer, &attribute))
        return false;
    const char *producer = dwarf_formstring(&attribute);
    if (!producer || strncmp(producer, "GNU", 3) != 0)
        return false;
    const char *option = strstr(producer, " -O");
    return !option || strncmp(option, " -O0", 4) == 0;
}

static const char *advice(Dwarf_Die *die)
{
    bool parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
    if (compiled_without_optimisation(die))
        return parameter ? "copy it into a local variable" : "make it an ordinary or static variable";
    return parameter ? "compile this file with -O0, or copy it into a volatile or static variable"
                     : "compile this file with -O0, or make it volatile or static";
}

static void set_why(es_variable *variable, const char *why)
{
    variable->place = ES_PLACE_NONE;
    variable->why = why;
}

static void place_expression(es_symbols *symbols, Dwarf_Die *die, Dwarf_Die *function, uint32_t low, uint32_t high,
                             Dwarf_Attribute *attribute, es_variable *variable)
{
    Dwarf_Op *ops;
    size_t count;
    if (dwarf_getlocation(attribute, &ops, &count) != 0) {
        set_why(variable, "its debug information is damaged: build the program again");
        return;
    }
    symbols_location l = es_symbols_understand(symbols, attribute, ops, count);
    char lines[256];
    es_symbols_describe_lines(symbols, low, high, lines, sizeof lines);
    if (l.where == SYMBOLS_AT_ADDRESS) {
        if (l.address == 0 && !es_symbols_kept_at_zero(symbols, variable->name)) {
            set_why(variable, "is not in the program: the linker removed it as unused");
            return;
        }
        variable->place = ES_PLACE_STATIC;
        variable->address = l.address;
    } else if (l.where == SYMBOLS_IN_FRAME && function && variable->procedure &&
               es_symbols_offset_from_cfa(symbols, function, variable->procedure, &l)) {
        variable->place = ES_PLACE_FRAME;
        variable->cfa_offset = l.offset;
    } else {
        set_why(variable,
                es_arena_format(symbols->arena, "%s%s%s: %s", l.text, lines[0] ? " in " : "", lines, advice(die)));
    }
}

enum { MAX_PLACES = 16, MAX_SHOWN = 4 }; /* more in one message help nobody */

/* The list in words. observed: parts of what lies on the stack are, and the words are for the others. */
static const char *describe_list(es_symbols *symbols, uint32_t low, uint32_t high, Dwarf_Attribute *attribute,
                                 bool observed)
{
    struct {
        char text[96];
        uint32_t low, high;
        bool real;
    } places[MAX_PLACES];
    size_t count = 0;
    bool more = false;
    Dwarf_Addr base, start, end;
    Dwarf_Op *ops;
    size_t op_count;
    ptrdiff_t offset = 0;
    for (unsigned i = 0;
         i < 1000 && (offset = dwarf_getlocations(attribute, offset, &base, &start, &end, &ops, &op_count)) > 0; i++) {
        if (start >= end || end > UINT32_MAX)
            continue;
        symbols_location l = es_symbols_understand(symbols, attribute, ops, op_count);
        if (l.where == SYMBOLS_IN_FRAME && observed)
            continue;
        if (l.where == SYMBOLS_IN_FRAME && (l.reg < 0 || l.reg == 2))
            snprintf(l.text, sizeof l.text, "lies on the stack, but the code does not show which store puts it there,");
        size_t k = 0;
        while (k < count && strcmp(places[k].text, l.text) != 0)
            k++;
        if (k == MAX_PLACES) {
            more = true;
            continue;
        }
        if (k == count) {
            memcpy(places[k].text, l.text, sizeof places[k].text);
            places[k].low = (uint32_t)start;
            places[k].high = (uint32_t)end;
            places[k].real = l.where != SYMBOLS_NOWHERE;
            count++;
        }
        places[k].low = start < places[k].low ? (uint32_t)start : places[k].low;
        places[k].high = end > places[k].high ? (uint32_t)end : places[k].high;
    }
    /* Registers and memory tell the user most; how the rest is made up matters only when there is nothing else. */
    bool real = false;
    size_t shown = 0;
    for (size_t k = 0; k < count; k++)
        real |= places[k].real;
    es_text_buffer text = {0};
    char lines[256];
    for (size_t k = 0; k < count; k++) {
        if (real && !places[k].real)
            continue;
        if (shown++ == MAX_SHOWN) {
            more = true;
            break;
        }
        es_symbols_describe_lines(symbols, places[k].low, places[k].high, lines, sizeof lines);
        es_text_format(&text, "%s%s%s%s", text.length ? ", " : "", places[k].text, lines[0] ? " in " : "", lines);
    }
    if (!count && observed) {
        es_text_format(&text, "is not kept");
    } else if (!count) {
        es_symbols_describe_lines(symbols, low, high, lines, sizeof lines);
        es_text_format(&text, "was optimised away%s%s", lines[0] ? " in " : "", lines);
    }
    const char *words = es_arena_format(symbols->arena, "%s%s", text.text, more ? ", ..." : "");
    es_text_free(&text);
    return words;
}

static void place_list(es_symbols *symbols, Dwarf_Die *die, Dwarf_Die *function, uint32_t low, uint32_t high,
                       Dwarf_Attribute *attribute, es_variable *variable)
{
    if (symbols->names_only) {
        set_why(variable, "has a location list, which was not read");
        return;
    }
    if (!es_symbols_find_life(symbols, function, attribute, variable)) {
        set_why(variable, es_arena_format(symbols->arena, "%s: %s", describe_list(symbols, low, high, attribute, false),
                                          advice(die)));
        return;
    }
    if (!variable->life)
        return;
    es_life *life = es_arena_alloc(symbols->arena, sizeof *life);
    *life = *variable->life;
    life->elsewhere = describe_list(symbols, low, high, attribute, true);
    life->advice = advice(die);
    variable->life = life;
}

void es_symbols_place(es_symbols *symbols, Dwarf_Die *die, Dwarf_Die *function, uint32_t low, uint32_t high,
                      es_variable *variable)
{
    Dwarf_Attribute attribute, constant;
    Dwarf_Die origin = es_symbols_die_origin(die);
    char lines[256];
    if (dwarf_attr(die, DW_AT_location, &attribute) || dwarf_attr(&origin, DW_AT_location, &attribute)) {
        if (es_symbols_is_expression(&attribute))
            place_expression(symbols, die, function, low, high, &attribute, variable);
        else
            place_list(symbols, die, function, low, high, &attribute, variable);
        return;
    }
    es_symbols_describe_lines(symbols, low, high, lines, sizeof lines);
    const char *in = lines[0] ? " in " : "";
    if (dwarf_attr(die, DW_AT_const_value, &constant) || dwarf_attr(&origin, DW_AT_const_value, &constant))
        set_why(variable,
                es_arena_format(symbols->arena, "is a constant%s%s, stored nowhere: %s", in, lines, advice(die)));
    else
        set_why(variable, es_arena_format(symbols->arena, "was optimised away%s%s: %s", in, lines, advice(die)));
}

void es_symbols_separate_slots(es_symbols *symbols, es_variable *const *variables, size_t count)
{
    SYMBOLS_LIST(const es_variable *) other = {0}; /* by variable: one that shares its stack location */
    for (size_t i = 0; i < count; i++)
        SYMBOLS_PUSH(symbols, &other, NULL);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            const es_variable *a = variables[i], *b = variables[k];
            int64_t a_low = a->cfa_offset, b_low = b->cfa_offset;
            if (a->place == ES_PLACE_FRAME && b->place == ES_PLACE_FRAME && a_low < b_low + b->type->size &&
                b_low < a_low + a->type->size) { /* what has a place for a part of its life may share it */
                other.items[i] = a->life ? NULL : b;
                other.items[k] = b->life ? NULL : a;
            }
        }
    for (size_t i = 0; i < count; i++) {
        const es_variable *sharer = other.items[i];
        if (sharer)
            set_why(variables[i],
                    es_arena_format(symbols->arena,
                                    "shares its place in the stack frame with '%s' (%s:%u): make it static, or "
                                    "compile this file with -O0 -fstack-reuse=none",
                                    sharer->name, sharer->file ? sharer->file : "?", sharer->line));
    }
}
