/* What names mean: variables, counters, and procedures with the file before them where it is needed:
 * heatshrink.c\step. */
#include <string.h>

#include "lang/parser.h"

/* A copy of the parser that looks ahead and tells nothing. */
static es_parser ahead_of(const es_parser *parser, es_error *ignored)
{
    es_parser ahead = *parser;
    ahead.err = ignored;
    ahead.lexer.err = ignored;
    return ahead;
}

/* Takes names with dots between them, or a string; false: something else stands here. */
static bool skip_file(es_parser *parser)
{
    bool string = parser->token.kind == ES_TOKEN_STRING;
    size_t dots = 0;
    if (!string && parser->token.kind != ES_TOKEN_NAME)
        return false;
    es_parser_take(parser);
    while (!string && es_parser_at_sign(parser, '.')) {
        es_parser_take(parser);
        if (parser->token.kind != ES_TOKEN_NAME)
            return false;
        es_parser_take(parser);
        dots++;
    }
    return (string || dots > 0) && es_parser_at_sign(parser, '\\');
}

bool es_at_file(const es_parser *parser)
{
    es_error ignored;
    es_parser ahead = ahead_of(parser, &ignored);
    return skip_file(&ahead);
}

const char *es_take_file(es_parser *parser)
{
    const char *start = parser->token.start;
    size_t quote = parser->token.kind == ES_TOKEN_STRING;
    skip_file(parser);
    const char *file = es_arena_copy(parser->arena, start + quote, (size_t)(parser->previous_end - start) - 2 * quote);
    es_parser_take(parser);
    return file;
}

bool es_at_procedure(const es_parser *parser, es_token next[2])
{
    es_error ignored;
    es_parser ahead = ahead_of(parser, &ignored);
    const char *file = es_at_file(parser) ? es_take_file(&ahead) : NULL;
    if (ahead.token.kind != ES_TOKEN_NAME)
        return false;
    const es_procedure *found;
    const char *name = es_parser_token_text(&ahead);
    es_parser_take(&ahead);
    next[0] = ahead.token;
    next[1] = es_parser_peek(&ahead);
    return file ? es_symbols_procedures_named(parser->symbols, file, name, &found, 1) > 0
                : es_symbols_procedure_named(parser->symbols, name) != NULL;
}

bool es_names_variable(const es_parser *parser, const char *name)
{
    const es_variable *variable;
    return es_symbols_find(parser->symbols, NULL, name, &variable, 1) > 0;
}

bool es_names_counter(const es_parser *parser, const char *name)
{
    es_known_names *known = parser->known;
    for (; known->counted_count < parser->counter_count; known->counted_count++)
        es_names_put(&known->counted, parser->arena, parser->counters[known->counted_count], known->counted_count);
    return es_names_find(&known->counted, name) != ES_NO_NAME;
}

size_t es_counter(es_parser *parser, const char *name)
{
    es_program *program = parser->program;
    size_t counter = es_names_find(&parser->known->counters, name);
    if (counter == ES_NO_NAME) {
        counter = program->counter_count;
        program->counters = es_arena_grow(parser->arena, program->counters, counter, sizeof *program->counters);
        program->counters[program->counter_count++] = name;
        es_names_put(&parser->known->counters, parser->arena, name, counter);
    }
    return counter;
}

static size_t named_before(const es_known_names *known, const es_statement *statements, const char *name, size_t count)
{
    size_t number = es_names_find(&known->statements, name);
    bool is = number < count && statements[number].name && strcmp(statements[number].name, name) == 0;
    return is ? number : ES_NO_NAME;
}

/* Statements that were wrong are taken back, so what the table says is looked at again. */
size_t es_statement_named(const es_parser *parser, const char *name, size_t count)
{
    const es_statement *statements = parser->program->statements;
    es_known_names *known = parser->known;
    size_t from = known->statement_count < count ? known->statement_count : count;
    for (size_t i = from; i < count; i++)
        if (statements[i].name && named_before(known, statements, statements[i].name, i) == ES_NO_NAME)
            es_names_put(&known->statements, parser->arena, statements[i].name, i);
    known->statement_count = count;
    return named_before(known, statements, name, count);
}
