/* Scalars: what of a variable's parts can be watched, and the list of those that a statement names. */
#include "lang/place.h"

#include <string.h>

const char *es_type_text(const es_type *type)
{
    return type->name                     ? type->name
           : type->kind == ES_TYPE_STRUCT ? "struct"
           : type->kind == ES_TYPE_ARRAY  ? "array"
                                          : "?";
}

/* A bit-field's storage: the smallest aligned 1, 2, 4 or 8 bytes that hold it, because that is what compilers write. */
static bool narrow_bit_field(es_reference *at)
{
    uint32_t begin = es_type_first_bit(at->type, at->type->size, at->bit_offset, at->bit_size);
    uint32_t first = at->address + begin / 8u, bit = begin % 8u;
    for (uint32_t bytes = 1; bytes <= 8; bytes *= 2) {
        uint32_t align = bytes < 8 ? bytes : 4, offset = (first & (align - 1)) * 8u + bit;
        if (offset + at->bit_size <= bytes * 8u) {
            at->address = first & ~(align - 1);
            at->bit_offset = (uint8_t)es_type_first_bit(at->type, bytes, offset, at->bit_size);
            at->size = (uint8_t)bytes;
            return true;
        }
    }
    return false;
}

bool es_place_scalar(es_parser *parser, es_span from, const char *text, es_place *p)
{
    const es_type *type = p->type;
    switch (type->kind) {
    case ES_TYPE_STRUCT: {
        const char *member = type->member_count && type->members[0].name ? type->members[0].name : "member";
        const char *hint =
            *text == '*' ? "name a member: p->x" : es_arena_format(parser->arena, "name a member: %s.%s", text, member);
        return es_parser_fail_from(parser, from, hint, "%s is a whole %s; a reference is one number", text,
                                   es_type_text(type));
    }
    case ES_TYPE_ARRAY:
        return es_parser_fail_from(parser, from, es_arena_format(parser->arena, "name an element: %s[0]", text),
                                   "%s is a whole array; a reference is one number", text);
    case ES_TYPE_OTHER:
        return es_parser_fail_from(parser, from, NULL, "%s is of type %s, which cannot be watched", text,
                                   es_type_text(type));
    default: break;
    }
    p->at.type = type;
    if (type->big_endian != es_symbols_big_endian(parser->symbols) && !p->at.via && p->variable && p->variable->shadow)
        return es_parser_fail_from(parser, from, "watch it where memory has it, without --replay, or compile with -O0",
                                   "%s has its bytes in another order than the program's registers, and is not in "
                                   "memory",
                                   text);
    if (p->at.bit_size)
        return narrow_bit_field(&p->at) ||
               es_parser_fail_from(parser, from, "keep bit-fields inside 64 bits", "bit-field %s is too wide", text);
    if (type->size != 1 && type->size != 2 && type->size != 4 && type->size != 8)
        return es_parser_fail_from(parser, from, NULL,
                                   "%s is %s %s of %u bytes; values of 1, 2, 4 and 8 bytes can be watched", text,
                                   es_article(es_type_text(type)), es_type_text(type), (unsigned)type->size);
    p->at.size = (uint8_t)type->size;
    return true;
}

static bool same_reference(const es_reference *a, const es_reference *b)
{
    if (strcmp(a->text, b->text) == 0)
        return true;
    return a->frame == b->frame && a->address == b->address && a->size == b->size && a->bit_offset == b->bit_offset &&
           a->bit_size == b->bit_size && a->type == b->type && a->via == b->via && a->base == b->base &&
           !a->subscript_count && !b->subscript_count && !a->path == !b->path &&
           (!a->path || (es_path_continues(a->path, b->path) && es_path_continues(b->path, a->path)));
}

size_t es_place_add(es_parser *parser, es_span from, const es_place *p)
{
    es_statement *statement = parser->statement;
    size_t count = statement->reference_count;
    for (size_t i = 0; i < count; i++)
        if (same_reference(&statement->references[i], &p->at))
            return i;
    statement->references = es_arena_grow(parser->arena, statement->references, count, sizeof *statement->references);
    parser->spots = es_arena_grow(parser->arena, count ? parser->spots : NULL, count, sizeof *parser->spots);
    statement->references[count] = p->at;
    parser->spots[count] = (struct es_spot){from.source, (size_t)(parser->previous_end - from.start), p->feature_text};
    return statement->reference_count++;
}
