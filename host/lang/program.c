/* Statements: names, `when`, `expect`; what is common to a whole text and to several of them. */
#include "lang/parser.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define STATEMENTS_MAX 65000u /* their numbers have 16 bits in hits and in traces */

static bool parse_name(es_parser *parser)
{
    es_program *program = parser->program;
    const char *name = es_arena_copy(parser->arena, parser->token.start, parser->token.length);
    size_t other = es_statement_named(parser, name, program->statement_count - 1);
    if (other != ES_NO_NAME)
        return es_parser_fail(parser, "each statement needs a name of its own",
                              "there is a statement '%s' already, at %s:%u", name,
                              program->statements[other].source.file, program->statements[other].source.line);
    parser->statement->name = name;
    es_parser_take(parser);
    es_parser_take(parser);
    return true;
}

static bool parse_predicate(es_parser *parser)
{
    if (parser->token.kind == ES_TOKEN_END_OF_TEXT || es_parser_at_sign(parser, '{'))
        return es_parser_fail(parser, "for example: when temp > 80 { print temp }", "expected a predicate");
    es_event_tree *event = es_parse_event(parser);
    if (!event)
        return false;
    es_statement *statement = parser->statement;
    if (statement->expect == ES_EXPECT_WITHIN) {
        statement->expect_within = event->within;
        event->within = (es_duration){0};
        if (!statement->expect_within.count)
            return es_parser_fail(parser, "expect E within 5ms, expect never E, or expect eventually E",
                                  "expected `within` and a time");
    }
    statement->event = event;
    if (event->kind == ES_EVENT_WHEN && !event->condition->holds_for.count)
        statement->predicate = event->condition->expr;
    statement->predicate_count = statement->reference_count;
    return true;
}

/* expect never E, expect eventually E, expect E within T; the keyword is taken. */
static bool parse_expect(es_parser *parser)
{
    es_statement *statement = parser->statement;
    statement->expect = ES_EXPECT_WITHIN;
    if (es_token_is(&parser->token, "never"))
        statement->expect = ES_EXPECT_NEVER;
    else if (es_token_is(&parser->token, "eventually"))
        statement->expect = ES_EXPECT_EVENTUALLY;
    else if (es_token_is(&parser->token, "always"))
        return es_parser_fail(parser, "expect never !(E)", "there is no `expect always`");
    if (statement->expect != ES_EXPECT_WITHIN)
        es_parser_take(parser);
    return true;
}

/* Is the next token, at a statement's start, the keyword and no variable of that name in an expression? */
static bool at_keyword(const es_parser *parser, const char *keyword)
{
    es_token ahead = es_parser_peek(parser);
    if (!es_token_is(&parser->token, keyword))
        return false;
    if (!es_names_variable(parser, keyword) || parser->statement->name)
        return true;
    return ahead.kind != ES_TOKEN_END_OF_TEXT &&
           (ahead.kind != ES_TOKEN_SIGN || es_token_is_sign(&ahead, '(') || es_token_is_sign(&ahead, '!'));
}

/* After `name:` of a procedure's name: does an event begin here, where no step of a path can? */
static bool at_event(const es_parser *parser)
{
    if (parser->token.kind == ES_TOKEN_SIGN)
        return strchr("(!-+~&", parser->token.sign & 0x7F) && parser->token.sign < 256;
    es_token ahead = es_parser_peek(parser);
    return parser->token.kind == ES_TOKEN_NAME && es_token_is_sign(&ahead, '(');
}

/* Does a statement's name stand here, as in `name: when x`, `name: x > 3`, and not the path `name:name\x`? */
static bool at_statement_name(es_parser *parser)
{
    es_token ahead = es_parser_peek(parser);
    if (parser->token.kind != ES_TOKEN_NAME || !es_token_is_sign(&ahead, ':'))
        return false;
    es_parser copy = *parser;
    es_error ignored;
    copy.err = &ignored;
    copy.lexer.err = &ignored;
    es_parser_take(&copy);
    bool apart = strchr(" \t\r\n", ahead.start[1]);
    es_parser_take(&copy);
    if (es_token_is(&copy.token, "when") || es_token_is(&copy.token, "expect") ||
        es_token_is(&copy.token, "disabled") || at_event(&copy))
        return true;
    /* `contrl:clamp\x` is meant as a path, though there is no such procedure */
    return apart && !es_symbols_procedure_named(parser->symbols, es_parser_token_text(parser));
}

/* What a statement without actions means, and where it is allowed. */
static bool finish_without_actions(es_parser *parser)
{
    es_statement *statement = parser->statement;
    bool new_line = parser->token.source.line > statement->source.line;
    bool next = new_line && (es_token_is(&parser->token, "when") || es_token_is(&parser->token, "expect") ||
                             at_statement_name(parser));
    if (parser->token.kind == ES_TOKEN_END_OF_TEXT || (next && statement->expect)) {
        es_add_default_print(parser);
        return true;
    }
    if (next || es_token_is(&parser->token, "when") ||
        (parser->token.kind == ES_TOKEN_NAME && at_statement_name(parser)))
        return es_parser_fail(parser, "write { print } after the statement before: only the last one may go without",
                              "the statement before has no actions");
    return es_parser_fail_after_expression(parser, "an operator or { and actions");
}

static bool parse_statement(es_parser *parser)
{
    es_program *program = parser->program;
    if (program->statement_count == STATEMENTS_MAX)
        return es_parser_fail(parser, "watch them in several runs", "there are more than %u statements",
                              STATEMENTS_MAX);
    program->statements =
        es_arena_grow(parser->arena, program->statements, program->statement_count, sizeof *program->statements);
    es_statement *statement = &program->statements[program->statement_count++];
    parser->statement = statement;
    statement->source = parser->token.source;
    const char *start = parser->token.start;

    if (at_statement_name(parser) && !parse_name(parser))
        return false;
    es_token ahead = es_parser_peek(parser);
    if (es_token_is(&parser->token, "disabled") && (es_token_is(&ahead, "when") || es_token_is(&ahead, "expect"))) {
        statement->disabled = true;
        es_parser_take(parser);
    }
    if (es_token_is(&parser->token, "when"))
        es_parser_take(parser);
    else if (at_keyword(parser, "expect")) {
        es_parser_take(parser);
        if (!parse_expect(parser))
            return false;
    }
    if (!parse_predicate(parser))
        return false;
    bool good = es_parser_at_sign(parser, '{') ? es_parse_actions(parser) : finish_without_actions(parser);
    if (!good || !es_finish_events(parser, (es_event_tree *)statement->event))
        return false;
    es_find_uses(parser);
    statement->text = es_arena_copy(parser->arena, start, (size_t)(parser->previous_end - start));
    return true;
}

static bool parse_text(es_parser *parser, const es_text *text)
{
    es_lexer_init(&parser->lexer, parser->symbols, text, parser->err);
    parser->previous_end = text->text;
    parser->token = es_lexer_next(&parser->lexer);
    if (parser->token.kind == ES_TOKEN_END_OF_TEXT) {
        es_parser_fail(parser, "for example: when temp > 80 { print temp }", "there is no statement here");
        return es_note_problem(parser);
    }
    while (parser->token.kind != ES_TOKEN_END_OF_TEXT) {
        if (es_parser_at_sign(parser, ';')) {
            es_parser_take(parser);
            continue;
        }
        es_lexer lexer = parser->lexer;
        es_token first = parser->token;
        parser->nesting = parser->choices = 0;
        parser->factored = NULL;
        if (es_at_tasks(parser)     ? es_parse_tasks(parser)
            : es_at_profile(parser) ? es_parse_profile(parser, parse_statement)
            : es_at_cover(parser)   ? es_parse_cover(parser, parse_statement)
            : es_at_heap(parser)    ? es_parse_heap(parser, parse_statement)
            : es_at_stack(parser)   ? es_parse_stack(parser, parse_statement)
                                    : parse_statement(parser))
            continue;
        if (!es_note_problem(parser))
            return false;
        es_skip_statement(parser, &lexer, &first);
    }
    return true;
}

/* --- several texts ------------------------------------------------------------------------------------------------ */

/* In `count by path`, where the lexer goes on after `by`. */
static bool is_word_by(const es_lexer *lexer, const es_token *token)
{
    es_lexer ahead = *lexer;
    es_error ignored;
    ahead.err = &ignored;
    es_token next = es_lexer_next(&ahead);
    return es_token_is(token, "by") && next.source.line == token->source.line && !es_token_is_sign(&next, ';') &&
           !es_token_is_sign(&next, '}') && next.kind != ES_TOKEN_END_OF_TEXT;
}

/* Notes the names that actions of a text count, so that conditions before them can read them. */
static void find_counters(es_parser *parser, const es_text *text)
{
    static const char *const keywords[] = {"count", "increment", "decrement", "set", "reset"};
    es_error ignored;
    es_lexer lexer;
    es_lexer_init(&lexer, parser->symbols, text, &ignored);
    int depth = 0;
    es_token before = {0}, token = es_lexer_next(&lexer);
    while (token.kind != ES_TOKEN_END_OF_TEXT) {
        depth += es_token_is_sign(&token, '{') - es_token_is_sign(&token, '}');
        bool begins =
            es_token_is_sign(&before, '{') || es_token_is_sign(&before, ';') || token.source.line != before.source.line;
        es_token next = es_lexer_next(&lexer);
        if (depth == 0 && (before.source.line != token.source.line || es_token_is_sign(&before, ';'))) {
            es_heap_counters(parser, &token, &next);
            es_stack_counters(parser, &token, &next);
        }
        for (size_t i = 0; i < sizeof keywords / sizeof *keywords && depth > 0 && begins; i++) {
            if (!es_token_is(&token, keywords[i]) || next.kind != ES_TOKEN_NAME)
                continue;
            const char *name = es_arena_copy(parser->arena, next.start, next.length);
            if (es_names_counter(parser, name) || is_word_by(&lexer, &next))
                continue;
            parser->counters =
                es_arena_grow(parser->arena, parser->counters, parser->counter_count, sizeof *parser->counters);
            parser->counters[parser->counter_count++] = name;
        }
        before = token;
        token = next;
    }
}

/* enable and disable: the statements that are meant. */
static void find_statements(es_parser *parser)
{
    es_program *program = parser->program;
    for (size_t i = 0; i < parser->late_count; i++) {
        const es_late_name *late = &parser->late[i];
        size_t s = es_statement_named(parser, late->name, program->statement_count);
        if (s != ES_NO_NAME) {
            program->statements[late->statement].actions[late->action].statement = s;
            continue;
        }
        es_lang_fail(parser->err, late->text, late->source, late->length, "statements without a name are s1, s2, ...",
                     "there is no statement '%s'", late->name);
        if (!es_note_problem(parser))
            return;
    }
}

static void name_statements(es_parser *parser)
{
    es_program *program = parser->program;
    unsigned number = 1;
    for (size_t i = 0; i < program->statement_count; i++) {
        while (!program->statements[i].name) { /* what is made here is made once */
            const char *name = es_arena_format(parser->arena, "s%u", number++);
            if (es_statement_named(parser, name, program->statement_count) == ES_NO_NAME)
                program->statements[i].name = name;
        }
    }
    parser->known->statement_count = 0; /* these have names now, too */
}

bool es_program_parse(const es_symbols *symbols, const es_text *texts, size_t count, es_program *program, es_error *err)
{
    return es_program_parse_all(symbols, texts, count, program, NULL, err);
}

bool es_program_parse_all(const es_symbols *symbols, const es_text *texts, size_t count, es_program *program,
                          es_text_buffer *earlier, es_error *err)
{
    es_error ignored = {0};
    *program = (es_program){0};
    es_known_names known = {0};
    es_parser parser = {.symbols = symbols,
                        .arena = es_arena_new(),
                        .program = program,
                        .known = &known,
                        .earlier = earlier,
                        .err = err ? err : &ignored};
    program->arena = parser.arena;
    /* Messages and sources keep the texts and their names beyond the caller's. */
    es_text *kept = es_arena_alloc(parser.arena, (count + 1) * sizeof *kept);
    program->texts = kept;
    program->text_count = count;
    for (size_t i = 0; i < count; i++) {
        kept[i] = (es_text){es_arena_copy(parser.arena, texts[i].file, strlen(texts[i].file)),
                            es_arena_copy(parser.arena, texts[i].text, strlen(texts[i].text))};
        find_counters(&parser, &kept[i]);
    }
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = parse_text(&parser, &kept[i]);
    if (good && program->statement_count == 0 && parser.problem_count == 0) {
        es_fail(parser.err, ES_USAGE, "there is no statement: give one with -e 'temp > 80' or a file with -s");
        good = es_note_problem(&parser);
    }
    if (good) {
        name_statements(&parser);
        find_statements(&parser);
    }
    good = es_tell_problems(&parser);
    if (good) {
        es_find_kernel(&parser);
        if (program->task)
            es_find_task_name(program);
    }
    if (!good)
        es_program_free(program);
    return good;
}

bool es_program_kernel(const es_symbols *symbols, es_program *program)
{
    es_error ignored = {0};
    *program = (es_program){0};
    es_known_names known = {0};
    es_parser parser = {
        .symbols = symbols, .arena = es_arena_new(), .program = program, .known = &known, .err = &ignored};
    program->arena = parser.arena;
    es_find_kernel(&parser);
    if (program->task)
        es_find_task_name(program);
    else
        es_program_free(program);
    return program->task;
}

void es_program_free(es_program *program)
{
    es_arena_free(program->arena);
    *program = (es_program){0};
}
