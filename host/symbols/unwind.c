#include "symbols/unwind.h"

#include <dwarf.h>
#include <stdlib.h>

#include "symbols/internal.h"

enum { RA = 1, SP = 2, S0 = 8, S1 = 9, S2 = 18, S11 = 27 };
enum { ROWS_MAX = 64 }; /* in which registers are looked for: a prologue has fewer */

static bool is_kept(unsigned reg)
{
    return reg == RA || reg == S0 || reg == S1 || (reg >= S2 && reg <= S11);
}

static Dwarf_Frame *row_at(const es_symbols *symbols, uint32_t address)
{
    Dwarf_CFI *tables[] = {symbols->cfi_debug, symbols->cfi_eh};
    const symbols_procedure *procedure = (const symbols_procedure *)es_symbols_procedure_at(symbols, address);
    if (procedure && address >= procedure->public.low && address < procedure->described)
        address = procedure->described;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        Dwarf_Frame *row;
        if (tables[i] && dwarf_cfi_addrframe(tables[i], address, &row) == 0)
            return row;
    }
    return NULL;
}

/* A kept register of the caller's: false where it is not to be had. */
static bool restore(Dwarf_Frame *row, unsigned reg, uint32_t cfa, const es_unwind_frame *callee, uint32_t *value,
                    es_unwind_read *read, void *context)
{
    Dwarf_Op memory[3], *ops;
    size_t count;
    if (dwarf_frame_register(row, (int)reg, memory, &ops, &count) != 0)
        return false;
    if (count == 0) { /* the same value, or nothing is said of it: then the calling convention keeps it */
        *value = callee->x[reg];
        return callee->known >> reg & 1;
    }
    if (ops[0].atom != DW_OP_call_frame_cfa || count > 2 || (count == 2 && ops[1].atom != DW_OP_plus_uconst))
        return false;
    return read(context, cfa + (count == 2 ? (uint32_t)ops[1].number : 0), value);
}

bool es_symbols_unwind(const es_symbols *symbols, es_unwind_frame *frame, es_unwind_read *read, void *context)
{
    unsigned base;
    int32_t offset;
    uint32_t end, at = frame->called ? frame->pc - 2 : frame->pc; /* of a call that is a procedure's last word, too */
    if (!es_symbols_cfa_at(symbols, at, &base, &offset, &end) || base > 31 || !(frame->known >> base & 1))
        return false;
    Dwarf_Frame *row = row_at(symbols, at);
    if (!row)
        return false;
    uint32_t cfa = frame->x[base] + (uint32_t)offset;
    es_unwind_frame caller = {.called = true, .known = 1u | 1u << SP};
    caller.x[SP] = cfa;
    for (unsigned reg = RA; reg <= S11; reg++)
        if (is_kept(reg) && restore(row, reg, cfa, frame, &caller.x[reg], read, context))
            caller.known |= 1u << reg;
    free(row);
    if (!(caller.known >> RA & 1))
        return false;
    caller.pc = caller.x[RA];
    caller.known &= ~(1u << RA); /* the caller's own is where it has put it */
    *frame = caller;
    return true;
}

int32_t es_symbols_saved_top(const es_symbols *symbols, const es_procedure *procedure)
{
    int32_t top = 0;
    unsigned base;
    uint32_t end = procedure->high, at = procedure->low;
    for (unsigned rows = 0; rows < ROWS_MAX && at < procedure->high; rows++, at = end) {
        int32_t offset;
        Dwarf_Frame *row = row_at(symbols, at);
        if (!row || !es_symbols_cfa_at(symbols, at, &base, &offset, &end)) {
            free(row);
            break;
        }
        for (unsigned reg = RA; reg <= S11; reg++) {
            Dwarf_Op memory[3], *ops;
            size_t count;
            bool saved = is_kept(reg) && dwarf_frame_register(row, (int)reg, memory, &ops, &count) == 0 && count == 2 &&
                         ops[0].atom == DW_OP_call_frame_cfa && ops[1].atom == DW_OP_plus_uconst;
            if (saved && (int32_t)ops[1].number < 0 && (top == 0 || (int32_t)ops[1].number > top))
                top = (int32_t)ops[1].number;
        }
        free(row);
    }
    return top;
}
