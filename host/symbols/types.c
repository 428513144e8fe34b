/* DWARF types to es_type. Each DIE is built once; pointers get their target later, so that chains of structs that point
 * to each other need no recursion. Types that contain themselves by value exist only in damaged files and become
 * ES_TYPE_OTHER. */
#include "symbols/internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

static const es_type void_type = {.kind = ES_TYPE_OTHER, .name = "void"};

static const es_type *build(es_symbols *symbols, Dwarf_Die *given, unsigned depth);

/* --- table of types by DIE -------------------------------------------------------------------- */

static symbols_type_entry *slot_of(es_symbols *symbols, const void *die)
{
    size_t at = ((uintptr_t)die * 0x9E3779B97F4A7C15u >> 20) % symbols->type_room;
    while (symbols->types[at].die && symbols->types[at].die != die)
        at = (at + 1) % symbols->type_room;
    return &symbols->types[at];
}

static symbols_type_entry *entry_of(es_symbols *symbols, const void *die)
{
    if (symbols->type_count * 2 >= symbols->type_room) {
        symbols_type_entry *old = symbols->types;
        size_t old_room = symbols->type_room;
        symbols->type_room = old_room ? old_room * 2 : 256;
        symbols->types = es_arena_alloc(symbols->arena, symbols->type_room * sizeof *old);
        for (size_t i = 0; i < old_room; i++)
            if (old[i].die)
                *slot_of(symbols, old[i].die) = old[i];
    }
    return slot_of(symbols, die);
}

static void set_complete(es_symbols *symbols, const void *die)
{
    entry_of(symbols, die)->complete = true;
}

/* --- parts ---------------------------------------------------------------------------------------- */

static uint32_t byte_size(Dwarf_Die *die)
{
    uint64_t size;
    return es_symbols_die_number(die, DW_AT_byte_size, &size) && size <= UINT32_MAX ? (uint32_t)size : 0;
}

static const es_type *target_of(es_symbols *symbols, Dwarf_Die *die, unsigned depth)
{
    Dwarf_Die target;
    return es_symbols_die_reference(die, DW_AT_type, &target) ? build(symbols, &target, depth) : &void_type;
}

static bool is_char_name(const char *name)
{
    return strcmp(name, "char") == 0 || strcmp(name, "signed char") == 0 || strcmp(name, "unsigned char") == 0;
}

static void build_base(es_symbols *symbols, es_type *type, Dwarf_Die *die)
{
    uint64_t encoding = 0, order = DW_END_default;
    es_symbols_die_number(die, DW_AT_encoding, &encoding);
    if (es_symbols_die_number(die, DW_AT_endianity, &order) && order != DW_END_default)
        type->big_endian = order == DW_END_big;
    if (order > DW_END_little) {
        type->kind = ES_TYPE_OTHER;
        type->name = es_arena_format(symbols->arena, "%s of an order of bytes that Earshot does not know", type->name);
        return;
    }
    type->size = byte_size(die);
    type->kind = ES_TYPE_INT;
    switch (encoding) {
    case DW_ATE_boolean: type->kind = ES_TYPE_BOOL; break;
    case DW_ATE_signed: type->is_signed = true; break;
    case DW_ATE_signed_char:
        type->is_signed = true;
        type->kind = ES_TYPE_CHAR;
        break;
    case DW_ATE_unsigned_char: type->kind = ES_TYPE_CHAR; break;
    case DW_ATE_UTF:
    case DW_ATE_unsigned:
    case DW_ATE_address: break;
    case DW_ATE_float: type->kind = type->size == 4 || type->size == 8 ? ES_TYPE_FLOAT : ES_TYPE_OTHER; break;
    default: type->kind = ES_TYPE_OTHER; break;
    }
    /* clang calls bool-sized enumerations and char8_t so too; only C's own three are shown as characters */
    if (type->kind == ES_TYPE_CHAR && !is_char_name(type->name))
        type->kind = ES_TYPE_INT;
}

static void build_enum(es_symbols *symbols, es_type *type, Dwarf_Die *die, unsigned depth)
{
    SYMBOLS_LIST(es_enumerator) list = {0};
    Dwarf_Die child, underlying;
    bool negative = false;
    type->kind = ES_TYPE_ENUM;
    type->size = byte_size(die);
    for (int more = dwarf_child(die, &child) == 0; more > 0; more = es_symbols_sibling(&child)) {
        uint64_t value;
        const char *name = es_symbols_die_name(symbols, &child);
        if (dwarf_tag(&child) != DW_TAG_enumerator || !name ||
            !es_symbols_die_number(&child, DW_AT_const_value, &value))
            continue;
        SYMBOLS_PUSH(symbols, &list, (es_enumerator){name, (int64_t)value});
        negative |= (int64_t)value < 0;
    }
    type->is_signed = negative;
    if (es_symbols_die_reference(die, DW_AT_type, &underlying))
        type->is_signed = negative || build(symbols, &underlying, depth + 1)->is_signed;
    type->enumerators = list.items;
    type->enumerator_count = list.count;
    for (size_t i = 0; i < list.count; i++)
        SYMBOLS_PUSH(symbols, &symbols->enumerators,
                     (symbols_enumerator){&list.items[i], type, symbols->enumerators.count,
                                          es_symbols_die_in_library(symbols, die)});
}

/* Bits from the struct's start to the bit-field's first one, which is its least significant one, or where bytes are in
 * the other order its most significant one. */
static bool bit_position(Dwarf_Die *die, uint32_t offset, uint64_t bit_size, const es_type *type, uint64_t *bits)
{
    uint64_t from_top, storage = type->size; /* DWARF 2 and 3: counted from the storage unit's most significant bit */
    if (es_symbols_die_number(die, DW_AT_data_bit_offset, bits))
        return *bits <= (uint64_t)UINT32_MAX * 8;
    if (!es_symbols_die_number(die, DW_AT_bit_offset, &from_top)) {
        *bits = (uint64_t)offset * 8;
        return true;
    }
    es_symbols_die_number(die, DW_AT_byte_size, &storage);
    if (storage > 16 || from_top > storage * 8 || bit_size > storage * 8 - from_top)
        return false;
    *bits = (uint64_t)offset * 8 + (type->big_endian ? from_top : storage * 8 - from_top - bit_size);
    return true;
}

/* Splits a bit position into a storage unit of the type's size, aligned where that is possible, and a place in it. */
static bool place_bits(es_member *member, uint64_t bits, uint64_t bit_size)
{
    uint64_t unit = (uint64_t)member->type->size * 8;
    if (!unit || unit > 64 || bit_size == 0 || bit_size > unit)
        return false;
    uint64_t start = bits / unit * unit;
    if (bits - start + bit_size > unit)
        start = bits / 8 * 8; /* packed: crosses the boundary of aligned units */
    if (bits - start + bit_size > unit || start / 8 > UINT32_MAX)
        return false;
    member->offset = (uint32_t)(start / 8);
    member->bit_offset = (uint8_t)(member->type->big_endian ? unit - (bits - start) - bit_size : bits - start);
    member->bit_size = (uint8_t)bit_size;
    return true;
}

static uint32_t member_offset(Dwarf_Die *die)
{
    uint64_t offset;
    if (es_symbols_die_number(die, DW_AT_data_member_location, &offset))
        return offset <= UINT32_MAX ? (uint32_t)offset : 0;
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t count;
    if (dwarf_attr(die, DW_AT_data_member_location, &attribute) && dwarf_getlocation(&attribute, &ops, &count) == 0 &&
        count == 1 && ops[0].atom == DW_OP_plus_uconst && ops[0].number <= UINT32_MAX)
        return (uint32_t)ops[0].number;
    return 0;
}

static void build_struct(es_symbols *symbols, es_type *type, Dwarf_Die *die, unsigned depth)
{
    bool other_order = es_symbols_is_turned_struct(symbols, die, depth);
    SYMBOLS_LIST(es_member) list = {0};
    Dwarf_Die child;
    type->kind = ES_TYPE_STRUCT;
    type->size = byte_size(die);
    for (int more = dwarf_child(die, &child) == 0; more > 0; more = es_symbols_sibling(&child)) {
        int tag = dwarf_tag(&child);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || es_symbols_die_flag(&child, DW_AT_external))
            continue; /* static members of C++ are variables */
        static const es_type elsewhere = {.kind = ES_TYPE_OTHER, .name = "virtual base class"};
        bool is_virtual = dwarf_hasattr(&child, DW_AT_virtuality); /* where it lies, only the object itself knows */
        es_member member = {
            .name = tag == DW_TAG_member ? es_symbols_die_name(symbols, &child) : NULL,
            .type = is_virtual ? &elsewhere : target_of(symbols, &child, depth + 1),
            .offset = member_offset(&child),
        };
        if (other_order && es_symbols_is_of_enums(member.type))
            member.type = es_symbols_turned(symbols, member.type);
        uint64_t bit_size, bits;
        if (es_symbols_die_number(&child, DW_AT_bit_size, &bit_size) &&
            !(bit_position(&child, member.offset, bit_size, member.type, &bits) &&
              place_bits(&member, bits, bit_size))) {
            es_type *odd = es_arena_alloc(symbols->arena, sizeof *odd);
            *odd = (es_type){.kind = ES_TYPE_OTHER, .name = "bit-field across storage units"};
            member.type = odd;
        }
        SYMBOLS_PUSH(symbols, &list, member);
    }
    type->members = list.items;
    type->member_count = list.count;
}

static uint32_t array_count(Dwarf_Die *subrange)
{
    uint64_t number;
    if (es_symbols_die_number(subrange, DW_AT_count, &number))
        return number <= UINT32_MAX ? (uint32_t)number : 0;
    if (es_symbols_die_number(subrange, DW_AT_upper_bound, &number))
        return number < UINT32_MAX ? (uint32_t)number + 1 : 0;
    return 0;
}

/* One DIE stands for all dimensions of an array of arrays: "int a[2][3]" is an array of 2 of arrays of 3. */
static void build_array(es_symbols *symbols, es_type *type, Dwarf_Die *die, unsigned depth)
{
    SYMBOLS_LIST(uint32_t) counts = {0};
    Dwarf_Die child;
    for (int more = dwarf_child(die, &child) == 0; more > 0; more = es_symbols_sibling(&child))
        if (dwarf_tag(&child) == DW_TAG_subrange_type && counts.count < SYMBOLS_MAX_DEPTH)
            SYMBOLS_PUSH(symbols, &counts, array_count(&child));
    if (!counts.count)
        SYMBOLS_PUSH(symbols, &counts, 0);
    const es_type *element = target_of(symbols, die, depth + 1);
    const char *element_name = element->name;
    size_t element_length = strlen(element_name);
    const char *dimensions = "";
    if (element->kind == ES_TYPE_ARRAY && strstr(element_name, " [")) { /* an inner one's dimensions come last */
        element_length = (size_t)(strstr(element_name, " [") - element_name);
        dimensions = element_name + element_length + 1;
    }
    for (size_t i = counts.count; i-- > 0;) {
        es_type *array = i ? es_arena_alloc(symbols->arena, sizeof *array) : type;
        const char *name = array->name;
        if (i) {
            dimensions = counts.items[i] ? es_arena_format(symbols->arena, "[%u]%s", counts.items[i], dimensions)
                                         : es_arena_format(symbols->arena, "[]%s", dimensions);
            name = es_arena_format(symbols->arena, "%.*s %s", (int)element_length, element_name, dimensions);
        }
        uint64_t size = (uint64_t)counts.items[i] * element->size;
        *array = (es_type){.kind = ES_TYPE_ARRAY, .name = name, .of = element, .count = counts.items[i]};
        array->size = size <= UINT32_MAX ? (uint32_t)size : 0;
        element = array;
    }
}

/* --- building ------------------------------------------------------------------------------------- */

static bool is_qualifier(int tag)
{
    return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
           tag == DW_TAG_atomic_type;
}

/* int8_t and its like hold small numbers, whatever C makes of them. */
static bool is_small_number(const char *name)
{
    return strstr(name, "int8_t") || strstr(name, "int_least8_t") || strstr(name, "int_fast8_t");
}

static void build_typedef(es_symbols *symbols, es_type *type, Dwarf_Die *die, unsigned depth)
{
    const char *name = type->name;
    Dwarf_Die target;
    bool points = es_symbols_die_reference(die, DW_AT_type, &target);
    const es_type *real = points ? build(symbols, &target, depth + 1) : &void_type;
    *type = *real;
    type->name = name;
    if (type->kind == ES_TYPE_CHAR && is_small_number(name))
        type->kind = ES_TYPE_INT;
    if (type->kind == ES_TYPE_POINTER && !type->of) { /* filled in when its target is built */
        for (size_t i = 0; i < symbols->pointees.count; i++)
            if (symbols->pointees.items[i].pointer == real) {
                SYMBOLS_PUSH(symbols, &symbols->pointees, (symbols_pointee){type, symbols->pointees.items[i].target});
                break;
            }
    }
}

static void build_kind(es_symbols *symbols, es_type *type, Dwarf_Die *die, unsigned depth)
{
    Dwarf_Die target;
    switch (dwarf_tag(die)) {
    case DW_TAG_base_type: build_base(symbols, type, die); break;
    case DW_TAG_enumeration_type: build_enum(symbols, type, die, depth); break;
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_class_type: build_struct(symbols, type, die, depth); break;
    case DW_TAG_array_type: build_array(symbols, type, die, depth); break;
    case DW_TAG_typedef: build_typedef(symbols, type, die, depth); break;
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        type->kind = ES_TYPE_POINTER;
        type->is_reference = dwarf_tag(die) != DW_TAG_pointer_type;
        type->size = 4;
        if (es_symbols_die_reference(die, DW_AT_type, &target))
            SYMBOLS_PUSH(symbols, &symbols->pointees, (symbols_pointee){type, target});
        break;
    default: type->kind = ES_TYPE_OTHER; break;
    }
}

static const es_type *build(es_symbols *symbols, Dwarf_Die *given, unsigned depth)
{
    Dwarf_Die die = *given, target;
    for (unsigned i = 0; is_qualifier(dwarf_tag(&die)); i++) {
        if (i == SYMBOLS_MAX_DEPTH || !es_symbols_die_reference(&die, DW_AT_type, &target))
            return &void_type;
        die = target;
    }
    symbols_type_entry *entry = entry_of(symbols, die.addr);
    if (entry->die && (entry->complete || entry->type->kind == ES_TYPE_OTHER))
        return entry->type;
    if (entry->die || depth > SYMBOLS_MAX_DEPTH) {
        static const es_type looped = {.kind = ES_TYPE_OTHER, .name = "type that contains itself"};
        return &looped;
    }
    const char *why;
    if (es_symbols_complete_type(symbols, &die, depth + 1, &target, &why))
        return build(symbols, &target, depth + 1);
    entry = entry_of(symbols, die.addr); /* the search may have built types */
    if (entry->die)
        return entry->type;
    es_type *type = es_arena_alloc(symbols->arena, sizeof *type);
    *entry = (symbols_type_entry){.die = die.addr, .type = type};
    symbols->type_count++;
    type->name = es_symbols_type_name(symbols, &die);
    type->incomplete = why;
    type->big_endian = symbols->big_endian;
    build_kind(symbols, type, &die, depth);
    set_complete(symbols, die.addr);
    return type;
}

const es_type *es_symbols_type_at(es_symbols *symbols, Dwarf_Die *die, unsigned depth)
{
    return build(symbols, die, depth);
}

bool es_symbols_has_type(Dwarf_Die *die)
{
    Dwarf_Die origin = es_symbols_die_origin(die);
    return dwarf_hasattr(die, DW_AT_type) || dwarf_hasattr(&origin, DW_AT_type);
}

const es_type *es_symbols_type_of(es_symbols *symbols, Dwarf_Die *die)
{
    Dwarf_Die origin = es_symbols_die_origin(die), target;
    if (es_symbols_die_reference(die, DW_AT_type, &target) || es_symbols_die_reference(&origin, DW_AT_type, &target))
        return build(symbols, &target, 0);
    return &void_type;
}

void es_symbols_finish_types(es_symbols *symbols)
{
    for (size_t i = 0; i < symbols->pointees.count; i++) { /* grows while we are at it */
        symbols_pointee pointee = symbols->pointees.items[i];
        pointee.pointer->of = build(symbols, &pointee.target, 0);
        /* C has no pointers to scalars in the other order; of those in a struct that has GCC says so nevertheless */
        if (es_symbols_is_turned(symbols, pointee.pointer->of))
            pointee.pointer->of = es_symbols_turned(symbols, pointee.pointer->of);
    }
}

void es_symbols_note_enumeration(es_symbols *symbols, Dwarf_Die *die)
{
    build(symbols, die, 0);
}

static int by_name(const void *a, const void *b)
{
    const symbols_enumerator *x = a, *y = b;
    int order = strcmp(x->enumerator->name, y->enumerator->name);
    if (order)
        return order;
    if (x->library != y->library)
        return x->library ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

void es_symbols_sort_enumerators(es_symbols *symbols)
{
    SYMBOLS_SORT(&symbols->enumerators, by_name);
}
