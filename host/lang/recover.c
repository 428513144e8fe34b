/* All errors of a run at once: after a wrong statement, parsing goes on with the next one. */
#include <string.h>

#include "lang/parser.h"

/* Does a statement begin at the token, the first of which `ahead` reads on? Sure signs only: a plain expression may
 * begin with any name. */
static bool begins_statement(const es_token *token, es_lexer ahead)
{
    if (es_token_is(token, "when") || es_token_is(token, "expect"))
        return true;
    es_token next = es_lexer_next(&ahead);
    if (es_token_is(token, "tasks"))
        return next.kind == ES_TOKEN_NAME;
    if (es_token_is(token, "disabled"))
        return es_token_is(&next, "when") || es_token_is(&next, "expect");
    if (token->kind != ES_TOKEN_NAME || !es_token_is_sign(&next, ':'))
        return false;
    next = es_lexer_next(&ahead);
    return es_token_is(&next, "when") || es_token_is(&next, "expect") || es_token_is(&next, "disabled");
}

/* The head of a statement: its name, `disabled`, `when`, `expect`. What is left begins its event. */
static void skip_head(es_lexer *lexer, es_token *token)
{
    es_lexer ahead = *lexer;
    es_token next = es_lexer_next(&ahead);
    if (token->kind == ES_TOKEN_NAME && es_token_is_sign(&next, ':')) {
        es_lexer_next(lexer);
        *token = es_lexer_next(lexer);
    }
    while (es_token_is(token, "disabled") || es_token_is(token, "when") || es_token_is(token, "expect") ||
           es_token_is(token, "tasks"))
        *token = es_lexer_next(lexer);
}

void es_skip_statement(es_parser *parser, const es_lexer *lexer, const es_token *first)
{
    es_error ignored;
    es_lexer at = *lexer, before = *lexer;
    es_token token = *first, previous = {0};
    at.err = &ignored;
    skip_head(&at, &token);
    int depth = 0, factored = 0; /* open braces, and how many of them are no actions' */
    while (token.kind != ES_TOKEN_END_OF_TEXT) {
        bool new_line = token.source.line > previous.source.line;
        if (previous.start && (depth == factored || new_line) && begins_statement(&token, at))
            break;
        if (es_token_is_sign(&token, ';') && depth == 0)
            break;
        bool closes = es_token_is_sign(&token, '}'), actions = closes && depth == factored + 1;
        if (es_token_is_sign(&token, '{')) {
            factored += depth == factored && es_token_is_sign(&previous, ':');
            depth++;
        } else if (closes && depth > 0) {
            factored -= depth == factored;
            depth--;
        }
        previous = token;
        before = at;
        token = es_lexer_next(&at);
        if (actions && depth == 0)
            break;
    }
    /* Once more, so that an error in the next token is told. */
    if (previous.start) {
        parser->lexer = before;
        parser->lexer.err = parser->err;
        es_parser_take(parser);
    } else {
        parser->lexer = at;
        parser->lexer.err = parser->err;
        parser->token = token;
    }
}

bool es_note_problem(es_parser *parser)
{
    if (parser->problem_count == ES_LANG_PROBLEMS_MAX) {
        es_fail(parser->err, ES_USAGE,
                "there are more than %d errors: the others are reported when these are corrected",
                ES_LANG_PROBLEMS_MAX);
        parser->gives_up = true;
    }
    parser->problems = es_arena_grow(parser->arena, parser->problems, parser->problem_count, sizeof *parser->problems);
    parser->problems[parser->problem_count++] =
        es_arena_copy(parser->arena, parser->err->text, strlen(parser->err->text));
    return parser->earlier && !parser->gives_up;
}

bool es_tell_problems(es_parser *parser)
{
    for (size_t i = 0; i < parser->problem_count && parser->earlier; i++) {
        if (i + 1 < parser->problem_count)
            es_text_format(parser->earlier, "%s\n", parser->problems[i]);
        else
            es_fail(parser->err, ES_USAGE, "%s", parser->problems[i]);
    }
    return parser->problem_count == 0;
}
