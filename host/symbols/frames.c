/* Call frame information: where a procedure's canonical frame address lies at each of its instructions. */
#include "symbols/internal.h"

#include <dwarf.h>
#include <stdlib.h>

static bool cfa_from(Dwarf_CFI *cfi, uint32_t address, unsigned *reg, int32_t *offset, uint32_t *end)
{
    Dwarf_Frame *frame;
    if (!cfi || dwarf_cfi_addrframe(cfi, address, &frame) != 0)
        return false;
    Dwarf_Op *ops;
    size_t count;
    Dwarf_Addr from, to;
    bool known = false;
    if (dwarf_frame_info(frame, &from, &to, NULL) >= 0 && dwarf_frame_cfa(frame, &ops, &count) == 0 && count == 1 &&
        to > address) {
        *end = to <= UINT32_MAX ? (uint32_t)to : UINT32_MAX;
        if (ops[0].atom == DW_OP_bregx) {
            *reg = ops[0].number < 64 ? (unsigned)ops[0].number : 64;
            *offset = (int32_t)ops[0].number2;
            known = true;
        } else if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
            *reg = ops[0].atom - DW_OP_breg0;
            *offset = (int32_t)ops[0].number;
            known = true;
        }
    }
    free(frame);
    return known;
}

bool es_symbols_cfa_at(const es_symbols *symbols, uint32_t address, unsigned *reg, int32_t *offset, uint32_t *end)
{
    const symbols_procedure *procedure = (const symbols_procedure *)es_symbols_procedure_at(symbols, address);
    if (procedure && address >= procedure->public.low && address < procedure->described)
        address = procedure->described;
    return cfa_from(symbols->cfi_debug, address, reg, offset, end) ||
           cfa_from(symbols->cfi_eh, address, reg, offset, end);
}

bool es_symbols_register_below_cfa(const es_symbols *symbols, const es_procedure *procedure, unsigned reg,
                                   int32_t *below)
{
    /* The register has its value from where the CFA is first expressed by it with its greatest offset. Rows that
     * express the CFA by the stack pointer are prologue and epilogue. */
    bool found = false;
    for (uint32_t at = procedure->low, end; at < procedure->high; at = end) {
        unsigned row_reg;
        int32_t offset;
        if (!es_symbols_cfa_at(symbols, at, &row_reg, &offset, &end) || end <= at)
            return found;
        if (row_reg != reg)
            continue;
        if (!found || offset > *below)
            *below = offset;
        found = true;
    }
    return found;
}
