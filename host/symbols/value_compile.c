/* From libdw's operations of a location expression to an es_value: pieces, each with a place or with operations that no
 * longer need the debug information. */
#include "symbols/location.h"
#include "symbols/values_private.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "base/endian.h"

typedef SYMBOLS_LIST(value_op) op_list;
typedef SYMBOLS_LIST(value_piece) piece_list;

typedef struct compiling {
    const value_place *place;
    Dwarf_Attribute *attribute; /* of the operations at hand */
    op_list ops;                /* since the last piece */
    piece_list pieces;
    uint32_t offset; /* of the next piece */
    uint64_t registers, entry;
    const char *reason;
    unsigned depth;
} compiling;

static const char damaged[] = "has damaged debug information: build the program again";
static const char unknown_way[] = "is computed in a way that is not known here";

const es_value *es_symbols_no_value(es_symbols *symbols, const char *reason)
{
    es_value *value = es_arena_alloc(symbols->arena, sizeof *value);
    value->reason = value->words = reason;
    return value;
}

const es_value *es_symbols_value_of_bytes(es_symbols *symbols, const uint8_t *bytes, uint32_t count, const char *words)
{
    es_value *value = es_arena_alloc(symbols->arena, sizeof *value);
    value_piece *piece = es_arena_alloc(symbols->arena, sizeof *piece);
    *piece = (value_piece){.kind = VALUE_BYTES, .bytes = bytes, .byte_count = count};
    value->words = words;
    value->pieces = piece;
    value->piece_count = 1;
    return value;
}

const es_value *es_symbols_value_of_number(es_symbols *symbols, uint64_t number, const char *words)
{
    es_value *value = es_arena_alloc(symbols->arena, sizeof *value);
    value_piece *piece = es_arena_alloc(symbols->arena, sizeof *piece);
    value_op *op = es_arena_alloc(symbols->arena, sizeof *op);
    *op = (value_op){.atom = DW_OP_const_type, .type = {.bits = 64, .is_signed = true}, .number2 = number};
    *piece = (value_piece){.kind = VALUE_STACK, .ops = op, .op_count = 1};
    *value = (es_value){.words = words, .big_endian = symbols->big_endian, .pieces = piece, .piece_count = 1};
    return value;
}

static bool fail(compiling *c, const char *reason)
{
    c->reason = reason;
    return false;
}

static void add_op(compiling *c, const Dwarf_Op *from, value_op op)
{
    op.at = (uint32_t)from->offset;
    SYMBOLS_PUSH(c->place->symbols, &c->ops, op);
}

static uint64_t register_of(const Dwarf_Op *op)
{
    if (op->atom == DW_OP_regx)
        return op->number;
    return op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31 ? (uint64_t)(op->atom - DW_OP_reg0) : UINT64_MAX;
}

static bool uses(compiling *c, uint64_t reg)
{
    if (reg >= 64)
        return fail(c, "depends on a register that is not known here");
    c->registers |= UINT64_C(1) << reg;
    return true;
}

static bool add_register(compiling *c, const Dwarf_Op *from, uint64_t reg, int64_t offset)
{
    if (!uses(c, reg))
        return false;
    add_op(c, from, (value_op){.atom = DW_OP_bregx, .generic = true, .number = reg, .number2 = (uint64_t)offset});
    return true;
}

static bool add_cfa(compiling *c, const Dwarf_Op *from, int64_t offset)
{
    unsigned reg;
    int32_t above;
    uint32_t end;
    if (!es_symbols_cfa_at(c->place->symbols, c->place->low, &reg, &above, &end) || end <= c->place->low)
        return fail(c, "lies in a frame whose place is not known");
    if (end < *c->place->high)
        *c->place->high = end;
    return add_register(c, from, reg, above + offset);
}

/* The expression of the frame base that holds at the address. */
static bool frame_base(compiling *c, Dwarf_Op **ops, size_t *count)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr base, low, high;
    if (!c->place->function || !dwarf_attr_integrate(c->place->function, DW_AT_frame_base, &attribute))
        return false;
    if (es_symbols_is_expression(&attribute))
        return dwarf_getlocation(&attribute, ops, count) == 0;
    ptrdiff_t at = 0;
    for (unsigned i = 0; i < 1000 && (at = dwarf_getlocations(&attribute, at, &base, &low, &high, ops, count)) > 0;
         i++) {
        if (c->place->low < low || c->place->low >= high)
            continue;
        if (high < *c->place->high)
            *c->place->high = (uint32_t)high;
        return true;
    }
    return false;
}

static bool add_frame(compiling *c, const Dwarf_Op *from, int64_t offset)
{
    Dwarf_Op *ops;
    size_t count;
    if (!frame_base(c, &ops, &count) || count != 1)
        return fail(c, "lies in a frame whose place is not known");
    if (ops[0].atom == DW_OP_call_frame_cfa)
        return add_cfa(c, from, offset);
    if (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
        return add_register(c, from, ops[0].atom - DW_OP_reg0, offset);
    if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31)
        return add_register(c, from, ops[0].atom - DW_OP_breg0, (int64_t)ops[0].number + offset);
    return fail(c, "lies in a frame whose place is not known");
}

/* Fills the type of an operation that names one. False: of a kind that is not known here, such as float. */
static bool find_type(compiling *c, const Dwarf_Op *from, value_op *op)
{
    Dwarf_Die die;
    Dwarf_Attribute attribute;
    Dwarf_Word size, encoding;
    bool may_be_generic = from->atom == DW_OP_convert || from->atom == DW_OP_GNU_convert ||
                          from->atom == DW_OP_reinterpret || from->atom == DW_OP_GNU_reinterpret;
    if (may_be_generic && from->number == 0) {
        op->generic = true;
        return true;
    }
    if (dwarf_getlocation_die(c->attribute, from, &die) != 0 || !dwarf_attr(&die, DW_AT_byte_size, &attribute) ||
        dwarf_formudata(&attribute, &size) != 0 || !dwarf_attr(&die, DW_AT_encoding, &attribute) ||
        dwarf_formudata(&attribute, &encoding) != 0)
        return fail(c, damaged);
    bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    if (size < 1 || size > 8 || encoding == DW_ATE_complex_float)
        return fail(c, unknown_way);
    op->type = (value_type){(uint8_t)(8 * size), is_signed, encoding == DW_ATE_float};
    return true;
}

static bool add_entry(compiling *c, const Dwarf_Op *op)
{
    Dwarf_Attribute inner;
    Dwarf_Op *ops;
    size_t count;
    if (dwarf_getlocation_attr(c->attribute, op, &inner) != 0 || dwarf_getlocation(&inner, &ops, &count) != 0)
        return fail(c, damaged);
    value_op entry = {.atom = DW_OP_entry_value, .generic = true};
    bool typed = count == 1 && (ops[0].atom == DW_OP_regval_type || ops[0].atom == DW_OP_GNU_regval_type);
    entry.number = typed ? ops[0].number : count == 1 ? register_of(&ops[0]) : UINT64_MAX;
    if (typed) {
        entry.generic = false;
        if (!find_type(c, &ops[0], &entry))
            return false;
    }
    if (entry.number >= 64 || (typed && entry.type.bits > 32 && entry.number < 32))
        return fail(c, unknown_way); /* of what is in two registers the second one is not told */
    c->entry |= UINT64_C(1) << entry.number;
    add_op(c, op, entry);
    return true;
}

static bool add_typed(compiling *c, const Dwarf_Op *from, unsigned atom)
{
    value_op op = {.atom = (uint8_t)atom, .number = from->number, .number2 = from->number2};
    if (!find_type(c, from, &op))
        return false;
    if (atom == DW_OP_regval_type && !uses(c, from->number))
        return false;
    bool pair = atom == DW_OP_regval_type && op.type.bits > 32 && from->number < 32;
    if (pair && (from->number == 31 || !uses(c, from->number + 1)))
        return fail(c, unknown_way);
    if (atom == DW_OP_regval_type)
        op.number2 = pair ? c->place->symbols->big_endian ? PAIR_UPPER_FIRST : PAIR_LOWER_FIRST : 0;
    if (atom == DW_OP_const_type) {
        Dwarf_Attribute inner;
        Dwarf_Block block;
        if (dwarf_getlocation_attr(c->attribute, from, &inner) != 0 || dwarf_formblock(&inner, &block) != 0 ||
            block.length > 8)
            return fail(c, damaged);
        op.number2 = es_endian_get(block.data, (unsigned)block.length, c->place->symbols->big_endian);
    }
    add_op(c, from, op);
    return true;
}

static bool add_address(compiling *c, const Dwarf_Op *from)
{
    Dwarf_Attribute indexed;
    Dwarf_Addr value = from->number;
    if (from->atom != DW_OP_addr &&
        (dwarf_getlocation_attr(c->attribute, from, &indexed) != 0 || dwarf_formaddr(&indexed, &value) != 0))
        return fail(c, damaged);
    add_op(c, from, (value_op){.atom = DW_OP_const8u, .generic = true, .number = value});
    return true;
}

/* --- pieces ------------------------------------------------------------------------------------------------- */

static bool end_piece(compiling *c, value_piece piece, uint32_t size)
{
    if (c->pieces.count && c->pieces.items[c->pieces.count - 1].size == 0)
        return fail(c, damaged);
    if (c->pieces.count >= ES_VALUE_PARTS)
        return fail(c, "is kept in very many pieces");
    piece.offset = c->offset;
    piece.size = size;
    if (piece.kind == VALUE_MEMORY || piece.kind == VALUE_STACK) {
        piece.ops = c->ops.items;
        piece.op_count = c->ops.count;
    }
    c->ops = (op_list){0};
    c->offset += size;
    SYMBOLS_PUSH(c->place->symbols, &c->pieces, piece);
    return true;
}

/* What stands before DW_OP_piece, or at the end. */
typedef struct described {
    bool any;
    value_piece piece;
} described;

static described what_stands(const compiling *c, described d)
{
    if (!d.any && c->ops.count) /* what makes an address */
        d = (described){true, {.kind = VALUE_MEMORY}};
    return d;
}

static bool describe_register(compiling *c, const Dwarf_Op *op, described *d)
{
    uint64_t reg = register_of(op);
    *d = (described){true, {.kind = VALUE_REGISTER, .reg = (unsigned)reg}};
    return uses(c, reg);
}

static bool describe_implicit(compiling *c, const Dwarf_Op *op, described *d)
{
    Dwarf_Block block;
    if (dwarf_getlocation_implicit_value(c->attribute, op, &block) != 0 || block.length > UINT32_MAX)
        return fail(c, damaged);
    *d = (described){true, {.kind = VALUE_BYTES, .bytes = block.data, .byte_count = (uint32_t)block.length}};
    return true;
}

static bool compile_op(compiling *c, const Dwarf_Op *op, described *d)
{
    unsigned atom = op->atom;
    if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31)
        return describe_register(c, op, d);
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
        return add_register(c, op, atom - DW_OP_breg0, (int64_t)op->number);
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
        add_op(c, op, (value_op){.atom = DW_OP_const8u, .generic = true, .number = atom - DW_OP_lit0});
        return true;
    }
    switch (atom) {
    case DW_OP_regx: return describe_register(c, op, d);
    case DW_OP_bregx: return add_register(c, op, op->number, (int64_t)op->number2);
    case DW_OP_fbreg: return add_frame(c, op, (int64_t)op->number);
    case DW_OP_call_frame_cfa: return add_cfa(c, op, 0);
    case DW_OP_addr:
    case DW_OP_addrx:
    case DW_OP_GNU_addr_index:
    case DW_OP_constx:
    case DW_OP_GNU_const_index: return add_address(c, op);
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_const4u:
    case DW_OP_const4s:
    case DW_OP_const8u:
    case DW_OP_const8s:
    case DW_OP_constu:
    case DW_OP_consts:
        add_op(c, op, (value_op){.atom = DW_OP_const8u, .generic = true, .number = op->number});
        return true;
    case DW_OP_entry_value:
    case DW_OP_GNU_entry_value: return add_entry(c, op);
    case DW_OP_convert:
    case DW_OP_GNU_convert: return add_typed(c, op, DW_OP_convert);
    case DW_OP_reinterpret:
    case DW_OP_GNU_reinterpret: return add_typed(c, op, DW_OP_reinterpret);
    case DW_OP_const_type:
    case DW_OP_GNU_const_type: return add_typed(c, op, DW_OP_const_type);
    case DW_OP_regval_type:
    case DW_OP_GNU_regval_type: return add_typed(c, op, DW_OP_regval_type);
    case DW_OP_deref_type:
    case DW_OP_GNU_deref_type: return add_typed(c, op, DW_OP_deref_type);
    case DW_OP_stack_value: *d = (described){true, {.kind = VALUE_STACK}}; return true;
    case DW_OP_implicit_value: return describe_implicit(c, op, d);
    case DW_OP_implicit_pointer:
    case DW_OP_GNU_implicit_pointer: return fail(c, "points to a variable that the compiler keeps in no memory");
    case DW_OP_form_tls_address:
    case DW_OP_GNU_push_tls_address: return fail(c, "is thread-local, so its place depends on the thread");
    case DW_OP_piece:
        if (op->number > 4096)
            return fail(c, "is kept in pieces that are too large");
        *d = what_stands(c, *d);
        bool good = end_piece(c, d->piece, (uint32_t)op->number);
        *d = (described){0};
        return good;
    case DW_OP_bit_piece: return fail(c, "is kept in pieces of single bits");
    case DW_OP_deref:
    case DW_OP_deref_size:
    case DW_OP_nop:
    case DW_OP_dup:
    case DW_OP_drop:
    case DW_OP_over:
    case DW_OP_pick:
    case DW_OP_swap:
    case DW_OP_rot:
    case DW_OP_bra:
    case DW_OP_skip: break;
    default:
        if (!(atom >= DW_OP_abs && atom <= DW_OP_ne))
            return fail(c, unknown_way);
    }
    add_op(c, op, (value_op){.atom = (uint8_t)atom, .generic = true, .number = op->number, .number2 = op->number2});
    return true;
}

static bool compile(compiling *c, const Dwarf_Op *ops, size_t count)
{
    described d = {0};
    for (size_t i = 0; i < count; i++)
        if (!compile_op(c, &ops[i], &d))
            return false;
    d = what_stands(c, d);
    return !d.any || end_piece(c, d.piece, 0);
}

const es_value *es_symbols_compile_value(const value_place *place, const Dwarf_Op *ops, size_t count)
{
    es_symbols *symbols = place->symbols;
    compiling c = {.place = place, .attribute = place->attribute};
    if (count == 0)
        return es_symbols_no_value(symbols, "was optimised away");
    symbols_location l = es_symbols_understand(symbols, place->attribute, ops, count);
    const char *words = es_arena_copy(symbols->arena, l.text, strlen(l.text));
    if (!compile(&c, ops, count)) {
        es_value *none = es_arena_alloc(symbols->arena, sizeof *none);
        *none = (es_value){.reason = c.reason, .words = words};
        return none;
    }
    es_value *value = es_arena_alloc(symbols->arena, sizeof *value);
    *value = (es_value){.words = words,
                        .registers = c.registers,
                        .entry = c.entry,
                        .big_endian = symbols->big_endian,
                        .in_frame = count == 1 &&
                                    (ops[0].atom == DW_OP_fbreg || ops[0].atom == DW_OP_breg0 + symbols->isa->stack),
                        .pieces = c.pieces.items,
                        .piece_count = c.pieces.count};
    return value;
}
