/* Types whose bytes are in the other order than the program's: members of structs with scalar_storage_order. */
#include "symbols/internal.h"

#include <dwarf.h>

bool es_symbols_is_turned(const es_symbols *symbols, const es_type *type)
{
    while (type->kind == ES_TYPE_ARRAY && type->of)
        type = type->of;
    return type->kind != ES_TYPE_STRUCT && type->kind != ES_TYPE_OTHER && type->big_endian != symbols->big_endian;
}

const es_type *es_symbols_turned(es_symbols *symbols, const es_type *type)
{
    es_type *copy = es_arena_alloc(symbols->arena, sizeof *copy);
    *copy = *type;
    if (type->kind == ES_TYPE_ARRAY && type->of)
        copy->of = es_symbols_turned(symbols, type->of);
    else
        copy->big_endian = !type->big_endian;
    return copy;
}

bool es_symbols_is_of_enums(const es_type *type)
{
    while (type->kind == ES_TYPE_ARRAY && type->of)
        type = type->of;
    return type->kind == ES_TYPE_ENUM;
}

bool es_symbols_is_turned_struct(es_symbols *symbols, Dwarf_Die *die, unsigned depth)
{
    Dwarf_Die child, target;
    for (int more = dwarf_child(die, &child) == 0; more > 0; more = es_symbols_sibling(&child))
        if (dwarf_tag(&child) == DW_TAG_member && !es_symbols_die_flag(&child, DW_AT_external) &&
            es_symbols_die_reference(&child, DW_AT_type, &target) &&
            es_symbols_is_turned(symbols, es_symbols_type_at(symbols, &target, depth + 1)))
            return true;
    return false;
}
