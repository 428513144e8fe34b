/* Types that a unit only declares ("struct queue;") and another one defines.
 *
 * A unit's DWARF has no more of such a type than its name. What the name means is the same in all units, as far as the
 * program keeps its language's rules; where units define types of one name that differ (C allows it, of types that are
 * each unit's own), nothing tells which one is meant, and the type stays incomplete. */
#include "symbols/internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

static bool is_type(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
           tag == DW_TAG_enumeration_type;
}

static void walk(es_symbols *symbols, Dwarf_Die *parent, const char *scope, unsigned depth)
{
    Dwarf_Die die;
    for (int more = depth > SYMBOLS_MAX_DEPTH ? 0 : dwarf_child(parent, &die) == 0; more > 0;
         more = es_symbols_sibling(&die)) {
        int tag = dwarf_tag(&die);
        Dwarf_Attribute attribute;
        const char *name = dwarf_attr(&die, DW_AT_name, &attribute) ? dwarf_formstring(&attribute) : NULL;
        if (tag != DW_TAG_namespace && !is_type(tag))
            continue;
        if (!name && tag != DW_TAG_namespace)
            continue; /* a type without a name cannot be declared */
        /* what an anonymous namespace holds is this unit's own */
        const char *whole = !name    ? es_arena_format(symbols->arena, "%s{%p}::", scope, (void *)die.cu)
                            : *scope ? es_arena_format(symbols->arena, "%s%s", scope, name)
                                     : name;
        if (is_type(tag))
            SYMBOLS_PUSH(symbols, &symbols->named_types,
                         (symbols_named_type){whole, die, es_symbols_die_flag(&die, DW_AT_declaration),
                                              es_symbols_die_in_library(symbols, &die)});
        if (tag != DW_TAG_enumeration_type && dwarf_haschildren(&die) > 0)
            walk(symbols, &die, name ? es_arena_format(symbols->arena, "%s::", whole) : whole, depth + 1);
    }
}

static int by_name(const void *a, const void *b)
{
    const symbols_named_type *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    if (order)
        return order;
    if (x->declared != y->declared)
        return x->declared ? 1 : -1;
    if (x->library != y->library)
        return x->library ? 1 : -1;
    return (x->die.addr > y->die.addr) - (x->die.addr < y->die.addr);
}

static const char *name_of(const void *item)
{
    return ((const symbols_named_type *)item)->name;
}

static void find_all(es_symbols *symbols)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    uint8_t type;
    while (dwarf_get_units(symbols->dwarf, cu, &cu, NULL, &type, &unit, NULL) == 0)
        if (type == DW_UT_compile || type == DW_UT_type || type == DW_UT_partial)
            walk(symbols, &unit, "", 0);
    SYMBOLS_SORT(&symbols->named_types, by_name);
    symbols->types_named = true;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether two definitions make the same of memory. */
static bool same_layout(const es_type *a, const es_type *b)
{
    if (a->kind != b->kind || a->size != b->size || a->member_count != b->member_count ||
        a->enumerator_count != b->enumerator_count)
        return false;
    for (size_t i = 0; i < a->member_count; i++) {
        const es_member *x = &a->members[i], *y = &b->members[i];
        if (!same_text(x->name, y->name) || x->offset != y->offset || x->bit_offset != y->bit_offset ||
            x->bit_size != y->bit_size || x->type->size != y->type->size || x->type->kind != y->type->kind ||
            x->type->big_endian != y->type->big_endian || !same_text(x->type->name, y->type->name))
            return false;
    }
    for (size_t i = 0; i < a->enumerator_count; i++)
        if (a->enumerators[i].value != b->enumerators[i].value ||
            !same_text(a->enumerators[i].name, b->enumerators[i].name))
            return false;
    return true;
}

static bool may_define(const Dwarf_Die *declared, const Dwarf_Die *definition)
{
    Dwarf_Die a = *declared, b = *definition;
    bool a_other = dwarf_tag(&a) == DW_TAG_union_type || dwarf_tag(&a) == DW_TAG_enumeration_type;
    bool b_other = dwarf_tag(&b) == DW_TAG_union_type || dwarf_tag(&b) == DW_TAG_enumeration_type;
    return a_other || b_other ? dwarf_tag(&a) == dwarf_tag(&b) : true; /* a class may be declared as struct */
}

static const char *place_of(es_symbols *symbols, Dwarf_Die *die)
{
    unsigned line;
    const char *file = es_symbols_die_file(symbols, die, &line);
    return file ? es_arena_format(symbols->arena, "%s:%u", file, line) : "an unknown place";
}

bool es_symbols_complete_type(es_symbols *symbols, Dwarf_Die *die, unsigned depth, Dwarf_Die *definition,
                              const char **why)
{
    const char *name = NULL;
    *why = NULL;
    if (es_symbols_die_reference(die, DW_AT_signature, definition)) /* -fdebug-types-section */
        return true;
    if (!es_symbols_die_flag(die, DW_AT_declaration))
        return false;
    if (!symbols->types_named)
        find_all(symbols);
    for (size_t i = 0; i < symbols->named_types.count && !name; i++)
        if (symbols->named_types.items[i].die.addr == die->addr)
            name = symbols->named_types.items[i].name;
    if (!name)
        return false;
    const symbols_named_type *found = NULL;
    for (size_t i = SYMBOLS_FIRST_NAMED(&symbols->named_types, name_of, name); i < symbols->named_types.count; i++) {
        symbols_named_type *other = &symbols->named_types.items[i];
        if (strcmp(other->name, name) != 0 || other->declared || (found && other->library && !found->library))
            break;
        if (!may_define(die, &other->die))
            continue;
        Dwarf_Die one = found ? found->die : other->die, another = other->die;
        if (found &&
            !same_layout(es_symbols_type_at(symbols, &one, depth), es_symbols_type_at(symbols, &another, depth))) {
            *why = es_arena_format(symbols->arena,
                                   "is only declared where this is, and defined in %s and otherwise in "
                                   "%s: rename one of the two in the program",
                                   place_of(symbols, &one), place_of(symbols, &another));
            return false;
        }
        found = found ? found : other;
    }
    if (found)
        *definition = found->die;
    else
        *why = "is only declared in what was compiled with -g: compile the file that defines it with -g, too";
    return found;
}
