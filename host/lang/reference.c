/* References: [path\ or procedure\ or file\] name, members, elements, pointers followed, down to one scalar. */
#include <string.h>

#include "lang/parser.h"
#include "lang/place.h"
#include "symbols/shadows.h"

#define FOLLOWED_MAX 32 /* pointers on the way of one reference */

static const char *list_members(es_parser *parser, const es_type *type)
{
    const char *list = NULL;
    for (size_t i = 0; i < type->member_count && i < 12; i++)
        if (type->members[i].name)
            list = list ? es_arena_format(parser->arena, "%s, %s", list, type->members[i].name)
                        : es_arena_format(parser->arena, "it has %s", type->members[i].name);
    return list && type->member_count > 12 ? es_arena_format(parser->arena, "%s, ...", list) : list;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

/* Does a text end within {lambda(int)#1}? */
static bool in_lambda(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] != '}' && text[length - 1] != '{')
        length--;
    return length > 0 && text[length - 1] == '{' && strncmp(text + length, "lambda(", 7) == 0;
}

/* The text from `start` to the last token taken, without comments, and with blanks between words only. */
const char *es_text_since(es_parser *parser, const char *start)
{
    const char *end = parser->previous_end;
    char *text = es_arena_alloc(parser->arena, (size_t)(end - start) + 1);
    size_t length = 0;
    bool blank = false;
    char quote = 0; /* in a file's name or a character constant, which are kept as they are */
    for (const char *at = start; at < end; at++) {
        if (quote && *at == '\\' && quote == '\'' && at + 1 < end) {
            text[length++] = *at++;
        } else if (quote) {
            quote = *at == quote ? 0 : quote;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '#' && !in_lambda(text, length)) {
            while (at + 1 < end && at[1] != '\n')
                at++;
            blank = true;
            continue;
        } else if (strchr(" \t\r\n\f\v", *at)) {
            blank = true;
            continue;
        }
        if (blank && length && is_word(text[length - 1]) && is_word(*at))
            text[length++] = ' ';
        blank = false;
        text[length++] = *at;
    }
    return text;
}

/* The text of a reference up to the last token taken, factoring undone. */
static const char *whole_text(es_parser *parser, es_span from, const es_place *p)
{
    const char *text = es_text_since(parser, from.start);
    return p->prefix ? es_arena_format(parser->arena, "%s%s", p->prefix, text) : text;
}

/* --- on the way --------------------------------------------------------------------------------------------------- */

/* From a pointer, which `text` names, to what it points to. */
bool es_place_follow(es_parser *parser, es_span from, const char *text, es_place *p)
{
    const es_type *of = p->type->of;
    if (p->range_count)
        return es_parser_fail_from(parser, from, "name one of them: p[3]->x",
                                   "%s is a range of pointers: what several point to is not one place", text);
    if (!of || of->kind == ES_TYPE_OTHER)
        return es_parser_fail_from(parser, from, NULL, "%s points to %s, which cannot be watched", text,
                                   of ? es_type_text(of) : "void");
    if (++p->followed > FOLLOWED_MAX || parser->statement->reference_count >= 1000)
        return es_parser_fail_from(parser, from, NULL, "this follows more than %d pointers", FOLLOWED_MAX);
    p->at.text = text;
    if (!es_place_scalar(parser, from, text, p))
        return false;
    size_t base = es_place_add(parser, from, p);
    p->at = (es_reference){.via = true, .base = base, .path = NULL};
    p->type = of;
    return true;
}

/* From a reference of C++ to what it stands for. */
static bool refer(es_parser *parser, es_span from, es_place *p)
{
    while (p->type && p->type->kind == ES_TYPE_POINTER && p->type->is_reference)
        if (!es_place_follow(parser, from, es_arena_format(parser->arena, "&%s", whole_text(parser, from, p)), p))
            return false;
    return true;
}

static bool parse_member(es_parser *parser, es_span from, es_place *p)
{
    const char *whole = whole_text(parser, from, p);
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

static bool parse_element(es_parser *parser, es_span from, es_place *p)
{
    const char *whole = whole_text(parser, from, p);
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

/* --- where it begins ---------------------------------------------------------------------------------------------- */

/* Takes `name\` or `file.c\` or `"file name"\`. *qualifier stays NULL when there is none. */
static bool parse_qualifier(es_parser *parser, const char **qualifier, bool *is_file)
{
    *qualifier = NULL;
    if (parser->token.kind == ES_TOKEN_STRING) {
        *qualifier = es_arena_copy(parser->arena, parser->token.start + 1, parser->token.length - 2);
        *is_file = true;
        es_parser_take(parser);
        if (!es_parser_at_sign(parser, '\\'))
            return es_parser_fail(parser, "\"file.c\"\\variable", "expected \\ after a file's name");
    } else {
        /* Names with dots between them and a \ after are a file's name. */
        es_error ignored;
        es_parser ahead = *parser;
        ahead.lexer.err = &ignored;
        size_t dots = 0;
        es_parser_take(&ahead);
        while (es_parser_at_sign(&ahead, '.')) {
            es_parser_take(&ahead);
            if (ahead.token.kind != ES_TOKEN_NAME)
                return true;
            es_parser_take(&ahead);
            dots++;
        }
        if (!es_parser_at_sign(&ahead, '\\'))
            return true;
        *qualifier =
            es_arena_copy(parser->arena, parser->token.start, (size_t)(ahead.previous_end - parser->token.start));
        *is_file = dots > 0;
        es_parser_take(parser);
        while (dots-- > 0) {
            es_parser_take(parser);
            es_parser_take(parser);
        }
    }
    es_parser_take(parser); /* the \ */
    if (parser->token.kind != ES_TOKEN_NAME)
        return es_parser_fail(parser, "procedure\\variable or file.c\\variable", "expected the name of a variable");
    return true;
}

/* Takes the number after a "@"; 0 after an error. */
static unsigned take_number(es_parser *parser, const char *message, const char *hint)
{
    es_parser_take(parser);
    if (parser->token.kind != ES_TOKEN_NUMBER || parser->token.value == 0 || parser->token.value > INT32_MAX) {
        es_parser_fail(parser, hint, "%s", message);
        return 0;
    }
    unsigned number = (unsigned)parser->token.value;
    es_parser_take(parser);
    return number;
}

/* Takes `x`, `x@31` or `x@31@2` after a procedure. */
static const es_variable *parse_local(es_parser *parser, es_span from, const es_procedure *procedure)
{
    if (parser->token.kind != ES_TOKEN_NAME) {
        es_parser_fail(parser, "path\\variable, path\\3 for a statement", "expected the name of a variable");
        return NULL;
    }
    const char *name = es_parser_token_text(parser);
    unsigned line = 0, which = 0;
    es_parser_take(parser);
    if (es_parser_at_sign(parser, '@') &&
        !(line = take_number(parser, "expected a line's number",
                             "procedure\\variable@31: the one that is declared in line 31")))
        return NULL;
    if (line && es_parser_at_sign(parser, '@') &&
        !(which = take_number(parser, "expected a number: 1 for the first one that the line declares",
                              "procedure\\variable@31@2: the second one that is declared in line 31")))
        return NULL;
    return es_resolve_local(parser, from, procedure, name, line, which);
}

static bool begin(es_parser *parser, es_span from, const es_variable *variable, const es_path *path, es_place *p)
{
    bool anywhere = false;
    if (variable && path && !es_path_variable(parser, from, &path, &variable))
        return false;
    if (variable)
        es_symbols_name_variable(parser->symbols, variable);
    if (!variable || !es_check_observable(parser, from, variable, &p->feature_text) ||
        (variable->shadow && !es_check_shadow(parser, from, variable, path, &anywhere)))
        return false;
    path = anywhere ? es_any_path(parser, variable->procedure) : path;
    bool in_frame = variable->place == ES_PLACE_FRAME;
    p->variable = variable;
    p->type = variable->type;
    p->at.variable = variable;
    p->at.address = in_frame ? (uint32_t)variable->cfa_offset : variable->address;
    p->at.frame = in_frame ? variable->procedure : NULL;
    p->at.path = path && (!in_frame || !es_path_is_any(path)) ? path : NULL;
    return true;
}

/* A local, or a member of the object that a procedure of C++ is called for: x is this->x there. */
static bool begin_local(es_parser *parser, es_span from, const es_procedure *procedure, const es_path *path,
                        es_place *p)
{
    const es_variable *self = NULL;
    if (parser->token.kind == ES_TOKEN_NAME)
        self = es_find_self(parser, procedure, es_parser_token_text(parser));
    if (!self)
        return begin(parser, from, parse_local(parser, from, procedure), path, p);
    const char *name = es_parser_token_text(parser);
    const char *way = es_text_since(parser, from.start);
    es_parser_take(parser);
    way = es_arena_format(parser->arena, "%s%sthis", p->prefix ? p->prefix : "", way);
    return begin(parser, from, self, path, p) && es_place_follow(parser, from, way, p) &&
           es_find_member(p->type, name, p);
}

/* Members, elements, pointers; stars: so many times what it points to. */
static bool parse_rest(es_parser *parser, es_span from, es_place *p, unsigned stars)
{
    if (!refer(parser, from, p))
        return false;
    for (;;) {
        if (!p->type)
            return es_parser_fail_from(parser, from, NULL, "the type of '%s' is not known",
                                       whole_text(parser, from, p));
        bool member = es_parser_at_sign(parser, '.') || es_parser_at_sign(parser, ES_SIGN_ARROW);
        if (!member && !es_parser_at_sign(parser, '['))
            break;
        if (!(member ? parse_member(parser, from, p) : parse_element(parser, from, p)) || !refer(parser, from, p))
            return false;
    }
    p->at.text = whole_text(parser, from, p);
    for (; stars > 0; stars--) {
        const char *text = p->at.text;
        bool array = p->type->kind == ES_TYPE_ARRAY && p->type->of; /* *a is a[0] */
        if (array)
            p->type = p->type->of;
        else if (p->type->kind != ES_TYPE_POINTER)
            return es_parser_fail_from(parser, from, NULL, "%s is no pointer but %s", text, es_type_text(p->type));
        if (!array && !es_place_follow(parser, from, text, p))
            return false;
        p->at.text = es_arena_format(parser->arena, "*%s", text);
    }
    return true;
}

static bool parse_start(es_parser *parser, es_span from, es_place *p)
{
    if (es_at_shadow(parser))
        return begin(parser, from, es_parse_shadow(parser), NULL, p);
    if (es_at_path(parser)) {
        bool block;
        const es_path *path = es_parse_path(parser, &block);
        if (!path)
            return false;
        if (block || !es_parser_at_sign(parser, '\\'))
            return es_parser_fail(parser, "main:control\\delta", "expected \\ and the name of a variable");
        es_parser_take(parser);
        if (parser->factored)
            p->prefix = es_arena_format(parser->arena, "%s:", parser->factored->text);
        const es_procedure *procedure = es_resolve_path_owner(parser, from, path);
        return procedure && begin_local(parser, from, procedure, path, p);
    }
    const char *qualifier = NULL;
    bool is_file = false;
    if (parser->token.kind != ES_TOKEN_NAME && parser->token.kind != ES_TOKEN_STRING)
        return es_parser_fail(parser, NULL, "expected the name of a variable");
    if (!parse_qualifier(parser, &qualifier, &is_file))
        return false;
    const char *name = es_parser_token_text(parser);
    es_token after = es_parser_peek(parser);
    if (is_file && es_token_is_sign(&after, '\\')) {
        es_parser_take(parser);
        const es_procedure *procedure = es_resolve_owner(parser, from, qualifier, name);
        es_parser_take(parser);
        return procedure && begin_local(parser, from, procedure, NULL, p);
    }
    const es_procedure *inner = parser->factored ? es_path_owner(parser, parser->factored) : NULL;
    if (qualifier && !is_file) {
        const es_procedure *procedure = es_resolve_owner(parser, from, NULL, qualifier);
        return procedure && begin_local(parser, from, procedure, NULL, p);
    }
    if (!qualifier && inner && es_names_local(parser, inner, name)) {
        p->prefix = es_arena_format(parser->arena, "%s\\", parser->factored->text);
        return es_resolve_path_owner(parser, from, parser->factored) &&
               begin_local(parser, from, inner, parser->factored, p);
    }
    es_parser_take(parser);
    return begin(parser, from, es_resolve_variable(parser, from, qualifier, is_file, name), NULL, p);
}

bool es_at_parenthesized_place(const es_parser *parser)
{
    es_error ignored;
    es_parser ahead = *parser;
    ahead.err = &ignored;
    ahead.lexer.err = &ignored;
    if (!es_parser_at_sign(&ahead, '('))
        return false;
    bool cast = false;
    for (unsigned n = 0; n < ES_LANG_NESTING_MAX && es_parser_at_sign(&ahead, '(') && !cast; n++) {
        cast = n > 0 && es_at_pointer_cast(&ahead);
        es_parser_take(&ahead);
    }
    if (!cast && !es_parser_at_sign(&ahead, '*'))
        return false;
    ahead = *parser;
    ahead.err = &ignored;
    ahead.lexer.err = &ignored;
    int open = 0;
    do {
        open += es_parser_at_sign(&ahead, '(') - es_parser_at_sign(&ahead, ')');
        es_parser_take(&ahead);
    } while (open > 0 && ahead.token.kind != ES_TOKEN_END_OF_TEXT && ahead.token.kind != ES_TOKEN_BAD);
    return es_parser_at_sign(&ahead, '[') || es_parser_at_sign(&ahead, '.') || es_parser_at_sign(&ahead, ES_SIGN_ARROW);
}

/* (*p) in (*p)[2], (*p).x */
static bool parse_inside(es_parser *parser, es_place *p)
{
    es_span inner;
    if (!es_parser_nest(parser))
        return false;
    es_parser_take(parser);
    if (!es_parse_place(parser, &inner, p))
        return false;
    parser->nesting--;
    if (!es_parser_at_sign(parser, ')'))
        return es_parser_fail(parser, "(*p)[2], (*p).x", "expected )");
    es_parser_take(parser);
    return true;
}

bool es_parse_place(es_parser *parser, es_span *from, es_place *p)
{
    unsigned stars = 0;
    *from = es_parser_here(parser);
    while (es_parser_at_sign(parser, '*') && !es_at_path(parser)) {
        es_parser_take(parser);
        if (++stars > FOLLOWED_MAX)
            return es_parser_fail(parser, NULL, "this follows more than %d pointers", FOLLOWED_MAX);
    }
    es_span inner = es_parser_here(parser);
    bool begun = es_at_pointer_cast(parser)          ? es_parse_cast_place(parser, es_parse_place, p)
                 : es_at_parenthesized_place(parser) ? parse_inside(parser, p)
                                                     : parse_start(parser, inner, p);
    return begun && parse_rest(parser, inner, p, stars);
}

static bool finish(es_parser *parser, es_span from, es_place *p, size_t *index, const char **text)
{
    *text = p->at.text;
    if (!es_place_scalar(parser, from, *text, p))
        return false;
    *index = es_place_add(parser, from, p);
    return true;
}

bool es_parse_reference(es_parser *parser, size_t *index, const char **text)
{
    es_span from;
    es_place p = {0};
    return es_parse_place(parser, &from, &p) && finish(parser, from, &p, index, text);
}

bool es_parse_reference_on(es_parser *parser, es_span from, const es_path *path, size_t *index, const char **text)
{
    es_place p = {0};
    if (parser->factored)
        p.prefix = es_arena_format(parser->arena, "%s:", parser->factored->text);
    const es_procedure *procedure = es_resolve_path_owner(parser, from, path);
    return procedure && begin_local(parser, from, procedure, path, &p) && parse_rest(parser, from, &p, 0) &&
           finish(parser, from, &p, index, text);
}

es_node *es_parse_address(es_parser *parser)
{
    es_span from = es_parser_here(parser), inner;
    es_parser_take(parser);
    es_place p = {0};
    if (!es_parse_place(parser, &inner, &p))
        return NULL;
    if (!p.at.via && p.variable && p.variable->shadow) {
        es_parser_fail_from(parser, from, NULL, "%s has no address: it is not in memory", p.at.text);
        return NULL;
    }
    if (p.at.via || p.at.frame || p.at.subscript_count || p.at.bit_size) {
        es_parser_fail_from(parser, from,
                            "a variable outside of procedures (or static), its members and elements by number",
                            "the address of %s is no constant", p.at.text);
        return NULL;
    }
    es_type *pointer = es_arena_alloc(parser->arena, sizeof *pointer);
    *pointer = (es_type){.kind = ES_TYPE_POINTER,
                         .name = "pointer",
                         .size = 4,
                         .of = p.type,
                         .big_endian = es_symbols_big_endian(parser->symbols)};
    es_node *node = es_node_constant(parser, from, p.at.address, false);
    node->pointer = pointer;
    return node;
}

bool es_parse_object(es_parser *parser, es_reference *object, uint32_t *bytes, const char **text)
{
    es_span from;
    es_place p = {0};
    if (!es_parse_place(parser, &from, &p))
        return false;
    if (!p.type || p.type->size == 0 || p.type->kind == ES_TYPE_OTHER)
        return es_parser_fail_from(parser, from, "memory(ADDRESS, BYTES)", "the size of %s is not known", p.at.text);
    p.at.type = p.type;
    /* it takes part in what has to exist, as printed values do */
    *object = p.at;
    *bytes = p.type->size;
    *text = p.at.text;
    return true;
}
