/* The way from a variable to a part of it, or to what it points to: members, elements, pointers. */
#include <string.h>

#include "lang/parser.h"
#include "lang/place.h"

const char *es_place_written(es_parser *parser, es_span from, const es_place *p)
{
    const char *text = es_text_since(parser, from.start);
    return p->prefix ? es_arena_format(parser->arena, "%s%s", p->prefix, text) : text;
}

static const char *list_members(es_parser *parser, const es_type *type)
{
    const char *list = NULL;
    for (size_t i = 0; i < type->member_count && i < 12; i++)
        if (type->members[i].name)
            list = list ? es_arena_format(parser->arena, "%s, %s", list, type->members[i].name)
                        : es_arena_format(parser->arena, "it has %s", type->members[i].name);
    return list && type->member_count > 12 ? es_arena_format(parser->arena, "%s, ...", list) : list;
}

bool es_place_follow(es_parser *parser, es_span from, const char *text, es_place *p)
{
    const es_type *of = p->type->of;
    if (p->range_count)
        return es_parser_fail_from(parser, from, "name one of them: p[3]->x",
                                   "%s is a range of pointers: what several point to is not one place", text);
    if (!of || of->kind == ES_TYPE_OTHER)
        return es_parser_fail_from(parser, from, NULL, "%s points to %s, which cannot be watched", text,
                                   of ? es_type_text(of) : "void");
    if (++p->followed > ES_PLACE_FOLLOWED || parser->statement->reference_count >= 1000)
        return es_parser_fail_from(parser, from, NULL, "this follows more than %d pointers", ES_PLACE_FOLLOWED);
    p->at.text = text;
    if (!es_place_scalar(parser, from, text, p))
        return false;
    size_t base = es_place_add(parser, from, p);
    p->at = (es_reference){.via = true, .base = base, .path = NULL};
    p->type = of;
    return true;
}

bool es_place_refer(es_parser *parser, es_span from, es_place *p)
{
    while (p->type && p->type->kind == ES_TYPE_POINTER && p->type->is_reference)
        if (!es_place_follow(parser, from, es_arena_format(parser->arena, "&%s", es_place_written(parser, from, p)), p))
            return false;
    return true;
}

bool es_place_member(es_parser *parser, es_span from, es_place *p)
{
    const char *whole = es_place_written(parser, from, p);
    bool arrow = es_parser_at_sign(parser, ES_SIGN_ARROW);
    if (arrow && p->type->kind != ES_TYPE_POINTER)
        return es_parser_fail(parser, p->type->kind == ES_TYPE_STRUCT ? "write . instead of ->" : NULL,
                              "%s is no pointer but %s", whole, es_type_text(p->type));
    if (arrow && !es_place_follow(parser, from, whole, p))
        return false;
    if (p->type->kind == ES_TYPE_POINTER)
        return es_parser_fail(parser, arrow ? "what it points to is p[0]: write p[0]->x" : "write -> instead of .",
                              "%s is a pointer%s", whole, arrow ? " to a pointer" : "");
    if (p->type->kind != ES_TYPE_STRUCT)
        return es_parser_fail(parser, NULL, "%s is no struct but %s", whole, es_type_text(p->type));
    if (p->type->incomplete)
        return es_parser_fail_from(parser, from, NULL, "%s %s", es_type_text(p->type), p->type->incomplete);
    es_parser_take(parser);
    if (parser->token.kind != ES_TOKEN_NAME)
        return es_parser_fail(parser, list_members(parser, p->type), "expected the name of a member");
    const char *name = es_parser_token_text(parser);
    if (!es_find_member(p->type, name, p))
        return es_parser_fail(parser, list_members(parser, p->type), "%s has no member '%s'", es_type_text(p->type),
                              name);
    es_parser_take(parser);
    return true;
}

/* Adds an index that is no constant. */
static bool add_subscript(es_parser *parser, es_place *p, es_node *index, uint32_t stride, uint32_t count)
{
    if (index->pointer || index->expr.type == ES_VALUE_FLOAT || index->expr.type == ES_VALUE_DOUBLE ||
        index->expr.type == ES_VALUE_TIME)
        return es_parser_fail_node(parser, index, NULL, "an index is a whole number");
    index = es_node_convert(parser, index, ES_VALUE_32, true);
    es_subscript *all = es_arena_alloc(parser->arena, (p->at.subscript_count + 1) * sizeof *all);
    if (p->at.subscript_count)
        memcpy(all, p->at.subscripts, p->at.subscript_count * sizeof *all);
    all[p->at.subscript_count++] = (es_subscript){&index->expr, stride, count};
    p->at.subscripts = all;
    return true;
}

static bool check_index(es_parser *parser, const es_node *index, const es_type *array, const char *whole)
{
    bool wide = index->expr.type == ES_VALUE_64;
    int64_t value = wide                    ? (int64_t)index->expr.constant.wide
                    : index->expr.is_signed ? (int32_t)index->expr.value
                                            : (int64_t)index->expr.value;
    if (index->expr.type != ES_VALUE_32 && !wide)
        return es_parser_fail_node(parser, index, NULL, "an index is a whole number");
    if (value < 0 || value >= (int64_t)array->count)
        return es_parser_fail_node(parser, index, NULL, "index %lld is outside of %s, which has elements 0 to %u",
                                   (long long)value, whole, (unsigned)array->count - 1);
    return true;
}

/* After the first index of a range of elements. */
static bool parse_range(es_parser *parser, es_place *p, const es_node *first, const es_type *array, const char *whole)
{
    bool pointer = array->kind == ES_TYPE_POINTER;
    es_span sign = es_parser_here(parser);
    es_parser_take(parser);
    es_node *last = es_parse_expression(parser);
    if (!last)
        return false;
    if (!parser->ranges)
        return es_parser_fail_from(parser, sign, "write(buf[0..63])",
                                   "a range of elements can stand in write() and read() only");
    const es_node *const ends[] = {first, last};
    for (size_t i = 0; i < 2; i++) {
        if (ends[i]->expr.kind != ES_EXPR_CONST || ends[i]->expr.type != ES_VALUE_32)
            return es_parser_fail_node(parser, ends[i], "buf[0..63]", "the ends of a range are constants");
        if (!pointer && !check_index(parser, ends[i], array, whole))
            return false;
    }
    int32_t from = (int32_t)first->expr.value, to = (int32_t)last->expr.value;
    if (to < from || to - (int64_t)from > INT32_MAX / 16)
        return es_parser_fail_from(parser, sign, "buf[0..63]", "a range of elements goes upwards");
    if (p->range_count == ES_PLACE_RANGES)
        return es_parser_fail_from(parser, sign, NULL, "this has more than %d ranges", ES_PLACE_RANGES);
    p->ranges[p->range_count++] = (es_place_range){(uint32_t)from, (uint32_t)(to - from) + 1, array->of->size};
    return true;
}

bool es_place_element(es_parser *parser, es_span from, es_place *p)
{
    const char *whole = es_place_written(parser, from, p);
    bool pointer = p->type->kind == ES_TYPE_POINTER;
    if (!pointer && p->type->kind != ES_TYPE_ARRAY)
        return es_parser_fail(parser, NULL, "%s is no array but %s", whole, es_type_text(p->type));
    const es_type *array = p->type;
    if (pointer ? !es_place_follow(parser, from, whole, p) : !array->of)
        return pointer ? false : es_parser_fail(parser, NULL, "the type of %s is not known", whole);
    if (!es_parser_nest(parser))
        return false;
    unsigned choices = parser->choices;
    parser->choices = 0;
    es_parser_take(parser);
    es_node *index = es_parse_expression(parser);
    parser->choices = choices;
    parser->nesting--;
    if (!index)
        return false;
    const es_type *element = array->of;
    if (!pointer && array->count == 0)
        return es_parser_fail_node(parser, index, "watch the array in the file that defines it",
                                   "the size of %s is not known", whole);
    if (pointer && element->size == 0)
        return es_parser_fail_node(parser, index, NULL, "what %s points to has no size%s%s%s", whole,
                                   element->incomplete ? ": " : "", element->incomplete ? es_type_text(element) : "",
                                   element->incomplete ? es_arena_format(parser->arena, " %s", element->incomplete)
                                                       : "");
    bool constant = index->expr.kind == ES_EXPR_CONST;
    if (es_parser_at_sign(parser, ES_SIGN_RANGE) && !parse_range(parser, p, index, array, whole))
        return false;
    if (constant && !pointer && !check_index(parser, index, array, whole))
        return false;
    if (!constant || (index->expr.type != ES_VALUE_32 && index->expr.type != ES_VALUE_64)) {
        if (!add_subscript(parser, p, index, element->size, pointer ? 0 : array->count))
            return false;
    } else {
        p->at.address += index->expr.value * element->size;
    }
    if (!es_parser_at_sign(parser, ']'))
        return es_parser_fail_after_expression(parser, "]");
    es_parser_take(parser);
    p->at.bit_offset = p->at.bit_size = 0;
    p->type = element;
    return true;
}
