/* Texts: arrays of characters and what pointers to characters point to, compared with "constants" and printed. */
#include <string.h>

#include "lang/place.h"

#define CONSTANT_MAX 63u  /* characters of a constant */
#define AHEAD_MAX 200u    /* tokens of a variable */
#define SHOWN_ARRAY 64u   /* bytes that are shown of an array, */
#define SHOWN_POINTED 48u /* ... of what a pointer points to */

static bool is_character(const es_type *type)
{
    return type && type->size == 1 && (type->kind == ES_TYPE_CHAR || type->kind == ES_TYPE_INT);
}

bool es_place_is_text(const es_place *p)
{
    return p->type && p->type->kind == ES_TYPE_ARRAY && p->type->of && p->type->of->kind == ES_TYPE_CHAR &&
           p->type->count && !p->range_count;
}

/* --- where they lie --------------------------------------------------------------------------------------------- */

/* The first character, and how many there may be. */
typedef struct characters {
    es_span from;
    const char *text; /* as written */
    es_place first;
    uint32_t most;
    const es_snapshot *shown;
} characters;

static const es_snapshot *shown_of(es_parser *parser, const characters *c, bool pointed)
{
    es_snapshot *shown = es_arena_alloc(parser->arena, sizeof *shown);
    *shown = (es_snapshot){.name = c->text, .place = c->first.at, .bytes = pointed ? SHOWN_POINTED : SHOWN_ARRAY};
    shown->place.type = NULL;
    shown->place.text = c->text;
    shown->is_text = true;
    if (!pointed && c->most < shown->bytes)
        shown->bytes = c->most;
    return shown;
}

/* From an array of characters or a pointer to some to the first one. */
static bool find_characters(es_parser *parser, characters *c)
{
    const es_type *type = c->first.type;
    bool pointer = type->kind == ES_TYPE_POINTER;
    c->text = c->first.at.text;
    if ((!pointer && type->kind != ES_TYPE_ARRAY) || !is_character(type->of))
        return es_parser_fail_from(parser, c->from,
                                   type->kind == ES_TYPE_ENUM
                                       ? "names of an enum's values have no quotes: mode == ARMED"
                                       : "name == \"idle\", of an array of characters or a pointer to some",
                                   "%s is no text but %s", c->text, es_type_text(type));
    c->most = pointer ? UINT32_MAX : type->count;
    if (!c->most)
        return es_parser_fail_from(parser, c->from, "watch the array in the file that defines it",
                                   "the size of %s is not known", c->text);
    if (pointer && !es_place_follow(parser, c->from, c->text, &c->first))
        return false;
    c->first.type = type->of;
    c->shown = shown_of(parser, c, pointer);
    return true;
}

const es_snapshot *es_place_text(es_parser *parser, es_span from, const es_place *p)
{
    characters c = {.from = from, .first = *p};
    return find_characters(parser, &c) ? c.shown : NULL;
}

/* --- comparisons ------------------------------------------------------------------------------------------------ */

static bool ends_operand(const es_token *token)
{
    return token->kind == ES_TOKEN_END_OF_TEXT || token->kind == ES_TOKEN_BAD ||
           (token->kind == ES_TOKEN_SIGN && !strchr(".[]()*\\:@", token->sign < 256 ? token->sign : '!') &&
            token->sign != ES_SIGN_ARROW);
}

/* A word or a number directly after a variable: no part of it. */
static bool follows_word(const es_token *last, const es_token *token)
{
    bool word = last->kind == ES_TOKEN_NAME || last->kind == ES_TOKEN_NUMBER || es_token_is_sign(last, ']') ||
                es_token_is_sign(last, ')');
    return word && token->kind != ES_TOKEN_SIGN;
}

static bool compares(const es_token *token)
{
    return es_token_is_sign(token, ES_SIGN_EQ) || es_token_is_sign(token, ES_SIGN_NE) || es_token_is(token, "becomes");
}

bool es_at_text_comparison(const es_parser *parser)
{
    es_error ignored;
    es_parser ahead = *parser;
    ahead.err = &ignored;
    ahead.lexer.err = &ignored;
    int open = 0;
    unsigned taken = 0;
    es_token second = es_parser_peek(parser);
    bool begins = parser->token.kind == ES_TOKEN_NAME || parser->token.kind == ES_TOKEN_STRING ||
                  parser->token.kind == ES_TOKEN_NUMBER || es_parser_at_sign(parser, '*') ||
                  (es_parser_at_sign(parser, '(') && es_token_is_sign(&second, '*'));
    es_token last = {0};
    for (; begins && (open || !compares(&ahead.token)); taken++) {
        open += es_token_is_sign(&ahead.token, '[') + es_token_is_sign(&ahead.token, '(');
        open -= es_token_is_sign(&ahead.token, ']') + es_token_is_sign(&ahead.token, ')');
        if (open < 0 || ahead.token.kind == ES_TOKEN_END_OF_TEXT || ahead.token.kind == ES_TOKEN_BAD ||
            (!open && (ends_operand(&ahead.token) || follows_word(&last, &ahead.token))) || taken == AHEAD_MAX)
            return false;
        last = ahead.token;
        es_parser_take(&ahead);
    }
    es_parser_take(&ahead);
    es_token after = es_parser_peek(&ahead);
    return taken && ahead.token.kind == ES_TOKEN_STRING && !es_token_is_sign(&after, '\\');
}

/* Takes the constant. */
static bool parse_constant(es_parser *parser, const characters *c, uint8_t *bytes, uint32_t *length)
{
    const char *at = parser->token.start + 1, *end = parser->token.start + parser->token.length - 1;
    uint64_t value;
    for (*length = 0; at < end; bytes[(*length)++] = (uint8_t)value) {
        if (*length == CONSTANT_MAX)
            return es_parser_fail(parser, "compare a part of it, by characters: name[0] == 'i'",
                                  "a text of more than %u characters", CONSTANT_MAX);
        if (!es_lexer_character(&at, &value))
            return es_parser_fail(parser, "\\n, \\t, \\x41, \\\\", "this is not a text as C writes it");
        if (!value)
            return es_parser_fail(parser, "a text ends with a 0 by itself", "a text cannot have a 0 in it");
    }
    if (*length > c->most)
        return es_parser_fail(parser, NULL, "%s has %u characters: it never holds this text", c->text,
                              (unsigned)c->most);
    es_parser_take(parser);
    return true;
}

/* All characters are those of the constant, and a 0 follows, if there is room for one. */
static es_node *equal(es_parser *parser, const characters *c, const uint8_t *bytes, uint32_t length, bool old)
{
    es_token both = {.kind = ES_TOKEN_SIGN, .sign = ES_SIGN_LOGAND, .source = c->from.source};
    es_token same = {.kind = ES_TOKEN_SIGN, .sign = ES_SIGN_EQ, .source = c->from.source};
    es_node *all = NULL;
    for (uint32_t i = 0; i < length + (length < c->most); i++) {
        es_place at = c->first;
        uint32_t value = i < length ? bytes[i] : 0;
        at.at.address += i;
        at.at.text = es_arena_format(parser->arena, *c->text == '*' ? "(%s)[%u]" : "%s[%u]", c->text, (unsigned)i);
        if (!es_place_scalar(parser, c->from, at.at.text, &at))
            return NULL;
        if (at.type->is_signed)
            value = (uint32_t)(int32_t)(int8_t)value;
        es_node *node = es_node_reference(parser, c->from, es_place_add(parser, c->from, &at), old);
        node = es_node_binary(parser, &same, node, es_node_constant(parser, c->from, value, true));
        all = !node ? NULL : all ? es_node_binary(parser, &both, all, node) : node;
        if (!all)
            return NULL;
    }
    return all;
}

es_node *es_parse_text_comparison(es_parser *parser)
{
    characters c = {0};
    uint8_t bytes[CONSTANT_MAX];
    uint32_t length;
    if (!es_parse_place(parser, &c.from, &c.first) || !find_characters(parser, &c))
        return NULL;
    if (!compares(&parser->token)) {
        es_parser_fail_after_expression(parser, "== and a text");
        return NULL;
    }
    bool differs = es_parser_at_sign(parser, ES_SIGN_NE), becomes = es_token_is(&parser->token, "becomes");
    es_parser_take(parser);
    if (!parse_constant(parser, &c, bytes, &length))
        return NULL;
    es_node *node = equal(parser, &c, bytes, length, false);
    if (node && becomes) {
        es_token both = {.kind = ES_TOKEN_SIGN, .sign = ES_SIGN_LOGAND, .source = c.from.source};
        es_node *was = equal(parser, &c, bytes, length, true);
        was = was ? es_node_unary(parser, c.from, '!', was) : NULL;
        node = was ? es_node_binary(parser, &both, node, was) : NULL;
    }
    if (node && differs)
        node = es_node_unary(parser, c.from, '!', node);
    if (node) {
        node->expr.source = c.from.source;
        node->expr.shown = c.shown;
        node->start = c.from.start;
        node->end = parser->previous_end;
    }
    return node;
}
