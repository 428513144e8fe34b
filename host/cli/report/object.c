#include "cli/report/object.h"

#include <stdlib.h>
#include <string.h>

#include "cli/report/value.h"

#define LINE_MAX_WIDTH 100
#define INDENT 4
#define DEPTH_MAX 32 /* of types within each other */
#define ROW 16       /* bytes of memory in a line */

/* A scalar, a struct or an array within the bytes. */
typedef struct part {
    const es_type *type;
    uint32_t at; /* of its first byte, or of its bit-field's unit */
    uint8_t bit_offset, bit_size;
} part;

static bool is_known(const es_image_bytes *bytes, const part *p)
{
    uint32_t first = p->at, last = p->at + p->type->size;
    if (p->bit_size) {
        last = p->at + (p->bit_offset + p->bit_size + 7u) / 8;
        first += p->bit_offset / 8u;
    }
    for (uint32_t i = first; i < last; i++)
        if (i >= sizeof bytes->known || !bytes->known[i])
            return false;
    return true;
}

static uint64_t value_of(const es_image_bytes *bytes, const part *p)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < p->type->size && i < 8; i++)
        value |= (uint64_t)bytes->bytes[p->at + i] << 8 * i;
    return p->bit_size ? value >> p->bit_offset : value;
}

static bool is_scalar(const es_type *type)
{
    return type->kind != ES_TYPE_STRUCT && type->kind != ES_TYPE_ARRAY && type->kind != ES_TYPE_OTHER &&
           type->size <= 8;
}

static size_t parts_of(const es_type *type)
{
    return type->kind == ES_TYPE_STRUCT ? type->member_count : type->kind == ES_TYPE_ARRAY ? type->count : 0;
}

static part part_at(const part *whole, size_t n, const char **name)
{
    if (whole->type->kind == ES_TYPE_ARRAY) {
        *name = NULL;
        return (part){.type = whole->type->of, .at = whole->at + (uint32_t)n * whole->type->of->size};
    }
    const es_member *member = &whole->type->members[n];
    *name = member->name;
    return (part){member->type, whole->at + member->offset, member->bit_offset, member->bit_size};
}

/* All of a snapshot, which may be a single bit-field. */
static part all_of(const es_snapshot *snapshot)
{
    return (part){snapshot->place.type, 0, snapshot->place.bit_offset, snapshot->place.bit_size};
}

/* --- text ----------------------------------------------------------------------------------------------- */

static void add_bytes(es_text_buffer *out, const es_image_bytes *bytes, uint32_t from, uint32_t count)
{
    for (uint32_t i = from; i < from + count; i++) {
        if (i > from)
            es_text_add(out, " ", 1);
        if (bytes->known[i])
            es_text_format(out, "%02x", bytes->bytes[i]);
        else
            es_text_add(out, "??", 2);
    }
}

/* All in one line. */
static void add_part(es_text_buffer *out, const es_symbols *symbols, const es_image_bytes *bytes, const part *p,
                     unsigned depth)
{
    bool array = p->type->kind == ES_TYPE_ARRAY;
    if (is_scalar(p->type)) {
        if (is_known(bytes, p))
            es_scalar_text(out, symbols, p->type, p->bit_size, value_of(bytes, p));
        else
            es_text_add(out, "?", 1);
        return;
    }
    if (p->type->kind == ES_TYPE_OTHER || (array && !p->type->of) || depth > DEPTH_MAX || parts_of(p->type) == 0) {
        add_bytes(out, bytes, p->at, p->type->size);
        return;
    }
    es_text_add(out, array ? "[" : "{", 1);
    for (size_t i = 0; i < parts_of(p->type); i++) {
        const char *name;
        part inner = part_at(p, i, &name);
        if (i)
            es_text_add(out, ", ", 2);
        if (name)
            es_text_format(out, "%s = ", name);
        add_part(out, symbols, bytes, &inner, depth + 1);
    }
    es_text_add(out, array ? "]" : "}", 1);
}

/* In as many lines as it takes; `tail` ends the last one. */
static void add_lines(es_text_buffer *out, const es_symbols *symbols, const es_image_bytes *bytes, const part *p,
                      const char *name, unsigned indent, const char *tail)
{
    bool array = p->type->kind == ES_TYPE_ARRAY;
    es_text_buffer line = {0};
    es_text_format(&line, "%*s", (int)indent, "");
    if (name)
        es_text_format(&line, "%s = ", name);
    add_part(&line, symbols, bytes, p, 0);
    if (line.length <= LINE_MAX_WIDTH || parts_of(p->type) == 0 || indent > INDENT * DEPTH_MAX) {
        es_text_format(out, "%s%s\n", line.text, tail);
        es_text_free(&line);
        return;
    }
    es_text_free(&line);
    es_text_format(out, "%*s", (int)indent, "");
    if (name)
        es_text_format(out, "%s = ", name);
    es_text_format(out, "%s\n", array ? "[" : "{");
    for (size_t i = 0; i < parts_of(p->type); i++) {
        part inner = part_at(p, i, &name);
        add_lines(out, symbols, bytes, &inner, name, indent + INDENT, i + 1 < parts_of(p->type) ? "," : "");
    }
    es_text_format(out, "%*s%s%s\n", (int)indent, "", array ? "]" : "}", tail);
}

void es_object_text(es_text_buffer *out, const es_symbols *symbols, const es_snapshot *snapshot,
                    const es_image_bytes *bytes)
{
    if (!bytes->found) {
        es_text_format(out, "%*s%s = ? (%s)\n", INDENT, "", snapshot->name, bytes->why);
        return;
    }
    if (snapshot->place.type) {
        part whole = all_of(snapshot);
        add_lines(out, symbols, bytes, &whole, snapshot->name, INDENT, "");
        return;
    }
    es_text_format(out, "%*s%s =%s", INDENT, "", snapshot->name, snapshot->bytes > ROW ? "\n" : " ");
    for (uint32_t at = 0; at < snapshot->bytes; at += ROW) {
        if (snapshot->bytes > ROW)
            es_text_format(out, "%*s%08x  ", 2 * INDENT, "", (unsigned)(bytes->address + at));
        add_bytes(out, bytes, at, snapshot->bytes - at < ROW ? snapshot->bytes - at : ROW);
        es_text_add(out, "\n", 1);
    }
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

static void json_bytes(es_json *json, const es_image_bytes *bytes, uint32_t from, uint32_t count)
{
    es_json_begin(json, '[');
    for (uint32_t i = from; i < from + count; i++) {
        if (bytes->known[i])
            es_json_uint(json, bytes->bytes[i]);
        else
            es_json_null(json);
    }
    es_json_end(json, ']');
}

static void json_part(es_json *json, const es_image_bytes *bytes, const part *p, unsigned depth);

/* Elements, or members with their names. Those of an anonymous struct are the struct's that it is in. */
static void json_parts(es_json *json, const es_image_bytes *bytes, const part *p, unsigned depth)
{
    for (size_t i = 0; i < parts_of(p->type); i++) {
        const char *name;
        part inner = part_at(p, i, &name);
        if (p->type->kind == ES_TYPE_STRUCT) {
            if (!name && inner.type->kind == ES_TYPE_STRUCT && depth <= DEPTH_MAX) {
                json_parts(json, bytes, &inner, depth + 1);
                continue;
            }
            es_json_key(json, name ? name : "");
        }
        json_part(json, bytes, &inner, depth + 1);
    }
}

static void json_part(es_json *json, const es_image_bytes *bytes, const part *p, unsigned depth)
{
    bool array = p->type->kind == ES_TYPE_ARRAY;
    if (is_scalar(p->type)) {
        if (is_known(bytes, p))
            es_scalar_json(json, p->type, p->bit_size, value_of(bytes, p));
        else
            es_json_null(json);
        return;
    }
    if (p->type->kind == ES_TYPE_OTHER || (array && !p->type->of) || depth > DEPTH_MAX) {
        json_bytes(json, bytes, p->at, p->type->size);
        return;
    }
    es_json_begin(json, array ? '[' : '{');
    json_parts(json, bytes, p, depth);
    es_json_end(json, array ? ']' : '}');
}

void es_object_json(es_json *json, const es_snapshot *snapshot, const es_image_bytes *bytes)
{
    part whole = all_of(snapshot);
    if (!bytes->found)
        es_json_null(json);
    else if (snapshot->place.type)
        json_part(json, bytes, &whole, 0);
    else
        json_bytes(json, bytes, 0, snapshot->bytes);
}
