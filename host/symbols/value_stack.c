/* The stack machine of location expressions. Unknown bits spread: through and, or, xor, shifts and not bit by bit,
 * through everything else to all bits. */
#include "symbols/values_private.h"

#include <dwarf.h>

#include "base/endian.h"

enum { DEPTH = 64, STEPS = 2000, ADDRESS_BITS = 32 };

typedef struct machine {
    const es_value_context *context;
    bool big_endian;
    value_word stack[DEPTH];
    size_t depth;
} machine;

static uint64_t mask_of(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static int64_t as_signed(value_word word)
{
    uint64_t sign = UINT64_C(1) << (word.type.bits - 1), value = word.value & mask_of(word.type.bits);
    return (int64_t)((value ^ sign) - sign);
}

static value_word word_of(uint64_t value, uint64_t unknown)
{
    uint64_t mask = mask_of(ADDRESS_BITS);
    return (value_word){.value = value & ~unknown & mask,
                        .unknown = unknown & mask,
                        .type = {.bits = ADDRESS_BITS, .is_signed = true},
                        .generic = true};
}

static value_word typed(uint64_t value, uint64_t unknown, value_type type)
{
    uint64_t mask = mask_of(type.bits);
    return (value_word){.value = value & ~unknown & mask, .unknown = unknown & mask, .type = type};
}

static bool push(machine *m, value_word word)
{
    if (m->depth == DEPTH)
        return false;
    m->stack[m->depth++] = word;
    return true;
}

/* --- one and two operands ------------------------------------------------------------------------------- */

static value_word like(value_word of, uint64_t value, uint64_t unknown)
{
    uint64_t mask = mask_of(of.type.bits);
    of.unknown = unknown & mask;
    of.value = value & mask & ~of.unknown;
    return of;
}

static bool unary(machine *m, const value_op *op)
{
    if (m->depth < 1 || m->stack[m->depth - 1].type.is_float)
        return false;
    value_word *a = &m->stack[m->depth - 1];
    uint64_t spread = a->unknown ? UINT64_MAX : 0;
    switch (op->atom) {
    case DW_OP_not: *a = like(*a, ~a->value, a->unknown); return true;
    case DW_OP_neg: *a = like(*a, 0 - a->value, spread); return true;
    case DW_OP_abs: *a = like(*a, as_signed(*a) < 0 ? 0 - a->value : a->value, spread); return true;
    case DW_OP_plus_uconst: *a = like(*a, a->value + op->number, spread); return true;
    default: return false;
    }
}

static value_word shift(value_word a, unsigned atom, uint64_t by)
{
    unsigned bits = a.type.bits;
    uint64_t sign = UINT64_C(1) << (bits - 1), fill = by && by < bits ? mask_of(bits) & ~(mask_of(bits) >> by) : 0;
    if (by >= bits) {
        bool ones = atom == DW_OP_shra;
        return like(a, ones && a.value & sign ? UINT64_MAX : 0, ones && a.unknown & sign ? UINT64_MAX : 0);
    }
    if (atom == DW_OP_shl)
        return like(a, a.value << by, a.unknown << by);
    if (atom == DW_OP_shr)
        return like(a, a.value >> by, a.unknown >> by);
    return like(a, a.value >> by | (a.value & sign ? fill : 0), a.unknown >> by | (a.unknown & sign ? fill : 0));
}

static bool divided(value_word a, value_word b, unsigned atom, uint64_t *result)
{
    bool with_sign = a.generic ? atom == DW_OP_div : a.type.is_signed;
    if (b.value == 0)
        return false;
    if (!with_sign)
        *result = atom == DW_OP_div ? a.value / b.value : a.value % b.value;
    else if (as_signed(b) == -1)
        *result = atom == DW_OP_div ? 0 - a.value : 0;
    else
        *result = (uint64_t)(atom == DW_OP_div ? as_signed(a) / as_signed(b) : as_signed(a) % as_signed(b));
    return true;
}

static bool compared(value_word a, value_word b, unsigned atom)
{
    bool with_sign = a.generic || a.type.is_signed;
    int order = with_sign ? (as_signed(a) > as_signed(b)) - (as_signed(a) < as_signed(b))
                          : (a.value > b.value) - (a.value < b.value);
    switch (atom) {
    case DW_OP_eq: return order == 0;
    case DW_OP_ne: return order != 0;
    case DW_OP_lt: return order < 0;
    case DW_OP_le: return order <= 0;
    case DW_OP_gt: return order > 0;
    default: return order >= 0;
    }
}

static bool binary(machine *m, const value_op *op)
{
    if (m->depth < 2 || m->stack[m->depth - 1].type.is_float || m->stack[m->depth - 2].type.is_float)
        return false;
    value_word b = m->stack[--m->depth], *a = &m->stack[m->depth - 1];
    uint64_t unknown = a->unknown | b.unknown, spread = unknown ? UINT64_MAX : 0, result;
    switch (op->atom) {
    case DW_OP_and: /* a bit is known where both are, and where one is 0 */
        *a = like(*a, a->value & b.value, unknown & (a->value | a->unknown) & (b.value | b.unknown));
        return true;
    case DW_OP_or: *a = like(*a, a->value | b.value, unknown & ~a->value & ~b.value); return true;
    case DW_OP_xor: *a = like(*a, a->value ^ b.value, unknown); return true;
    case DW_OP_plus: *a = like(*a, a->value + b.value, spread); return true;
    case DW_OP_minus: *a = like(*a, a->value - b.value, spread); return true;
    case DW_OP_mul: *a = like(*a, a->value * b.value, spread); return true;
    case DW_OP_div:
    case DW_OP_mod:
        if (!spread && !divided(*a, b, op->atom, &result))
            return false;
        *a = like(*a, spread ? 0 : result, spread);
        return true;
    case DW_OP_shl:
    case DW_OP_shr:
    case DW_OP_shra: *a = b.unknown ? like(*a, 0, UINT64_MAX) : shift(*a, op->atom, b.value); return true;
    case DW_OP_eq:
    case DW_OP_ne:
    case DW_OP_lt:
    case DW_OP_le:
    case DW_OP_gt:
    case DW_OP_ge: *a = word_of(spread ? 0 : compared(*a, b, op->atom), spread); return true;
    default: return false;
    }
}

/* --- what pushes, moves and loads ------------------------------------------------------------------------- */

static bool load(machine *m, const value_op *op, uint32_t size)
{
    if (m->depth < 1 || size == 0 || size > 8)
        return false;
    value_word *a = &m->stack[m->depth - 1];
    uint8_t bytes[8] = {0}, unknown[8];
    for (uint32_t i = 0; i < size; i++)
        unknown[i] = 0xFF;
    if (!a->unknown)
        m->context->memory(m->context->context, (uint32_t)a->value, size, bytes, unknown);
    uint64_t value = es_endian_get(bytes, size, m->big_endian);
    uint64_t not_known = es_endian_get(unknown, size, m->big_endian);
    *a = op->generic ? word_of(value, not_known) : typed(value, not_known, op->type);
    return true;
}

static bool convert(value_word *a, const value_op *op)
{
    value_type to = op->generic ? (value_type){.bits = ADDRESS_BITS, .is_signed = true} : op->type;
    if (op->atom == DW_OP_convert && (a->type.is_float || to.is_float))
        return false;
    uint64_t above = mask_of(to.bits) & ~mask_of(a->type.bits), sign = UINT64_C(1) << (a->type.bits - 1);
    uint64_t value = a->value, unknown = a->unknown;
    if (op->atom == DW_OP_convert && a->type.is_signed && to.bits > a->type.bits) {
        value |= value & sign ? above : 0;
        unknown |= unknown & sign ? above : 0;
    }
    *a = op->generic ? word_of(value, unknown) : typed(value, unknown, to);
    return true;
}

static bool push_register(machine *m, const value_op *op)
{
    uint64_t value = 0, unknown = UINT64_MAX;
    bool entry = op->atom == DW_OP_entry_value;
    (entry ? m->context->entry : m->context->reg)(m->context->context, (unsigned)op->number, &value, &unknown);
    if (!entry && op->atom == DW_OP_regval_type && op->number2) {
        uint64_t next = 0, next_unknown = UINT64_MAX;
        m->context->reg(m->context->context, (unsigned)op->number + 1, &next, &next_unknown);
        bool upper_first = op->number2 == PAIR_UPPER_FIRST;
        value = upper_first ? value << 32 | (uint32_t)next : next << 32 | (uint32_t)value;
        unknown = upper_first ? unknown << 32 | (uint32_t)next_unknown : next_unknown << 32 | (uint32_t)unknown;
    }
    if (!op->generic)
        return push(m, typed(value, unknown, op->type));
    uint64_t offset = entry ? 0 : op->number2;
    return push(m, word_of(value + offset, unknown & mask_of(ADDRESS_BITS) && offset ? UINT64_MAX : unknown));
}

static bool rearrange(machine *m, const value_op *op)
{
    size_t n = m->depth;
    value_word top;
    switch (op->atom) {
    case DW_OP_dup: return n > 0 && push(m, m->stack[n - 1]);
    case DW_OP_drop: return n > 0 && (m->depth--, true);
    case DW_OP_over: return n > 1 && push(m, m->stack[n - 2]);
    case DW_OP_pick: return op->number < n && push(m, m->stack[n - 1 - op->number]);
    case DW_OP_swap:
        if (n < 2)
            return false;
        top = m->stack[n - 1];
        m->stack[n - 1] = m->stack[n - 2];
        m->stack[n - 2] = top;
        return true;
    case DW_OP_rot:
        if (n < 3)
            return false;
        top = m->stack[n - 1];
        m->stack[n - 1] = m->stack[n - 2];
        m->stack[n - 2] = m->stack[n - 3];
        m->stack[n - 3] = top;
        return true;
    default: return false;
    }
}

static bool perform(machine *m, const value_op *op)
{
    switch (op->atom) {
    case DW_OP_const8u: return push(m, word_of(op->number, 0));
    case DW_OP_const_type: return push(m, typed(op->number2, 0, op->type));
    case DW_OP_bregx:
    case DW_OP_entry_value:
    case DW_OP_regval_type: return push_register(m, op);
    case DW_OP_deref: return load(m, op, ADDRESS_BITS / 8);
    case DW_OP_deref_size:
    case DW_OP_deref_type: return load(m, op, (uint32_t)op->number);
    case DW_OP_convert:
    case DW_OP_reinterpret: return m->depth && convert(&m->stack[m->depth - 1], op);
    case DW_OP_nop: return true;
    case DW_OP_not:
    case DW_OP_neg:
    case DW_OP_abs:
    case DW_OP_plus_uconst: return unary(m, op);
    default: return rearrange(m, op) || binary(m, op);
    }
}

/* The operation after a jump by `number` bytes; count when there is none. */
static size_t jumped(const value_op *ops, size_t count, size_t from)
{
    uint32_t target = ops[from].at + 3 + (uint32_t)(int32_t)(int16_t)ops[from].number;
    size_t i = 0;
    while (i < count && ops[i].at != target)
        i++;
    return i;
}

bool es_value_run(const es_value *value, const value_piece *piece, const es_value_context *context, value_word *top)
{
    machine m = {.context = context, .big_endian = value->big_endian};
    const value_op *ops = piece->ops;
    size_t count = piece->op_count, steps = 0;
    for (size_t i = 0; i < count && steps < STEPS; steps++) {
        if (ops[i].atom == DW_OP_bra) {
            if (m.depth < 1 || m.stack[m.depth - 1].unknown)
                return false;
            i = m.stack[--m.depth].value ? jumped(ops, count, i) : i + 1;
        } else if (ops[i].atom == DW_OP_skip) {
            i = jumped(ops, count, i);
        } else if (perform(&m, &ops[i])) {
            i++;
        } else {
            return false;
        }
    }
    if (m.depth == 0 || steps == STEPS)
        return false;
    *top = m.stack[m.depth - 1];
    return true;
}
