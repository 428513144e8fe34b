/* Actions: what happens when a statement's event has occurred. */
#include <string.h>

#include "lang/parser.h"

#define PINS 8 /* trigger pins that the language knows; a board may have fewer */

/* --- print -------------------------------------------------------------------------------------------------------- */

static void add_item(es_parser *parser, es_action *action, es_print_item item)
{
    /* A value is shown once per hit, however often the statement asks for it; a counter again when it has changed
     * since. */
    unsigned shown = 0;
    bool changed = false;
    for (size_t a = 0; a < parser->statement->action_count; a++) {
        const es_action *other = &parser->statement->actions[a];
        changed |=
            (other->kind == ES_ACTION_COUNT || other->kind == ES_ACTION_DECREMENT || other->kind == ES_ACTION_SET) &&
            item.kind == ES_ITEM_COUNTER && other->counter == item.index;
        for (size_t i = 0; i < other->item_count; i++) {
            if (item.kind == ES_ITEM_COUNTER
                    ? other->items[i].kind != ES_ITEM_COUNTER || other->items[i].index != item.index
                    : strcmp(other->items[i].name, item.name) != 0)
                continue;
            shown++;
            changed = false;
        }
    }
    if (shown && !changed)
        return;
    if (shown)
        item.name = es_arena_format(parser->arena, "%s#%u", item.name, shown + 1);
    action->items = es_arena_grow(parser->arena, action->items, action->item_count, sizeof *action->items);
    action->items[action->item_count++] = item;
}

static bool is_unchanged(void *context, const es_expr *expr)
{
    (void)context;
    return expr->kind == ES_EXPR_UNCHANGED;
}

/* Whether the statement waits for times, at whose end nothing is written or read. */
static bool waits(const es_parser *parser)
{
    const es_condition *condition;
    for (size_t k = 0; (condition = es_statement_condition(parser->statement, k)) != NULL; k++)
        if (condition->holds_for.count)
            return true;
    return es_statement_find(parser->statement, is_unchanged, NULL) != NULL;
}

static void add_which(es_parser *parser, es_action *action, size_t area)
{
    if (!waits(parser))
        add_item(parser, action,
                 (es_print_item){.name = parser->statement->areas[area].text, .index = area, .kind = ES_ITEM_WHICH});
}

static void add_items_of(es_parser *parser, es_action *action, const es_expr *expr)
{
    if (!expr)
        return;
    add_items_of(parser, action, expr->condition);
    add_items_of(parser, action, expr->lhs);
    add_items_of(parser, action, expr->rhs);
    const char *const *counters = parser->program->counters;
    const es_reference *references = parser->statement->references;
    switch (expr->kind) {
    case ES_EXPR_WRITE:
    case ES_EXPR_READ:
        if (expr->area) {
            add_which(parser, action, expr->area - 1);
            break;
        } /* fall through */
    case ES_EXPR_REFERENCE:
    case ES_EXPR_UNCHANGED:
        add_item(parser, action, (es_print_item){.name = references[expr->index].text, .index = expr->index});
        break;
    case ES_EXPR_OLD:
        add_item(parser, action,
                 (es_print_item){.name = es_arena_format(parser->arena, "old(%s)", references[expr->index].text),
                                 .index = expr->index,
                                 .old = true});
        break;
    case ES_EXPR_AGE:
        add_item(parser, action,
                 (es_print_item){.name = es_arena_format(parser->arena, "age(%s)", references[expr->index].text),
                                 .index = expr->index,
                                 .kind = ES_ITEM_AGE});
        break;
    case ES_EXPR_ELAPSED: add_item(parser, action, (es_print_item){.name = "elapsed", .kind = ES_ITEM_ELAPSED}); break;
    case ES_EXPR_COUNTER:
        add_item(parser, action,
                 (es_print_item){.name = counters[expr->index], .index = expr->index, .kind = ES_ITEM_COUNTER});
        break;
    default: break;
    }
}

static void add_items_of_event(es_parser *parser, es_action *action)
{
    const es_condition *condition;
    for (size_t k = 0; (condition = es_statement_condition(parser->statement, k)) != NULL; k++)
        add_items_of(parser, action, condition->expr);
}

static es_action *add_action(es_parser *parser, enum es_action_kind kind, es_source source)
{
    es_statement *statement = parser->statement;
    statement->actions =
        es_arena_grow(parser->arena, statement->actions, statement->action_count, sizeof *statement->actions);
    es_action *action = &statement->actions[statement->action_count++];
    action->kind = kind;
    action->source = source;
    return action;
}

void es_add_default_print(es_parser *parser)
{
    add_items_of_event(parser, add_action(parser, ES_ACTION_PRINT, parser->statement->source));
}

static bool has_beginning(const es_event_tree *event)
{
    if (event->kind == ES_EVENT_WHEN)
        return false;
    return event->kind != ES_EVENT_OR || has_beginning(event->first) || has_beginning(event->second);
}

static bool at_keyword(const es_parser *parser, const char *keyword)
{
    return es_token_is(&parser->token, keyword) && !es_names_variable(parser, keyword);
}

/* which(buf) */
static bool parse_which(es_parser *parser, es_action *action)
{
    es_span from = es_parser_here(parser);
    size_t area;
    const char *text;
    es_parser_take(parser);
    es_parser_take(parser);
    if (!es_parse_area(parser, "which", &area, &text))
        return false;
    if (!es_parser_at_sign(parser, ')'))
        return es_parser_fail(parser, "which(buf)", "expected )");
    es_parser_take(parser);
    if (waits(parser))
        return es_parser_fail_from(parser, from, "print elements: buf[0]",
                                   "with `for` and `unchanged for` a hit may be that of a time that has passed, when "
                                   "nothing is written or read");
    add_which(parser, action, area);
    return true;
}

static bool parse_item(es_parser *parser, es_action *action)
{
    static const char hint[] =
        "print takes variables, old(x), age(x), elapsed, which(x), path and counters: { print x, old(x) }";
    es_token ahead = es_parser_peek(parser);
    bool is_call = es_token_is_sign(&ahead, '(');
    bool old = is_call && es_token_is(&parser->token, "old"), age = is_call && es_token_is(&parser->token, "age");
    if (!is_call && at_keyword(parser, "path")) {
        es_parser_take(parser); /* every hit shows its path anyway */
        return true;
    }
    if (!is_call && at_keyword(parser, "elapsed")) {
        if (!has_beginning(parser->statement->event))
            return es_parser_fail(parser, "when enter(f) then leave(f) { print elapsed }",
                                  "elapsed counts from an event before this one, and there is none");
        es_parser_take(parser);
        add_item(parser, action, (es_print_item){.name = "elapsed", .kind = ES_ITEM_ELAPSED});
        return true;
    }
    if (is_call && es_token_is(&parser->token, "which"))
        return parse_which(parser, action);
    if (is_call && !old && !age && parser->token.kind == ES_TOKEN_NAME)
        return es_parser_fail(parser, hint, "this cannot be printed");
    const char *name = parser->token.kind == ES_TOKEN_NAME ? es_parser_token_text(parser) : "";
    if (!is_call && !es_names_variable(parser, name) && es_names_counter(parser, name)) {
        es_parser_take(parser);
        add_item(parser, action,
                 (es_print_item){.name = name, .index = es_counter(parser, name), .kind = ES_ITEM_COUNTER});
        return true;
    }
    if (old || age) {
        es_parser_take(parser);
        es_parser_take(parser);
    }
    bool star = es_parser_at_sign(parser, '*') || es_at_parenthesized_place(parser);
    if (!star && parser->token.kind != ES_TOKEN_NAME && parser->token.kind != ES_TOKEN_STRING && !es_at_path(parser))
        return es_parser_fail(parser, hint, "expected the name of a variable");
    size_t index = 0;
    const char *text = NULL;
    if (!es_parse_reference(parser, &index, &text))
        return false;
    if (old || age) {
        if (!es_parser_at_sign(parser, ')'))
            return es_parser_fail(parser, "old(x) and age(x) take one variable", "expected )");
        es_parser_take(parser);
        text = es_arena_format(parser->arena, "%s(%s)", old ? "old" : "age", text);
    }
    add_item(parser, action,
             (es_print_item){.name = text, .index = index, .old = old, .kind = age ? ES_ITEM_AGE : ES_ITEM_VALUE});
    return true;
}

static bool at_action_end(const es_parser *parser)
{
    return es_parser_at_sign(parser, ';') || es_parser_at_sign(parser, '}') || parser->token.kind == ES_TOKEN_END;
}

static bool parse_print(es_parser *parser)
{
    unsigned line = parser->token.source.line;
    es_action *action = add_action(parser, ES_ACTION_PRINT, parser->token.source);
    es_parser_take(parser);
    /* Actions may also be separated by line ends: a bare print ends with its line. */
    if (at_action_end(parser) || parser->token.source.line != line) {
        add_items_of_event(parser, action);
        return true;
    }
    for (;;) {
        if (!parse_item(parser, action))
            return false;
        if (!es_parser_at_sign(parser, ','))
            return true;
        es_parser_take(parser);
    }
}

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
        if (at_action_end(parser))
            return es_parser_fail(parser, "set hot = 0", "expected a number");
        es_node *node = es_parse_expression(parser);
        if (!node)
            return false;
        if (node->expr.kind != ES_EXPR_CONST || node->expr.type != ES_VALUE_32)
            return es_parser_fail_node(parser, node, "set hot = 0", "a counter is set to a constant of 32 bits");
        value = (int32_t)node->expr.value;
    }
    es_action *action = add_action(parser, kind, source);
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
    add_action(parser, kind, source);
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
    add_action(parser, ES_ACTION_TRIGGER, source)->pin = pin;
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
        add_action(parser, ES_ACTION_SNAPSHOT, source)->snapshot = snapshot;
        if (!es_parser_at_sign(parser, ','))
            return true;
        es_parser_take(parser);
    }
}

static bool parse_plain(es_parser *parser, enum es_action_kind kind)
{
    add_action(parser, kind, parser->token.source);
    es_parser_take(parser);
    return true;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static bool parse_action(es_parser *parser)
{
    const es_token *keyword = &parser->token;
    if (es_token_is(keyword, "print") || es_token_is(keyword, "display"))
        return parse_print(parser);
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
        "actions are print, count, set, increment, decrement, reset, enable, disable, snapshot, trigger, stop, halt",
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
        if (parser->token.kind == ES_TOKEN_END)
            return es_lang_fail(parser->err, parser->lexer.text, open.source, 1, NULL, "this { has no }");
        if (!parse_action(parser))
            return false;
        if (!at_action_end(parser) && parser->token.source.line == line) {
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
