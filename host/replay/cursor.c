/* Where an execution stands in its tokens. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "replay/run.h"

enum es_execution_end es_execution_wrong(es_execution *run, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(run->why, sizeof run->why, format, args);
    va_end(args);
    return ES_EXECUTED_WRONG;
}

void es_execution_place(es_execution *run, const es_execution_state *state)
{
    run->state = *state;
    run->counted = SIZE_MAX;
    run->paused_at = 0;
}

void es_execution_extend(es_execution *run, const es_stream_token *tokens, size_t count)
{
    run->tokens = tokens;
    run->count = count;
    if (run->counted >= count)
        run->counted = SIZE_MAX;
}

static bool is_counted(const es_stream_token *token)
{
    return token->kind == ES_TOKEN_MEMORY || token->kind == ES_TOKEN_VECTOR;
}

const es_stream_token *es_execution_counted(es_execution *run)
{
    size_t at = run->counted;
    if (at == SIZE_MAX || at < run->state.cursor || (at < run->count && !is_counted(&run->tokens[at])))
        for (at = run->state.cursor; at < run->count && !is_counted(&run->tokens[at]);)
            at++;
    run->counted = at;
    return at < run->count ? &run->tokens[at] : NULL;
}

bool es_execution_is_used_up(const es_execution *run, bool with_clock)
{
    size_t left = run->count - run->state.cursor;
    return !run->state.left &&
           (!left || (with_clock && left == 1 && run->tokens[run->state.cursor].kind == ES_TOKEN_CLOCK));
}
