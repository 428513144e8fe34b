/* Where a variable lives, from its DWARF location; and in words for the user why it cannot be watched, if so. */
#include "symbols/internal.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* What a location expression says. */
enum where { AT_ADDRESS, IN_FRAME, IN_REGISTER, NOWHERE, ELSEWHERE };

typedef struct location {
    enum where where;
    uint32_t address;
    int32_t offset;  /* IN_FRAME: from the frame base; with `reg` from that register */
    int reg;         /* IN_REGISTER; IN_FRAME: base register, -1 the frame base */
    char text[96];   /* in words: "lives in register a5" */
} location;

/* GCC notes its options in the unit's producer. */
static bool compiled_without_optimisation(Dwarf_Die *die)
{
    Dwarf_Die unit;
    Dwarf_Attribute attribute;
    if (!dwarf_diecu(die, &unit, NULL, NULL) || !dwarf_attr(&unit, DW_AT_producer, &attribute))
        return false;
    const char *producer = dwarf_formstring(&attribute);
    if (!producer || strncmp(producer, "GNU", 3) != 0)
        return false;
    const char *option = strstr(producer, " -O");
    return !option || strncmp(option, " -O0", 4) == 0;
}

static const char *advice(Dwarf_Die *die)
{
    bool parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
    if (compiled_without_optimisation(die))
        return parameter ? "copy it into a local variable" : "make it an ordinary or static variable";
    return parameter ? "compile this file with -O0, or copy it into a volatile or static variable"
                     : "compile this file with -O0, or make it volatile or static";
}

static void set_why(es_variable *variable, const char *why)
{
    variable->place = ES_PLACE_NONE;
    variable->why = why;
}

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

/* One expression for the whole scope; else a list of them with their ranges. */
static bool is_expression(Dwarf_Attribute *attribute)
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
static void describe_value(location *l, const Dwarf_Op *ops, size_t count)
{
    l->where = NOWHERE;
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

static location understand(Dwarf_Attribute *attribute, const Dwarf_Op *ops, size_t count)
{
    location l = { .where = ELSEWHERE, .reg = -1, .text = "lies at a place that changes at run time" };
    if (count == 0) {
        l.where = NOWHERE;
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
            l.where = AT_ADDRESS;
            l.address += plus ? (uint32_t)ops[1].number : 0;
        }
    } else if (count == 1 && (l.reg = plain_register(&ops[0])) >= 0) {
        l.where = IN_REGISTER;
        snprintf(l.text, sizeof l.text, "lives in register %s", symbols_register_name((unsigned)l.reg));
    } else if (count == 1 && ops[0].atom == DW_OP_fbreg) {
        l.where = IN_FRAME;
        l.offset = (int32_t)ops[0].number;
        snprintf(l.text, sizeof l.text, "lies in the stack frame");
    } else if (count == 1 && (l.reg = base_register(&ops[0], &l.offset)) >= 0) {
        l.where = IN_FRAME;
        snprintf(l.text, sizeof l.text, "lies in memory that register %s points to",
                 symbols_register_name((unsigned)l.reg));
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
            !symbols_cfa_at(symbols, (uint32_t)start, &reg, &cfa_offset, &row_end) ||
            base_register(&ops[0], &offset) != (int)reg || offset != cfa_offset)
            return false;
        any = true;
    }
    return any && at == 0;
}

/* Turns an offset from the frame base (or from a register) into one from the CFA. */
static bool offset_from_cfa(es_symbols *symbols, Dwarf_Die *function, const es_procedure *procedure, location *l)
{
    int32_t below, extra = 0;
    if (l->reg < 0) {
        Dwarf_Attribute attribute;
        Dwarf_Op *ops;
        size_t count;
        if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attribute))
            return false;
        if (!is_expression(&attribute))
            return list_is_cfa(symbols, &attribute);
        if (dwarf_getlocation(&attribute, &ops, &count) != 0 || count != 1)
            return false;
        if (ops[0].atom == DW_OP_call_frame_cfa)
            return true;
        l->reg = plain_register(&ops[0]);
        if (l->reg < 0)
            l->reg = base_register(&ops[0], &extra);
    }
    if (l->reg < 0 || !symbols_register_below_cfa(symbols, procedure, (unsigned)l->reg, &below))
        return false;
    l->offset += extra - below;
    return true;
}

static void place_expression(es_symbols *symbols, Dwarf_Die *die, Dwarf_Die *function, uint32_t low, uint32_t high,
                             Dwarf_Attribute *attribute, es_variable *variable)
{
    Dwarf_Op *ops;
    size_t count;
    if (dwarf_getlocation(attribute, &ops, &count) != 0) {
        set_why(variable, "its debug information is damaged: build the program again");
        return;
    }
    location l = understand(attribute, ops, count);
    char lines[256];
    symbols_describe_lines(symbols, low, high, lines, sizeof lines);
    if (l.where == AT_ADDRESS) {
        if (l.address == 0 && !symbols_kept_at_zero(symbols, variable->name)) {
            set_why(variable, "is not in the program: the linker removed it as unused");
            return;
        }
        variable->place = ES_PLACE_STATIC;
        variable->address = l.address;
    } else if (l.where == IN_FRAME && function && variable->procedure &&
               offset_from_cfa(symbols, function, variable->procedure, &l)) {
        variable->place = ES_PLACE_FRAME;
        variable->cfa_offset = l.offset;
    } else {
        set_why(variable,
                es_arena_format(symbols->arena, "%s%s%s: %s", l.text, lines[0] ? " in " : "", lines, advice(die)));
    }
}

enum { MAX_PLACES = 16, MAX_SHOWN = 4 }; /* more in one message help nobody */

static void describe_list(es_symbols *symbols, Dwarf_Die *die, uint32_t low, uint32_t high, Dwarf_Attribute *attribute,
                          es_variable *variable)
{
    struct { char text[96]; uint32_t low, high; bool real; } places[MAX_PLACES];
    size_t count = 0;
    bool more = false;
    Dwarf_Addr base, start, end;
    Dwarf_Op *ops;
    size_t op_count;
    ptrdiff_t offset = 0;
    for (unsigned i = 0;
         i < 1000 && (offset = dwarf_getlocations(attribute, offset, &base, &start, &end, &ops, &op_count)) > 0; i++) {
        if (start >= end || end > UINT32_MAX)
            continue;
        location l = understand(attribute, ops, op_count);
        size_t k = 0;
        while (k < count && strcmp(places[k].text, l.text) != 0)
            k++;
        if (k == MAX_PLACES) {
            more = true;
            continue;
        }
        if (k == count) {
            memcpy(places[k].text, l.text, sizeof places[k].text);
            places[k].low = (uint32_t)start;
            places[k].high = (uint32_t)end;
            places[k].real = l.where != NOWHERE;
            count++;
        }
        places[k].low = start < places[k].low ? (uint32_t)start : places[k].low;
        places[k].high = end > places[k].high ? (uint32_t)end : places[k].high;
    }
    /* Registers and memory tell the user most; how the rest is made up matters only when there is nothing else. */
    bool real = false;
    size_t shown = 0;
    for (size_t k = 0; k < count; k++)
        real |= places[k].real;
    es_text_buffer text = { 0 };
    char lines[256];
    for (size_t k = 0; k < count; k++) {
        if (real && !places[k].real)
            continue;
        if (shown++ == MAX_SHOWN) {
            more = true;
            break;
        }
        symbols_describe_lines(symbols, places[k].low, places[k].high, lines, sizeof lines);
        es_text_format(&text, "%s%s%s%s", text.length ? ", " : "", places[k].text, lines[0] ? " in " : "", lines);
    }
    if (!count) {
        symbols_describe_lines(symbols, low, high, lines, sizeof lines);
        es_text_format(&text, "was optimised away%s%s", lines[0] ? " in " : "", lines);
    }
    set_why(variable, es_arena_format(symbols->arena, "%s%s: %s", text.text, more ? ", ..." : "", advice(die)));
    es_text_free(&text);
}

void symbols_place(es_symbols *symbols, Dwarf_Die *die, Dwarf_Die *function, uint32_t low, uint32_t high,
                   es_variable *variable)
{
    Dwarf_Attribute attribute, constant;
    Dwarf_Die origin = symbols_die_origin(die);
    char lines[256];
    if (dwarf_attr(die, DW_AT_location, &attribute) || dwarf_attr(&origin, DW_AT_location, &attribute)) {
        if (is_expression(&attribute))
            place_expression(symbols, die, function, low, high, &attribute, variable);
        else
            describe_list(symbols, die, low, high, &attribute, variable);
        return;
    }
    symbols_describe_lines(symbols, low, high, lines, sizeof lines);
    const char *in = lines[0] ? " in " : "";
    if (dwarf_attr(die, DW_AT_const_value, &constant) || dwarf_attr(&origin, DW_AT_const_value, &constant))
        set_why(variable,
                es_arena_format(symbols->arena, "is a constant%s%s, stored nowhere: %s", in, lines, advice(die)));
    else
        set_why(variable, es_arena_format(symbols->arena, "was optimised away%s%s: %s", in, lines, advice(die)));
}

void symbols_separate_slots(es_symbols *symbols, es_variable *const *variables, size_t count)
{
    SYMBOLS_LIST(const es_variable *) other = { 0 }; /* by variable: one that shares its slot */
    for (size_t i = 0; i < count; i++)
        SYMBOLS_PUSH(symbols, &other, NULL);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            const es_variable *a = variables[i], *b = variables[k];
            int64_t a_low = a->cfa_offset, b_low = b->cfa_offset;
            if (a->place == ES_PLACE_FRAME && b->place == ES_PLACE_FRAME && a_low < b_low + b->type->size &&
                b_low < a_low + a->type->size) {
                other.items[i] = b;
                other.items[k] = a;
            }
        }
    for (size_t i = 0; i < count; i++) {
        const es_variable *sharer = other.items[i];
        if (sharer)
            set_why(variables[i],
                    es_arena_format(symbols->arena,
                                    "shares its place in the stack frame with '%s' (%s:%u): make it static, or "
                                    "compile this file with -O0 -fstack-reuse=none",
                                    sharer->name, sharer->file ? sharer->file : "?", sharer->line));
    }
}
