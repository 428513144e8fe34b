/* Numbers and lengths of time. */
#include <string.h>

#include "lang/parser.h"

es_node *es_parse_number(es_parser *parser, bool negated)
{
    es_span from = es_parser_here(parser);
    es_token token = parser->token, unit = es_parser_peek(parser);
    es_duration time;
    const char *message = NULL;
    bool is_time = token.is_decimal && unit.kind == ES_TOKEN_NAME &&
                   es_lexer_time(token.start, token.length, unit.start, unit.length, &time, &message);
    es_parser_take(parser);
    if (is_time || message) {
        es_parser_take(parser);
        if (message)
            es_parser_fail_from(parser, from, "for example 5ms, 1.5us, 100 cycles", "%s", message);
        return message ? NULL : es_node_time(parser, from, time);
    }
    if (token.kind == ES_TOKEN_TIME)
        return es_node_time(parser, from, token.time);
    if (token.kind == ES_TOKEN_FLOAT)
        return es_node_number(parser, from, token.number, token.is_float);
    bool least_int =
        negated && token.value == 0x80000000u && token.is_decimal; /* -2147483648 is an int here, not C's long long */
    if (token.is_wide && !least_int)
        return es_node_wide(parser, from, token.value, !token.is_unsigned);
    return es_node_constant(parser, from, (uint32_t)token.value, least_int || !token.is_unsigned);
}

bool es_parse_duration(es_parser *parser, const char *after, es_duration *duration)
{
    es_span from = es_parser_here(parser);
    static const char hint[] = "for example 5ms, 1.5us, 100 cycles; units are ns, us, ms, s and cycles";
    enum es_token_kind kind = parser->token.kind;
    if (kind != ES_TOKEN_TIME && kind != ES_TOKEN_NUMBER && kind != ES_TOKEN_FLOAT)
        return es_parser_fail(parser, hint, "expected a time after `%s`", after);
    es_node *node = es_parse_number(parser, false);
    if (!node)
        return false;
    if (node->expr.type != ES_VALUE_TIME)
        return es_parser_fail_from(parser, from, hint, "this time has no unit");
    *duration = node->expr.constant.time;
    return duration->count > 0 || es_parser_fail_from(parser, from, NULL, "this time is 0");
}
