/* What one DWARF location expression says. */
#include "symbols/location.h"

#include <dwarf.h>
#include <stdio.h>

/* The register of DW_OP_regN and DW_OP_regx, -1 for other operations. */
static int plain_register(const Dwarf_Op *op)
{
    if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
        return op->atom - DW_OP_reg0;
    return op->atom == DW_OP_regx && op->number < 64 ? (int)op->number : -1;
}

/* The register of DW_OP_bregN and DW_OP_bregx with its offset, -1 for other operations. */
static int base_register(const Dwarf_Op *op, int32_t *offset)
{
    if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
        *offset = (int32_t)op->number;
        return op->atom - DW_OP_breg0;
    }
    *offset = (int32_t)op->number2;
    return op->atom == DW_OP_bregx && op->number < 64 ? (int)op->number : -1;
}

bool es_symbols_is_expression(Dwarf_Attribute *attribute)
{
    unsigned form = dwarf_whatform(attribute);
    return form == DW_FORM_exprloc || form == DW_FORM_block || form == DW_FORM_block1 || form == DW_FORM_block2 ||
           form == DW_FORM_block4;
}

static bool has_op(const Dwarf_Op *ops, size_t count, unsigned atom)
{
    for (size_t i = 0; i < count; i++)
        if (ops[i].atom == atom)
            return true;
    return false;
}

static bool address_of(Dwarf_Attribute *attribute, const Dwarf_Op *op, uint32_t *address)
{
    Dwarf_Attribute indexed;
    Dwarf_Addr value = op->number;
    if (op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index) {
        if (dwarf_getlocation_attr(attribute, op, &indexed) != 0 || dwarf_formaddr(&indexed, &value) != 0)
            return false;
    } else if (op->atom != DW_OP_addr) {
        return false;
    }
    *address = (uint32_t)value;
    return value <= UINT32_MAX;
}

/* An expression whose value, not its place, is known. */
static void describe_value(symbols_location *l, const Dwarf_Op *ops, size_t count)
{
    l->where = SYMBOLS_NOWHERE;
    if (has_op(ops, count, DW_OP_entry_value) || has_op(ops, count, DW_OP_GNU_entry_value)) {
        snprintf(l->text, sizeof l->text, "is not kept (only its value on entry is known)");
    } else if (count == 2 && ops[0].atom >= DW_OP_lit0 && ops[0].atom <= DW_OP_lit31) {
        snprintf(l->text, sizeof l->text, "is the constant %d, stored nowhere", ops[0].atom - DW_OP_lit0);
    } else if (count == 2 && ops[0].atom >= DW_OP_const1u && ops[0].atom <= DW_OP_consts) {
        snprintf(l->text, sizeof l->text, "is the constant %lld, stored nowhere", (long long)ops[0].number);
    } else {
        snprintf(l->text, sizeof l->text, "is computed when needed, stored nowhere");
    }
}

static const char *register_name(const es_symbols *symbols, int reg)
{
    const char *name = es_isa_register_name(symbols->isa, (unsigned)reg);
    return name ? name : "?";
}

symbols_location es_symbols_understand(const es_symbols *symbols, Dwarf_Attribute *attribute, const Dwarf_Op *ops,
                                       size_t count)
{
    symbols_location l = {.where = SYMBOLS_ELSEWHERE, .reg = -1, .text = "lies at a place that changes at run time"};
    if (count == 0) {
        l.where = SYMBOLS_NOWHERE;
        snprintf(l.text, sizeof l.text, "was optimised away");
    } else if (has_op(ops, count, DW_OP_form_tls_address) || has_op(ops, count, DW_OP_GNU_push_tls_address)) {
        snprintf(l.text, sizeof l.text, "is thread-local, so its place depends on the thread");
    } else if (has_op(ops, count, DW_OP_piece) || has_op(ops, count, DW_OP_bit_piece)) {
        snprintf(l.text, sizeof l.text, "is kept in several pieces");
    } else if (has_op(ops, count, DW_OP_stack_value) || has_op(ops, count, DW_OP_implicit_value) ||
               has_op(ops, count, DW_OP_implicit_pointer) || has_op(ops, count, DW_OP_GNU_implicit_pointer)) {
        describe_value(&l, ops, count);
    } else if (address_of(attribute, &ops[0], &l.address)) {
        bool plus = count == 2 && ops[1].atom == DW_OP_plus_uconst;
        if (count == 1 || plus) {
            l.where = SYMBOLS_AT_ADDRESS;
            l.address += plus ? (uint32_t)ops[1].number : 0;
        }
    } else if (count == 1 && (l.reg = plain_register(&ops[0])) >= 0) {
        l.where = SYMBOLS_IN_REGISTER;
        snprintf(l.text, sizeof l.text, "is in register %s", register_name(symbols, l.reg));
    } else if (count == 1 && ops[0].atom == DW_OP_fbreg) {
        l.where = SYMBOLS_IN_FRAME;
        l.offset = (int32_t)ops[0].number;
        snprintf(l.text, sizeof l.text, "lies in the stack frame");
    } else if (count == 1 && (l.reg = base_register(&ops[0], &l.offset)) >= 0) {
        l.where = SYMBOLS_IN_FRAME;
        snprintf(l.text, sizeof l.text, "lies in memory that register %s points to", register_name(symbols, l.reg));
    } else if (count == 2 && ops[0].atom == DW_OP_fbreg && ops[1].atom == DW_OP_deref) {
        snprintf(l.text, sizeof l.text, "is reached through a pointer that is made at run time");
    }
    return l;
}

/* DWARF 2 has no operation for the CFA: there a list says range by range what the CFI says too. */
static bool list_is_cfa(const es_symbols *symbols, Dwarf_Attribute *attribute)
{
    Dwarf_Addr base, start, end;
    Dwarf_Op *ops;
    size_t count;
    ptrdiff_t at = 0;
    bool any = false;
    for (unsigned i = 0; i < 1000 && (at = dwarf_getlocations(attribute, at, &base, &start, &end, &ops, &count)) > 0;
         i++) {
        unsigned reg;
        int32_t offset, cfa_offset;
        uint32_t row_end;
        if (count != 1 || start > UINT32_MAX ||
            !es_symbols_cfa_at(symbols, (uint32_t)start, &reg, &cfa_offset, &row_end) ||
            base_register(&ops[0], &offset) != (int)reg || offset != cfa_offset)
            return false;
        any = true;
    }
    return any && at == 0;
}

bool es_symbols_offset_from_cfa(es_symbols *symbols, Dwarf_Die *function, const es_procedure *procedure,
                                symbols_location *l)
{
    int32_t below, extra = 0;
    if (l->reg < 0) {
        Dwarf_Attribute attribute;
        Dwarf_Op *ops;
        size_t count;
        if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attribute))
            return false;
        if (!es_symbols_is_expression(&attribute))
            return list_is_cfa(symbols, &attribute);
        if (dwarf_getlocation(&attribute, &ops, &count) != 0 || count != 1)
            return false;
        if (ops[0].atom == DW_OP_call_frame_cfa)
            return true;
        l->reg = plain_register(&ops[0]);
        if (l->reg < 0)
            l->reg = base_register(&ops[0], &extra);
    }
    if (l->reg < 0 || !es_symbols_register_below_cfa(symbols, procedure, (unsigned)l->reg, &below))
        return false;
    l->offset += extra - below;
    return true;
}
