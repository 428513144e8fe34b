/* Places in a frame where debug information has a local for a part of its life. GCC 12 counts them wrong in procedures
 * that put an argument onto the stack themselves which they were given in a register: the half of a number of 64 bits,
 * or of a struct, whose other half is on the stack. They are as many bytes further up as that takes. What arguments are
 * at the procedure's beginning, and locals that are on the stack all the time, it counts right. */
#include <dwarf.h>
#include <string.h>

#include "symbols/code.h"
#include "symbols/values_private.h"

enum { WORD = 4 };

bool es_symbols_stores_into(const es_symbols *symbols, const es_procedure *procedure, int32_t offset, uint32_t size)
{
    const es_store *stores;
    size_t count;
    if (!es_symbols_stores(symbols, procedure, &stores, &count))
        return true;
    for (size_t i = 0; i < count; i++)
        if (stores[i].kind == ES_STORE_FRAME && stores[i].cfa_offset < offset + (int32_t)size &&
            offset < stores[i].cfa_offset + (int32_t)stores[i].size)
            return true;
    return false;
}

static bool takes_more(Dwarf_Die *function) /* "..." */
{
    Dwarf_Die child;
    if (dwarf_child(function, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
            return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

/* What a procedure puts onto the stack of an argument that it was given in a register: that is above what it saves, as
 * are those of `...`, which GCC counts right. */
static int32_t own_arguments(const es_symbols *symbols, const symbols_procedure *procedure, Dwarf_Die *function)
{
    int32_t top = es_symbols_saved_top(symbols, &procedure->public);
    return top < -WORD && !takes_more(function) ? -WORD - top : 0;
}

static bool counts_from_cfa(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *base;
    size_t count;
    return function && dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) &&
           dwarf_getlocation(&attribute, &base, &count) == 0 && count == 1 && base[0].atom == DW_OP_call_frame_cfa;
}

/* An instruction of the procedure's stores the register there. */
static bool is_put(const es_symbols *symbols, const es_procedure *procedure, int64_t offset, unsigned reg)
{
    const es_store *stores;
    size_t count;
    es_insn insn;
    for (size_t i = es_symbols_stores(symbols, procedure, &stores, &count) ? count : 0; i-- > 0;)
        if (stores[i].kind == ES_STORE_FRAME && stores[i].cfa_offset == offset &&
            es_symbols_insn(symbols, stores[i].site, &insn) && insn.kind == ES_INSN_STORE && insn.rs2 == reg)
            return true;
    return false;
}

/* Where the place is, with `shift` bytes of own arguments. reg: in which the local was before. 0: nothing is stored
 * there. */
static int64_t right(const es_symbols *symbols, const es_procedure *procedure, int64_t offset, int32_t shift,
                     unsigned reg)
{
    if (offset >= -shift)
        shift = 0;
    bool told = es_symbols_stores_into(symbols, procedure, (int32_t)offset, WORD);
    bool shifted = es_symbols_stores_into(symbols, procedure, (int32_t)offset + shift, WORD);
    if (told && shifted && is_put(symbols, procedure, offset, reg) && !is_put(symbols, procedure, offset + shift, reg))
        shifted = false;
    return shifted ? offset + shift : told ? offset : 0;
}

bool es_symbols_right_slots(es_symbols *symbols, const symbols_procedure *procedure, Dwarf_Die *function, unsigned reg,
                            Dwarf_Op **ops, size_t count)
{
    Dwarf_Op *righted = NULL;
    int32_t shift = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t offset = (int64_t)(*ops)[i].number;
        if ((*ops)[i].atom != DW_OP_fbreg || offset >= 0 || offset < INT32_MIN || !counts_from_cfa(function))
            continue;
        if (!righted) {
            shift = own_arguments(symbols, procedure, function);
            righted = es_arena_alloc(symbols->arena, count * sizeof *righted);
            memcpy(righted, *ops, count * sizeof *righted);
        }
        offset = right(symbols, &procedure->public, offset, shift, reg);
        if (!offset)
            return false;
        righted[i].number = (Dwarf_Word)offset;
    }
    *ops = righted ? righted : *ops;
    return true;
}
