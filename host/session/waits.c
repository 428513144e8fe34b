#include "session/waits.h"

#include <string.h>

#define TOLD 6 /* events of a statement that are told, of each kind */

/* What stands before events of a kind; they follow with "or" between. */
static const char *const kinds[] = {
    [ES_TRIGGER_WRITE] = "writes to ", [ES_TRIGGER_READ] = "reads of ",
    [ES_TRIGGER_ENTER] = "calls of ",  [ES_TRIGGER_LEAVE] = "returns from ",
    [ES_TRIGGER_AT] = "execution of ", [ES_TRIGGER_UNCHANGED] = "a standstill of ",
};
#define KINDS (sizeof kinds / sizeof *kinds)

static void add_declared(es_text_buffer *out, const char *file, unsigned line)
{
    if (file && line)
        es_text_format(out, " (%s:%u)", es_base_name(file), line);
}

static void add_trigger(es_text_buffer *out, const es_statement *statement, const es_trigger *trigger)
{
    if (trigger->kind == ES_TRIGGER_AT) {
        es_text_format(out, "%s", trigger->position->text);
        return;
    }
    if (trigger->kind == ES_TRIGGER_ENTER || trigger->kind == ES_TRIGGER_LEAVE) {
        es_text_format(out, "%s", trigger->path ? trigger->path->text : trigger->procedure->name);
        add_declared(out, trigger->procedure->file, trigger->procedure->line);
        return;
    }
    const es_reference *reference = &statement->references[trigger->index];
    es_text_format(out, "%s", reference->text);
    if (reference->variable)
        add_declared(out, reference->variable->file, reference->variable->line);
}

static bool told_before(const es_text_buffer *out, size_t from, const es_text_buffer *event)
{
    return out->length > from && strstr(out->text + from, event->text);
}

static void add_kind(es_text_buffer *out, const es_statement *statement, enum es_trigger_kind kind)
{
    const es_condition *condition;
    es_text_buffer event = {0};
    size_t from = out->length, count = 0;
    for (size_t k = 0; (condition = es_statement_condition(statement, k)); k++)
        for (size_t i = 0; i < condition->trigger_count; i++) {
            if (condition->triggers[i].kind != kind)
                continue;
            es_text_clear(&event);
            add_trigger(&event, statement, &condition->triggers[i]);
            if (told_before(out, from, &event) || count++ >= TOLD)
                continue;
            es_text_format(out, "%s%s", count > 1 ? " or " : from ? ", or " : "", count > 1 ? "" : kinds[kind]);
            es_text_format(out, "%s", event.text);
        }
    if (count > TOLD)
        es_text_format(out, " or ...");
    es_text_free(&event);
}

void es_waits_for(es_text_buffer *out, const es_statement *statement)
{
    const es_stack *stack = es_statement_stack(statement);
    if (stack)
        es_text_format(out, "deeper writes to the stack %s", stack->name);
    for (size_t kind = 0; kind < KINDS && !stack; kind++)
        add_kind(out, statement, (enum es_trigger_kind)kind);
    if (statement->disabled)
        es_text_format(out, "%sbeing enabled", out->length ? ", and for " : "");
}
