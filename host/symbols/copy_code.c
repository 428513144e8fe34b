/* Which code and which rows of the line table are of an inlined copy. */
#include "symbols/internal.h"

#include <string.h>

unsigned es_symbols_end_line(const es_symbols *symbols, const symbols_inlined_copy *copy)
{
    unsigned end = UINT32_MAX;
    for (size_t i = 0; i < symbols->declared_at.count; i++) {
        const symbols_declared_at *other = &symbols->declared_at.items[i];
        if (other->line > copy->public.declared_line && other->line < end &&
            strcmp(other->file, copy->public.file) == 0)
            end = other->line;
    }
    return end;
}

bool es_symbols_copy_holds(const symbols_inlined_copy *copy, uint32_t address)
{
    for (size_t i = 0; i < copy->code.count; i++)
        if (address >= copy->code.items[i].low && address < copy->code.items[i].high)
            return true;
    return false;
}

bool es_symbols_is_line_of(const es_symbols *symbols, symbols_inlined_copy *copy, const symbols_line *row)
{
    if (!copy->end_line)
        copy->end_line = copy->public.file ? es_symbols_end_line(symbols, copy) : 1;
    return row->file && copy->public.file && row->line >= copy->public.declared_line && row->line < copy->end_line &&
           strcmp(row->file, copy->public.file) == 0;
}

size_t es_symbols_row_from(const es_symbols *symbols, uint32_t address)
{
    size_t row = SYMBOLS_LAST_AT(&symbols->lines, address);
    row = row == symbols->lines.count ? 0 : row;
    while (row > 0 && symbols->lines.items[row - 1].address >= address)
        row--;
    return row < symbols->lines.count && symbols->lines.items[row].address < address ? row + 1 : row;
}
