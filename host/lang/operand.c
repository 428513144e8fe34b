/* Operands that begin with a name, a number or a path. */
#include <string.h>

#include "lang/parser.h"

/* --- keywords with an argument in parentheses ------------------------------------------------------------------ */

static es_node *parse_control(es_parser *parser, es_span from, enum es_expr_kind kind)
{
    bool number = parser->token.kind == ES_TOKEN_NUMBER, file = es_at_file(parser);
    if (parser->token.kind != ES_TOKEN_NAME && !number && !file && !es_at_path(parser)) {
        es_parser_fail(parser, NULL, "expected the name of a procedure");
        return NULL;
    }
    if (number || es_at_path(parser) || parser->factored) {
        bool block;
        const es_path *path = es_parse_path(parser, &block);
        if (!path)
            return NULL;
        return es_path_event(parser, from, kind, path);
    }
    es_span at = es_parser_here(parser);
    const char *in = file ? es_take_file(parser) : NULL;
    if (parser->token.kind != ES_TOKEN_NAME) {
        es_parser_fail(parser, "file.c\\procedure", "expected the name of a procedure");
        return NULL;
    }
    const char *name = es_parser_token_text(parser);
    const es_procedure *found[ES_PROCEDURES_MAX] = {NULL};
    es_parser_take(parser);
    bool alone;
    if (kind == ES_EXPR_LEAVE && es_refuse_leave(parser, from, in, name))
        return NULL;
    es_node *inlined;
    if (!es_inlined_event(parser, from, kind, in, name, &inlined, &alone))
        return NULL;
    if (inlined && alone)
        return inlined;
    size_t count = es_resolve_procedures(parser, at, in, name, found);
    es_node *own = es_enter_any(parser, from, kind, found, count, NULL);
    es_token either = {.kind = ES_TOKEN_SIGN, .sign = ES_SIGN_LOGOR, .source = from.source};
    return own && inlined ? es_node_binary(parser, &either, own, inlined) : own;
}

static es_node *parse_access(es_parser *parser, es_span from, enum es_expr_kind kind, const char *keyword)
{
    es_token ahead = es_parser_peek(parser);
    bool begins = parser->token.kind == ES_TOKEN_NAME || parser->token.kind == ES_TOKEN_STRING ||
                  es_parser_at_sign(parser, '*') || es_at_parenthesized_place(parser) || es_at_pointer_cast(parser) ||
                  es_at_path(parser);
    if (!begins || (parser->token.kind == ES_TOKEN_NAME && es_token_is_sign(&ahead, '('))) {
        es_parser_fail(parser, begins ? es_arena_format(parser->arena, "%s(x) takes one variable", keyword) : NULL,
                       "expected the name of a variable");
        return NULL;
    }
    size_t index, area = 0;
    const char *text;
    bool whole = kind == ES_EXPR_WRITE || kind == ES_EXPR_READ;
    if (!(whole ? es_parse_accessed(parser, &index, &area) : es_parse_reference(parser, &index, &text)))
        return NULL;
    if (kind == ES_EXPR_OLD)
        return es_node_reference(parser, from, index, true);
    es_node *node = es_node_new(parser, from, kind);
    node->expr.index = index;
    node->expr.area = area;
    if (kind == ES_EXPR_AGE) {
        node->expr.type = ES_VALUE_TIME;
        node->expr.is_signed = false;
    }
    return node;
}

/* at(file.c:42), at(path\5), at(0x876) */
static es_node *parse_at(es_parser *parser, es_span from)
{
    const es_path *path = NULL;
    const es_position *position;
    es_token ahead = es_parser_peek(parser);
    if (parser->cover || parser->stack) {
        static const es_position nowhere = {.text = "a deeper write", .file = ""};
        es_parser_take(parser);
        position = parser->cover ? &parser->cover->position : &nowhere;
    } else if (es_at_instruction(parser)) {
        position = es_parse_instruction(parser);
    } else if (es_at_path(parser) && !(parser->token.kind == ES_TOKEN_NAME && es_token_is_sign(&ahead, ':') &&
                                       !es_symbols_procedure_named(parser->symbols, es_parser_token_text(parser)))) {
        es_span at = es_parser_here(parser);
        bool block;
        path = es_parse_path(parser, &block);
        if (!path)
            return NULL;
        if (!es_parser_at_sign(parser, '\\')) {
            es_parser_fail(parser, "at(file.c:42), or at(control\\3): the third line of control that has code",
                           "expected \\ and the number of a statement");
            return NULL;
        }
        es_parser_take(parser);
        if (!es_path_has_statements(parser, at, path))
            return NULL;
        if (parser->token.kind != ES_TOKEN_NUMBER) {
            es_parser_fail(parser, "at(control\\3): the third line of control that has code",
                           "expected the number of a statement");
            return NULL;
        }
        unsigned number = parser->token.value > 1000000 ? 1000000 : (unsigned)parser->token.value;
        es_parser_take(parser);
        position = es_statement_position(parser, at, path, number);
        path = es_path_is_any(path) ? NULL : path;
    } else {
        position = es_parse_line(parser);
    }
    if (!position)
        return NULL;
    es_node *node = es_node_new(parser, from, ES_EXPR_AT);
    node->expr.position = position;
    node->expr.path = path;
    return node;
}

/* The next token is the keyword, and ( follows it. NULL without an error: it is none of these. */
static es_node *parse_call(es_parser *parser, bool *is_call)
{
    static const struct {
        const char *keyword;
        enum es_expr_kind kind;
    } calls[] = {{"enter", ES_EXPR_ENTER}, {"leave", ES_EXPR_LEAVE}, {"write", ES_EXPR_WRITE}, {"read", ES_EXPR_READ},
                 {"old", ES_EXPR_OLD},     {"age", ES_EXPR_AGE},     {"at", ES_EXPR_AT}};
    size_t i = 0, count = sizeof calls / sizeof *calls;
    while (i < count && !es_token_is(&parser->token, calls[i].keyword))
        i++;
    *is_call = i < count;
    if (i == count)
        return NULL;
    es_span from = es_parser_here(parser);
    enum es_expr_kind kind = calls[i].kind;
    bool control = kind == ES_EXPR_ENTER || kind == ES_EXPR_LEAVE;
    unsigned choices = parser->choices;
    parser->choices = 0;
    es_parser_take(parser);
    es_parser_take(parser);
    es_node *node = kind == ES_EXPR_AT ? parse_at(parser, from)
                    : control          ? parse_control(parser, from, kind)
                                       : parse_access(parser, from, kind, calls[i].keyword);
    parser->choices = choices;
    if (node && !es_parser_at_sign(parser, ')')) {
        es_parser_fail(parser,
                       control ? "enter(f) and leave(f) take one procedure or one path to it"
                       : kind == ES_EXPR_AT
                           ? "at(file.c:42)"
                           : es_arena_format(parser->arena, "%s(x) takes one variable", calls[i].keyword),
                       "expected ) after the argument of %s", calls[i].keyword);
        return NULL;
    }
    if (node) {
        es_parser_take(parser);
        node->end = parser->previous_end;
    }
    return node;
}

/* --- paths -------------------------------------------------------------------------------------------------------- */

static bool has_call_number(const es_path *path)
{
    for (size_t i = 0; i < path->count; i++)
        if (path->steps[i].kind == ES_STEP_CALL)
            return true;
    return false;
}

/* PATH:{ expression }, at the : */
static es_node *parse_factored(es_parser *parser, es_span from, const es_path *path)
{
    const es_path *outer = parser->factored;
    unsigned choices = parser->choices;
    es_parser_take(parser);
    es_parser_take(parser);
    if (!es_parser_nest(parser))
        return NULL;
    parser->factored = path;
    parser->choices = 0;
    es_node *node = es_parse_expression(parser);
    parser->factored = outer;
    parser->choices = choices;
    parser->nesting--;
    if (!node)
        return NULL;
    if (!es_parser_at_sign(parser, '}')) {
        es_parser_fail_after_expression(parser, "an operator or }");
        return NULL;
    }
    es_parser_take(parser);
    node->expr.source = from.source;
    node->start = from.start;
    node->end = parser->previous_end;
    return node;
}

/* A path, then nothing (a condition on the control substate), \* (the same), \5 (a statement), \x (a variable), or a
 * block. exact: after `path ==`. */
static es_node *parse_path(es_parser *parser, es_span from, bool exact)
{
    es_span at = es_parser_here(parser);
    bool block;
    const es_path *path = es_parse_path(parser, &block);
    if (!path)
        return NULL;
    es_node *node;
    if (block && !exact)
        return parse_factored(parser, from, path);
    if (es_parser_at_sign(parser, '\\')) {
        es_token ahead = es_parser_peek(parser);
        if (es_token_is_sign(&ahead, '*')) {
            es_parser_take(parser);
            es_parser_take(parser);
            exact = false;
        } else if (ahead.kind == ES_TOKEN_NUMBER) {
            es_parser_take(parser);
            es_parser_take(parser);
            if (!es_path_has_statements(parser, at, path))
                return NULL;
            unsigned number = ahead.value > 1000000 ? 1000000 : (unsigned)ahead.value;
            const es_position *position = es_statement_position(parser, at, path, number);
            if (!position)
                return NULL;
            node = es_node_new(parser, from, ES_EXPR_AT);
            node->expr.position = position;
            node->expr.path = es_path_is_any(path) ? NULL : path;
            return node;
        } else if (exact) {
            es_parser_fail(parser, "path == main:control, path == main:control\\3 or path == main:control\\*",
                           "expected the number of a statement or *");
            return NULL;
        } else {
            es_parser_take(parser);
            size_t index;
            const char *text;
            if (!es_parse_reference_on(parser, from, path, &index, &text))
                return NULL;
            node = es_node_reference(parser, from, index, false);
            node->by_number = has_call_number(path);
            return node;
        }
    }
    return es_path_active(parser, from, path, exact);
}

/* path == main:control, control substate = 1:1:2\5. NULL without an error in *is_substate: something else. */
static es_node *parse_substate(es_parser *parser, bool *is_substate)
{
    es_span from = es_parser_here(parser);
    es_token ahead = es_parser_peek(parser);
    bool plattner = (es_token_is(&parser->token, "control") || es_token_is(&parser->token, "Control")) &&
                    es_token_is(&ahead, "substate");
    bool is_path =
        es_token_is(&parser->token, "path") && !es_names_variable(parser, "path") &&
        (es_token_is_sign(&ahead, ES_SIGN_EQ) || es_token_is_sign(&ahead, ES_SIGN_NE) || es_token_is_sign(&ahead, '='));
    *is_substate = plattner || is_path;
    if (!*is_substate)
        return NULL;
    es_parser_take(parser);
    if (plattner)
        es_parser_take(parser);
    bool differs = es_parser_at_sign(parser, ES_SIGN_NE);
    if (!differs && !es_parser_at_sign(parser, ES_SIGN_EQ) && !es_parser_at_sign(parser, '=')) {
        es_parser_fail(parser, "control substate = 1:1:2", "expected =");
        return NULL;
    }
    es_parser_take(parser);
    if (parser->token.kind != ES_TOKEN_NAME && parser->token.kind != ES_TOKEN_NUMBER && !es_at_path(parser)) {
        es_parser_fail(parser, "path == main:control", "expected a path");
        return NULL;
    }
    es_node *node = parse_path(parser, from, true);
    return node && differs ? es_node_unary(parser, from, '!', node) : node;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static es_node *refuse_call(es_parser *parser, es_span from, const char *name)
{
    es_parser_take(parser);
    if (es_symbols_procedure_named(parser->symbols, name))
        es_parser_fail_from(parser, from,
                            es_arena_format(parser->arena,
                                            "enter(%s) is true when it is entered, leave(%s) when it is left", name,
                                            name),
                            "procedures of the program cannot be called");
    else if (strcmp(name, "sizeof") == 0)
        es_parser_fail_from(parser, from, "write the number", "sizeof is not available");
    else if (strcmp(name, "if") == 0)
        es_parser_fail_from(parser, from, "when temp > 80 { print temp }",
                            "a statement begins with `when`, or without");
    else if (strcmp(name, "hist") == 0 || strcmp(name, "stats") == 0)
        es_parser_fail_from(
            parser, from,
            es_arena_format(parser->arena, "{ %s(temp) } after a predicate: temp > 80 { %s(temp) }", name, name),
            "%s is an action, not a value", name);
    else
        es_parser_fail_from(
            parser, from,
            "there are enter(f), leave(f), at(file.c:42), write(x), read(x), old(x), age(x), and on the replay "
            "result(f) and reg(a0)",
            "there is no '%s(...)'", name);
    return NULL;
}

/* elapsed, true, false, NULL; keywords that begin no expression. NULL without an error in *known: none of these. */
static es_node *parse_keyword(es_parser *parser, es_span from, const char *name, bool *known)
{
    static const struct {
        const char *name;
        uint32_t value;
    } constants[] = {{"true", 1}, {"false", 0}, {"NULL", 0}};
    *known = true;
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (strcmp(constants[i].name, name) == 0) {
            es_parser_take(parser);
            return es_node_constant(parser, from, constants[i].value, true);
        }
    if (strcmp(name, "when") == 0 || strcmp(name, "print") == 0) {
        es_parser_fail(parser, "name: when EXPRESSION { print x, y }", "expected an expression");
        return NULL;
    }
    if (strcmp(name, "sizeof") == 0)
        return refuse_call(parser, from, name);
    if (strcmp(name, "not") == 0 && !es_names_variable(parser, name)) {
        es_parser_fail(parser, NULL, "write ! for not");
        return NULL;
    }
    if (strcmp(name, "elapsed") == 0 && !es_names_variable(parser, name)) {
        es_parser_take(parser);
        es_node *node = es_node_new(parser, from, ES_EXPR_ELAPSED);
        node->expr.type = ES_VALUE_TIME;
        node->expr.is_signed = false;
        return node;
    }
    *known = false;
    return NULL;
}

static bool names_factored_local(const es_parser *parser, const char *name)
{
    return parser->factored && es_names_local(parser, es_path_owner(parser, parser->factored), name);
}

es_node *es_parse_word(es_parser *parser)
{
    es_span from = es_parser_here(parser);
    es_token ahead = es_parser_peek(parser);
    int sign = ahead.kind == ES_TOKEN_SIGN ? ahead.sign : 0;
    bool known = false;
    es_node *node = parser->token.kind == ES_TOKEN_NAME ? parse_substate(parser, &known) : NULL;
    if (known)
        return node;
    if (es_at_path(parser))
        return parse_path(parser, from, false);
    if (sign == '(') {
        node = parse_call(parser, &known);
        if (known)
            return node;
    }
    const char *name = es_parser_token_text(parser);
    if (sign == '(' && !es_at_shadow(parser))
        return refuse_call(parser, from, name);
    node = parse_keyword(parser, from, name, &known);
    if (known)
        return node;
    size_t index = 0;
    const char *text;
    if (es_at_shadow(parser))
        return es_parse_reference(parser, &index, &text) ? es_node_reference(parser, from, index, false) : NULL;
    const es_variable *variable = NULL;
    bool is_plain = sign != '\\';
    bool is_global =
        is_plain && (names_factored_local(parser, name) ||
                     (es_symbols_find(parser->symbols, NULL, name, &variable, 1) > 0 && !variable->procedure));
    const es_type *type = NULL;
    const es_enumerator *enumerator =
        is_plain && !is_global ? es_symbols_enumerator(parser->symbols, name, &type) : NULL;
    if (enumerator) {
        es_parser_take(parser);
        if (enumerator->value < INT32_MIN || enumerator->value > (int64_t)UINT32_MAX)
            return es_node_wide(parser, from, (uint64_t)enumerator->value, true);
        return es_node_constant(parser, from, (uint32_t)enumerator->value, enumerator->value <= INT32_MAX);
    }
    if (is_plain && !is_global && !es_names_variable(parser, name) && es_names_counter(parser, name)) {
        es_parser_take(parser);
        node = es_node_new(parser, from, ES_EXPR_COUNTER);
        node->expr.index = es_counter(parser, name);
        return node;
    }
    if (!es_parse_reference(parser, &index, &text))
        return NULL;
    return es_node_reference(parser, from, index, false);
}
