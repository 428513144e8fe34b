#include "check/target/value.h"

#include <stdlib.h>
#include <string.h>

enum { BESIDE = 16, INDEX_MAX = 1024, ANCHOR_MAX = 256, NUMBER_MAX = 4096, HEAP_MAX = 1 << 24 };

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

/* --- regions -------------------------------------------------------------------------------------------------- */

size_t es_regions_at(const regions *r, uint32_t address)
{
    size_t low = 0, high = r->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (r->items[middle].low <= address)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static bool has_parts(const es_symbols *symbols, const es_object *object)
{
    const es_variable *variable = es_symbols_variable_at(symbols, object->address);
    if (!variable || variable->type->size != object->size)
        return object->size > 4;
    return variable->type->kind == ES_TYPE_ARRAY || variable->type->kind == ES_TYPE_STRUCT;
}

static void name_regions(regions *r, const es_object *objects, size_t object_count)
{
    const es_check_program *program = r->program;
    uint32_t top = object_count ? objects[object_count - 1].address + objects[object_count - 1].size : 0, stack;
    if (es_symbols_stack_top(program->symbols, &stack) && stack > top)
        top = stack;
    for (size_t i = 0; i < r->count; i++)
        r->items[i].address = r->items[i].low <= top && i > 0;
    r->items[r->count - 1].address = r->items[r->count - 1].low < INT32_MAX - HEAP_MAX;
    for (size_t i = 0; i < program->procedure_count; i++) {
        const es_procedure *p = program->procedures[i].procedure;
        for (size_t at = es_regions_at(r, p->low); at < r->count && r->items[at].low < p->high; at++)
            r->items[at].address = false;
    }
    for (size_t i = 0; i < object_count; i++) {
        bool parts = has_parts(program->symbols, &objects[i]);
        for (size_t at = es_regions_at(r, objects[i].address);
             at < r->count && r->items[at].low < objects[i].address + objects[i].size; at++) {
            r->items[at].object = r->items[at].address = true;
            r->items[at].aggregate |= parts;
        }
    }
}

void es_regions_make(regions *r, es_arena *arena, const es_check_program *program)
{
    *r = (regions){.program = program, .arena = arena};
    es_object *objects;
    size_t object_count = es_symbols_objects(program->symbols, arena, &objects), count = 0;
    uint32_t *cuts = es_arena_alloc(arena, (2 * (object_count + program->procedure_count) + 2) * sizeof *cuts);
    cuts[count++] = 0;
    for (size_t i = 0; i < object_count; i++) {
        if (i && objects[i].address < objects[i - 1].address + objects[i - 1].size)
            continue; /* an alias, or a part of the one before */
        cuts[count++] = objects[i].address;
        cuts[count++] = objects[i].address + objects[i].size;
    }
    for (size_t i = 0; i < program->procedure_count; i++) {
        cuts[count++] = program->procedures[i].procedure->low;
        cuts[count++] = program->procedures[i].procedure->high;
    }
    qsort(cuts, count, sizeof *cuts, by_number);
    r->items = es_arena_alloc(arena, (count + 1) * sizeof *r->items);
    for (size_t i = 0; i < count; i++)
        if (!i || cuts[i] != cuts[i - 1])
            r->items[r->count++].low = cuts[i];
    for (size_t i = 0; i < r->count; i++)
        r->items[i].last = i + 1 < r->count ? r->items[i + 1].low - 1 : UINT32_MAX;
    r->frames = r->count;
    r->all_frames = r->frames + program->procedure_count;
    r->words = r->all_frames / 64 + 1;
    name_regions(r, objects, object_count);
    r->table_room = 256;
    r->table = es_arena_alloc(arena, r->table_room * sizeof *r->table);
    r->sets = es_arena_grow(arena, r->sets, 0, sizeof *r->sets);
    r->sets[r->set_count++] = es_arena_alloc(arena, r->words * sizeof **r->sets);
}

static uint64_t hash_of(const regions *r, const uint64_t *bits)
{
    uint64_t sum = 1469598103934665603u;
    for (size_t i = 0; i < r->words; i++)
        sum = (sum ^ bits[i] ^ bits[i] >> 31) * 1099511628211u;
    return sum ^ sum >> 29;
}

static uint32_t *place_of(regions *r, const uint64_t *bits)
{
    size_t i = hash_of(r, bits) & (r->table_room - 1);
    while (r->table[i] && memcmp(r->sets[r->table[i] - 1], bits, r->words * sizeof *bits) != 0)
        i = (i + 1) & (r->table_room - 1);
    return &r->table[i];
}

/* The number of a set; bits may be changed afterwards. */
static uint32_t intern(regions *r, const uint64_t *bits)
{
    if (2 * (r->set_count + 1) > r->table_room) {
        r->table_room *= 2;
        r->table = es_arena_alloc(r->arena, r->table_room * sizeof *r->table);
        for (uint32_t i = 1; i < r->set_count; i++)
            *place_of(r, r->sets[i]) = i + 1;
    }
    uint32_t *place = place_of(r, bits);
    if (!*place) {
        uint64_t *copy = es_arena_alloc(r->arena, r->words * sizeof *copy);
        memcpy(copy, bits, r->words * sizeof *copy);
        r->sets = es_arena_grow(r->arena, r->sets, r->set_count, sizeof *r->sets);
        r->sets[r->set_count++] = copy;
        *place = (uint32_t)r->set_count;
    }
    return *place - 1;
}

bool es_regions_has(const regions *r, uint32_t set, size_t number)
{
    return r->sets[set][number / 64] >> number % 64 & 1;
}

uint32_t es_regions_one(regions *r, size_t number)
{
    uint64_t *bits = es_malloc(r->words * sizeof *bits);
    memset(bits, 0, r->words * sizeof *bits);
    bits[number / 64] = UINT64_C(1) << number % 64;
    uint32_t set = intern(r, bits);
    free(bits);
    return set;
}

uint32_t es_regions_union(regions *r, uint32_t a, uint32_t b)
{
    if (a == b || !b)
        return a;
    if (!a)
        return b;
    uint64_t *bits = es_malloc(r->words * sizeof *bits);
    for (size_t i = 0; i < r->words; i++)
        bits[i] = r->sets[a][i] | r->sets[b][i];
    uint32_t set = intern(r, bits);
    free(bits);
    return set;
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

/* --- values --------------------------------------------------------------------------------------------------- */

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
