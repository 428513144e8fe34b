/* How C writes a type: "int16_t", "enum mode", "const char *", "int (*)[3]", "void (*)(int)". */
#include "symbols/internal.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NAME = 240 }; /* longer ones end in "..." */

typedef struct text {
    char bytes[MAX_NAME];
} text;

static text format(const char *pattern, const char *a, const char *b)
{
    text result;
    int length = snprintf(result.bytes, sizeof result.bytes, pattern, a, b);
    if (length >= (int)sizeof result.bytes)
        memcpy(result.bytes + sizeof result.bytes - 4, "...", 4);
    return result;
}

static text declare(es_symbols *symbols, Dwarf_Die *die, text inner, unsigned depth);

static text declare_target(es_symbols *symbols, Dwarf_Die *die, text inner, unsigned depth)
{
    Dwarf_Die target;
    if (depth < SYMBOLS_MAX_DEPTH && es_symbols_die_reference(die, DW_AT_type, &target))
        return declare(symbols, &target, inner, depth + 1);
    return inner.bytes[0] ? format("void %s%s", inner.bytes, "") : format("%s%s", "void", "");
}

/* "word inner", or "word" alone. */
static text with_word(const char *word, text inner)
{
    return inner.bytes[0] ? format("%s %s", word, inner.bytes) : format("%s%s", word, "");
}

/* A qualifier goes before a plain type and after a pointer's star. */
static text qualified(es_symbols *symbols, Dwarf_Die *die, const char *word, text inner, unsigned depth)
{
    Dwarf_Die target;
    int tag = es_symbols_die_reference(die, DW_AT_type, &target) ? dwarf_tag(&target) : DW_TAG_base_type;
    if (tag == DW_TAG_pointer_type)
        return declare_target(symbols, die, with_word(word, inner), depth);
    text rest = declare_target(symbols, die, inner, depth);
    return format("%s %s", word, rest.bytes);
}

static text tagged(es_symbols *symbols, Dwarf_Die *die, const char *keyword, text inner)
{
    const char *name = es_symbols_die_name(symbols, die);
    Dwarf_Die definition;
    if (!name && es_symbols_die_reference(die, DW_AT_signature, &definition)) /* -fdebug-types-section */
        name = es_symbols_die_name(symbols, &definition);
    text tag = name ? format("%s %s", keyword, name) : format("%s %s", keyword, "{...}");
    return with_word(tag.bytes, inner);
}

static text declare_array(es_symbols *symbols, Dwarf_Die *die, text inner, unsigned depth)
{
    Dwarf_Die child;
    for (int more = dwarf_child(die, &child) == 0; more > 0; more = es_symbols_sibling(&child)) {
        if (dwarf_tag(&child) != DW_TAG_subrange_type)
            continue;
        uint64_t number;
        char count[32] = "";
        if (es_symbols_die_number(&child, DW_AT_count, &number))
            snprintf(count, sizeof count, "%llu", (unsigned long long)number);
        else if (es_symbols_die_number(&child, DW_AT_upper_bound, &number))
            snprintf(count, sizeof count, "%llu", (unsigned long long)number + 1);
        inner = format("%s[%s]", inner.bytes, count);
    }
    return declare_target(symbols, die, inner, depth);
}

static text declare_function(es_symbols *symbols, Dwarf_Die *die, text inner, unsigned depth)
{
    Dwarf_Die child;
    text parameters = {""};
    for (int more = dwarf_child(die, &child) == 0; more > 0; more = es_symbols_sibling(&child)) {
        text one = {"..."};
        if (dwarf_tag(&child) == DW_TAG_formal_parameter)
            one = declare_target(symbols, &child, (text){""}, depth);
        else if (dwarf_tag(&child) != DW_TAG_unspecified_parameters)
            continue;
        parameters = parameters.bytes[0] ? format("%s, %s", parameters.bytes, one.bytes) : one;
    }
    if (!parameters.bytes[0] && es_symbols_die_flag(die, DW_AT_prototyped))
        parameters = (text){"void"};
    inner = format("%s(%s)", inner.bytes, parameters.bytes);
    return declare_target(symbols, die, inner, depth);
}

static text declare(es_symbols *symbols, Dwarf_Die *die, text inner, unsigned depth)
{
    Dwarf_Die target;
    const char *name;
    switch (dwarf_tag(die)) {
    case DW_TAG_structure_type: return tagged(symbols, die, "struct", inner);
    case DW_TAG_class_type: return tagged(symbols, die, "class", inner);
    case DW_TAG_union_type: return tagged(symbols, die, "union", inner);
    case DW_TAG_enumeration_type: return tagged(symbols, die, "enum", inner);
    case DW_TAG_const_type: return qualified(symbols, die, "const", inner, depth);
    case DW_TAG_volatile_type: return qualified(symbols, die, "volatile", inner, depth);
    case DW_TAG_atomic_type: return qualified(symbols, die, "_Atomic", inner, depth);
    case DW_TAG_restrict_type: return declare_target(symbols, die, with_word("restrict", inner), depth);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type: {
        int kind = dwarf_tag(die);
        const char *star = kind == DW_TAG_pointer_type ? "*" : kind == DW_TAG_reference_type ? "&" : "&&";
        inner = format("%s%s", star, inner.bytes);
        int tag = es_symbols_die_reference(die, DW_AT_type, &target) ? dwarf_tag(&target) : 0;
        if (tag == DW_TAG_array_type || tag == DW_TAG_subroutine_type)
            inner = format("(%s%s)", inner.bytes, "");
        return declare_target(symbols, die, inner, depth);
    }
    case DW_TAG_array_type: return declare_array(symbols, die, inner, depth);
    case DW_TAG_subroutine_type: return declare_function(symbols, die, inner, depth);
    default: name = es_symbols_die_name(symbols, die); return with_word(name ? name : "?", inner);
    }
}

const char *es_symbols_type_name(es_symbols *symbols, Dwarf_Die *die)
{
    text name = declare(symbols, die, (text){""}, 0);
    return es_arena_copy(symbols->arena, name.bytes, strlen(name.bytes));
}
