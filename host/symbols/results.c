/* How procedures return results, by the calling convention. */
#include "symbols/values_private.h"

#include <dwarf.h>

enum { A0 = 10, FA0 = 42, XLEN_BYTES = 4 };

static es_result by_convention(const es_symbols *symbols, const es_type *type)
{
    unsigned in_floats = es_symbols_float_registers(symbols); /* bytes that fit one */
    es_result result = {.type = type, .reg = A0};
    if (type->kind == ES_TYPE_OTHER || type->incomplete)
        result.why = "returns nothing that is known";
    else if (type->size == 0)
        result.why = "returns nothing";
    else if (type->size > 2 * XLEN_BYTES)
        result.in_memory = true;
    else if (type->kind == ES_TYPE_FLOAT && type->size <= in_floats)
        result.reg = FA0;
    else if (in_floats && es_symbols_holds_floats(type, 0) && type->kind != ES_TYPE_FLOAT)
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
