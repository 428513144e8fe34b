/* Types by the names that C and C++ have for them. */
#include <stdlib.h>
#include <string.h>

#include "base/cxx_name.h"
#include "symbols/internal.h"

static bool has_tag(const char *name)
{
    static const char *const words[] = {"struct ", "union ", "class ", "enum "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(name, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

static bool is_scalar(const es_type *type)
{
    return type->kind != ES_TYPE_STRUCT && type->kind != ES_TYPE_ARRAY && type->kind != ES_TYPE_OTHER;
}

/* As far as a statement can see. */
static bool same_layout(const es_type *a, const es_type *b)
{
    bool same = a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed && a->count == b->count &&
                a->member_count == b->member_count;
    for (size_t i = 0; i < a->member_count && same; i++) {
        const es_member *x = &a->members[i], *y = &b->members[i];
        same = !x->name == !y->name && (!x->name || strcmp(x->name, y->name) == 0) && x->offset == y->offset &&
               x->bit_offset == y->bit_offset && x->bit_size == y->bit_size && x->type->size == y->type->size &&
               x->type->kind == y->type->kind && x->type->big_endian == y->type->big_endian;
    }
    return same;
}

const es_type *es_symbols_type(const es_symbols *symbols, const char *name, bool *ambiguous)
{
    es_text_buffer wanted = {0}, has = {0};
    es_cxx_normal(&wanted, name, strlen(name));
    const char *last = es_cxx_last(wanted.text);
    bool tag = has_tag(name), found_typedef = false;
    const es_type *found = NULL;
    *ambiguous = false;
    for (size_t i = 0; i < symbols->type_room; i++) {
        const es_type *type = symbols->types[i].die ? symbols->types[i].type : NULL;
        if (!type || !type->name || type->size == 0 || type->kind == ES_TYPE_POINTER || type->kind == ES_TYPE_ARRAY)
            continue;
        if (is_scalar(type) && type->big_endian != symbols->big_endian)
            continue; /* only members of structs are so */
        bool tagged = has_tag(type->name);
        if ((tag && !tagged) || (found_typedef && tagged))
            continue;
        es_text_clear(&has);
        es_cxx_normal(&has, type->name, strlen(type->name));
        if (strcmp(has.text, last) != 0)
            continue;
        bool first = !found || (!tagged && !found_typedef); /* a typedef before a tag of its name */
        *ambiguous = first ? false : *ambiguous || !same_layout(found, type);
        if (first)
            found = type;
        found_typedef |= !tagged;
    }
    es_text_free(&wanted);
    es_text_free(&has);
    return found;
}
