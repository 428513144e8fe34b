/* profile control.c, profile plant_*: a statement for each procedure that is meant. */
#include <fnmatch.h>
#include <string.h>

#include "lang/parser.h"

bool es_at_pattern(const es_parser *parser, const char *word)
{
    es_token ahead = es_parser_peek(parser);
    return es_token_is(&parser->token, word) && ahead.source.line == parser->token.source.line &&
           (ahead.kind == ES_TOKEN_NAME || ahead.kind == ES_TOKEN_STRING || es_token_is_sign(&ahead, '*')) &&
           !es_names_variable(parser, word);
}

bool es_at_profile(const es_parser *parser)
{
    return es_at_pattern(parser, "profile");
}

const char *es_take_pattern(es_parser *parser)
{
    const char *start = parser->token.start;
    size_t length = strcspn(start, " \t\r\n;");
    bool quoted = parser->token.kind == ES_TOKEN_STRING;
    const char *pattern = quoted ? es_arena_copy(parser->arena, start + 1, parser->token.length - 2)
                                 : es_arena_copy(parser->arena, start, length);
    const char *end = start + (quoted ? parser->token.length : length);
    while (parser->token.kind != ES_TOKEN_END_OF_TEXT && parser->token.kind != ES_TOKEN_BAD &&
           parser->token.start < end)
        es_parser_take(parser);
    return pattern;
}

bool es_is_file_of_pattern(const char *file, const char *pattern)
{
    if (!file)
        return false;
    size_t length = strlen(pattern), all = strlen(file);
    return all >= length && strcmp(file + all - length, pattern) == 0 &&
           (all == length || file[all - length - 1] == '/');
}

static bool is_meant(const es_parser *parser, const es_procedure *procedure, const char *pattern)
{
    bool helper = strncmp(procedure->name, "__", 2) == 0 && strncmp(pattern, "__", 2) != 0; /* the compiler's */
    return procedure->has_debug && !helper && !es_symbols_is_part(procedure) &&
           (es_is_file_of_pattern(procedure->file, pattern) || fnmatch(pattern, procedure->name, 0) == 0) &&
           es_symbols_procedure_named(parser->symbols, procedure->name) == procedure;
}

bool es_parse_made(es_parser *parser, const char *text, bool (*parse)(es_parser *parser))
{
    es_parser outer = *parser;
    es_text one = {parser->lexer.file, text};
    es_lexer_init(&parser->lexer, parser->symbols, &one, parser->err);
    parser->previous_end = text;
    parser->token = es_lexer_next(&parser->lexer);
    bool good = parse(parser);
    parser->lexer = outer.lexer;
    parser->token = outer.token;
    parser->previous_end = outer.previous_end;
    return good;
}

/* The statement of one procedure, which has its name unless another statement has. */
static bool add_procedure(es_parser *parser, const es_procedure *procedure, bool (*parse)(es_parser *parser))
{
    es_program *program = parser->program;
    const char *text =
        es_arena_format(parser->arena, "enter(%s) || leave(%s) { profile }", procedure->name, procedure->name);
    bool good = es_parse_made(parser, text, parse);
    if (good && es_statement_named(parser, procedure->name, program->statement_count - 1) != ES_NO_NAME)
        return true;
    if (good)
        program->statements[program->statement_count - 1].name = procedure->name;
    return good;
}

bool es_parse_profile(es_parser *parser, bool (*parse)(es_parser *parser))
{
    es_parser_take(parser);
    es_span from = es_parser_here(parser);
    const char *pattern = es_take_pattern(parser);
    const es_procedure *const *all;
    size_t count = es_symbols_procedures(parser->symbols, &all), found = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_meant(parser, all[i], pattern))
            continue;
        found++;
        if (!add_procedure(parser, all[i], parse))
            return false;
    }
    return found || es_parser_fail_from(parser, from, "profile control, profile control.c, profile plant_*",
                                        "no procedure of the program, and no file, is called %s", pattern);
}
