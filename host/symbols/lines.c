/* Source lines: one table for all units, sorted by address once, searched per hit. */
#include "symbols/internal.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_address(const void *a, const void *b)
{
    const symbols_line *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->end != y->end) /* a sequence's end before the start of what follows it */
        return x->end ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* The linker leaves the line tables of functions that it removed, at address 0. Whether code of this unit really is
 * there. */
static bool unit_at_zero(es_symbols *symbols, Dwarf_Die *unit)
{
    uint64_t language;
    Dwarf_Die child;
    if (symbols_die_number(unit, DW_AT_language, &language) && language == DW_LANG_Mips_Assembler)
        return dwarf_haspc(unit, 0) > 0;
    for (int more = dwarf_child(unit, &child) == 0; more > 0; more = symbols_sibling(&child)) {
        Dwarf_Addr low;
        if (dwarf_tag(&child) == DW_TAG_subprogram && dwarf_lowpc(&child, &low) == 0 && low == 0 &&
            symbols_kept_at_zero(symbols, symbols_die_name(symbols, &child)))
            return true;
    }
    return false;
}

static void read_unit(es_symbols *symbols, Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return;
    bool zero = unit_at_zero(symbols, unit);
    bool in_sequence = false, skip = false;
    const char *last = NULL, *last_name = NULL;
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        Dwarf_Addr address;
        int number;
        bool end;
        if (!line || dwarf_lineaddr(line, &address) != 0 || dwarf_lineno(line, &number) != 0 ||
            dwarf_lineendsequence(line, &end) != 0)
            continue;
        if (!in_sequence)
            skip = address == 0 && !zero;
        in_sequence = !end;
        if (skip || address > UINT32_MAX)
            continue;
        const char *file = dwarf_linesrc(line, NULL, NULL);
        if (file != last) {
            last = file;
            last_name = file ? symbols_file_name(symbols, unit, file) : NULL;
        }
        SYMBOLS_PUSH(symbols, &symbols->lines, (symbols_line){ .address = (uint32_t)address,
                                                               .line = end || number < 0 ? 0 : (unsigned)number,
                                                               .file = last_name,
                                                               .end = end,
                                                               .order = symbols->lines.count });
    }
}

bool symbols_read_lines(es_symbols *symbols, es_error *err)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    uint8_t type;
    int more;
    while ((more = dwarf_get_units(symbols->dwarf, cu, &cu, NULL, &type, &unit, NULL)) == 0)
        if (type == DW_UT_compile)
            read_unit(symbols, &unit);
    if (more < 0)
        return symbols_damaged(symbols, err);
    SYMBOLS_SORT(&symbols->lines, by_address);
    return true;
}

/* The last row at or before address, count when none. */
static size_t row_at(const es_symbols *symbols, uint32_t address)
{
    return SYMBOLS_LAST_AT(&symbols->lines, address);
}

bool es_symbols_line(const es_symbols *symbols, uint32_t address, const char **file, unsigned *line)
{
    size_t row = row_at(symbols, address);
    if (row == symbols->lines.count || !symbols->lines.items[row].line || !symbols->lines.items[row].file)
        return false;
    *file = symbols->lines.items[row].file;
    *line = symbols->lines.items[row].line;
    return true;
}

void symbols_describe_lines(const es_symbols *symbols, uint32_t low, uint32_t high, char *text, size_t size)
{
    const char *file = NULL, *at;
    unsigned first = 0, last = 0, line;
    text[0] = 0;
    if (low >= high)
        return;
    size_t row = row_at(symbols, low);
    if (es_symbols_line(symbols, low, &at, &line)) {
        file = at;
        first = last = line;
    }
    for (row = row == symbols->lines.count ? 0 : row + 1; row < symbols->lines.count; row++) {
        const symbols_line *entry = &symbols->lines.items[row];
        if (entry->address >= high)
            break;
        if (entry->address < low || !entry->line || !entry->file)
            continue;
        if (!file) {
            file = entry->file;
            first = last = entry->line;
        }
        if (strcmp(entry->file, file) != 0)
            continue;
        first = entry->line < first ? entry->line : first;
        last = entry->line > last ? entry->line : last;
    }
    if (!file)
        return;
    if (first == last)
        snprintf(text, size, "%s:%u", file, first);
    else
        snprintf(text, size, "%s:%u-%u", file, first, last);
}
