/* `tasks VARIABLE`: which variable names the running task. */
#include "lang/parser.h"

#include <string.h>

/* Words that stand after an operand, so that `tasks` before them is a variable. */
static bool goes_on(const es_token *token)
{
    static const char *const keywords[] = {"becomes", "unchanged", "then", "and", "or", "for", "within"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (es_token_is(token, keywords[i]))
            return true;
    return false;
}

bool es_at_tasks(const es_parser *parser)
{
    es_token ahead = es_parser_peek(parser);
    return es_token_is(&parser->token, "tasks") && (ahead.kind == ES_TOKEN_NAME || ahead.kind == ES_TOKEN_STRING) &&
           !goes_on(&ahead);
}

bool es_parse_task(es_parser *parser)
{
    es_statement *scratch = es_arena_alloc(parser->arena, sizeof *scratch); /* a reference belongs to a statement */
    scratch->source = parser->token.source;
    es_span from = es_parser_here(parser);
    size_t index;
    const char *text;
    parser->statement = scratch;
    if (!es_parse_reference(parser, &index, &text))
        return false;
    const es_reference *task = &scratch->references[index];
    if (task->frame || task->via || task->subscript_count || task->bit_size || task->size > 4 ||
        task->type->kind == ES_TYPE_FLOAT || task->address % task->size)
        return es_parser_fail_from(parser, from, "for example: tasks pxCurrentTCB",
                                   "the variable that names the running task must be a static pointer or whole number "
                                   "of at most 4 bytes; %s is not",
                                   text);
    if (parser->no_tasks || (parser->program->task && strcmp(parser->program->task->text, task->text) != 0))
        return es_parser_fail_from(parser, from, "watch each core's tasks in a run of its own",
                                   "only one variable can name the running task, and it is %s already",
                                   parser->no_tasks ? "none" : parser->program->task->text);
    parser->program->task = task;
    return true;
}

/* `none`, where no variable of file scope has that name: no kernel's variable is taken by default. */
static bool parse_none(es_parser *parser)
{
    const es_variable *found[1];
    if (!es_token_is(&parser->token, "none") ||
        (es_symbols_find(parser->symbols, NULL, "none", found, 1) && !found[0]->procedure))
        return false;
    es_parser_take(parser);
    parser->no_tasks = true;
    return true;
}

bool es_parse_tasks(es_parser *parser)
{
    es_parser_take(parser);
    es_span from = es_parser_here(parser);
    if (!parse_none(parser))
        return es_parse_task(parser);
    return !parser->program->task ||
           es_parser_fail_from(parser, from, "leave one of them out", "%s names the running task already",
                               parser->program->task->text);
}
