/* What the debug information leaves out, because of how the program was compiled; in words, for messages. */
#include "symbols/internal.h"

#include <dwarf.h>
#include <string.h>

#include "base/text.h"

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    return dwarf_attr(die, name, &attribute) ? dwarf_formstring(&attribute) : NULL;
}

/* A unit of -g1 has lines and names of procedures, but no types. GCC notes its options in the producer; other compilers
 * (-gline-tables-only) do not. */
static bool has_no_types(Dwarf_Die *unit)
{
    Dwarf_Die child;
    const char *producer = text_of(unit, DW_AT_producer);
    bool code = dwarf_hasattr(unit, DW_AT_low_pc) || dwarf_hasattr(unit, DW_AT_ranges);
    if (!producer || !code ||
        (strncmp(producer, "GNU", 3) == 0 && !strstr(producer, " -g1") && !strstr(producer, " -ggdb1")))
        return false;
    for (int more = dwarf_child(unit, &child) == 0; more > 0; more = es_symbols_sibling(&child))
        if (dwarf_tag(&child) == DW_TAG_base_type || dwarf_tag(&child) == DW_TAG_imported_unit)
            return false;
    return strncmp(producer, "GNU AS", 6) != 0;
}

static void note(es_symbols *symbols, enum symbols_lack lack, const char *name, Dwarf_Die *unit)
{
    symbols_lacking one = {.lack = lack, .name = name ? es_symbols_clean(symbols, name) : "?"};
    Dwarf_Addr base, low, high;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(unit, next, &base, &low, &high)) > 0;)
        if (low < high && high <= UINT32_MAX && low > 0)
            SYMBOLS_PUSH(symbols, &one.code, (symbols_span){(uint32_t)low, (uint32_t)high});
    SYMBOLS_PUSH(symbols, &symbols->lacking, one);
}

void es_symbols_find_lacking(es_symbols *symbols)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    uint8_t type;
    while (dwarf_get_units(symbols->dwarf, cu, &cu, NULL, &type, &unit, NULL) == 0) {
        const char *elsewhere = text_of(&unit, DW_AT_dwo_name);
        elsewhere = elsewhere ? elsewhere : text_of(&unit, DW_AT_GNU_dwo_name);
        if (type == DW_UT_skeleton || (type == DW_UT_compile && elsewhere))
            note(symbols, SYMBOLS_LACKS_ALL, elsewhere, &unit);
        else if (type == DW_UT_compile && !es_symbols_die_in_library(symbols, &unit) && has_no_types(&unit))
            note(symbols, SYMBOLS_LACKS_TYPES, text_of(&unit, DW_AT_name), &unit);
    }
}

enum { MAX_NAMED = 3 }; /* more in one message help nobody */

/* One line about all units that lack something in this way; NULL: none does. With code >= 0, about the one that has the
 * code there. */
static const char *describe(const es_symbols *symbols, enum symbols_lack lack, int64_t code)
{
    const char *names = NULL;
    size_t count = 0;
    for (size_t i = 0; i < symbols->lacking.count; i++) {
        const symbols_lacking *one = &symbols->lacking.items[i];
        bool meant = code < 0;
        for (size_t k = 0; k < one->code.count && !meant; k++)
            meant = code >= one->code.items[k].low && code < one->code.items[k].high;
        if (one->lack != lack || !meant)
            continue;
        if (++count <= MAX_NAMED)
            names = es_arena_format(symbols->arena, "%s%s%s", names ? names : "", names ? ", " : "", one->name);
        else if (count == MAX_NAMED + 1)
            names = es_arena_format(symbols->arena, "%s, ...", names);
    }
    if (!names)
        return NULL;
    if (lack == SYMBOLS_LACKS_ALL)
        return es_arena_format(symbols->arena,
                               "debug information lies in other files (%s), which are not read: compile "
                               "without -gsplit-dwarf",
                               names);
    return es_arena_format(symbols->arena,
                           "%s %s compiled with -g1 or for line numbers only, without types, locals and "
                           "static variables: compile with -g",
                           names, es_plural(count, "was", "were"));
}

static const symbols_elf_symbol *object_named(const es_symbols *symbols, const char *file, const char *name)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    const char *base = slash ? slash + 1 : file;
    for (size_t i = 0; i < symbols->elf_symbols.count; i++) {
        const symbols_elf_symbol *symbol = &symbols->elf_symbols.items[i];
        if (symbol->type == STT_OBJECT && strcmp(symbol->name, name) == 0 &&
            (!base || !symbol->file || strcmp(symbol->file, base) == 0))
            return symbol;
    }
    return NULL;
}

const char *es_symbols_missing(const es_symbols *symbols, const es_procedure *procedure, const char *file,
                               const char *name)
{
    if (procedure) {
        const char *text = describe(symbols, SYMBOLS_LACKS_ALL, procedure->low);
        text = text ? text : describe(symbols, SYMBOLS_LACKS_TYPES, procedure->low);
        return text || procedure->has_debug ? text : "compile its file with -g: the debug information does not have it";
    }
    const char *text = describe(symbols, SYMBOLS_LACKS_ALL, -1);
    if (text)
        return text;
    const symbols_elf_symbol *symbol = object_named(symbols, file, name);
    if (symbol)
        return es_arena_format(symbols->arena,
                               "it is in the program, at 0x%08x, but not in its debug information: compile "
                               "%s with -g",
                               symbol->value, symbol->file ? symbol->file : "the file that defines it");
    return describe(symbols, SYMBOLS_LACKS_TYPES, -1);
}
