/* print, and what statistics take: values that a hit shows. */
#include <string.h>

#include "lang/place.h"

/* Adds an item to an action of the statement, the last one. Returns its number among the values of a hit. */
static size_t add_item(es_parser *parser, es_action *action, es_print_item item)
{
    /* A value is sent once per hit, however often the statement asks for it; a counter again when it has changed
     * since. */
    unsigned shown = 0;
    bool changed = false;
    size_t number = 0, found = 0;
    es_print_item *same = NULL;
    item.aggregated = action->kind == ES_ACTION_STATISTIC;
    for (size_t a = 0; a < parser->statement->action_count; a++) {
        const es_action *other = &parser->statement->actions[a];
        changed |=
            (other->kind == ES_ACTION_COUNT || other->kind == ES_ACTION_DECREMENT || other->kind == ES_ACTION_SET) &&
            item.kind == ES_ITEM_COUNTER && other->counter == item.index;
        for (size_t i = 0; i < other->item_count; i++, number++) {
            if (item.kind == ES_ITEM_COUNTER
                    ? other->items[i].kind != ES_ITEM_COUNTER || other->items[i].index != item.index
                    : strcmp(other->items[i].name, item.name) != 0)
                continue;
            same = &other->items[i];
            found = number;
            shown++;
            changed = false;
        }
    }
    if (shown && !changed) {
        same->aggregated &= item.aggregated;
        return found;
    }
    if (shown)
        item.name = es_arena_format(parser->arena, "%s#%u", item.name, shown + 1);
    action->items = es_arena_grow(parser->arena, action->items, action->item_count, sizeof *action->items);
    action->items[action->item_count++] = item;
    return number;
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

static size_t add_which(es_parser *parser, es_action *action, size_t area)
{
    return add_item(parser, action,
                    (es_print_item){.name = parser->statement->areas[area].text, .index = area, .kind = ES_ITEM_WHICH});
}

/* Its bytes are taken by an action of its own, after the one at hand. */
static void add_text(es_parser *parser, const es_snapshot *text)
{
    for (size_t a = 0; a < parser->statement->action_count; a++)
        if (parser->statement->actions[a].snapshot && parser->statement->actions[a].snapshot->is_text &&
            strcmp(parser->statement->actions[a].snapshot->name, text->name) == 0)
            return;
    for (size_t i = 0; i < parser->text_count; i++)
        if (strcmp(parser->texts[i]->name, text->name) == 0)
            return;
    parser->texts = es_arena_grow(parser->arena, parser->text_count ? parser->texts : NULL, parser->text_count,
                                  sizeof(const es_snapshot *));
    parser->texts[parser->text_count++] = text;
}

static void add_texts(es_parser *parser, es_source source)
{
    for (size_t i = 0; i < parser->text_count; i++)
        es_add_action(parser, ES_ACTION_SNAPSHOT, source)->snapshot = parser->texts[i];
    parser->text_count = 0;
}

static void add_items_of(es_parser *parser, es_action *action, const es_expr *expr)
{
    if (!expr)
        return;
    if (expr->shown) {
        if (!waits(parser))
            add_text(parser, expr->shown);
        return;
    }
    add_items_of(parser, action, expr->condition);
    add_items_of(parser, action, expr->lhs);
    add_items_of(parser, action, expr->rhs);
    const char *const *counters = parser->program->counters;
    const es_reference *references = parser->statement->references;
    switch (expr->kind) {
    case ES_EXPR_WRITE:
    case ES_EXPR_READ:
        if (es_is_copies_cell(&references[expr->index]))
            break; /* an event, and nothing else */
        if (expr->area) {
            if (!waits(parser))
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

es_action *es_add_action(es_parser *parser, enum es_action_kind kind, es_source source)
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
    parser->text_count = 0;
    add_items_of_event(parser, es_add_action(parser, ES_ACTION_PRINT, parser->statement->source));
    add_texts(parser, parser->statement->source);
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
static bool parse_which(es_parser *parser, es_action *action, size_t *value)
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
    *value = add_which(parser, action, area);
    return true;
}

/* x; an array of characters is shown as a text, with as_text also what a pointer points to. */
static bool parse_variable(es_parser *parser, es_action *action, size_t *value, bool as_text)
{
    es_place p = {0};
    es_span from;
    if (!es_parse_place(parser, &from, &p))
        return false;
    const char *text = p.at.text;
    if (as_text || es_place_is_text(&p)) {
        const es_snapshot *shown = es_place_text(parser, from, &p);
        *value = ES_NO_VALUE;
        if (shown && waits(parser))
            return es_parser_fail_from(
                parser, from, "print characters: name[0]",
                "with `for` and `unchanged for` a hit may be noticed later: what memory held as a "
                "whole is gone then");
        if (shown)
            add_text(parser, shown);
        return shown != NULL;
    }
    if (!es_place_scalar(parser, from, text, &p))
        return false;
    *value = add_item(parser, action, (es_print_item){.name = text, .index = es_place_add(parser, from, &p)});
    return true;
}

/* text(p) */
static bool parse_text(es_parser *parser, es_action *action, size_t *value)
{
    es_parser_take(parser);
    es_parser_take(parser);
    if (!parse_variable(parser, action, value, true))
        return false;
    if (!es_parser_at_sign(parser, ')'))
        return es_parser_fail(parser, "text(name)", "expected )");
    es_parser_take(parser);
    return true;
}

bool es_parse_item(es_parser *parser, es_action *action, size_t *value)
{
    static const char hint[] =
        "print takes variables, old(x), age(x), elapsed, which(x), path, backtrace and counters: { print x, old(x) }";
    es_token ahead = es_parser_peek(parser);
    bool is_call = es_token_is_sign(&ahead, '(') && !es_at_shadow(parser);
    bool old = is_call && es_token_is(&parser->token, "old"), age = is_call && es_token_is(&parser->token, "age");
    if (!is_call && at_keyword(parser, "path")) {
        es_parser_take(parser); /* every hit shows its path anyway */
        *value = ES_NO_VALUE;
        return true;
    }
    if (!is_call && at_keyword(parser, "backtrace")) {
        es_parser_take(parser);
        *value = add_item(parser, action, (es_print_item){.name = "backtrace", .kind = ES_ITEM_BACKTRACE});
        return true;
    }
    if (!is_call && at_keyword(parser, "elapsed")) {
        if (!has_beginning(parser->statement->event))
            return es_parser_fail(parser, "when enter(f) then leave(f) { print elapsed }",
                                  "elapsed counts from an event before this one, and there is none");
        es_parser_take(parser);
        *value = add_item(parser, action, (es_print_item){.name = "elapsed", .kind = ES_ITEM_ELAPSED});
        return true;
    }
    if (is_call && es_token_is(&parser->token, "which"))
        return parse_which(parser, action, value);
    if (is_call && es_token_is(&parser->token, "text"))
        return parse_text(parser, action, value);
    if (is_call && !old && !age && parser->token.kind == ES_TOKEN_NAME)
        return es_parser_fail(parser, hint, "this cannot be printed");
    const char *name = parser->token.kind == ES_TOKEN_NAME ? es_parser_token_text(parser) : "";
    if (!is_call && !es_names_variable(parser, name) && es_names_counter(parser, name)) {
        es_parser_take(parser);
        *value = add_item(parser, action,
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
    if (!old && !age)
        return parse_variable(parser, action, value, false);
    size_t index = 0;
    const char *text = NULL;
    if (!es_parse_reference(parser, &index, &text))
        return false;
    if (!es_parser_at_sign(parser, ')'))
        return es_parser_fail(parser, "old(x) and age(x) take one variable", "expected )");
    es_parser_take(parser);
    text = es_arena_format(parser->arena, "%s(%s)", old ? "old" : "age", text);
    *value =
        add_item(parser, action,
                 (es_print_item){.name = text, .index = index, .old = old, .kind = age ? ES_ITEM_AGE : ES_ITEM_VALUE});
    return true;
}

bool es_at_action_end(const es_parser *parser)
{
    return es_parser_at_sign(parser, ';') || es_parser_at_sign(parser, '}') ||
           parser->token.kind == ES_TOKEN_END_OF_TEXT;
}

bool es_parse_print(es_parser *parser)
{
    es_source source = parser->token.source;
    unsigned line = source.line;
    es_action *action = es_add_action(parser, ES_ACTION_PRINT, source);
    parser->text_count = 0;
    es_parser_take(parser);
    /* Actions may also be separated by line ends: a bare print ends with its line. */
    if (es_at_action_end(parser) || parser->token.source.line != line) {
        add_items_of_event(parser, action);
        add_texts(parser, source);
        return true;
    }
    for (size_t ignored;; es_parser_take(parser)) {
        if (!es_parse_item(parser, action, &ignored))
            return false;
        if (!es_parser_at_sign(parser, ','))
            break;
    }
    add_texts(parser, source);
    return true;
}
