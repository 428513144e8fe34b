/* Where parameters are when their procedure is called, by the calling convention: RISC-V psABI, "Integer Calling
 * Convention" and "Hardware Floating-point Calling Convention". For those of which debug information does not tell: it
 * has structs in memory, of which optimised code stores nothing there. */
#include "symbols/location.h"
#include "symbols/values_private.h"

#include <dwarf.h>
#include <string.h>

/* Bits of ELF's e_flags of RISC-V: which values the convention has in floating-point registers. */
enum { FLOAT_ABI = 6, FLOAT_ABI_SINGLE = 2 };

enum {
    A0 = 10,
    F0 = 32,
    FA0 = F0 + 10,
    ARGUMENTS = 8,
    XLEN_BYTES = 4,
    STACK_POINTER = 2,
    BY_REFERENCE = 4 /* DW_CC_pass_by_reference */
};

/* What the parameters up to here have taken. */
typedef struct taken {
    unsigned registers, floats;
    uint32_t stack;     /* bytes from the CFA on */
    unsigned in_floats; /* bytes that fit a floating-point register of the convention */
} taken;

/* Words of a parameter, or of the pointer to it. */
typedef struct placed {
    bool by_reference;
    unsigned registers; /* words in registers: reg, reg + 1 */
    unsigned reg;
    uint32_t stack, on_stack; /* where the rest is, and how many bytes */
} placed;

unsigned es_symbols_float_registers(const es_symbols *symbols)
{
    Elf32_Ehdr *header = elf32_getehdr(symbols->elf);
    unsigned abi = header ? header->e_flags & FLOAT_ABI : 0;
    return abi == 0 ? 0 : abi == FLOAT_ABI_SINGLE ? 4 : 8;
}

bool es_symbols_holds_floats(const es_type *type, unsigned depth)
{
    if (depth > SYMBOLS_MAX_DEPTH || type->kind == ES_TYPE_FLOAT)
        return true;
    if (type->kind == ES_TYPE_ARRAY)
        return type->of && es_symbols_holds_floats(type->of, depth + 1);
    for (size_t i = 0; type->kind == ES_TYPE_STRUCT && i < type->member_count; i++)
        if (es_symbols_holds_floats(type->members[i].type, depth + 1))
            return true;
    return false;
}

static bool is_aggregate(const es_type *type)
{
    return type->kind == ES_TYPE_STRUCT || type->kind == ES_TYPE_ARRAY;
}

static void put_words(taken *t, uint32_t size, uint32_t align, placed *p)
{
    unsigned words = (size + XLEN_BYTES - 1) / XLEN_BYTES, left = ARGUMENTS - t->registers;
    p->reg = A0 + t->registers;
    p->registers = words < left ? words : left;
    t->registers += p->registers;
    p->on_stack = size > p->registers * XLEN_BYTES ? size - p->registers * XLEN_BYTES : 0;
    if (!p->on_stack)
        return;
    if (!p->registers && align > XLEN_BYTES)
        t->stack = (t->stack + align - 1) & ~(align - 1);
    p->stack = t->stack;
    t->stack += (p->on_stack + XLEN_BYTES - 1) & ~(XLEN_BYTES - 1u);
}

/* Where the next parameter is. False: that is not known here, nor where those after it are. */
static bool place(taken *t, const es_type *type, bool by_reference, placed *p)
{
    *p = (placed){0};
    if (type->kind == ES_TYPE_OTHER || type->incomplete || (type->kind == ES_TYPE_ARRAY))
        return false;
    if (type->size == 0)
        return true;
    if (type->kind == ES_TYPE_FLOAT && type->size <= t->in_floats && t->floats < ARGUMENTS) {
        p->reg = FA0 + t->floats++;
        p->registers = 1;
        return true;
    }
    if (t->in_floats && is_aggregate(type) && es_symbols_holds_floats(type, 0))
        return false;
    p->by_reference = by_reference || type->size > 2 * XLEN_BYTES;
    put_words(t, p->by_reference ? XLEN_BYTES : type->size, type->size == 8 ? 8 : XLEN_BYTES, p);
    return true;
}

/* Whether C++ passes objects of the type of a parameter by reference. */
static bool passed_by_reference(Dwarf_Die *parameter)
{
    Dwarf_Die type;
    Dwarf_Attribute attribute;
    Dwarf_Word convention;
    return dwarf_attr_integrate(parameter, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, &type) &&
           dwarf_peel_type(&type, &type) == 0 && dwarf_attr(&type, DW_AT_calling_convention, &attribute) &&
           dwarf_formudata(&attribute, &convention) == 0 && convention == BY_REFERENCE;
}

/* --- what debug information says of others ------------------------------------------------------------------ */

/* The parameter's own DIE in the procedure's code: `*found`. */
static bool own_die(Dwarf_Die *function, const void *origin, Dwarf_Die *found)
{
    if (dwarf_child(function, found) != 0)
        return false;
    do {
        if (dwarf_tag(found) == DW_TAG_formal_parameter && es_symbols_die_origin(found).addr == origin)
            return true;
    } while (dwarf_siblingof(found, found) == 0);
    return false;
}

/* Debug information has the parameter at the procedure's first instruction in another register. What it has for all of
 * the code may be true only after the procedure's beginning, but not where it is another parameter's register. */
static bool contradicts(Dwarf_Die *function, const void *origin, uint32_t low, const placed *p)
{
    Dwarf_Die die;
    Dwarf_Attribute attribute;
    Dwarf_Op *ops[1];
    size_t counts[1];
    if (!own_die(function, origin, &die) || !dwarf_attr(&die, DW_AT_location, &attribute) ||
        dwarf_getlocation_addr(&attribute, low, ops, counts, 1) != 1 || counts[0] == 0)
        return false;
    unsigned atom = ops[0][0].atom;
    bool reg = atom >= DW_OP_reg0 && atom <= DW_OP_reg31, via = atom >= DW_OP_breg0 && atom <= DW_OP_breg31;
    unsigned number = reg ? atom - DW_OP_reg0 : atom - DW_OP_breg0;
    if ((reg || via) && es_symbols_is_expression(&attribute) && (number < A0 || number >= A0 + ARGUMENTS))
        return false;
    if (reg)
        return p->by_reference || !p->registers || p->reg != number;
    return p->by_reference && via && p->registers && p->reg != number;
}

/* --- the value ------------------------------------------------------------------------------------------------

   The convention is written for little-endian data. Of big-endian ones it is what GCC makes of it: a value's first word
   in memory goes into the first register, so the upper half of a number of two does; what is smaller than a word is
   where it would be as a number, in a register's lowest bytes and at the end of its word on the stack; and the rest of
   a larger struct is where it would be loaded from memory as a word, in the uppermost bytes. */

/* Memory `offset` bytes from a register, or from what stands there on the stack. */
static value_piece memory_piece(es_symbols *symbols, unsigned reg, uint32_t offset, bool indirect)
{
    value_op *ops = es_arena_alloc(symbols->arena, 2 * sizeof *ops);
    ops[0] = (value_op){.atom = DW_OP_bregx, .generic = true, .number = reg, .number2 = offset};
    ops[1] = (value_op){.atom = DW_OP_deref, .generic = true};
    return (value_piece){.kind = VALUE_MEMORY, .ops = ops, .op_count = indirect ? 2 : 1};
}

static const es_value *value_of(es_symbols *symbols, const placed *p, uint32_t size)
{
    es_value *value = es_arena_alloc(symbols->arena, sizeof *value);
    value_piece *pieces = es_arena_alloc(symbols->arena, 3 * sizeof *pieces);
    size_t count = 0;
    uint64_t registers = p->on_stack ? UINT64_C(1) << STACK_POINTER : 0;
    for (unsigned i = 0; i < p->registers; i++)
        registers |= UINT64_C(1) << (p->reg + i);
    if (p->by_reference) {
        pieces[count++] = p->registers ? memory_piece(symbols, p->reg, 0, false)
                                       : memory_piece(symbols, STACK_POINTER, p->stack, true);
    } else if (p->reg >= FA0) {
        pieces[count++] = (value_piece){.kind = VALUE_REGISTER, .reg = p->reg};
    } else {
        for (unsigned i = 0; i < p->registers; i++) {
            uint32_t left = size - i * XLEN_BYTES, here = left < XLEN_BYTES ? left : XLEN_BYTES;
            pieces[count++] = (value_piece){.kind = VALUE_REGISTER,
                                            .offset = i * XLEN_BYTES,
                                            .size = here,
                                            .skip = symbols->big_endian && i ? XLEN_BYTES - here : 0,
                                            .reg = p->reg + i};
        }
        if (p->on_stack) {
            bool small = symbols->big_endian && size < XLEN_BYTES;
            pieces[count] =
                memory_piece(symbols, STACK_POINTER, small ? p->stack + XLEN_BYTES - size : p->stack, false);
            pieces[count].offset = p->registers * XLEN_BYTES;
            pieces[count++].size = p->on_stack;
        }
    }
    const char *first = p->registers ? es_isa_register_name(symbols->isa, p->reg) : NULL;
    *value = (es_value){.words = !first ? "is on the stack when it is called"
                                 : p->by_reference
                                     ? es_arena_format(symbols->arena, "is where register %s points to", first)
                                     : es_arena_format(symbols->arena, "is in register %s when it is called", first),
                        .registers = registers,
                        .big_endian = symbols->big_endian,
                        .pieces = pieces,
                        .piece_count = count,
                        .by_convention = true};
    return value;
}

/* --- parameters of a procedure ---------------------------------------------------------------------------------- */

/* Where a parameter is when its procedure is called, by the calling convention; NULL: that is not known. function: the
 * subprogram's own DIE; origin: the parameter's abstract DIE, or its own. */
static const es_value *parameter_at_entry(es_symbols *symbols, const symbols_procedure *procedure, Dwarf_Die *function,
                                          const void *origin)
{
    Dwarf_Die abstract = es_symbols_die_origin(function), parameter;
    Dwarf_Attribute attribute;
    taken t = {.in_floats = es_symbols_float_registers(symbols)};
    const es_value *found = NULL;
    if (procedure->is_clone)
        return NULL;
    if (dwarf_attr_integrate(function, DW_AT_type, &attribute)) {
        const es_type *result = es_symbols_type_of(symbols, function);
        es_symbols_finish_types(symbols);
        if (result->kind == ES_TYPE_OTHER || result->incomplete)
            return NULL;
        t.registers = result->size > 2 * XLEN_BYTES; /* where its result is to go */
    }
    if (dwarf_child(&abstract, &parameter) != 0)
        return NULL;
    do {
        if (dwarf_tag(&parameter) != DW_TAG_formal_parameter)
            continue;
        const es_type *type = es_symbols_type_of(symbols, &parameter);
        const void *of = es_symbols_die_origin(&parameter).addr;
        placed p;
        es_symbols_finish_types(symbols);
        if (!place(&t, type, passed_by_reference(&parameter), &p))
            return found;
        if (contradicts(function, of, procedure->public.low, &p))
            return NULL; /* nothing of the convention is sure */
        if (of == origin && type->size)
            found = value_of(symbols, &p, type->size);
    } while (dwarf_siblingof(&parameter, &parameter) == 0);
    return found;
}

/* --- those that are nowhere else ---------------------------------------------------------------------------------- */

void es_symbols_place_parameters(es_symbols *symbols)
{
    for (size_t i = 0; i < symbols->variables.count; i++) {
        es_variable *variable = &symbols->variables.items[i]->public;
        const symbols_variable *own = symbols->variables.items[i];
        Dwarf_Die die;
        if (variable->place != ES_PLACE_FRAME || variable->life || !variable->procedure || variable->cfa_offset >= 0 ||
            variable->type->kind != ES_TYPE_STRUCT || variable->type->size > 2 * XLEN_BYTES || !own->die ||
            !dwarf_die_addr_die(symbols->dwarf, (void *)own->die, &die) || dwarf_tag(&die) != DW_TAG_formal_parameter ||
            es_symbols_stores_into(symbols, variable->procedure, variable->cfa_offset, variable->type->size))
            continue;
        variable->place = ES_PLACE_NONE;
        variable->why = es_arena_format(symbols->arena,
                                        "is in registers when %s is called, which stores it nowhere: compile this file "
                                        "with -O0, or copy it into a volatile or static variable",
                                        variable->procedure->name);
    }
}

/* The frame's memory of a parameter: not what it was called with, before the procedure has stored that there. */
static bool is_frame(const es_value *value)
{
    return !value->reason && value->piece_count == 1 && value->pieces[0].kind == VALUE_MEMORY &&
           value->pieces[0].op_count == 1 && value->pieces[0].ops[0].atom == DW_OP_bregx &&
           value->pieces[0].ops[0].number == STACK_POINTER && (int64_t)value->pieces[0].ops[0].number2 < 0;
}

/* Debug information has it where the convention has. */
static bool agrees(const es_value *there, const es_value *value)
{
    const value_piece *a = &there->pieces[0], *b = &value->pieces[0];
    if (!there->piece_count || !value->piece_count || a->kind != b->kind)
        return false;
    return a->kind == VALUE_REGISTER
               ? a->reg == b->reg
               : a->kind == VALUE_MEMORY && a->op_count == 1 && b->op_count == 1 && a->ops[0].atom == b->ops[0].atom &&
                     a->ops[0].number == b->ops[0].number && a->ops[0].number2 == b->ops[0].number2;
}

/* The frame's memory, or what a register points to or holds that no argument is in: nothing that debug information can
 * mean before the procedure has put it there. */
static bool is_made_later(const es_value *there)
{
    if (is_frame(there))
        return true;
    if (there->piece_count != 1)
        return false;
    const value_piece *piece = &there->pieces[0];
    bool via = piece->kind == VALUE_MEMORY && piece->op_count && piece->ops[0].atom == DW_OP_bregx;
    uint64_t reg = via ? piece->ops[0].number : piece->reg;
    return (via || piece->kind == VALUE_REGISTER) && reg < F0 && reg != STACK_POINTER &&
           (reg < A0 || reg >= A0 + ARGUMENTS);
}

/* The compiler has made other procedures of it: its variables have cells (shadows.c), of whose beginning the probe does
 * not know what the procedure stores first. */
static bool has_clones(const es_symbols *symbols, const es_procedure *procedure)
{
    for (size_t i = 0; i < symbols->procedures.count; i++)
        if (symbols->procedures.items[i] != procedure && es_symbols_are_clones(symbols->procedures.items[i], procedure))
            return true;
    return false;
}

bool es_symbols_enters(es_symbols *symbols, const symbols_procedure *procedure, Dwarf_Die *function, const void *origin,
                       const es_type *type, const symbols_there *there, es_value_range *entry, bool *guarded)
{
    es_insn insn;
    bool known = there->value && !there->value->reason, frame = known && is_frame(there->value);
    bool probe_sees = frame && !has_clones(symbols, &procedure->public) &&
                      (type->kind != ES_TYPE_STRUCT ||
                       es_symbols_begins_written(symbols, &procedure->public,
                                                 (int32_t)there->value->pieces[0].ops[0].number2, type->size));
    bool made = known && procedure->is_clone && es_symbols_made_after_call(symbols, origin, there->value, type->size);
    /* where the procedure has a frame pointer, GCC 12 has what it puts below the CFA only later there at once */
    bool below = frame && !there->always && (int32_t)there->value->pieces[0].ops[0].number2 < 0;
    *guarded = false;
    if (known && !made && !below && (!there->always || probe_sees))
        return false;
    const es_value *value = parameter_at_entry(symbols, procedure, function, origin);
    if (!value && known && (made || below || is_made_later(there->value)))
        value = es_symbols_no_value(symbols, "is nowhere that debug information tells when its procedure is called");
    if (!value || (known && agrees(there->value, value)) || !es_symbols_insn(symbols, procedure->public.low, &insn))
        return false;
    *guarded = known && !made;
    *entry = (es_value_range){procedure->public.low, procedure->public.low + insn.size, value};
    return true;
}
