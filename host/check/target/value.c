#include "check/target/value.h"

enum { BESIDE = 16, INDEX_MAX = 1024, ANCHOR_MAX = 256, NUMBER_MAX = 4096 };

static value any(void)
{
    return (value){.kind = VALUE_ANY};
}

static value some_number(void)
{
    return value_number(INT32_MIN, INT32_MAX);
}

static bool is_constant(value v)
{
    return v.kind == VALUE_NUMBER && v.low == v.high;
}

/* Objects that code may mean that adds an unknown number to this constant: compilers fold an index' constant part into
 * it. */
static uint32_t objects_near(regions *r, uint32_t low, uint32_t high)
{
    uint32_t set = 0, from = low < BESIDE ? 0 : low - BESIDE,
             to = high > UINT32_MAX - BESIDE ? UINT32_MAX : high + BESIDE;
    for (size_t i = es_regions_at(r, from); i < r->count && r->items[i].low <= to; i++) {
        bool within = r->items[i].low <= high && r->items[i].last >= low;
        if (r->items[i].address && (within || r->items[i].aggregate))
            set = es_regions_union(r, set, es_regions_one(r, i));
    }
    return set;
}

/* Whether a number may be an address of data. */
static bool is_address(const regions *r, value v)
{
    if (v.kind != VALUE_NUMBER || (int64_t)v.high - v.low > NUMBER_MAX)
        return false;
    for (size_t i = es_regions_at(r, (uint32_t)v.low); i < r->count; i++) {
        if (r->items[i].address)
            return true;
        if (r->items[i].last >= (uint32_t)v.high)
            break;
    }
    return false;
}

/* Objects that proper pointers in this range point to: also the array that ends where it begins. */
static uint32_t pointed(regions *r, uint32_t low, uint32_t high)
{
    uint32_t set = 0;
    size_t first = es_regions_at(r, low);
    if (first && r->items[first].low == low && r->items[first - 1].object && r->items[first - 1].aggregate)
        set = es_regions_one(r, first - 1);
    for (size_t i = first; i < r->count && r->items[i].low <= high; i++)
        if (r->items[i].address)
            set = es_regions_union(r, set, es_regions_one(r, i));
    return set;
}

value es_value_derived(uint32_t set)
{
    return set ? (value){.kind = VALUE_DERIVED, .set = set} : some_number();
}

uint32_t es_value_made_from(regions *r, size_t procedure, value v)
{
    switch (v.kind) {
    case VALUE_NUMBER: return is_address(r, v) ? pointed(r, (uint32_t)v.low, (uint32_t)v.high) : 0;
    case VALUE_STACK: return es_regions_one(r, v.high >= 0 ? r->all_frames : r->frames + procedure);
    case VALUE_INDEX: return es_regions_union(r, objects_near(r, (uint32_t)v.low, (uint32_t)v.high), v.set);
    default: return v.set;
    }
}

static bool is_opaque(value v)
{
    return v.kind == VALUE_ANY || v.kind == VALUE_SAVED;
}

static bool is_indexed(const regions *r, value v)
{
    return v.kind == VALUE_INDEX || is_address(r, v);
}

/* The constant part is kept: some displacement may still be added to it that leads to another object, when compilers
 * address several objects from one anchor. */
static value join_indexed(regions *r, size_t procedure, value a, value b)
{
    value index = a.kind == VALUE_INDEX ? a : b, other = a.kind == VALUE_INDEX ? b : a;
    if (other.kind == VALUE_NUMBER && other.low <= index.low && index.high <= other.high)
        return index;
    value hull = {.kind = VALUE_INDEX,
                  .set = es_regions_union(r, a.set, b.set),
                  .low = a.low < b.low ? a.low : b.low,
                  .high = a.high > b.high ? a.high : b.high};
    if ((int64_t)hull.high - hull.low <= ANCHOR_MAX)
        return hull;
    return es_value_derived(
        es_regions_union(r, es_value_made_from(r, procedure, a), es_value_made_from(r, procedure, b)));
}

value es_value_join(regions *r, size_t procedure, value a, value b)
{
    if (a.kind == VALUE_NONE || value_same(a, b))
        return b;
    if (b.kind == VALUE_NONE)
        return a;
    if (is_opaque(a) || is_opaque(b))
        return any();
    if (a.kind == b.kind && (a.kind == VALUE_NUMBER || a.kind == VALUE_STACK)) {
        value hull = {.kind = a.kind, .low = a.low < b.low ? a.low : b.low, .high = a.high > b.high ? a.high : b.high};
        if (a.kind == VALUE_STACK && (int64_t)hull.high - hull.low <= INDEX_MAX)
            return hull;
        bool either = is_address(r, a) || is_address(r, b);
        bool together = es_regions_at(r, (uint32_t)hull.low) == es_regions_at(r, (uint32_t)hull.high);
        if (a.kind == VALUE_NUMBER && (!either || together))
            return hull;
    }
    if (is_indexed(r, a) && is_indexed(r, b) && (a.kind == VALUE_INDEX || b.kind == VALUE_INDEX))
        return join_indexed(r, procedure, a, b);
    return es_value_derived(
        es_regions_union(r, es_value_made_from(r, procedure, a), es_value_made_from(r, procedure, b)));
}

value es_value_widen(regions *r, size_t procedure, value before, value after)
{
    if (value_same(before, after) || is_opaque(after))
        return after;
    if (before.kind == VALUE_NUMBER && after.kind == VALUE_NUMBER) {
        if (!is_address(r, before))
            return some_number();
        return (value){.kind = VALUE_INDEX, .low = before.low, .high = before.low};
    }
    if (before.kind == VALUE_NUMBER && after.kind == VALUE_INDEX)
        return after;
    if (before.kind == VALUE_INDEX && after.kind == VALUE_INDEX)
        return (value){.kind = VALUE_INDEX,
                       .set = es_regions_union(r, before.set, after.set),
                       .low = before.low,
                       .high = before.high}; /* what was added belongs to the unknown number */
    return es_value_derived(
        es_regions_union(r, es_value_made_from(r, procedure, before), es_value_made_from(r, procedure, after)));
}

value es_value_outside(regions *r, size_t procedure, value v)
{
    return v.kind == VALUE_STACK ? es_value_derived(es_value_made_from(r, procedure, v)) : v;
}

/* A value that is made from both in a way that is not followed. */
static value mixed(regions *r, size_t procedure, value a, value b)
{
    if (is_opaque(a) || is_opaque(b))
        return any();
    return es_value_derived(
        es_regions_union(r, es_value_made_from(r, procedure, a), es_value_made_from(r, procedure, b)));
}

value es_value_sum(regions *r, size_t procedure, value a, value b)
{
    if (a.kind != VALUE_NUMBER || (is_constant(b) && !is_constant(a))) {
        value swap = a;
        a = b;
        b = swap;
    }
    if ((a.kind == VALUE_INDEX && b.kind == VALUE_DERIVED) || (a.kind == VALUE_DERIVED && b.kind == VALUE_INDEX))
        return (value){.kind = VALUE_INDEX,
                       .set = es_regions_union(r, a.set, b.set),
                       .low = a.kind == VALUE_INDEX ? a.low : b.low,
                       .high = a.kind == VALUE_INDEX ? a.high : b.high};
    if (a.kind != VALUE_NUMBER || is_opaque(b))
        return mixed(r, procedure, a, b);
    int64_t low = (int64_t)a.low + b.low, high = (int64_t)a.high + b.high;
    if (b.kind == VALUE_INDEX) /* its constant part stays what it is when a is no constant */
        return is_constant(a) ? (value){.kind = VALUE_INDEX, .set = b.set, .low = (int32_t)low, .high = (int32_t)high}
                              : b;
    if (b.kind == VALUE_DERIVED) /* either may be the index */
        return is_address(r, a) ? (value){.kind = VALUE_INDEX, .set = b.set, .low = a.low, .high = a.high}
                                : mixed(r, procedure, a, b);
    if (b.kind == VALUE_STACK) {
        if (high - low > INDEX_MAX || low < INT32_MIN || high > INT32_MAX)
            return mixed(r, procedure, a, b);
        return (value){.kind = VALUE_STACK, .low = (int32_t)low, .high = (int32_t)high};
    }
    if (is_constant(a) && is_constant(b)) /* around the end */
        return value_constant((uint32_t)a.low + (uint32_t)b.low);
    bool left = is_address(r, a), right = is_address(r, b);
    if ((!left && !right) || high - low <= INDEX_MAX)
        return value_number(low, high);
    value base = left ? a : b;
    if (left && right)
        return mixed(r, procedure, a, b);
    return (value){.kind = VALUE_INDEX, .low = base.low, .high = base.low};
}

static value difference(regions *r, size_t procedure, value a, value b)
{
    if (a.kind == VALUE_STACK && b.kind == VALUE_STACK)
        return value_number((int64_t)a.low - b.high, (int64_t)a.high - b.low);
    if (b.kind != VALUE_NUMBER)
        return mixed(r, procedure, a, b);
    if (is_constant(b))
        return es_value_sum(r, procedure, a, value_constant(0u - (uint32_t)b.low));
    return es_value_sum(r, procedure, a, value_number(-(int64_t)b.high, -(int64_t)b.low));
}

/* All ones up to the highest one of a number that is not negative. */
static int64_t filled(int64_t number)
{
    int64_t ones = 0;
    while (ones < number)
        ones = 2 * ones + 1;
    return ones;
}

static value conjunction(regions *r, size_t procedure, value a, value b)
{
    value mask = is_constant(b) ? b : a, of = is_constant(b) ? a : b;
    if (is_constant(mask) && mask.low >= 0 && mask.low <= 0xFFFF) /* what is left of an address is none */
        return is_constant(of) ? value_constant((uint32_t)(mask.low & of.low)) : value_number(0, mask.low);
    if (a.kind == VALUE_NUMBER && b.kind == VALUE_NUMBER && !is_address(r, a) && !is_address(r, b))
        return a.low >= 0 ? value_number(0, a.high) : b.low >= 0 ? value_number(0, b.high) : some_number();
    return mixed(r, procedure, a, b);
}

static value shifted(regions *r, size_t procedure, es_insn_op op, value a, value b)
{
    if (a.kind != VALUE_NUMBER || !is_constant(b))
        return mixed(r, procedure, a, b);
    unsigned by = (unsigned)b.low & 31;
    if (op == ES_ALU_SHIFT_LEFT)
        return is_constant(a) ? value_constant((uint32_t)a.low << by)
                              : value_number((int64_t)a.low * (INT64_C(1) << by), (int64_t)a.high * (INT64_C(1) << by));
    if (op == ES_ALU_SHIFT_ARITHMETIC)
        return value_number(a.low >> by, a.high >> by);
    if (is_constant(a))
        return value_constant((uint32_t)a.low >> by);
    return a.low >= 0 ? value_number(a.low >> by, a.high >> by)
                      : value_number(by ? 0 : INT32_MIN, by ? UINT32_MAX >> by : INT32_MAX);
}

/* Or, exclusive or. */
static value combined(regions *r, size_t procedure, es_insn_op op, value a, value b)
{
    if (is_constant(b) && b.low == 0)
        return a;
    if (is_constant(a) && is_constant(b))
        return value_constant(op == ES_ALU_XOR ? (uint32_t)a.low ^ (uint32_t)b.low : (uint32_t)a.low | (uint32_t)b.low);
    if (a.kind == VALUE_NUMBER && b.kind == VALUE_NUMBER && a.low >= 0 && b.low >= 0 && !is_address(r, a) &&
        !is_address(r, b))
        return value_number(0, filled(a.high > b.high ? a.high : b.high));
    return mixed(r, procedure, a, b);
}

value es_value_compute(regions *r, size_t procedure, es_insn_op op, value a, value b)
{
    if (a.kind == VALUE_NONE || b.kind == VALUE_NONE)
        return some_number();
    switch (op) {
    case ES_ALU_ADD: return es_value_sum(r, procedure, a, b);
    case ES_ALU_SUBTRACT: return difference(r, procedure, a, b);
    case ES_ALU_LESS:
    case ES_ALU_LESS_UNSIGNED: return value_number(0, 1);
    case ES_ALU_AND: return conjunction(r, procedure, a, b);
    case ES_ALU_SHIFT_LEFT:
    case ES_ALU_SHIFT_RIGHT:
    case ES_ALU_SHIFT_ARITHMETIC: return shifted(r, procedure, op, a, b);
    case ES_ALU_OR:
    case ES_ALU_XOR: return combined(r, procedure, op, a, b);
    default: return mixed(r, procedure, a, b);
    }
}
