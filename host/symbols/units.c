/* Which compilation units are the program's own, and which come from a library such as libc or libgcc that somebody
 * else has compiled. No table tells. But a compiler notes in which folder it ran: for a program's own sources in the
 * one where main was compiled, or near it. */
#include "symbols/internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    const char *text = dwarf_attr(die, name, &attribute) ? dwarf_formstring(&attribute) : NULL;
    return text ? text : "";
}

static bool defines_main(Dwarf_Die *unit)
{
    Dwarf_Die child;
    for (int more = dwarf_child(unit, &child) == 0; more > 0; more = es_symbols_sibling(&child))
        if (dwarf_tag(&child) == DW_TAG_subprogram && strcmp(text_of(&child, DW_AT_name), "main") == 0 &&
            !es_symbols_die_flag(&child, DW_AT_declaration))
            return true;
    return false;
}

/* The folder around `home`, unless that is the root. */
static size_t neighbourhood(const char *home)
{
    const char *slash = strrchr(home, '/');
    return slash && slash > home ? (size_t)(slash - home) : strlen(home);
}

static bool is_own(Dwarf_Die *unit, const char *home)
{
    const char *folder = text_of(unit, DW_AT_comp_dir), *name = text_of(unit, DW_AT_name);
    size_t near = neighbourhood(home);
    if (strcmp(folder, home) == 0 || strcmp(name, "<artificial>") == 0) /* what link-time optimisation made */
        return true;
    if (strstr(name, "/libgcc/") || strstr(name, "/newlib/")) /* packagers' folders may lie near */
        return false;
    return home[0] == '/' && strncmp(folder, home, near) == 0 && (folder[near] == '/' || folder[near] == 0);
}

static void add_library(es_symbols *symbols, Dwarf_Die *unit)
{
    SYMBOLS_PUSH(symbols, &symbols->library_units, unit->cu);
    Dwarf_Addr base, low, high;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(unit, next, &base, &low, &high)) > 0;)
        if (low < high && high <= UINT32_MAX)
            SYMBOLS_PUSH(symbols, &symbols->library_code, (symbols_span){(uint32_t)low, (uint32_t)high});
}

void es_symbols_find_libraries(es_symbols *symbols)
{
    const char *home = NULL;
    Dwarf_Die unit;
    uint8_t type;
    for (Dwarf_CU *cu = NULL; !home && dwarf_get_units(symbols->dwarf, cu, &cu, NULL, &type, &unit, NULL) == 0;)
        if (type == DW_UT_compile && defines_main(&unit))
            home = text_of(&unit, DW_AT_comp_dir);
    if (!home || !*home)
        return;
    for (Dwarf_CU *cu = NULL; dwarf_get_units(symbols->dwarf, cu, &cu, NULL, &type, &unit, NULL) == 0;)
        if (type == DW_UT_compile && !is_own(&unit, home))
            add_library(symbols, &unit);
}

bool es_symbols_die_in_library(const es_symbols *symbols, const Dwarf_Die *die)
{
    for (size_t i = 0; i < symbols->library_units.count; i++)
        if (symbols->library_units.items[i] == die->cu)
            return true;
    return false;
}

bool es_symbols_code_in_library(const es_symbols *symbols, uint32_t address)
{
    for (size_t i = 0; i < symbols->library_code.count; i++)
        if (address >= symbols->library_code.items[i].low && address < symbols->library_code.items[i].high)
            return true;
    return false;
}
