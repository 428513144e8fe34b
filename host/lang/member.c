/* Members of structs and classes by their names. */
#include <string.h>

#include "lang/place.h"

bool es_find_member(const es_type *type, const char *name, es_place *p)
{
    for (size_t i = 0; i < type->member_count; i++) {
        const es_member *member = &type->members[i];
        es_place inside = *p;
        inside.type = member->type;
        inside.at.address += member->offset;
        inside.at.bit_offset = member->bit_offset;
        inside.at.bit_size = member->bit_size;
        bool found = member->name ? strcmp(member->name, name) == 0
                                  : member->type && member->type->kind == ES_TYPE_STRUCT &&
                                        es_find_member(member->type, name, &inside);
        if (found) {
            *p = inside;
            return true;
        }
    }
    return false;
}

const es_variable *es_find_self(const es_parser *parser, const es_procedure *procedure, const char *name)
{
    const es_variable *found;
    es_place ignored = {0};
    if (es_symbols_find(parser->symbols, procedure, name, &found, 1) > 0 ||
        es_symbols_find(parser->symbols, procedure, "this", &found, 1) != 1)
        return NULL;
    const es_type *pointer = found->type;
    bool member =
        pointer && pointer->kind == ES_TYPE_POINTER && pointer->of && es_find_member(pointer->of, name, &ignored);
    return member ? found : NULL;
}

bool es_names_local(const es_parser *parser, const es_procedure *procedure, const char *name)
{
    const es_variable *variable;
    return es_symbols_find(parser->symbols, procedure, name, &variable, 1) > 0 || es_find_self(parser, procedure, name);
}
