#include "image/plan/refuse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "image/image.h"
#include "image/plan/plan.h"
#include "lang/lexer.h"
#include "lang/statement.h"

typedef struct search {
    const es_statement *statement;
    size_t index;
} search;

/* Whether it refers to references[index], or goes on from there. */
static bool refers(void *context, const es_expr *expr)
{
    const search *of = context;
    if (expr->kind != ES_EXPR_REFERENCE && expr->kind != ES_EXPR_OLD && expr->kind != ES_EXPR_WRITE &&
        expr->kind != ES_EXPR_READ && expr->kind != ES_EXPR_AGE && expr->kind != ES_EXPR_UNCHANGED)
        return false;
    size_t at = expr->index;
    while (at != of->index && of->statement->references[at].via && of->statement->references[at].base < at)
        at = of->statement->references[at].base;
    return at == of->index;
}

static bool refuse(const image_plan *plan, es_source source, size_t length, es_error *err, const char *hint,
                   const char *format, va_list args)
{
    const es_program *program = plan->program;
    const char *text = "";
    for (size_t i = 0; i < program->text_count; i++)
        if (program->texts[i].file == source.file)
            text = program->texts[i].text;
    char message[1024];
    vsnprintf(message, sizeof message, format, args);
    if (!*text) /* a tree made by hand */
        return es_fail(err, ES_USAGE, "%s", message);
    return es_lang_fail(err, text, source, length, hint, "%s", message);
}

bool es_plan_fail(const image_plan *plan, const es_statement *statement, es_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse(plan, statement->source, 1, err, NULL, format, args);
    va_end(args);
    return false;
}

bool es_plan_refuse_at(const image_plan *plan, es_source source, size_t length, es_error *err, const char *hint,
                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse(plan, source, length, err, hint, format, args);
    va_end(args);
    return false;
}

bool es_plan_refuse(const image_plan *plan, const es_statement *statement, size_t index, es_error *err,
                    const char *hint, const char *format, ...)
{
    search of = {statement, index};
    const es_expr *found = es_statement_find(statement, refers, &of);
    es_source source = found ? found->source : statement->source;
    size_t length = found ? strlen(statement->references[index].text) : 1;
    for (size_t i = 0; i < statement->action_count && !found; i++) /* something printed */
        if (statement->actions[i].kind == ES_ACTION_PRINT || statement->actions[i].kind == ES_ACTION_STATISTIC)
            source = statement->actions[i].source, length = 5;
    va_list args;
    va_start(args, format);
    refuse(plan, source, length, err, hint, format, args);
    va_end(args);
    return false;
}

bool es_plan_refuse_local(const image_plan *plan, const es_procedure *procedure, es_error *err, const char *format, ...)
{
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    for (size_t s = 0; s < plan->program->statement_count; s++) {
        const es_statement *statement = &plan->program->statements[s];
        for (size_t i = 0; i < statement->reference_count; i++)
            if (statement->references[i].frame && statement->references[i].frame->low == procedure->low)
                return es_plan_refuse(plan, statement, i, err, NULL, "%s", message);
        for (size_t k = 0; k < es_image_snapshot_count(statement); k++)
            if (es_image_snapshot(statement, k)->place.frame &&
                es_image_snapshot(statement, k)->place.frame->low == procedure->low)
                return es_plan_fail(plan, statement, err, "%s", message);
    }
    return es_fail(err, ES_USAGE, "%s", message);
}
