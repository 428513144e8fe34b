/* Expressions: C's grammar and precedence by recursive descent; operands that name variables are in reference.c. */
#include <string.h>

#include "lang/parser.h"

static es_node *parse_binary(es_parser *parser, int least);

/* How tightly a binary operator binds, C's order; 0: not a binary operator. */
static int binding(const es_token *token)
{
    if (token->kind != ES_TOKEN_SIGN)
        return 0;
    switch (token->sign) {
    case ES_SIGN_LOGOR: return 1;
    case ES_SIGN_LOGAND: return 2;
    case '|': return 3;
    case '^': return 4;
    case '&': return 5;
    case ES_SIGN_EQ: case ES_SIGN_NE: return 6;
    case '<': case '>': case ES_SIGN_LE: case ES_SIGN_GE: return 7;
    case ES_SIGN_SHL: case ES_SIGN_SHR: return 8;
    case '+': case '-': return 9;
    case '*': case '/': case '%': return 10;
    default: return 0;
    }
}

bool es_parser_fail_after_expression(es_parser *parser, const char *wanted)
{
    if (es_unavailable_infix(parser))
        return false;
    if (es_parser_at_sign(parser, '='))
        return es_parser_fail(parser, "write == to compare", "= would assign, and monitoring changes nothing");
    if (es_parser_at_sign(parser, ES_SIGN_INCREMENT) || es_parser_at_sign(parser, ES_SIGN_DECREMENT) ||
        es_parser_at_sign(parser, ES_SIGN_ASSIGN_OP))
        return es_parser_fail(parser, NULL, "this would assign, and monitoring changes nothing");
    if (es_parser_at_sign(parser, '('))
        return es_parser_fail(parser, "enter(f) is true when procedure f is entered, leave(f) when it is left",
                              "procedures of the program cannot be called");
    if (es_parser_at_sign(parser, '\\'))
        return es_parser_fail(parser, "procedure\\variable or file.c\\variable", "a \\ does not fit here");
    return es_parser_fail(parser, NULL, "expected %s", wanted);
}

static bool nest(es_parser *parser)
{
    if (parser->nesting == ES_LANG_NESTING_MAX)
        return es_parser_fail(parser, NULL, "more than %d levels of parentheses and prefix operators", ES_LANG_NESTING_MAX);
    parser->nesting++;
    return true;
}

/* A type's name after an opening parenthesis: a cast. */
static bool at_type_name(const es_token *token)
{
    static const char *const words[] = {"int", "unsigned", "signed", "char", "short", "long", "float", "double",
                                        "void", "struct", "union", "enum", "const", "volatile", "_Bool", "bool",
                                        "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t",
                                        "uint32_t", "uint64_t", "size_t", "uintptr_t", "intptr_t"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (es_token_is(token, words[i]))
            return true;
    return false;
}

static es_node *parse_parentheses(es_parser *parser)
{
    es_span open = es_parser_here(parser);
    es_parser_take(parser);
    if (at_type_name(&parser->token)) {
        es_parser_fail(parser, "values have the program's own types; mask with & or compare with a constant that ends in u",
                       "casts are not available");
        return NULL;
    }
    es_node *inner = parse_binary(parser, 1);
    if (!inner)
        return NULL;
    if (!es_parser_at_sign(parser, ')')) {
        if (parser->token.kind == ES_TOKEN_END)
            es_lang_fail(parser->err, parser->lexer.text, open.source, 1, NULL, "this ( has no )");
        else
            es_parser_fail_after_expression(parser, "an operator or )");
        return NULL;
    }
    es_parser_take(parser);
    inner->expr.source = open.source; /* messages about the whole show the parentheses too */
    inner->end = parser->previous_end;
    return inner;
}

/* enter(f), leave(f), write(x), old(x); the next token is the word, and ( follows it. */
static es_node *parse_call(es_parser *parser)
{
    es_span from = es_parser_here(parser);
    bool is_enter = es_token_is(&parser->token, "enter"), is_leave = es_token_is(&parser->token, "leave");
    bool is_old = es_token_is(&parser->token, "old");
    const char *word = is_enter ? "enter" : is_leave ? "leave" : is_old ? "old" : "write";
    es_parser_take(parser);
    es_parser_take(parser);
    if (parser->token.kind != ES_TOKEN_NAME && parser->token.kind != ES_TOKEN_STRING) {
        es_parser_fail(parser, NULL, is_enter || is_leave ? "expected the name of a procedure" : "expected the name of a variable");
        return NULL;
    }
    const es_procedure *procedure = NULL;
    size_t index = 0;
    const char *text;
    if (is_enter || is_leave) {
        es_span name = es_parser_here(parser);
        const char *called = es_arena_copy(parser->arena, parser->token.start, parser->token.length);
        es_parser_take(parser);
        if (parser->token.kind == ES_TOKEN_SIGN && (parser->token.sign == ':' || parser->token.sign == '[')) {
            es_parser_fail(parser, "name the procedure alone; every hit shows its whole path",
                           "paths are not available in this version");
            return NULL;
        }
        procedure = es_resolve_procedure(parser, name, called);
        if (!procedure)
            return NULL;
    } else {
        es_token ahead = es_parser_peek(parser);
        if (ahead.kind == ES_TOKEN_SIGN && ahead.sign == '(') {
            es_parser_fail(parser, "old(x) and write(x) take one variable", "expected the name of a variable");
            return NULL;
        }
        if (!es_parse_reference(parser, &index, &text))
            return NULL;
    }
    if (!es_parser_at_sign(parser, ')')) {
        es_parser_fail(parser, is_enter || is_leave ? "enter(f) and leave(f) take the name of one procedure"
                                                    : "old(x) and write(x) take one variable",
                       "expected ) after the argument of %s", word);
        return NULL;
    }
    es_parser_take(parser);
    if (procedure)
        return es_node_event(parser, from, is_enter ? ES_EXPR_ENTER : ES_EXPR_LEAVE, procedure);
    return is_old ? es_node_reference(parser, from, index, true) : es_node_write(parser, from, index);
}

static es_node *parse_number(es_parser *parser, bool negated)
{
    es_span from = es_parser_here(parser);
    es_token token = parser->token;
    if (token.is_big && !(negated && token.value == 0x80000000u)) {
        es_parser_fail(parser, "add u for an unsigned constant, or write it in hexadecimal",
                       "this constant does not fit an int, and predicates work with 32 bits");
        return NULL;
    }
    if (es_unavailable_prefix(parser))
        return NULL;
    es_parser_take(parser);
    /* -2147483648 is an int here, not C's long long. */
    return es_node_constant(parser, from, token.value, !token.is_unsigned || token.is_big);
}

static es_node *parse_name(es_parser *parser)
{
    static const struct { const char *name; uint32_t value; } words[] = {{"true", 1}, {"false", 0}, {"NULL", 0}};
    static const char *const calls[] = {"enter", "leave", "write", "old"};
    es_span from = es_parser_here(parser);
    es_token ahead = es_parser_peek(parser);
    int sign = ahead.kind == ES_TOKEN_SIGN ? ahead.sign : 0;
    if (sign == '(')
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
            if (es_token_is(&parser->token, calls[i]))
                return parse_call(parser);
    if (es_unavailable_prefix(parser))
        return NULL;
    if (es_token_is(&parser->token, "sizeof")) {
        es_parser_fail(parser, "write the number", "sizeof is not available");
        return NULL;
    }
    if (es_token_is(&parser->token, "when") || es_token_is(&parser->token, "print")) {
        es_parser_fail(parser, "name: when EXPRESSION { print x, y }", "expected an expression");
        return NULL;
    }
    const char *name = es_arena_copy(parser->arena, parser->token.start, parser->token.length);
    if (sign == '(') {
        es_parser_take(parser);
        if (es_symbols_procedure_named(parser->symbols, name))
            es_parser_fail_from(parser, from,
                                es_arena_format(parser->arena, "enter(%s) is true when it is entered, leave(%s) when it is left", name, name),
                                "procedures of the program cannot be called");
        else
            es_parser_fail_from(parser, from, "there are enter(f), leave(f), write(x) and old(x)", "there is no '%s(...)'", name);
        return NULL;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].name, name) == 0) {
            es_parser_take(parser);
            return es_node_constant(parser, from, words[i].value, true);
        }
    const es_variable *variable = NULL;
    bool is_plain = sign != '\\';
    bool is_global = is_plain && es_symbols_find(parser->symbols, NULL, name, &variable, 1) > 0 && !variable->procedure;
    const es_type *type = NULL;
    const es_enumerator *enumerator = is_plain && !is_global ? es_symbols_enumerator(parser->symbols, name, &type) : NULL;
    if (enumerator) {
        es_parser_take(parser);
        if (enumerator->value < INT32_MIN || enumerator->value > (int64_t)UINT32_MAX) {
            es_parser_fail_from(parser, from, NULL, "%s is wider than 32 bits, and predicates work with 32 bits", name);
            return NULL;
        }
        return es_node_constant(parser, from, (uint32_t)enumerator->value, enumerator->value <= INT32_MAX);
    }
    size_t index = 0;
    const char *text;
    if (!es_parse_reference(parser, &index, &text))
        return NULL;
    return es_node_reference(parser, from, index, false);
}

static es_node *parse_operand(es_parser *parser)
{
    const es_token *token = &parser->token;
    switch (token->kind) {
    case ES_TOKEN_BAD:
        return NULL;
    case ES_TOKEN_NUMBER:
        return parse_number(parser, false);
    case ES_TOKEN_NAME:
        return parse_name(parser);
    case ES_TOKEN_STRING: {
        es_span from = es_parser_here(parser);
        size_t index = 0;
        const char *text;
        return es_parse_reference(parser, &index, &text) ? es_node_reference(parser, from, index, false) : NULL;
    }
    case ES_TOKEN_END:
        es_parser_fail(parser, NULL, "the statement ends where an expression was expected");
        return NULL;
    case ES_TOKEN_SIGN:
        break;
    }
    if (!strchr("(+-!~", token->sign < 256 ? token->sign : ' ')) {
        if (!es_unavailable_prefix(parser))
            es_parser_fail(parser, NULL, "expected an expression");
        return NULL;
    }
    if (!nest(parser))
        return NULL;
    es_node *node;
    if (token->sign == '(') {
        node = parse_parentheses(parser);
    } else {
        es_span from = es_parser_here(parser);
        int sign = token->sign;
        es_parser_take(parser);
        bool constant = sign == '-' && parser->token.kind == ES_TOKEN_NUMBER;
        node = constant ? parse_number(parser, true) : parse_operand(parser);
        if (node)
            node = es_node_unary(parser, from, sign, node);
    }
    parser->nesting--;
    return node;
}

/* An expression of operators that bind at least as tightly as `least`. Recursion is as deep as there are levels. */
static es_node *parse_binary(es_parser *parser, int least)
{
    es_node *lhs = parse_operand(parser);
    while (lhs) {
        es_token sign = parser->token;
        int level = binding(&sign);
        if (level < least || level == 0)
            break;
        es_parser_take(parser);
        es_node *rhs = parse_binary(parser, level + 1);
        lhs = rhs ? es_node_binary(parser, &sign, lhs, rhs) : NULL;
    }
    return lhs;
}

es_node *es_parse_expression(es_parser *parser)
{
    return parse_binary(parser, 1);
}
