/* enter_f and leave_f are named as `earshot infer --statements` names them. */
#include "prof/record_statements.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void add_statement(es_schema *schema, es_schema_statement *all, const char *name, const char *text)
{
    all[schema->statement_count++] = (es_schema_statement){.name = es_arena_copy(schema->arena, name, strlen(name)),
                                                           .text = es_arena_copy(schema->arena, text, strlen(text)),
                                                           .file = "(export)"};
}

static void name_statement(es_text_buffer *out, const char *what, const char *procedure)
{
    es_text_clear(out);
    es_text_format(out, "%s_", what);
    for (const char *at = procedure; *at; at++)
        es_text_add(out, isalnum((unsigned char)*at) ? at : "_", 1);
}

static void add_procedures(es_schema *schema, es_schema_statement *all, const es_prof_code *code, uint32_t *entries)
{
    static const char *const what[] = {"enter", "leave"};
    es_names *known = es_names_new(); /* several procedures may have one name */
    uint32_t *numbers = es_malloc((code->procedure_count + 1) * sizeof *numbers);
    es_text_buffer name = {0}, text = {0};
    for (size_t i = 0; i < code->procedure_count; i++) {
        name_statement(&name, "enter", code->names[i]);
        uint32_t count = es_names_count(known), number = es_names_add(known, name.text, name.length);
        if (number > count) {
            numbers[number - 1] = (uint32_t)schema->statement_count;
            for (unsigned k = 0; k < 2; k++) {
                name_statement(&name, what[k], code->names[i]);
                es_text_clear(&text);
                es_text_format(&text, "when %s(%s) { print }", what[k], code->names[i]);
                add_statement(schema, all, name.text, text.text);
            }
        }
        entries[i] = numbers[number - 1];
    }
    es_text_free(&name);
    es_text_free(&text);
    es_names_free(known);
    free(numbers);
}

const uint32_t *es_prof_statements(es_schema *schema, const es_prof_code *code, uint64_t hz)
{
    static const char *const others[] = {"interrupt", "interrupt_end", "exception", "exception_end",
                                         "runs",      "unwound",       "reset"};
    static const es_field cause = {.name = "cause", .kind = ES_FIELD_INT, .bits = 32};
    size_t most = ES_PROF_OF_PROCEDURES + 2 * code->procedure_count;
    es_schema_statement *all = es_arena_alloc(schema->arena, most * sizeof *all);
    uint32_t *entries = es_arena_alloc(schema->arena, code->procedure_count * sizeof *entries);
    schema->statements = all;
    schema->clock_hz = hz;
    schema->origin = ES_ORIGIN_RECORDING;
    schema->tasks_by = code->switch_count ? "stack" : NULL;
    for (unsigned i = 0; i < ES_PROF_OF_PROCEDURES; i++) {
        add_statement(schema, all, others[i], "");
        all[i].fields = &cause;
        all[i].value_count = all[i].field_count = i < ES_PROF_RUNS;
    }
    add_procedures(schema, all, code, entries);
    return entries;
}
