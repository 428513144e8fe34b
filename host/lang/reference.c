/* References: [path\ or procedure\ or file\] name, members, elements, pointers followed, down to one scalar. */
#include <string.h>

#include "lang/parser.h"
#include "lang/place.h"
#include "symbols/shadows.h"

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
    if (!es_place_refer(parser, from, p))
        return false;
    for (;;) {
        if (!p->type)
            return es_parser_fail_from(parser, from, NULL, "the type of '%s' is not known",
                                       es_place_written(parser, from, p));
        bool member = es_parser_at_sign(parser, '.') || es_parser_at_sign(parser, ES_SIGN_ARROW);
        if (!member && !es_parser_at_sign(parser, '['))
            break;
        if (!(member ? es_place_member(parser, from, p) : es_place_element(parser, from, p)) ||
            !es_place_refer(parser, from, p))
            return false;
    }
    p->at.text = es_place_written(parser, from, p);
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
        if (++stars > ES_PLACE_FOLLOWED)
            return es_parser_fail(parser, NULL, "this follows more than %d pointers", ES_PLACE_FOLLOWED);
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
