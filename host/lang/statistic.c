/* Statistics as actions: hist(x), stats(x), count by x. What they take is sent like a printed value. */
#include "lang/parser.h"

#define TOP_MAX 1000000u

static bool names_counter(const es_parser *parser)
{
    es_token ahead = es_parser_peek(parser);
    es_parser after = *parser;
    es_error ignored;
    after.err = &ignored;
    after.lexer.err = &ignored;
    es_parser_take(&after);
    es_parser_take(&after);
    return !es_token_is(&ahead, "by") || es_at_action_end(&after) || after.token.source.line != ahead.source.line;
}

bool es_at_statistic(const es_parser *parser)
{
    es_token ahead = es_parser_peek(parser);
    if (es_token_is(&parser->token, "count"))
        return !names_counter(parser); /* count by path; `count by` counts a counter called `by` */
    if (es_token_is(&parser->token, "profile") || parser->cover || parser->stack)
        return true;
    return (es_token_is(&parser->token, "hist") || es_token_is(&parser->token, "stats")) &&
           es_token_is_sign(&ahead, '(');
}

static const es_print_item *item_of(const es_statement *statement, size_t value)
{
    for (size_t a = 0; a < statement->action_count; a++) {
        const es_action *action = &statement->actions[a];
        if (value < action->item_count)
            return &action->items[value];
        value -= action->item_count;
    }
    return NULL;
}

/* Whether a value is a number that can be added to others. */
static bool is_number(const es_parser *parser, size_t value)
{
    const es_print_item *item = item_of(parser->statement, value);
    if (item->kind == ES_ITEM_WHICH || item->kind == ES_ITEM_BACKTRACE)
        return false;
    const es_type *type = item->kind == ES_ITEM_VALUE ? parser->statement->references[item->index].type : NULL;
    return !type || type->kind != ES_TYPE_POINTER;
}

/* (x) */
static bool parse_value(es_parser *parser, es_action *action, const char *keyword, size_t *value)
{
    const char *hint =
        es_arena_format(parser->arena, "%s(elapsed), %s(x), %s(age(x)) by path", keyword, keyword, keyword);
    es_parser_take(parser);
    es_parser_take(parser);
    es_span from = es_parser_here(parser);
    if (!es_parse_item(parser, action, value))
        return false;
    if (*value == ES_NO_VALUE || !is_number(parser, *value))
        return es_parser_fail_from(parser, from, hint, "%s takes a number", keyword);
    if (!es_parser_at_sign(parser, ')'))
        return es_parser_fail(parser, hint, "%s takes one value, as print shows it: expected )", keyword);
    es_parser_take(parser);
    return true;
}

static bool at_word(const es_parser *parser, const char *word)
{
    return es_token_is(&parser->token, word) && !es_names_variable(parser, word);
}

/* by path, by task, by place, by x */
static bool parse_by(es_parser *parser, es_action *action, es_statistic *statistic)
{
    static const struct {
        const char *word;
        enum es_statistic_by by;
    } words[] = {{"path", ES_BY_PATH}, {"task", ES_BY_TASK}, {"place", ES_BY_PLACE}};
    es_parser_take(parser);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!at_word(parser, words[i].word))
            continue;
        es_parser_take(parser);
        statistic->by = words[i].by;
        return true;
    }
    if (es_at_action_end(parser))
        return es_parser_fail(parser, "hist(elapsed) by path, by task, by place, by mode",
                              "expected what to tell apart by");
    statistic->by = ES_BY_VALUE;
    es_span from = es_parser_here(parser);
    if (!es_parse_item(parser, action, &statistic->key))
        return false;
    const es_print_item *item = statistic->key == ES_NO_VALUE ? NULL : item_of(parser->statement, statistic->key);
    if (item && item->kind == ES_ITEM_BACKTRACE)
        return es_parser_fail_from(parser, from, "count by path", "hits cannot be told apart by a text");
    return item || es_parser_fail_from(parser, from, "hist(elapsed) by mode", "hits cannot be told apart by a text");
}

static bool parse_top(es_parser *parser, es_statistic *statistic)
{
    es_parser_take(parser);
    if (parser->token.kind != ES_TOKEN_NUMBER || parser->token.value == 0 || parser->token.value > TOP_MAX)
        return es_parser_fail(parser, "count by path top 10", "expected how many to show");
    statistic->top = (unsigned)parser->token.value;
    es_parser_take(parser);
    return true;
}

static void name_statistic(es_parser *parser, es_statistic *statistic)
{
    static const char *const kinds[] = {"hist", "stats", "count", "profile"};
    static const char *const ways[] = {"", " by path", " by task", " by place", " by "};
    const char *name = kinds[statistic->kind];
    if (statistic->value != ES_NO_VALUE)
        name = es_arena_format(parser->arena, "%s(%s)", name, item_of(parser->statement, statistic->value)->name);
    statistic->name =
        es_arena_format(parser->arena, "%s%s%s", name, ways[statistic->by],
                        statistic->by == ES_BY_VALUE ? item_of(parser->statement, statistic->key)->name : "");
}

static bool is_entry(void *context, const es_expr *expr)
{
    (void)context;
    return expr->kind == ES_EXPR_ENTER;
}

/* { profile }, of one procedure's beginnings and ends. */
static bool parse_profile(es_parser *parser, es_statistic *statistic, es_action *action)
{
    const es_expr *entry = es_statement_find(parser->statement, is_entry, NULL);
    if (!entry)
        return es_parser_fail(parser, "enter(f) || leave(f) { profile }; or `profile f`, `profile file.c`",
                              "a profile is one of a procedure that is entered and left");
    es_parser_take(parser);
    statistic->kind = ES_STATISTIC_PROFILE;
    statistic->entry = entry->procedure->low;
    statistic->name = "profile";
    action->statistic = statistic;
    return true;
}

bool es_parse_statistic(es_parser *parser)
{
    es_span from = es_parser_here(parser);
    es_action *action = es_add_action(parser, ES_ACTION_STATISTIC, from.source);
    es_statistic *statistic = es_arena_alloc(parser->arena, sizeof *statistic);
    statistic->value = statistic->key = ES_NO_VALUE;
    if (parser->cover) {
        es_parser_take(parser);
        statistic->kind = ES_STATISTIC_COVER;
        statistic->cover = parser->cover;
        statistic->name = es_arena_format(parser->arena, "cover %s", parser->cover->pattern);
        action->statistic = statistic;
        return true;
    }
    if (parser->stack) {
        es_parser_take(parser);
        statistic->kind = ES_STATISTIC_STACK;
        statistic->stack = parser->stack;
        statistic->name = "stack";
        action->statistic = statistic;
        return es_parse_item(parser, action, &statistic->value);
    }
    if (es_token_is(&parser->token, "profile"))
        return parse_profile(parser, statistic, action);
    statistic->kind = es_token_is(&parser->token, "hist")    ? ES_STATISTIC_HIST
                      : es_token_is(&parser->token, "stats") ? ES_STATISTIC_STATS
                                                             : ES_STATISTIC_COUNT;
    action->statistic = statistic;
    if (statistic->kind == ES_STATISTIC_COUNT)
        es_parser_take(parser);
    else if (!parse_value(parser, action, statistic->kind == ES_STATISTIC_HIST ? "hist" : "stats", &statistic->value))
        return false;
    if (es_token_is(&parser->token, "by") && !parse_by(parser, action, statistic))
        return false;
    if (es_token_is(&parser->token, "top")) {
        if (!statistic->by)
            return es_parser_fail(parser, "stats(x) by path top 10", "`top` chooses among what `by` tells apart");
        if (!parse_top(parser, statistic))
            return false;
    }
    name_statistic(parser, statistic);
    return true;
}
