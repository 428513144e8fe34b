#include "record/composite.h"

#include "record/value.h"

#define LINE_MAX_WIDTH 100
#define INDENT 4
#define ROW 16 /* bytes of memory in a line */

/* Walks over an object: nodes of its shape, and with them its fields and values. */
typedef struct walk {
    const es_schema *schema;
    const es_shape *node;
    const es_field *field;
    const es_value *value;
    bool utf8;
} walk;

static walk at_begin(const es_schema *schema, const es_schema_statement *statement, const es_composite *object,
                     const es_value *values, bool utf8)
{
    return (walk){schema, object->shape, &statement->fields[object->first], values, utf8};
}

static bool has_parts(const es_shape *node)
{
    return (node->kind == ES_SHAPE_STRUCT || node->kind == ES_SHAPE_ARRAY) && node->count;
}

/* --- text ----------------------------------------------------------------------------------------------- */

static void add_leaf(es_text_buffer *out, walk *w)
{
    es_value_text(out, w->schema, w->field++, w->value++, w->utf8);
}

static void add_bytes(es_text_buffer *out, walk *w, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        es_text_add(out, " ", i ? 1 : 0);
        add_leaf(out, w);
    }
}

/* The node at the walk and all in it, in one line. */
static void add_part(es_text_buffer *out, walk *w)
{
    const es_shape *node = w->node++;
    if (node->kind == ES_SHAPE_LEAF) {
        add_leaf(out, w);
        return;
    }
    if (node->kind == ES_SHAPE_BYTES) {
        add_bytes(out, w, node->count);
        return;
    }
    es_text_add(out, node->kind == ES_SHAPE_ARRAY ? "[" : "{", 1);
    for (uint32_t i = 0; i < node->count; i++) {
        es_text_add(out, ", ", i ? 2 : 0);
        if (w->node->name)
            es_text_format(out, "%s = ", w->node->name);
        add_part(out, w);
    }
    es_text_add(out, node->kind == ES_SHAPE_ARRAY ? "]" : "}", 1);
}

static void add_indented(es_text_buffer *out, const char *name, unsigned indent)
{
    es_text_format(out, "%*s", (int)indent, "");
    if (name)
        es_text_format(out, "%s = ", name);
}

/* In as many lines as it takes; `tail` ends the last one. */
static void add_lines(es_text_buffer *out, walk *w, const char *name, unsigned indent, const char *tail)
{
    const es_shape *node = w->node;
    walk ahead = *w;
    es_text_buffer line = {0};
    add_indented(&line, name, indent);
    add_part(&line, &ahead);
    if (line.length <= LINE_MAX_WIDTH || !has_parts(node)) {
        es_text_format(out, "%s%s\n", line.text, tail);
        *w = ahead;
    } else {
        bool array = node->kind == ES_SHAPE_ARRAY;
        add_indented(out, name, indent);
        es_text_format(out, "%s\n", array ? "[" : "{");
        w->node++;
        for (uint32_t i = 0; i < node->count; i++)
            add_lines(out, w, w->node->name, indent + INDENT, i + 1 < node->count ? "," : "");
        es_text_format(out, "%*s%s%s\n", (int)indent, "", array ? "]" : "}", tail);
    }
    es_text_free(&line);
}

void es_composite_text(es_text_buffer *out, const es_schema *schema, const es_schema_statement *statement,
                       const es_composite *object, const es_composite_state *state, const es_value *values, bool utf8)
{
    walk w = at_begin(schema, statement, object, values, utf8);
    if (!state->found) {
        const char *why = es_names_text(schema->names, state->why);
        es_text_format(out, "%*s%s = ? (%s)\n", INDENT, "", object->name, why ? why : "");
        return;
    }
    if (!object->range) {
        add_lines(out, &w, object->name, INDENT, "");
        return;
    }
    es_text_format(out, "%*s%s =%s", INDENT, "", object->name, object->count > ROW ? "\n" : " ");
    for (size_t at = 0; at < object->count; at += ROW) {
        if (object->count > ROW)
            es_text_format(out, "%*s%08x  ", 2 * INDENT, "", (unsigned)(state->address + at));
        add_bytes(out, &w, (uint32_t)(object->count - at < ROW ? object->count - at : ROW));
        es_text_add(out, "\n", 1);
    }
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

static void json_leaves(es_json *json, walk *w, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        es_value_json(json, w->schema, w->field++, w->value++);
}

static void json_part(es_json *json, walk *w);

/* Elements, or members with their names. Those of an anonymous struct are the struct's that it is in. */
static void json_parts(es_json *json, walk *w, const es_shape *node)
{
    for (uint32_t i = 0; i < node->count; i++) {
        const es_shape *inner = w->node;
        if (node->kind == ES_SHAPE_STRUCT && !inner->name && inner->kind == ES_SHAPE_STRUCT) {
            w->node++;
            json_parts(json, w, inner);
            continue;
        }
        if (node->kind == ES_SHAPE_STRUCT)
            es_json_key(json, inner->name ? inner->name : "");
        json_part(json, w);
    }
}

static void json_part(es_json *json, walk *w)
{
    const es_shape *node = w->node++;
    if (node->kind == ES_SHAPE_LEAF) {
        json_leaves(json, w, 1);
        return;
    }
    es_json_begin(json, node->kind == ES_SHAPE_STRUCT ? '{' : '[');
    if (node->kind == ES_SHAPE_BYTES)
        json_leaves(json, w, node->count);
    else
        json_parts(json, w, node);
    es_json_end(json, node->kind == ES_SHAPE_STRUCT ? '}' : ']');
}

void es_composite_json(es_json *json, const es_schema *schema, const es_schema_statement *statement,
                       const es_composite *object, const es_composite_state *state, const es_value *values)
{
    walk w = at_begin(schema, statement, object, values, false);
    if (state->found)
        json_part(json, &w);
    else
        es_json_null(json);
}
