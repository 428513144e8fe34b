/* What concerns a hit: REG_HIT_CELL (es_dispatch.v). */
#include <rv32_defs.h>

#include "softprobe/private.h"

uint32_t es_softprobe_cell(const es_softprobe *probe, const hit *of)
{
    bool is_fetch = of->kind == ES_KIND_FETCH, is_read = of->kind == ES_KIND_READ;
    bool halves = is_fetch || is_read; /* share their rows, and tell the halves of a word apart */
    bool is_call = (of->old_word & ES_RV32_CALL_MASK) == ES_RV32_CALL_BITS;
    bool is_return = (of->old_word & ES_RV32_RETURN_MASK) == ES_RV32_RETURN_BITS;
    uint32_t column = of->address >> ES_CELL_COLUMN_SHIFT;
    if (halves)
        column = column << 1 | (of->address >> 1 & 1);
    uint32_t cell = probe->rows[(halves ? ES_ROWS : 0) + (of->address >> 2) % ES_ROWS] + 4 * column;
    if (is_fetch ? of->old_known && is_return : of->kind == ES_KIND_WRITE && of->lanes != 15)
        cell += ES_CELL_SECOND;
    cell &= 0xFFFF;
    if (of->kind == ES_KIND_MARK || is_read || of->dynamic || (is_fetch && !(of->old_known && (is_call || is_return))))
        cell |= ES_CELL_SPECIAL;
    return of->dynamic ? cell | ES_CELL_DYNAMIC : cell;
}
