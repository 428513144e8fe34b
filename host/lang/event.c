/* Predicates: conditions, and compound events made of them by `then`, `and`, `or`, `for` and `within`. */
#include <string.h>

#include "lang/parser.h"

static es_event_tree *parse_sequence(es_parser *parser);

static es_event_tree *join(es_parser *parser, enum es_event_tree_kind kind, es_event_tree *first, es_event_tree *second)
{
    if (!first || !second)
        return NULL;
    es_event_tree *made = es_arena_alloc(parser->arena, sizeof *made);
    made->kind = kind;
    made->first = first;
    made->second = second;
    made->depth = 1 + (first->depth > second->depth ? first->depth : second->depth);
    if (made->depth > ES_LANG_EVENTS_MAX) {
        es_parser_fail(parser, "split the statement in two", "this event has more than %d parts", ES_LANG_EVENTS_MAX);
        return NULL;
    }
    return made;
}

static bool ends_operand(const es_token *token)
{
    return token->kind == ES_TOKEN_NAME || token->kind == ES_TOKEN_NUMBER || token->kind == ES_TOKEN_FLOAT ||
           token->kind == ES_TOKEN_TIME || es_token_is_sign(token, ')') || es_token_is_sign(token, ']') ||
           es_token_is_sign(token, '}');
}

/* Does the parenthesis here hold a compound event? Then a keyword that joins events follows an operand in it, which no
 * expression has. */
static bool holds_event(const es_parser *parser)
{
    static const char *const keywords[] = {"then", "and", "or", "within", "for"};
    es_error ignored;
    es_parser ahead = *parser;
    ahead.err = &ignored;
    ahead.lexer.err = &ignored;
    int open = 0;
    es_token last = {0};
    do {
        const es_token *token = &ahead.token;
        open += es_token_is_sign(token, '(') - es_token_is_sign(token, ')');
        for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
            if (es_token_is(token, keywords[i]) && ends_operand(&last) && !es_token_is(&last, "unchanged") &&
                !es_token_is(&last, "becomes"))
                return true;
        last = *token;
        es_parser_take(&ahead);
    } while (open > 0 && last.kind != ES_TOKEN_END_OF_TEXT && last.kind != ES_TOKEN_BAD);
    return false;
}

static es_event_tree *parse_group(es_parser *parser)
{
    es_span open = es_parser_here(parser);
    if (!es_parser_nest(parser))
        return NULL;
    es_parser_take(parser);
    es_event_tree *event = parse_sequence(parser);
    parser->nesting--;
    if (!event)
        return NULL;
    if (!es_parser_at_sign(parser, ')')) {
        if (parser->token.kind == ES_TOKEN_END_OF_TEXT)
            es_lang_fail(parser->err, parser->lexer.text, open.source, 1, NULL, "this ( has no )");
        else
            es_parser_fail_after_expression(parser, "then, and, or, within or )");
        return NULL;
    }
    es_parser_take(parser);
    if (parser->token.kind == ES_TOKEN_SIGN &&
        strchr("*/%+-<>&|^?=", parser->token.sign < 256 ? parser->token.sign : '=') &&
        !es_parser_at_sign(parser, '{')) {
        es_parser_fail(parser, "&& and || join conditions on one event; `and`, `or`, `then` join events",
                       "events joined by then, and, or have no value to calculate with");
        return NULL;
    }
    return event;
}

static es_event_tree *parse_held(es_parser *parser)
{
    if (es_parser_at_sign(parser, '(') && holds_event(parser))
        return parse_group(parser);
    const char *start = es_parser_here(parser).start;
    es_node *expr = es_parse_expression(parser);
    if (!expr)
        return NULL;
    es_event_tree *event = es_arena_alloc(parser->arena, sizeof *event);
    es_condition *condition = es_arena_alloc(parser->arena, sizeof *condition);
    event->kind = ES_EVENT_WHEN;
    event->depth = 1;
    event->condition = condition;
    if (expr->expr.type == ES_VALUE_TIME) {
        es_parser_fail_node(parser, expr, "compare it: elapsed > 50us", "a time alone is no condition");
        return NULL;
    }
    condition->expr = &expr->expr;
    if (es_token_is(&parser->token, "for")) {
        es_parser_take(parser);
        if (!es_parse_duration(parser, "for", &condition->holds_for))
            return NULL;
    }
    condition->text = es_arena_copy(parser->arena, start, (size_t)(parser->previous_end - start));
    return event;
}

/* One level of joined events: `keyword` between parts of the level below. */
static es_event_tree *parse_joined(es_parser *parser, enum es_event_tree_kind kind)
{
    const char *keyword = kind == ES_EVENT_THEN ? "then" : kind == ES_EVENT_OR ? "or" : "and";
    enum es_event_tree_kind below = kind == ES_EVENT_THEN ? ES_EVENT_OR : ES_EVENT_AND;
    es_event_tree *event = kind == ES_EVENT_AND ? parse_held(parser) : parse_joined(parser, below);
    while (event && es_token_is(&parser->token, keyword)) {
        es_parser_take(parser);
        es_event_tree *next = kind == ES_EVENT_AND ? parse_held(parser) : parse_joined(parser, below);
        event = join(parser, kind, event, next);
    }
    return event;
}

static es_event_tree *parse_sequence(es_parser *parser)
{
    es_event_tree *event = parse_joined(parser, ES_EVENT_THEN);
    if (!event || !es_token_is(&parser->token, "within"))
        return event;
    es_span keyword = es_parser_here(parser);
    es_parser_take(parser);
    if (!es_parse_duration(parser, "within", &event->within))
        return NULL;
    if (event->kind == ES_EVENT_WHEN || event->kind == ES_EVENT_OR) {
        if (parser->statement->expect) /* expect E within T */
            return event;
        es_parser_fail_from(parser, keyword,
                            "A then B within 5ms, (A and B) within 5ms; a condition that lasts is: E for 5ms",
                            "`within` limits how long an event of several parts may take");
        return NULL;
    }
    if (es_token_is(&parser->token, "then") || es_token_is(&parser->token, "and") ||
        es_token_is(&parser->token, "or")) {
        es_parser_fail(parser, "(A then B within 5ms) then C",
                       "`within` ends an event: put the part that it limits in parentheses");
        return NULL;
    }
    return event;
}

es_event_tree *es_parse_event(es_parser *parser)
{
    return parse_sequence(parser);
}
