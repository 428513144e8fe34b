/* Places in a frame that debug information has too early. GCC 12 tells a place from where the source assigns the local,
 * and the store that puts it there may come later, after instructions of other lines: up to that, the stack has
 * something else there. What can be told for certain is where no such store can have been executed yet, on any way from
 * the procedure's beginning: there the place is none. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/code.h"
#include "symbols/values_private.h"

enum { WORD = 4 };

/* The procedure's code, by two bytes of it. */
typedef struct walk {
    const es_symbols *symbols;
    const es_procedure *procedure;
    uint32_t count, waiting;
    uint8_t *after;  /* a store to the place may have been executed before the instruction */
    uint32_t *queue; /* instructions from which it goes on */
} walk;

static void reach(walk *w, uint32_t address)
{
    uint32_t at = (address - w->procedure->low) / 2;
    if (address < w->procedure->low || at >= w->count || w->after[at])
        return;
    w->after[at] = 1;
    w->queue[w->waiting++] = address;
}

/* Where execution goes on. False: that cannot be told. */
static bool go_on(walk *w, uint32_t address)
{
    es_insn insn;
    if (!es_symbols_insn(w->symbols, address, &insn) || !insn.size || insn.kind == ES_INSN_JUMP_REGISTER ||
        insn.kind == ES_INSN_SEVERAL)
        return false;
    es_ways ways = es_insn_ways(insn, address);
    if (ways.jumps && (ways.target < w->procedure->low || ways.target >= w->procedure->high) &&
        es_symbols_procedure_at(w->symbols, ways.target) == w->procedure)
        return false; /* "f.cold" */
    if (ways.next)
        reach(w, address + insn.size);
    if (ways.jumps)
        reach(w, ways.target);
    return true;
}

/* The procedure makes the address of it: others may store there. */
static bool gives_away(const es_symbols *symbols, const es_procedure *procedure, int32_t offset)
{
    es_insn insn;
    for (uint32_t at = procedure->low, end; at < procedure->high; at += insn.size) {
        unsigned reg = symbols->isa->stack;
        int32_t above = 0;
        if (!es_symbols_insn(symbols, at, &insn) || !insn.size)
            return true;
        if (!es_insn_adds(insn) || insn.rd == insn.rs1 || !es_symbols_cfa_at(symbols, at, &reg, &above, &end))
            continue;
        int64_t made = (int64_t)insn.imm - above;
        if (insn.rs1 == reg && made >= offset && made < offset + WORD)
            return true;
    }
    return false;
}

/* Where a word of the frame may have been stored; NULL: that cannot be told. */
static uint8_t *follow_stores(const es_symbols *symbols, const es_procedure *procedure, int32_t offset)
{
    walk w = {.symbols = symbols, .procedure = procedure, .count = (procedure->high - procedure->low) / 2};
    const es_store *stores;
    size_t count;
    es_insn insn;
    bool good = es_symbols_stores(symbols, procedure, &stores, &count), any = false;
    if (!good || !w.count)
        return NULL;
    w.after = es_malloc(w.count);
    w.queue = es_malloc(w.count * sizeof *w.queue);
    memset(w.after, 0, w.count);
    for (size_t i = 0; i < count && good; i++)
        if (stores[i].kind == ES_STORE_FRAME && stores[i].cfa_offset < offset + WORD &&
            offset < stores[i].cfa_offset + (int32_t)stores[i].size) {
            good = es_symbols_insn(symbols, stores[i].site, &insn);
            any = true;
            reach(&w, stores[i].site + insn.size);
        }
    while (good && w.waiting)
        good = go_on(&w, w.queue[--w.waiting]);
    free(w.queue);
    if (good && any && !gives_away(symbols, procedure, offset))
        return w.after;
    free(w.after);
    return NULL;
}

/* The place counted from the CFA at the address; 0: it is none of the procedure's frame. */
static int32_t place_of(const es_symbols *symbols, const Dwarf_Op *op, uint32_t address)
{
    unsigned reg = symbols->isa->stack;
    int32_t above = 0;
    uint32_t end;
    int64_t offset = (int64_t)op->number;
    if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
        if (!es_symbols_cfa_at(symbols, address, &reg, &above, &end) || reg != (unsigned)op->atom - DW_OP_breg0)
            return 0;
        offset -= above;
    } else if (op->atom != DW_OP_fbreg) {
        return 0;
    }
    return offset < 0 && offset > INT32_MIN ? (int32_t)offset : 0;
}

bool es_symbols_stores_at(const es_symbols *symbols, const es_procedure *procedure, const Dwarf_Op *op, uint32_t size)
{
    const es_store *stores;
    size_t count;
    for (size_t i = es_symbols_stores(symbols, procedure, &stores, &count) ? count : 0; i-- > 0;) {
        int32_t offset = place_of(symbols, op, stores[i].site);
        if (offset && stores[i].kind == ES_STORE_FRAME && stores[i].cfa_offset < offset + (int32_t)size &&
            offset < stores[i].cfa_offset + (int32_t)stores[i].size)
            return true;
    }
    return false;
}

uint32_t es_symbols_stored_from(const es_symbols *symbols, const es_procedure *procedure, const Dwarf_Op *ops,
                                size_t count, uint32_t low, uint32_t high)
{
    for (size_t i = 0; i < count && low >= procedure->low && low < procedure->high; i++) {
        bool place = i + 1 == count || ops[i + 1].atom == DW_OP_piece;
        int32_t offset = place ? place_of(symbols, &ops[i], low) : 0;
        uint8_t *after = offset ? follow_stores(symbols, procedure, offset) : NULL;
        while (after && low < high && low < procedure->high && !after[(low - procedure->low) / 2])
            low += 2;
        free(after);
    }
    return low < high ? low : high;
}
