/* How procedures return results, by the calling convention. */
#include "symbols/internal.h"
#include "symbols/values.h"

#include <dwarf.h>

/* Bits of ELF's e_flags of RISC-V: which values the convention has in floating-point registers. */
enum { FLOAT_ABI = 6, FLOAT_ABI_SINGLE = 2 };

enum { A0 = 10, FA0 = 42, XLEN_BYTES = 4 };

static bool holds_floats(const es_type *type, unsigned depth)
{
    if (depth > SYMBOLS_MAX_DEPTH || type->kind == ES_TYPE_FLOAT)
        return true;
    if (type->kind == ES_TYPE_ARRAY)
        return type->of && holds_floats(type->of, depth + 1);
    for (size_t i = 0; type->kind == ES_TYPE_STRUCT && i < type->member_count; i++)
        if (holds_floats(type->members[i].type, depth + 1))
            return true;
    return false;
}

static es_result by_convention(const es_symbols *symbols, const es_type *type)
{
    Elf32_Ehdr *header = elf32_getehdr(symbols->elf);
    unsigned abi = header ? header->e_flags & FLOAT_ABI : 0;
    unsigned in_floats = abi == 0 ? 0 : abi == FLOAT_ABI_SINGLE ? 4 : 8; /* bytes that fit one */
    es_result result = {.type = type, .reg = A0};
    if (type->kind == ES_TYPE_OTHER || type->incomplete)
        result.why = "returns nothing that is known";
    else if (type->size == 0)
        result.why = "returns nothing";
    else if (type->size > 2 * XLEN_BYTES)
        result.why = "returns its result in memory of its caller";
    else if (type->kind == ES_TYPE_FLOAT && type->size <= in_floats)
        result.reg = FA0;
    else if (in_floats && holds_floats(type, 0) && type->kind != ES_TYPE_FLOAT)
        result.why = "returns a struct in registers for floating point";
    return result;
}

es_result es_symbols_result(const es_symbols *symbols, const es_procedure *procedure)
{
    es_symbols *own = (es_symbols *)symbols; /* types that nobody has asked for are built now */
    es_result result = {.why = procedure->has_debug ? "returns nothing" : "has no debug information"};
    for (size_t i = 0; i < symbols->subprograms.count; i++) {
        const symbols_subprogram *subprogram = &symbols->subprograms.items[i];
        Dwarf_Die die;
        Dwarf_Attribute attribute;
        if (&subprogram->procedure->public != procedure ||
            !dwarf_die_addr_die(symbols->dwarf, (void *)subprogram->die, &die) ||
            !dwarf_attr_integrate(&die, DW_AT_type, &attribute))
            continue;
        result = by_convention(symbols, es_symbols_type_of(own, &die));
        es_symbols_finish_types(own);
        break;
    }
    return result;
}
