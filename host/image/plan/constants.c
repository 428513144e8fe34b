#include "image/plan/constants.h"

#include <string.h>

#include "image/plan/plan.h"
#include "lang/lexer.h"
#include "lang/statement.h"

bool es_constants_is(const es_symbols *symbols, uint32_t word)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (!segments[i].writable && word - segments[i].address < segments[i].size)
            return true;
    return false;
}

/* The first of its references, when all its events are writes to constants; else NULL. */
static const es_reference *only_constants(const es_symbols *symbols, const image_plan *plan, size_t number)
{
    const es_reference *found = NULL;
    for (size_t i = 0; i < plan->control_count; i++)
        if (plan->controls[i].handler == number)
            return NULL;
    for (size_t i = 0; i < plan->read_count; i++)
        if (plan->reads[i].handler == number)
            return NULL;
    for (size_t i = 0; i < plan->write_count; i++) {
        const plan_write *write = &plan->writes[i];
        if (write->cover || write->handler != number)
            continue;
        if (write->frame || write->slot || !es_constants_is(symbols, write->word))
            return NULL;
        found = &plan->program->statements[number].references[0];
    }
    return found;
}

bool es_constants_refuse(const es_symbols *symbols, const image_plan *plan, es_error *err)
{
    const es_program *program = plan->program;
    for (size_t i = 0; i < program->statement_count; i++) {
        const es_reference *constant = only_constants(symbols, plan, i);
        if (!constant)
            continue;
        const es_statement *statement = &program->statements[i];
        const es_event_tree *event = statement->event;
        while (event && event->kind != ES_EVENT_WHEN)
            event = event->first;
        const es_expr *predicate = statement->predicate ? statement->predicate : event ? event->condition->expr : NULL;
        es_source source = predicate && predicate->source.file ? predicate->source : statement->source;
        const char *text = "";
        for (size_t k = 0; k < program->text_count; k++)
            if (program->texts[k].file == source.file)
                text = program->texts[k].text;
        return es_lang_fail(err, text, source, strlen(constant->text),
                            "name a variable that the program writes, or an event: enter(f) && ...",
                            "%s would never be evaluated: the program cannot write %s, which is a constant",
                            statement->name, constant->text);
    }
    return true;
}
