/* What all of the parser uses: tokens, errors, how deeply things are nested. */
#include "lang/parser.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

es_span es_parser_here(const es_parser *parser)
{
    return (es_span){parser->token.source, parser->token.start};
}

void es_parser_take(es_parser *parser)
{
    parser->previous_end = parser->token.start + parser->token.length;
    parser->token = es_lexer_next(&parser->lexer);
}

es_token es_parser_peek(const es_parser *parser)
{
    es_error ignored; /* if the token is bad, taking it tells so again */
    es_lexer ahead = parser->lexer;
    ahead.err = &ignored;
    return es_lexer_next(&ahead);
}

bool es_parser_at_sign(const es_parser *parser, int sign)
{
    return parser->token.kind == ES_TOKEN_SIGN && parser->token.sign == sign;
}

bool es_token_is_sign(const es_token *token, int sign)
{
    return token->kind == ES_TOKEN_SIGN && token->sign == sign;
}

const char *es_parser_token_text(es_parser *parser)
{
    return es_arena_copy(parser->arena, parser->token.start, parser->token.length);
}

bool es_token_is(const es_token *token, const char *name)
{
    return token->kind == ES_TOKEN_NAME && strlen(name) == token->length &&
           memcmp(token->start, name, token->length) == 0;
}

static bool fail(es_parser *parser, es_source source, size_t length, const char *hint, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int room = vsnprintf(NULL, 0, format, again) + 1;
    va_end(again);
    char *message = es_arena_alloc(parser->arena, (size_t)room);
    vsnprintf(message, (size_t)room, format, args);
    return es_lang_fail(parser->err, parser->lexer.text, source, length, hint, "%s", message);
}

bool es_parser_fail(es_parser *parser, const char *hint, const char *format, ...)
{
    if (parser->token.kind == ES_TOKEN_BAD)
        return false; /* the lexer told what is wrong */
    va_list args;
    va_start(args, format);
    fail(parser, parser->token.source, parser->token.length, hint, format, args);
    va_end(args);
    return false;
}

bool es_parser_fail_from(es_parser *parser, es_span from, const char *hint, const char *format, ...)
{
    size_t length = parser->previous_end > from.start ? (size_t)(parser->previous_end - from.start) : 0;
    va_list args;
    va_start(args, format);
    fail(parser, from.source, length, hint, format, args);
    va_end(args);
    return false;
}

bool es_parser_fail_node(es_parser *parser, const es_node *node, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(parser, node->expr.source, node->end > node->start ? (size_t)(node->end - node->start) : 0, hint, format,
         args);
    va_end(args);
    return false;
}

bool es_parser_fail_after_expression(es_parser *parser, const char *wanted)
{
    if (es_parser_at_sign(parser, '='))
        return es_parser_fail(parser, "write == to compare", "= would assign, and monitoring changes nothing");
    if (es_parser_at_sign(parser, ES_SIGN_INCREMENT) || es_parser_at_sign(parser, ES_SIGN_DECREMENT) ||
        es_parser_at_sign(parser, ES_SIGN_ASSIGN_OP))
        return es_parser_fail(parser, NULL, "this would assign, and monitoring changes nothing");
    if (es_parser_at_sign(parser, '('))
        return es_parser_fail(parser, "enter(f) is true when procedure f is entered, leave(f) when it is left",
                              "procedures of the program cannot be called");
    if (es_parser_at_sign(parser, '\\'))
        return es_parser_fail(parser, "procedure\\variable, path:procedure\\variable or file.c\\variable",
                              "a \\ does not fit here");
    if (es_parser_at_sign(parser, ':'))
        return es_parser_fail(parser,
                              "a path is made of procedures, call numbers, * and f[k]: main:control\\x, 1:3\\x, *:f\\x",
                              "a : does not fit here");
    if (es_parser_at_sign(parser, '.') || es_parser_at_sign(parser, '[') || es_parser_at_sign(parser, ES_SIGN_ARROW))
        return es_parser_fail(parser, "write p->x instead of (*p).x, p[2] instead of (p + 2)[0]",
                              "only variables have members and elements");
    if (es_token_is(&parser->token, "until"))
        return es_parser_fail(parser, "A then B, within T or for T", "there is no `until`");
    return es_parser_fail(parser, NULL, "expected %s", wanted);
}

bool es_parser_nest(es_parser *parser)
{
    if (parser->nesting == ES_LANG_NESTING_MAX)
        return es_parser_fail(parser, NULL, "more than %d levels of parentheses and prefix operators",
                              ES_LANG_NESTING_MAX);
    parser->nesting++;
    return true;
}
