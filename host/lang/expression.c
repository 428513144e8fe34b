/* Expressions: C's grammar and precedence by recursive descent; operands that begin with a name or number are in
 * operand.c. */
#include <string.h>

#include "lang/parser.h"

#define BITS_LEVEL 5     /* of &: ^ and | are below it, && and || below these */
#define BECOMES_LEVEL 6  /* binds as == does */
#define RELATION_LEVEL 7 /* of < */

static es_node *parse_binary(es_parser *parser, int least);

/* How tightly a binary operator binds, C's order; 0: not a binary operator. */
static int binding(const es_token *token)
{
    if (es_token_is(token, "becomes") || es_token_is(token, "unchanged"))
        return BECOMES_LEVEL;
    if (token->kind != ES_TOKEN_SIGN)
        return 0;
    switch (token->sign) {
    case ES_SIGN_LOGOR: return 1;
    case ES_SIGN_LOGAND: return 2;
    case '|': return BITS_LEVEL - 2;
    case '^': return BITS_LEVEL - 1;
    case '&': return BITS_LEVEL;
    case ES_SIGN_EQ:
    case ES_SIGN_NE: return BECOMES_LEVEL;
    case '<':
    case '>':
    case ES_SIGN_LE:
    case ES_SIGN_GE: return RELATION_LEVEL;
    case ES_SIGN_SHL:
    case ES_SIGN_SHR: return 8;
    case '+':
    case '-': return 9;
    case '*':
    case '/':
    case '%': return 10;
    default: return 0;
    }
}

/* --- casts -------------------------------------------------------------------------------------------------------- */

static const struct type_word {
    const char *keyword;
    unsigned char bytes; /* of an int: 0 is bool; of a float 4, 8 */
    bool is_signed, is_float;
} type_keywords[] = {
    {"int8_t", 1, true, false},     {"int16_t", 2, true, false},   {"int32_t", 4, true, false},
    {"int64_t", 8, true, false},    {"uint8_t", 1, false, false},  {"uint16_t", 2, false, false},
    {"uint32_t", 4, false, false},  {"uint64_t", 8, false, false}, {"size_t", 4, false, false},
    {"uintptr_t", 4, false, false}, {"intptr_t", 4, true, false},  {"bool", 0, false, false},
    {"_Bool", 0, false, false},     {"float", 4, true, true},      {"double", 8, true, true},
};
static const char *const int_keywords[] = {"unsigned", "signed", "char", "short", "int", "long"};
static const char *const refused_keywords[] = {"void", "struct", "union", "enum", "const", "volatile"};

static size_t find_keyword(const es_token *token, const char *const *keywords, size_t count)
{
    size_t i = 0;
    while (i < count && !es_token_is(token, keywords[i]))
        i++;
    return i;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct type_word *find_type(const es_token *token)
{
    for (size_t i = 0; i < COUNT(type_keywords); i++)
        if (es_token_is(token, type_keywords[i].keyword))
            return &type_keywords[i];
    return NULL;
}

static bool at_type_name(const es_token *token)
{
    return find_type(token) || find_keyword(token, int_keywords, COUNT(int_keywords)) < COUNT(int_keywords) ||
           find_keyword(token, refused_keywords, COUNT(refused_keywords)) < COUNT(refused_keywords);
}

/* Takes a type's name: one keyword, or those of C's integers in any order. */
static bool parse_type(es_parser *parser, struct type_word *type)
{
    es_span from = es_parser_here(parser);
    const struct type_word *known = find_type(&parser->token);
    unsigned seen[COUNT(int_keywords)] = {0};
    if (known) {
        *type = *known;
        es_parser_take(parser);
    } else {
        size_t keyword;
        while ((keyword = find_keyword(&parser->token, int_keywords, COUNT(int_keywords))) < COUNT(int_keywords)) {
            seen[keyword]++;
            es_parser_take(parser);
        }
        *type = (struct type_word){.bytes = seen[2]       ? 1
                                            : seen[3]     ? 2
                                            : seen[5] > 1 ? 8
                                                          : 4,
                                   .is_signed = seen[2] ? seen[1] : !seen[0]}; /* RISC-V's plain char is unsigned */
    }
    bool twice =
        seen[0] + seen[1] > 1 || seen[2] + (seen[3] || seen[5]) > 1 || seen[3] + seen[5] > 2 || (seen[2] && seen[4]);
    if (!es_parser_at_sign(parser, ')') || twice) {
        if (parser->token.kind == ES_TOKEN_NAME || es_parser_at_sign(parser, '*'))
            es_parser_take(parser);
        return es_parser_fail_from(parser, from,
                                   "(int), (unsigned char), (uint16_t), (long long), (float), (bool), ...",
                                   "only casts to numbers are possible");
    }
    return true;
}

static es_node *parse_operand(es_parser *parser);

static es_node *parse_cast(es_parser *parser, es_span open)
{
    struct type_word type;
    if (!parse_type(parser, &type))
        return NULL;
    es_parser_take(parser);
    es_node *operand = parse_operand(parser);
    if (!operand)
        return NULL;
    enum es_value_type value = type.is_float     ? (type.bytes == 8 ? ES_VALUE_DOUBLE : ES_VALUE_FLOAT)
                               : type.bytes == 8 ? ES_VALUE_64
                                                 : ES_VALUE_32;
    return es_node_cast(parser, open, operand, value, type.bytes, type.is_signed);
}

/* --- operands ----------------------------------------------------------------------------------------------------- */

static es_node *parse_parentheses(es_parser *parser)
{
    es_span open = es_parser_here(parser);
    es_parser_take(parser);
    if (at_type_name(&parser->token))
        return parse_cast(parser, open);
    unsigned choices = parser->choices;
    parser->choices = 0;
    es_node *inner = es_parse_expression(parser);
    parser->choices = choices;
    if (!inner)
        return NULL;
    if (!es_parser_at_sign(parser, ')')) {
        if (parser->token.kind == ES_TOKEN_END_OF_TEXT)
            es_lang_fail(parser->err, parser->lexer.text, open.source, 1, NULL, "this ( has no )");
        else
            es_parser_fail_after_expression(parser, "an operator or )");
        return NULL;
    }
    es_parser_take(parser);
    inner->expr.source = open.source; /* messages about the whole show the parentheses too */
    inner->start = open.start;
    inner->end = parser->previous_end;
    inner->compares = false;
    return inner;
}

static es_node *parse_prefix(es_parser *parser)
{
    es_span from = es_parser_here(parser);
    int sign = parser->token.sign;
    es_parser_take(parser);
    bool constant = sign == '-' && parser->token.kind == ES_TOKEN_NUMBER;
    es_node *node = constant ? es_parse_number(parser, true) : parse_operand(parser);
    return node ? es_node_unary(parser, from, sign, node) : NULL;
}

static es_node *parse_reference(es_parser *parser)
{
    es_span from = es_parser_here(parser);
    size_t index = 0;
    const char *text;
    return es_parse_reference(parser, &index, &text) ? es_node_reference(parser, from, index, false) : NULL;
}

static es_node *parse_sign(es_parser *parser)
{
    int sign = parser->token.sign;
    if (sign == '*' || es_at_parenthesized_place(parser) || es_at_pointer_cast(parser))
        return parse_reference(parser);
    if (sign == '&')
        return es_parse_address(parser);
    if (sign > 255 || !strchr("(+-!~", sign)) {
        es_parser_fail(parser, NULL, "expected an expression");
        return NULL;
    }
    if (!es_parser_nest(parser))
        return NULL;
    es_node *node = sign == '(' ? parse_parentheses(parser) : parse_prefix(parser);
    parser->nesting--;
    return node;
}

static es_node *parse_operand(es_parser *parser)
{
    if (es_at_text_comparison(parser))
        return es_parse_text_comparison(parser);
    if (parser->token.kind != ES_TOKEN_NAME && es_at_path(parser))
        return es_parse_word(parser);
    switch (parser->token.kind) {
    case ES_TOKEN_NUMBER:
    case ES_TOKEN_FLOAT:
    case ES_TOKEN_TIME: return es_parse_number(parser, false);
    case ES_TOKEN_NAME: return es_parse_word(parser);
    case ES_TOKEN_STRING: return parse_reference(parser);
    case ES_TOKEN_SIGN: return parse_sign(parser);
    case ES_TOKEN_END_OF_TEXT:
        es_parser_fail(parser, NULL, "the statement ends where an expression was expected");
        return NULL;
    default: return NULL;
    }
}

/* x unchanged for 10ms; `unchanged` is the next token. */
static es_node *parse_unchanged(es_parser *parser, es_node *lhs)
{
    if (lhs->expr.kind != ES_EXPR_REFERENCE) {
        es_parser_fail_node(parser, lhs, "heartbeat unchanged for 10ms", "`unchanged` goes after one variable");
        return NULL;
    }
    es_parser_take(parser);
    if (!es_token_is(&parser->token, "for")) {
        es_parser_fail(parser, "heartbeat unchanged for 10ms", "expected `for` and a time after unchanged");
        return NULL;
    }
    es_parser_take(parser);
    es_duration duration;
    if (!es_parse_duration(parser, "for", &duration))
        return NULL;
    es_node *node = es_node_new(parser, (es_span){lhs->expr.source, lhs->start}, ES_EXPR_UNCHANGED);
    node->expr.index = lhs->expr.index;
    node->expr.duration = duration;
    return node;
}

/* = for ==, in Plattner's notation: where call numbers are about. */
static bool at_plattners_equal(const es_parser *parser, const es_node *lhs)
{
    return es_parser_at_sign(parser, '=') && (lhs->by_number || parser->factored);
}

#define TEXT(node) (int)((node)->end - (node)->start), (node)->start

/* What C reads otherwise than it looks: 80 < temp < 90, and flags & mask == 4. `middle`: what lhs ends with. */
static void warn_of_binding(es_parser *parser, const es_token *sign, int level, const es_node *lhs,
                            const es_node *middle, const es_node *rhs)
{
    int length = (int)sign->length;
    const char *text = NULL;
    if (level == RELATION_LEVEL && lhs->compares)
        text = es_arena_format(parser->arena,
                               "as in C, %.*s %.*s %.*s compares with what the first comparison is, 0 or 1; for both "
                               "write %.*s && %.*s %.*s %.*s",
                               TEXT(lhs), length, sign->start, TEXT(rhs), TEXT(lhs), TEXT(middle), length, sign->start,
                               TEXT(rhs));
    else if (level <= BITS_LEVEL && level >= BITS_LEVEL - 2 && lhs->compares != rhs->compares)
        text = es_arena_format(
            parser->arena, "as in C, %.*s %.*s %.*s is %s%.*s%s %.*s %s%.*s%s; write the parentheses that are meant",
            TEXT(lhs), length, sign->start, TEXT(rhs), lhs->compares ? "(" : "", TEXT(lhs), lhs->compares ? ")" : "",
            length, sign->start, rhs->compares ? "(" : "", TEXT(rhs), rhs->compares ? ")" : "");
    if (text)
        es_parser_warn(parser, text);
}

/* An expression of operators that bind at least as tightly as `least`. Recursion is as deep as there are levels. */
static es_node *parse_binary(es_parser *parser, int least)
{
    es_node *lhs = parse_operand(parser);
    const es_node *middle = lhs;
    while (lhs) {
        es_token sign = parser->token;
        int level = at_plattners_equal(parser, lhs) ? BECOMES_LEVEL : binding(&sign);
        if (level < least || level == 0)
            break;
        if (es_token_is(&sign, "unchanged")) {
            lhs = parse_unchanged(parser, lhs);
            continue;
        }
        es_parser_take(parser);
        es_node *rhs = parse_binary(parser, level + 1);
        if (rhs)
            warn_of_binding(parser, &sign, level, lhs, middle, rhs);
        middle = rhs;
        if (sign.kind == ES_TOKEN_NAME)
            lhs = rhs ? es_node_becomes(parser, &sign, lhs, rhs) : NULL;
        else
            lhs = rhs ? es_node_binary(parser, &sign, lhs, rhs) : NULL;
        if (lhs)
            lhs->compares = level == BECOMES_LEVEL || level == RELATION_LEVEL;
    }
    return lhs;
}

es_node *es_parse_expression(es_parser *parser)
{
    es_node *condition = parse_binary(parser, 1);
    if (!condition || !es_parser_at_sign(parser, '?'))
        return condition;
    if (!es_parser_nest(parser))
        return NULL;
    es_parser_take(parser);
    parser->choices++;
    es_node *lhs = es_parse_expression(parser);
    parser->choices--;
    if (lhs && !es_parser_at_sign(parser, ':')) {
        es_parser_fail(parser, "condition ? a : b", "expected :");
        lhs = NULL;
    }
    es_node *rhs = NULL;
    if (lhs) {
        es_parser_take(parser);
        rhs = es_parse_expression(parser);
    }
    parser->nesting--;
    return rhs ? es_node_choice(parser, condition, lhs, rhs) : NULL;
}
