/* Arguments that a procedure is not given any more: the compiler has made a clone of it that does without them. Debug
 * information of the clone has such a parameter as what is computed from others or a constant. That may be what it was
 * called with, or what the first statements, for which there is no instruction, have made of it. What calls tell
 * (DW_AT_call_parameter) decides. */
#include "symbols/values_private.h"

#include <dwarf.h>

static bool number_of(const Dwarf_Op *op, uint64_t *number)
{
    if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
        *number = op->atom - DW_OP_lit0;
    else if (op->atom == DW_OP_addr || (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts))
        *number = op->number;
    else
        return false;
    return true;
}

void es_symbols_note_call(es_symbols *symbols, Dwarf_Die *call)
{
    Dwarf_Die child, parameter;
    Dwarf_Attribute attribute;
    if (dwarf_child(call, &child) != 0)
        return;
    do {
        Dwarf_Op *ops;
        size_t count;
        symbols_left_out argument = {0};
        if (dwarf_tag(&child) != DW_TAG_call_site_parameter || !dwarf_attr(&child, DW_AT_call_parameter, &attribute) ||
            !dwarf_formref_die(&attribute, &parameter))
            continue;
        argument.parameter = es_symbols_die_origin(&parameter).addr;
        argument.constant = dwarf_attr(&child, DW_AT_call_value, &attribute) &&
                            dwarf_getlocation(&attribute, &ops, &count) == 0 && count == 1 &&
                            number_of(&ops[0], &argument.number);
        SYMBOLS_PUSH(symbols, &symbols->left_out, argument);
    } while (dwarf_siblingof(&child, &child) == 0);
}

/* A number that no register has. */
static bool is_number(const es_value *value, uint64_t *number)
{
    const value_piece *piece = &value->pieces[0];
    bool good = value->piece_count == 1 && piece->kind == VALUE_STACK && piece->op_count == 1 &&
                piece->ops[0].atom == DW_OP_const_type;
    *number = good ? piece->ops[0].number2 : 0;
    return good;
}

bool es_symbols_made_after_call(const es_symbols *symbols, const void *origin, const es_value *there, uint32_t size)
{
    uint64_t number, mask = size < 8 ? (UINT64_C(1) << 8 * size) - 1 : UINT64_MAX;
    bool other = (there->registers | there->entry) != 0, known = is_number(there, &number);
    for (size_t i = 0; i < there->piece_count; i++)
        if (other && there->pieces[i].kind == VALUE_STACK)
            return true;
    for (size_t i = 0; i < symbols->left_out.count; i++) {
        const symbols_left_out *argument = &symbols->left_out.items[i];
        if (argument->parameter == origin &&
            (other || !argument->constant || (known && ((argument->number ^ number) & mask) != 0)))
            return true;
    }
    return false;
}
