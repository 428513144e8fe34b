#include "store/field_types.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "store/layout.h"
#include "store/tsdl.h"

static bool has_name(const es_members *members, const char *name, size_t length)
{
    for (const char *at = members->names.text; at && *at; at = strchr(at, ' ') + 1)
        if (strncmp(at, name, length) == 0 && at[length] == ' ')
            return true;
    return false;
}

void es_members_add(es_members *members, es_text_buffer *out, const char *text)
{
    es_text_buffer name = {0};
    es_tsdl_name(&name, text);
    size_t length = name.length;
    for (unsigned i = 2; has_name(members, name.text, name.length); i++) {
        name.length = length;
        es_text_format(&name, "_%u", i);
    }
    es_text_format(&members->names, "%s ", name.text);
    es_text_add(out, name.text, name.length);
    es_text_free(&name);
}

void es_members_free(es_members *members)
{
    es_text_free(&members->names);
}

/* A label's value as the field's container has it. */
static int64_t widened(const es_slot *slot, int64_t value)
{
    uint64_t bits = (uint64_t)value << slot->shift;
    return slot->is_signed ? (int64_t)bits >> slot->shift : (int64_t)(bits >> slot->shift);
}

static void add_labels(es_text_buffer *out, const es_field *field, const es_slot *slot)
{
    for (size_t i = 0; i < field->label_count; i++) {
        es_text_format(out, i ? ", " : " ");
        es_tsdl_quoted(out, field->labels[i].name, strlen(field->labels[i].name));
        int64_t value = widened(slot, field->labels[i].value);
        if (slot->is_signed)
            es_text_format(out, " = %" PRId64, value);
        else
            es_text_format(out, " = %" PRIu64, (uint64_t)value);
    }
}

static void add_scalar(es_text_buffer *out, const es_field *field)
{
    es_slot slot = es_slot_of(field);
    const char *sign = slot.is_signed ? "" : "u";
    unsigned bits = slot.bytes * 8u;
    switch (field->kind) {
    case ES_FIELD_BOOL: es_text_format(out, "enum : uint%u_t { \"false\" = 0, \"true\" = 1 }", bits); return;
    case ES_FIELD_FLOAT:
        if (field->bits != 32 && field->bits != 64)
            break;
        es_text_format(out, field->bits == 64 ? "double" : "float");
        return;
    case ES_FIELD_POINTER:
        es_text_format(
            out, "struct { integer { size = %u; align = 8; signed = false; base = 16; } _address; name _at; }", bits);
        return;
    case ES_FIELD_BYTE: es_text_format(out, "hex8"); return;
    case ES_FIELD_TEXT: es_text_format(out, "string"); return;
    case ES_FIELD_ENUM:
        if (!field->label_count)
            break;
        es_text_format(out, "enum : %sint%u_t {", sign, bits);
        add_labels(out, field, &slot);
        es_text_format(out, " }");
        return;
    default: break;
    }
    es_text_format(out, "%sint%u_t", sign, bits);
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

/* A place in an object: a node of its shape, and the next field. */
typedef struct place {
    const es_shape *shape;
    const es_field *field;
} place;

static place after(place p)
{
    const es_shape *shape = p.shape++;
    if (shape->kind == ES_SHAPE_LEAF)
        p.field++;
    else if (shape->kind == ES_SHAPE_BYTES)
        p.field += shape->count;
    else
        for (uint32_t i = 0; i < shape->count; i++)
            p = after(p);
    return p;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_field(const es_field *a, const es_field *b)
{
    return a->kind == b->kind && a->bits == b->bits && a->is_signed == b->is_signed && a->labels == b->labels &&
           a->label_count == b->label_count;
}

/* Whether two parts of an object have one type. */
static bool is_same(place a, place b)
{
    place end = after(a);
    for (; a.shape < end.shape; a.shape++, b.shape++) {
        if (a.shape->kind != b.shape->kind || a.shape->count != b.shape->count ||
            !same_text(a.shape->name, b.shape->name))
            return false;
        if (a.shape->kind == ES_SHAPE_LEAF && !same_field(a.field, b.field))
            return false;
        size_t fields = a.shape->kind == ES_SHAPE_LEAF ? 1 : a.shape->kind == ES_SHAPE_BYTES ? a.shape->count : 0;
        a.field += fields;
        b.field += fields;
    }
    return true;
}

static bool is_uniform(place first, uint32_t count)
{
    place p = first;
    for (uint32_t i = 1; i < count; i++) {
        p = after(p);
        if (!is_same(first, p))
            return false;
    }
    return count > 0;
}

static place add_part(es_text_buffer *out, es_text_buffer *dimensions, place p);

static place add_parts(es_text_buffer *out, place p, uint32_t count)
{
    es_members members = {0};
    es_text_format(out, "struct { ");
    for (uint32_t i = 0; i < count; i++) {
        es_text_buffer dimensions = {0};
        char number[16];
        snprintf(number, sizeof number, "%u", (unsigned)i);
        const char *name = p.shape->name ? p.shape->name : number;
        p = add_part(out, &dimensions, p);
        es_text_add(out, " ", 1);
        es_members_add(&members, out, name);
        es_text_format(out, "%s; ", dimensions.length ? dimensions.text : "");
        es_text_free(&dimensions);
    }
    es_text_add(out, "}", 1);
    es_members_free(&members);
    return p;
}

/* A type; what stands after the name of what has it goes to `dimensions`. */
static place add_part(es_text_buffer *out, es_text_buffer *dimensions, place p)
{
    const es_shape *shape = p.shape;
    place first = {shape + 1, p.field};
    switch (shape->kind) {
    case ES_SHAPE_LEAF: add_scalar(out, p.field); return after(p);
    case ES_SHAPE_BYTES:
        es_text_format(out, "hex8");
        es_text_format(dimensions, "[%u]", (unsigned)shape->count);
        return after(p);
    case ES_SHAPE_ARRAY:
        if (!is_uniform(first, shape->count))
            break;
        es_text_format(dimensions, "[%u]", (unsigned)shape->count);
        add_part(out, dimensions, first);
        return after(p);
    default: break;
    }
    return add_parts(out, first, shape->count);
}

static void add_object(es_text_buffer *out, es_members *members, const es_schema_statement *statement,
                       const es_composite *object)
{
    es_text_buffer dimensions = {0};
    es_text_format(out, "            struct { truth _found; name _why; hex32 _address; ");
    if (object->shape_count) {
        add_part(out, &dimensions, (place){object->shape, statement->fields + object->first});
        es_text_format(out, " _value%s; ", dimensions.length ? dimensions.text : "");
    }
    es_text_format(out, "} ");
    es_members_add(members, out, object->name);
    es_text_format(out, ";\n");
    es_text_free(&dimensions);
}

void es_field_types(es_text_buffer *out, const es_schema_statement *statement)
{
    es_members members = {0};
    es_text_format(out, "        struct {\n");
    for (size_t i = 0; i < statement->value_count; i++) {
        const es_field *field = &statement->fields[i];
        es_text_buffer name = {0};
        es_text_format(&name, field->kind == ES_FIELD_LENGTH ? "%s_clocks" : "%s", field->name);
        es_text_format(out, "            ");
        add_scalar(out, field);
        es_text_add(out, " ", 1);
        es_members_add(&members, out, name.text);
        es_text_format(out, ";\n");
        es_text_free(&name);
    }
    for (size_t i = 0; i < statement->object_count; i++)
        add_object(out, &members, statement, &statement->objects[i]);
    es_text_format(out, "        } _values;\n");
    es_members_free(&members);
}
