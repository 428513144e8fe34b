/* Actions: what happens when a statement's event has occurred. */
#include <string.h>

#include "lang/parser.h"

#define PINS 8 /* trigger pins that the language knows; a board may have fewer */

/* --- counters, statements, pins ----------------------------------------------------------------------------------- */

static bool parse_counter(es_parser *parser, enum es_action_kind kind, bool with_value)
{
    es_source source = parser->token.source;
    es_parser_take(parser);
    if (parser->token.kind != ES_TOKEN_NAME)
        return es_parser_fail(parser, "a counter needs no declaration: { count overheats }",
                              "expected the name of a counter");
    size_t counter = es_counter(parser, es_parser_token_text(parser));
    es_parser_take(parser);
    int32_t value = 0;
    if (with_value) {
        if (es_parser_at_sign(parser, '='))
            es_parser_take(parser);
        if (es_at_action_end(parser))
            return es_parser_fail(parser, "set hot = 0", "expected a number");
        es_node *node = es_parse_expression(parser);
        if (!node)
            return false;
        if (node->expr.kind != ES_EXPR_CONST || node->expr.type != ES_VALUE_32)
            return es_parser_fail_node(parser, node, "set hot = 0", "a counter is set to a constant of 32 bits");
        value = (int32_t)node->expr.value;
    }
    es_action *action = es_add_action(parser, kind, source);
    action->counter = counter;
    action->value = value;
    return true;
}

/* enable NAME, disable NAME: found when all statements are known. */
static bool parse_statement_name(es_parser *parser, enum es_action_kind kind)
{
    es_source source = parser->token.source;
    es_parser_take(parser);
    if (parser->token.kind != ES_TOKEN_NAME)
        return es_parser_fail(parser, "name: when ... { disable name }", "expected the name of a statement");
    es_add_action(parser, kind, source);
    parser->late = es_arena_grow(parser->arena, parser->late, parser->late_count, sizeof *parser->late);
    parser->late[parser->late_count++] = (es_late_name){.statement = parser->program->statement_count - 1,
                                                        .action = parser->statement->action_count - 1,
                                                        .name = es_parser_token_text(parser),
                                                        .text = parser->lexer.text,
                                                        .source = parser->token.source,
                                                        .length = parser->token.length};
    es_parser_take(parser);
    return true;
}

static bool parse_trigger(es_parser *parser)
{
    es_source source = parser->token.source;
    es_parser_take(parser);
    if (parser->token.kind != ES_TOKEN_NUMBER || parser->token.value >= PINS)
        return es_parser_fail(parser, "trigger 0", "expected the number of a pin, 0 to %d", PINS - 1);
    unsigned pin = (unsigned)parser->token.value;
    es_parser_take(parser);
    es_add_action(parser, ES_ACTION_TRIGGER, source)->pin = pin;
    return true;
}

/* memory(ADDRESS, BYTES) */
static bool parse_memory(es_parser *parser, es_snapshot *snapshot)
{
    es_span from = es_parser_here(parser);
    uint32_t numbers[2] = {0};
    es_parser_take(parser);
    for (int i = 0; i < 2; i++) {
        es_parser_take(parser); /* ( or , */
        es_node *node = es_parse_expression(parser);
        if (!node)
            return false;
        if (node->expr.kind != ES_EXPR_CONST || node->expr.type != ES_VALUE_32)
            return es_parser_fail_node(parser, node, "memory(0x20000, 64)",
                                       "addresses and sizes are constants of 32 bits");
        numbers[i] = node->expr.value;
        if (!es_parser_at_sign(parser, i ? ')' : ','))
            return es_parser_fail(parser, "memory(0x20000, 64): address and number of bytes", "expected %c",
                                  i ? ')' : ',');
    }
    es_parser_take(parser);
    if (numbers[1] == 0 || numbers[1] > UINT32_MAX - numbers[0])
        return es_parser_fail_from(parser, from, "memory(ADDRESS, BYTES)", "there is no such range of memory");
    snapshot->place = (es_reference){.address = numbers[0]};
    snapshot->bytes = numbers[1];
    snapshot->name = es_text_since(parser, from.start);
    return true;
}

static bool parse_snapshot(es_parser *parser)
{
    es_source source = parser->token.source;
    es_parser_take(parser);
    for (;;) {
        es_snapshot *snapshot = es_arena_alloc(parser->arena, sizeof *snapshot);
        es_token ahead = es_parser_peek(parser);
        bool memory = es_token_is(&parser->token, "memory") && es_token_is_sign(&ahead, '(');
        bool begins = parser->token.kind == ES_TOKEN_NAME || parser->token.kind == ES_TOKEN_STRING ||
                      es_parser_at_sign(parser, '*') || es_at_parenthesized_place(parser) || es_at_path(parser);
        if (!begins)
            return es_parser_fail(parser, "snapshot plant, memory(0x20000, 64)",
                                  "expected a variable or memory(ADDRESS, BYTES)");
        if (!(memory ? parse_memory(parser, snapshot)
                     : es_parse_object(parser, &snapshot->place, &snapshot->bytes, &snapshot->name)))
            return false;
        es_add_action(parser, ES_ACTION_SNAPSHOT, source)->snapshot = snapshot;
        if (!es_parser_at_sign(parser, ','))
            return true;
        es_parser_take(parser);
    }
}

static bool parse_plain(es_parser *parser, enum es_action_kind kind)
{
    es_add_action(parser, kind, parser->token.source);
    es_parser_take(parser);
    return true;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static bool parse_action(es_parser *parser)
{
    const es_token *keyword = &parser->token;
    if (es_token_is(keyword, "print") || es_token_is(keyword, "display"))
        return es_parse_print(parser);
    if (es_at_statistic(parser))
        return es_parse_statistic(parser);
    if (es_token_is(keyword, "count") || es_token_is(keyword, "increment"))
        return parse_counter(parser, ES_ACTION_COUNT, false);
    if (es_token_is(keyword, "decrement"))
        return parse_counter(parser, ES_ACTION_DECREMENT, false);
    if (es_token_is(keyword, "set"))
        return parse_counter(parser, ES_ACTION_SET, true);
    if (es_token_is(keyword, "reset"))
        return parse_counter(parser, ES_ACTION_SET, false);
    if (es_token_is(keyword, "enable") || es_token_is(keyword, "disable"))
        return parse_statement_name(parser, es_token_is(keyword, "enable") ? ES_ACTION_ENABLE : ES_ACTION_DISABLE);
    if (es_token_is(keyword, "snapshot"))
        return parse_snapshot(parser);
    if (es_token_is(keyword, "trigger"))
        return parse_trigger(parser);
    if (es_token_is(keyword, "stop") || es_token_is(keyword, "halt"))
        return parse_plain(parser, es_token_is(keyword, "stop") ? ES_ACTION_STOP : ES_ACTION_HALT);
    return es_parser_fail(
        parser,
        "actions are print, hist, stats, count, set, increment, decrement, reset, enable, disable, snapshot, trigger, "
        "stop, halt",
        "expected an action");
}

bool es_parse_actions(es_parser *parser)
{
    es_span open = es_parser_here(parser);
    es_parser_take(parser);
    while (!es_parser_at_sign(parser, '}')) {
        unsigned line = parser->token.source.line;
        if (es_parser_at_sign(parser, ';')) {
            es_parser_take(parser);
            continue;
        }
        if (parser->token.kind == ES_TOKEN_END_OF_TEXT)
            return es_lang_fail(parser->err, parser->lexer.text, open.source, 1, NULL, "this { has no }");
        if (!parse_action(parser))
            return false;
        if (!es_at_action_end(parser) && parser->token.source.line == line) {
            if (es_parser_at_sign(parser, ','))
                return es_parser_fail(parser, "{ count a; print x, y }", "expected ; between actions");
            return es_parser_fail(parser, "separate actions by ; and the items of print by commas", "expected ; or }");
        }
    }
    es_parser_take(parser);
    if (parser->statement->action_count == 0)
        return es_parser_fail_from(parser, open, "write { print }", "a statement needs an action");
    return true;
}
