/* Statements: names, `when`, actions; everything but expressions. */
#include "lang/parser.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define STATEMENTS_MAX 1024u /* far more than a probe's memory holds */

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

bool es_token_is(const es_token *token, const char *name)
{
    return token->kind == ES_TOKEN_NAME && strlen(name) == token->length && memcmp(token->start, name, token->length) == 0;
}

static bool fail(es_parser *parser, es_source source, size_t length, const char *hint, const char *format, va_list args)
{
    char message[512];
    vsnprintf(message, sizeof message, format, args);
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
    const char *line = parser->lexer.text;
    for (unsigned n = 1; n < node->expr.source.line; n++)
        line = strchr(line, '\n') + 1;
    const char *start = line + (node->expr.source.column - 1);
    va_list args;
    va_start(args, format);
    fail(parser, node->expr.source, node->end > start ? (size_t)(node->end - start) : 0, hint, format, args);
    va_end(args);
    return false;
}

/* --- actions ---------------------------------------------------------------------------------- */

static void add_item(es_parser *parser, es_action *action, const char *name, size_t index, bool old)
{
    /* A value is shown once per hit, however often the statement asks for it. */
    for (size_t a = 0; a < parser->statement->action_count; a++)
        for (size_t i = 0; i < parser->statement->actions[a].item_count; i++)
            if (strcmp(parser->statement->actions[a].items[i].name, name) == 0)
                return;
    action->items = es_arena_grow(parser->arena, action->items, action->item_count, sizeof *action->items);
    action->items[action->item_count++] = (es_print_item){.name = name, .index = index, .old = old};
}

static void add_items_of(es_parser *parser, es_action *action, const es_expr *expr)
{
    if (!expr)
        return;
    add_items_of(parser, action, expr->lhs);
    add_items_of(parser, action, expr->rhs);
    if (expr->kind != ES_EXPR_REFERENCE && expr->kind != ES_EXPR_OLD && expr->kind != ES_EXPR_WRITE)
        return;
    bool old = expr->kind == ES_EXPR_OLD;
    const char *text = parser->statement->references[expr->index].text;
    add_item(parser, action, old ? es_arena_format(parser->arena, "old(%s)", text) : text, expr->index, old);
}

static bool names_a_variable(const es_parser *parser, const char *name)
{
    const es_variable *variable;
    return es_symbols_find(parser->symbols, NULL, name, &variable, 1) > 0;
}

static bool parse_item(es_parser *parser, es_action *action)
{
    es_token ahead = es_parser_peek(parser);
    bool is_call = ahead.kind == ES_TOKEN_SIGN && ahead.sign == '(';
    if (es_token_is(&parser->token, "path") && !names_a_variable(parser, "path")) {
        es_parser_take(parser); /* every hit shows its path anyway */
        return true;
    }
    bool old = is_call && es_token_is(&parser->token, "old");
    if (old) {
        es_parser_take(parser);
        es_parser_take(parser);
    } else if (es_unavailable_prefix(parser)) {
        return false;
    } else if (is_call && parser->token.kind == ES_TOKEN_NAME) {
        return es_parser_fail(parser, "print takes variables and old(x): { print x, old(x) }", "this cannot be printed");
    }
    if (parser->token.kind != ES_TOKEN_NAME && parser->token.kind != ES_TOKEN_STRING)
        return es_parser_fail(parser, "print takes variables and old(x), with commas between: { print x, old(x) }",
                              "expected the name of a variable");
    size_t index = 0;
    const char *text = NULL;
    if (!es_parse_reference(parser, &index, &text))
        return false;
    if (old) {
        if (!es_parser_at_sign(parser, ')'))
            return es_parser_fail(parser, "old takes one variable: old(x)", "expected )");
        es_parser_take(parser);
        text = es_arena_format(parser->arena, "old(%s)", text);
    }
    add_item(parser, action, text, index, old);
    return true;
}

static bool at_action_end(const es_parser *parser)
{
    return es_parser_at_sign(parser, ';') || es_parser_at_sign(parser, '}') || parser->token.kind == ES_TOKEN_END;
}

static es_action *add_action(es_parser *parser, enum es_action_kind kind)
{
    es_statement *statement = parser->statement;
    statement->actions = es_arena_grow(parser->arena, statement->actions, statement->action_count, sizeof *statement->actions);
    es_action *action = &statement->actions[statement->action_count++];
    action->kind = kind;
    return action;
}

static bool parse_print(es_parser *parser)
{
    es_action *action = add_action(parser, ES_ACTION_PRINT);
    unsigned line = parser->token.source.line;
    es_parser_take(parser);
    /* Actions may also be separated by line ends: a bare print ends with its line. */
    if (at_action_end(parser) || parser->token.source.line != line) {
        add_items_of(parser, action, parser->statement->predicate);
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

static bool parse_count(es_parser *parser)
{
    es_parser_take(parser);
    if (parser->token.kind != ES_TOKEN_NAME)
        return es_parser_fail(parser, "a counter needs no declaration: { count overheats }", "expected the name of a counter");
    es_program *program = parser->program;
    const char *name = es_arena_copy(parser->arena, parser->token.start, parser->token.length);
    size_t counter = 0;
    while (counter < program->counter_count && strcmp(program->counters[counter], name) != 0)
        counter++;
    if (counter == program->counter_count) {
        program->counters = es_arena_grow(parser->arena, program->counters, counter, sizeof *program->counters);
        program->counters[program->counter_count++] = name;
    }
    es_parser_take(parser);
    add_action(parser, ES_ACTION_COUNT)->counter = counter;
    return true;
}

static bool parse_actions(es_parser *parser)
{
    es_span open = es_parser_here(parser);
    es_parser_take(parser);
    while (!es_parser_at_sign(parser, '}')) {
        unsigned line = parser->token.source.line;
        bool good;
        if (es_parser_at_sign(parser, ';')) {
            es_parser_take(parser);
            continue;
        }
        if (es_token_is(&parser->token, "print"))
            good = parse_print(parser);
        else if (es_token_is(&parser->token, "count"))
            good = parse_count(parser);
        else if (parser->token.kind == ES_TOKEN_END)
            return es_lang_fail(parser->err, parser->lexer.text, open.source, 1, NULL, "this { has no }");
        else if (es_unavailable_action(parser))
            good = false;
        else
            good = es_parser_fail(parser, "actions are `print`, `print x, old(x)` and `count NAME`", "expected an action");
        if (!good)
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

/* --- statements --------------------------------------------------------------------------------- */

static bool has_event(const es_expr *expr)
{
    return expr && (expr->kind == ES_EXPR_ENTER || expr->kind == ES_EXPR_LEAVE || has_event(expr->lhs) || has_event(expr->rhs));
}

static bool parse_name(es_parser *parser)
{
    es_program *program = parser->program;
    const char *name = es_arena_copy(parser->arena, parser->token.start, parser->token.length);
    for (size_t i = 0; i + 1 < program->statement_count; i++)
        if (program->statements[i].name && strcmp(program->statements[i].name, name) == 0)
            return es_parser_fail(parser, "each statement needs a name of its own", "there is a statement '%s' already, at %s:%u",
                                  name, program->statements[i].source.file, program->statements[i].source.line);
    parser->statement->name = name;
    es_parser_take(parser);
    es_parser_take(parser);
    return true;
}

static bool parse_predicate(es_parser *parser)
{
    if (parser->token.kind == ES_TOKEN_END || es_parser_at_sign(parser, '{'))
        return es_parser_fail(parser, "for example: when temp > 80 { print temp }", "expected a predicate");
    es_node *predicate = es_parse_expression(parser);
    if (!predicate)
        return false;
    es_statement *statement = parser->statement;
    statement->predicate = &predicate->expr;
    statement->predicate_count = statement->reference_count;
    if (statement->reference_count == 0 && !has_event(&predicate->expr))
        return es_parser_fail_node(parser, predicate,
                                   "name a variable: write(x) is true at every write to x; enter(f) when procedure f is entered",
                                   "this predicate names no variable and no event, so it would never be evaluated");
    return true;
}

static bool parse_statement(es_parser *parser)
{
    es_program *program = parser->program;
    if (program->statement_count == STATEMENTS_MAX)
        return es_parser_fail(parser, NULL, "there are more than %u statements", STATEMENTS_MAX);
    program->statements =
        es_arena_grow(parser->arena, program->statements, program->statement_count, sizeof *program->statements);
    es_statement *statement = &program->statements[program->statement_count++];
    parser->statement = statement;
    statement->source = parser->token.source;
    const char *start = parser->token.start;

    es_token ahead = es_parser_peek(parser);
    if (parser->token.kind == ES_TOKEN_NAME && ahead.kind == ES_TOKEN_SIGN && ahead.sign == ':') {
        es_parser copy = *parser; /* `name: when` or the path `name:name\x`? */
        es_parser_take(&copy);
        es_error ignored;
        copy.lexer.err = &ignored;
        es_parser_take(&copy);
        const char *name = es_arena_copy(parser->arena, parser->token.start, parser->token.length);
        bool named = es_token_is(&copy.token, "when") || es_token_is(&copy.token, "expect") ||
                     !es_symbols_procedure_named(parser->symbols, name);
        if (named && !parse_name(parser))
            return false;
    }
    if (es_token_is(&parser->token, "when"))
        es_parser_take(parser);
    else if (statement->name && es_token_is(&parser->token, "expect") && es_unavailable_prefix(parser))
        return false;
    else if (statement->name)
        return es_parser_fail(parser, "name: when EXPRESSION { ACTIONS }", "expected `when` after the statement's name");
    if (!parse_predicate(parser))
        return false;
    if (es_parser_at_sign(parser, '{')) {
        if (!parse_actions(parser))
            return false;
    } else if (parser->token.kind == ES_TOKEN_END) {
        add_items_of(parser, add_action(parser, ES_ACTION_PRINT), statement->predicate);
    } else {
        return es_parser_fail_after_expression(parser, "an operator or { and actions");
    }
    statement->text = es_arena_copy(parser->arena, start, (size_t)(parser->previous_end - start));
    return true;
}

static bool parse_text(es_parser *parser, const es_text *text)
{
    es_lexer_init(&parser->lexer, text, parser->err);
    parser->previous_end = text->text;
    parser->token = es_lexer_next(&parser->lexer);
    if (parser->token.kind == ES_TOKEN_END)
        return es_parser_fail(parser, "for example: when temp > 80 { print temp }", "there is no statement here");
    while (parser->token.kind != ES_TOKEN_END) {
        if (es_parser_at_sign(parser, ';'))
            es_parser_take(parser);
        else if (!parse_statement(parser))
            return false;
    }
    return true;
}

static void name_statements(es_parser *parser)
{
    es_program *program = parser->program;
    unsigned number = 1;
    for (size_t i = 0; i < program->statement_count; i++) {
        bool taken = true;
        while (!program->statements[i].name && taken) {
            const char *name = es_arena_format(parser->arena, "s%u", number++);
            taken = false;
            for (size_t k = 0; k < program->statement_count && !taken; k++)
                taken = program->statements[k].name && strcmp(program->statements[k].name, name) == 0;
            if (!taken)
                program->statements[i].name = name;
        }
    }
}

bool es_program_parse(const es_symbols *symbols, const es_text *texts, size_t count, es_program *program, es_error *err)
{
    es_error ignored = {0};
    *program = (es_program){0};
    es_parser parser = {.symbols = symbols, .arena = es_arena_new(), .program = program, .err = err ? err : &ignored};
    program->arena = parser.arena;
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        /* Messages and sources keep the file's name beyond the caller's text. */
        es_text text = {es_arena_copy(parser.arena, texts[i].file, strlen(texts[i].file)),
                        es_arena_copy(parser.arena, texts[i].text, strlen(texts[i].text))};
        es_text *kept = es_arena_grow(parser.arena, (void *)program->texts, i, sizeof text);
        kept[i] = text;
        program->texts = kept;
        program->text_count = i + 1;
        good = parse_text(&parser, &text);
    }
    if (good && program->statement_count == 0)
        good = es_fail(err, ES_USAGE, "there is no statement: give one with -e 'temp > 80' or a file with -s");
    if (!good) {
        es_program_free(program);
        return false;
    }
    name_statements(&parser);
    return true;
}

void es_program_free(es_program *program)
{
    es_arena_free(program->arena);
    *program = (es_program){0};
}
