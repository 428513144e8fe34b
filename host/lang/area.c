/* Areas: arrays, structs and ranges of elements as one event, write(buf[0..63]): their members are references. */
#include <string.h>

#include "lang/place.h"

#define MEMBERS_MAX 1024u /* of an area */
#define INSIDE_MAX 32     /* types within each other */

typedef struct collector {
    es_parser *parser;
    es_span from;
    const char *text; /* as written */
    size_t *members;
    size_t count;
} collector;

static bool add_scalar(collector *c, const char *text, es_place *p)
{
    if (c->count == MEMBERS_MAX)
        return es_parser_fail_from(c->parser, c->from, "watch a part of it: write(buf[0..63])",
                                   "%s has more than %u numbers in it", c->text, MEMBERS_MAX);
    p->at.text = text;
    if (!es_place_scalar(c->parser, c->from, text, p))
        return false;
    c->members = es_arena_grow(c->parser->arena, c->members, c->count, sizeof *c->members);
    c->members[c->count++] = es_place_add(c->parser, c->from, p);
    return true;
}

static bool is_union(const es_type *type)
{
    for (size_t i = 0; i < type->member_count; i++)
        if (type->members[i].offset || type->members[i].bit_size)
            return false;
    return type->member_count > 1;
}

/* Of a union, whose members are the same bytes, the largest one. */
static size_t largest(const es_type *type)
{
    size_t most = 0;
    for (size_t i = 1; i < type->member_count; i++)
        if (type->members[i].type && type->members[most].type &&
            type->members[i].type->size > type->members[most].type->size)
            most = i;
    return most;
}

static const char *in_parentheses(collector *c, const char *text)
{
    return *text == '*' ? es_arena_format(c->parser->arena, "(%s)", text) : text;
}

static bool add_all(collector *c, const char *text, es_place p, unsigned depth);

static bool add_struct(collector *c, const char *text, const es_place *p, unsigned depth)
{
    const es_type *type = p->type;
    es_parser *parser = c->parser;
    if (type->incomplete)
        return es_parser_fail_from(parser, c->from, NULL, "%s %s", es_type_text(type), type->incomplete);
    size_t first = is_union(type) ? largest(type) : 0, end = is_union(type) ? first + 1 : type->member_count;
    for (size_t i = first; i < end; i++) {
        const es_member *member = &type->members[i];
        es_place inside = *p;
        inside.type = member->type;
        inside.at.address += member->offset;
        inside.at.bit_offset = member->bit_offset;
        inside.at.bit_size = member->bit_size;
        const char *name =
            member->name ? es_arena_format(parser->arena, "%s.%s", in_parentheses(c, text), member->name) : text;
        if (member->type && !add_all(c, name, inside, depth + 1))
            return false;
    }
    return true;
}

/* All scalars of what the text names. */
static bool add_all(collector *c, const char *text, es_place p, unsigned depth)
{
    es_parser *parser = c->parser;
    if (depth > INSIDE_MAX)
        return es_parser_fail_from(parser, c->from, NULL, "%s has too many types in each other", c->text);
    if (p.type->kind == ES_TYPE_STRUCT)
        return add_struct(c, text, &p, depth);
    if (p.type->kind != ES_TYPE_ARRAY)
        return add_scalar(c, text, &p);
    if (p.type->count == 0 || !p.type->of)
        return es_parser_fail_from(parser, c->from, "watch the array in the file that defines it",
                                   "the size of %s is not known", text);
    const es_type *array = p.type;
    uint32_t at = p.at.address;
    p.type = array->of;
    for (uint32_t i = 0; i < array->count; i++) {
        p.at.address = at + i * array->of->size;
        if (!add_all(c, es_arena_format(parser->arena, "%s[%u]", in_parentheses(c, text), (unsigned)i), p, depth + 1))
            return false;
    }
    return true;
}

/* The text with the numbers of elements where it has ranges. */
static const char *name_elements(es_parser *parser, const char *text, const es_place *p, const uint32_t *numbers)
{
    const char *name = "", *rest = text;
    for (size_t k = 0; k < p->range_count; k++) {
        const char *dots = strstr(rest, ".."), *open = dots, *close = dots;
        int depth = 0;
        while (open > rest && (depth || *open != '['))
            depth += (*open == ']') - (*open == '['), open--;
        for (depth = 0; *close && (depth || *close != ']'); close++)
            depth += (*close == '[') - (*close == ']');
        int32_t number = (int32_t)(p->ranges[k].first + numbers[k]);
        name = es_arena_format(parser->arena, "%s%.*s[%d]", name, (int)(open - rest), rest, (int)number);
        rest = close + (*close == ']');
    }
    return p->range_count ? es_arena_format(parser->arena, "%s%s", name, rest) : text;
}

static bool add_ranges(collector *c, const es_place *p)
{
    uint32_t numbers[ES_PLACE_RANGES] = {0};
    for (;;) {
        es_place here = *p;
        size_t k = p->range_count;
        for (size_t i = 0; i < p->range_count; i++)
            here.at.address += numbers[i] * p->ranges[i].stride;
        if (!add_all(c, name_elements(c->parser, c->text, p, numbers), here, 0))
            return false;
        while (k > 0 && ++numbers[k - 1] == p->ranges[k - 1].count)
            numbers[--k] = 0;
        if (k == 0)
            return true;
    }
}

static bool find_area(const es_statement *statement, const char *text, size_t *number)
{
    for (*number = 0; *number < statement->area_count; ++*number)
        if (strcmp(statement->areas[*number].text, text) == 0)
            return true;
    return false;
}

static bool parse(es_parser *parser, es_span *from, es_place *p)
{
    bool outer = parser->ranges;
    parser->ranges = true;
    bool good = es_parse_place(parser, from, p);
    parser->ranges = outer;
    return good;
}

bool es_parse_accessed(es_parser *parser, size_t *index, size_t *area)
{
    es_place p = {0};
    collector c = {.parser = parser};
    es_statement *statement = parser->statement;
    if (!parse(parser, &c.from, &p))
        return false;
    *area = 0;
    if (!p.range_count && p.type->kind != ES_TYPE_STRUCT && p.type->kind != ES_TYPE_ARRAY) {
        if (!es_place_scalar(parser, c.from, p.at.text, &p))
            return false;
        *index = es_place_add(parser, c.from, &p);
        return true;
    }
    c.text = p.at.text;
    if (p.at.subscript_count)
        return es_parser_fail_from(parser, c.from, "name the element by a number, or watch all of them: write(a)",
                                   "%s: what is watched as a whole cannot have a variable index", c.text);
    if (!find_area(statement, c.text, area)) {
        if (!add_ranges(&c, &p))
            return false;
        if (c.count == 0)
            return es_parser_fail_from(parser, c.from, NULL, "there is nothing in %s", c.text);
        statement->areas = es_arena_grow(parser->arena, statement->areas, statement->area_count, sizeof(es_area));
        statement->areas[statement->area_count++] = (es_area){c.text, c.members, c.count};
    }
    *index = statement->areas[(*area)++].members[0];
    return true;
}

bool es_parse_area(es_parser *parser, const char *keyword, size_t *index, const char **text)
{
    es_span from;
    es_place p = {0};
    if (!parse(parser, &from, &p))
        return false;
    *text = p.at.text;
    return find_area(parser->statement, p.at.text, index) ||
           es_parser_fail_from(parser, from,
                               es_arena_format(parser->arena, "when write(%s) { print %s(%s) }", *text, keyword, *text),
                               "%s(x) tells which part of an array or struct the event has written or read, and the "
                               "event of this statement is not write(%s) or read(%s)",
                               keyword, *text, *text);
}
