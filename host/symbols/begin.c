/* Where a procedure's own code begins, after its prologue: where debuggers stop at it. */
#include "symbols/internal.h"

/* Where the line table has the procedure's second row; its first instruction when two rows stand there (then there is
 * no prologue), or when the table does not tell. */
static uint32_t by_lines(const es_symbols *symbols, const es_procedure *procedure)
{
    size_t row = 0, count = symbols->lines.count;
    const symbols_line *lines = symbols->lines.items;
    for (size_t high = count; row < high;) { /* the first at or after the procedure's beginning */
        size_t middle = (row + high) / 2;
        if (lines[middle].address < procedure->low)
            row = middle + 1;
        else
            high = middle;
    }
    while (row < count && lines[row].end && lines[row].address == procedure->low)
        row++;
    if (row + 1 >= count || lines[row].address != procedure->low)
        return procedure->low;
    const symbols_line *next = &lines[row + 1];
    return next->end || next->address >= procedure->high || next->address % symbols->isa->smallest ? procedure->low
                                                                                                   : next->address;
}

/* After the last of the stores that the procedure begins with and that put away an argument as it came. */
static uint32_t by_arguments(const es_symbols *symbols, const es_procedure *procedure, const es_store *stores,
                             size_t count, uint32_t end)
{
    uint32_t kept = 0xFFFFFFFFu, last = procedure->low; /* kept: registers that hold what they did at the entry */
    es_insn insn;
    for (uint32_t pc = procedure->low; pc < end && es_symbols_insn(symbols, pc, &insn); pc += insn.size) {
        bool stores_here = count && stores->site == pc;
        if (stores_here && es_isa_is_argument(symbols->isa, insn.rs2) && kept >> insn.rs2 & 1)
            last = pc + insn.size;
        stores += stores_here;
        count -= stores_here;
        kept &= ~(1u << insn.rd);
    }
    return last;
}

uint32_t es_symbols_begin(const es_symbols *symbols, const es_procedure *procedure)
{
    const es_store *stores;
    uint32_t end, begin = by_lines(symbols, procedure);
    es_insn insn;
    size_t count = es_symbols_prologue(symbols, procedure, &stores, &end);
    if (begin == procedure->low)
        begin = by_arguments(symbols, procedure, stores, count, end);
    if (begin > end)
        begin = end;
    for (uint32_t pc = procedure->low; pc < procedure->high && es_symbols_insn(symbols, pc, &insn); pc += insn.size) {
        es_ways ways = es_insn_ways(insn, pc);
        if (ways.jumps && ways.target - procedure->low < begin - procedure->low)
            begin = ways.target;
    }
    return begin;
}

bool es_symbols_begins_written(const es_symbols *symbols, const es_procedure *procedure, int32_t cfa_offset,
                               uint32_t size)
{
    const es_store *stores;
    uint32_t end, begin = es_symbols_begin(symbols, procedure);
    size_t count = es_symbols_prologue(symbols, procedure, &stores, &end);
    for (uint32_t byte = 0; byte < size; byte++) {
        int32_t at = cfa_offset + (int32_t)byte;
        bool written = false;
        for (size_t i = 0; i < count && stores[i].site < begin && !written; i++)
            written = at >= stores[i].cfa_offset && at < stores[i].cfa_offset + stores[i].size;
        if (!written)
            return false;
    }
    return true;
}
