/* The parts of the statement language that this version lacks: whoever writes them reads so, instead of a syntax error. */
#include <string.h>

#include "lang/parser.h"

struct word {
    const char *word;
    const char *hint;
};

static const struct word prefix_calls[] = {
    {"at", "enter(f) and leave(f) are"},
    {"read", "write(x) is, and enter(f), leave(f)"},
    {"age", "every hit shows its time"},
    {"becomes", "write: x == 3 && old(x) != 3"},
    {"within", "every hit shows its time"},
};

static const struct word infixes[] = {
    {"then", "write one statement for each event; every hit shows its time"},
    {"within", "write one statement for each event; every hit shows its time"},
    {"for", "every hit shows its time"},
    {"unchanged", "write(x) is true at every write to x"},
    {"becomes", "write: x == 3 && old(x) != 3"},
    {"until", "every hit shows its time"},
    {"and", "write && between conditions"},
    {"or", "write || between conditions"},
};

static const struct word actions[] = {
    {"set", "available actions: print and count"},      {"increment", "write: count NAME"},
    {"decrement", "available actions: print and count"}, {"reset", "available actions: print and count"},
    {"enable", "available actions: print and count"},    {"disable", "available actions: print and count"},
    {"trigger", "available actions: print and count"},   {"snapshot", "print takes several variables: { print x, y }"},
    {"stop", "`earshot watch --count N` ends after N hits"},
    {"halt", "available actions: print and count"},
};

static const char path_hint[] = "procedure\\variable is: control\\delta; every hit shows its whole path";

static const struct word *find(const es_token *token, const struct word *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (es_token_is(token, words[i].word))
            return &words[i];
    return NULL;
}

#define FIND(token, words) find(token, words, sizeof(words) / sizeof *(words))

static bool is_variable(const es_parser *parser, const es_token *token)
{
    const es_variable *found;
    const char *name = es_arena_copy(parser->arena, token->start, token->length);
    return es_symbols_find(parser->symbols, NULL, name, &found, 1) > 0;
}

bool es_unavailable_prefix(es_parser *parser)
{
    const es_token *token = &parser->token;
    es_token ahead = es_parser_peek(parser);
    int sign = ahead.kind == ES_TOKEN_SIGN ? ahead.sign : 0;
    if (token->kind == ES_TOKEN_NAME) {
        const struct word *word = FIND(token, prefix_calls);
        if (word && sign == '(')
            return !es_parser_fail(parser, word->hint, "%s() is not available in this version", word->word);
        if (es_token_is(token, "expect") && ahead.kind == ES_TOKEN_NAME)
            return !es_parser_fail(parser, "name: when EXPRESSION { ACTIONS }", "expect is not available in this version");
        if (es_token_is(token, "elapsed") && !is_variable(parser, token))
            return !es_parser_fail(parser, "every hit shows its time", "elapsed is not available in this version");
        if (es_token_is(token, "not") && !is_variable(parser, token))
            return !es_parser_fail(parser, NULL, "write ! for not");
        if (sign == ':')
            return !es_parser_fail(parser, path_hint, "paths (a:b\\x) are not available in this version");
    } else if (token->kind == ES_TOKEN_NUMBER && sign == ':') {
        return !es_parser_fail(parser, path_hint, "call numbers (1:3\\x) are not available in this version");
    } else if (es_parser_at_sign(parser, '*')) {
        if (sign == ':')
            return !es_parser_fail(parser, path_hint, "paths (*:f\\x) are not available in this version");
        return !es_parser_fail(parser, "the pointer's own value is: p != NULL",
                               "following pointers (*p) is not available in this version");
    } else if (es_parser_at_sign(parser, '&')) {
        return !es_parser_fail(parser, "printed pointers show the name of the variable they point at",
                               "addresses (&x) are not available in this version");
    }
    return false;
}

bool es_unavailable_infix(es_parser *parser)
{
    const struct word *word = FIND(&parser->token, infixes);
    if (word)
        return !es_parser_fail(parser, word->hint, "`%s` is not available in this version", word->word);
    if (es_parser_at_sign(parser, ES_SIGN_ARROW))
        return !es_parser_fail(parser, "the pointer's own value is: p != NULL",
                               "following pointers (p->x) is not available in this version");
    if (es_parser_at_sign(parser, ':'))
        return !es_parser_fail(parser, path_hint, "paths (a:b\\x) are not available in this version");
    if (es_parser_at_sign(parser, '?'))
        return !es_parser_fail(parser, "write c && a || !c && b", "the conditional operator ?: is not available in this version");
    return false;
}

bool es_unavailable_action(es_parser *parser)
{
    const struct word *word = FIND(&parser->token, actions);
    return word && !es_parser_fail(parser, word->hint, "`%s` is not available in this version", word->word);
}
