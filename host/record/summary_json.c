#include "record/summary_json.h"

#include <string.h>

static void json_flag(es_json *json, const char *key, bool set)
{
    if (!set)
        return;
    es_json_key(json, key);
    es_json_bool(json, true);
}

/* --- what can come --------------------------------------------------------------------------------------------- */

static void json_field(es_json *json, const es_field *field)
{
    static const char *const kinds[] = {
        [ES_FIELD_INT] = "int",     [ES_FIELD_CHAR] = "char", [ES_FIELD_BOOL] = "bool",
        [ES_FIELD_FLOAT] = "float", [ES_FIELD_ENUM] = "enum", [ES_FIELD_POINTER] = "pointer",
        [ES_FIELD_LENGTH] = "time", [ES_FIELD_BYTE] = "byte", [ES_FIELD_TEXT] = "text"};
    es_json_begin(json, '{');
    es_json_put_string(json, "name", field->name);
    es_json_put_string(json, "kind", kinds[field->kind]);
    es_json_put_uint(json, "bits", field->bits);
    json_flag(json, "signed", field->is_signed);
    json_flag(json, "parts", field->is_parts);
    json_flag(json, "aggregated", field->is_aggregated);
    if (field->label_count) {
        es_json_key(json, "labels");
        es_json_begin(json, '{');
        for (size_t i = 0; i < field->label_count; i++) {
            es_json_key(json, field->labels[i].name);
            es_json_int(json, field->labels[i].value);
        }
        es_json_end(json, '}');
    }
    es_json_end(json, '}');
}

static void json_object(es_json *json, const es_composite *object)
{
    static const char *const kinds[] = {
        [ES_SHAPE_LEAF] = "leaf", [ES_SHAPE_STRUCT] = "struct", [ES_SHAPE_ARRAY] = "array", [ES_SHAPE_BYTES] = "bytes"};
    es_json_begin(json, '{');
    es_json_put_string(json, "name", object->name);
    json_flag(json, "range", object->range);
    es_json_put_uint(json, "first", object->first);
    es_json_put_uint(json, "count", object->count);
    es_json_key(json, "shape");
    es_json_begin(json, '[');
    for (size_t i = 0; i < object->shape_count; i++) {
        es_json_begin(json, '[');
        es_json_string(json, kinds[object->shape[i].kind]);
        es_json_string(json, object->shape[i].name);
        es_json_uint(json, object->shape[i].count);
        es_json_end(json, ']');
    }
    es_json_end(json, ']');
    es_json_end(json, '}');
}

/* Its functions, files, and places: [pc, number of the file, line, number of the function]. */
static void json_cover(es_json *json, const es_cover *cover)
{
    const char *last = NULL;
    size_t file = 0;
    es_json_key(json, "functions");
    es_json_begin(json, '[');
    for (size_t i = 0; i < cover->function_count; i++) {
        es_json_begin(json, '[');
        es_json_string(json, cover->functions[i].name);
        es_json_string(json, cover->functions[i].file);
        es_json_uint(json, cover->functions[i].line);
        es_json_end(json, ']');
    }
    es_json_end(json, ']');
    es_json_key(json, "files"); /* each as often as it begins anew */
    es_json_begin(json, '[');
    for (size_t i = 0; i < cover->place_count; i++) {
        if (i && strcmp(cover->places[i].file, last) == 0)
            continue;
        last = cover->places[i].file;
        es_json_string(json, last);
    }
    es_json_end(json, ']');
    es_json_key(json, "places");
    es_json_begin(json, '[');
    for (size_t i = 0; i < cover->place_count; i++) {
        file += i && strcmp(cover->places[i].file, cover->places[i - 1].file) != 0;
        es_json_begin(json, '[');
        es_json_uint(json, cover->places[i].pc);
        es_json_uint(json, file);
        es_json_uint(json, cover->places[i].line);
        es_json_uint(json, cover->places[i].function);
        es_json_end(json, ']');
    }
    es_json_end(json, ']');
}

static void json_aggregates(es_json *json, const es_schema_statement *statement)
{
    static const char *const kinds[] = {"hist", "stats", "count", "profile", "cover", "stack"};
    static const char *const ways[] = {NULL, "path", "task", "place", "value"};
    if (!statement->aggregate_count)
        return;
    es_json_key(json, "statistics");
    es_json_begin(json, '[');
    for (size_t i = 0; i < statement->aggregate_count; i++) {
        const es_aggregate *aggregate = &statement->aggregates[i];
        es_json_begin(json, '{');
        es_json_put_string(json, "name", aggregate->name);
        es_json_put_string(json, "kind", kinds[aggregate->kind]);
        if (aggregate->kind < ES_AGGREGATE_COUNT || aggregate->kind == ES_AGGREGATE_STACK)
            es_json_put_uint(json, "value", aggregate->value);
        if (aggregate->kind == ES_AGGREGATE_STACK)
            es_json_put_uint(json, "bytes", aggregate->bytes);
        if (aggregate->kind == ES_AGGREGATE_PROFILE)
            es_json_put_uint(json, "entry", aggregate->entry);
        if (aggregate->kind == ES_AGGREGATE_COVER)
            json_cover(json, aggregate->cover);
        if (aggregate->by)
            es_json_put_string(json, "by", ways[aggregate->by]);
        if (aggregate->by == ES_AGGREGATE_BY_VALUE)
            es_json_put_uint(json, "key", aggregate->key);
        if (aggregate->top)
            es_json_put_uint(json, "top", aggregate->top);
        es_json_end(json, '}');
    }
    es_json_end(json, ']');
    json_flag(json, "aggregated", statement->is_aggregated);
}

static void json_statement(es_json *json, const es_schema_statement *statement)
{
    static const char *const expects[] = {[ES_EXPECTS_NOTHING] = NULL,
                                          [ES_EXPECTS_NEVER] = "never",
                                          [ES_EXPECTS_EVENTUALLY] = "eventually",
                                          [ES_EXPECTS_WITHIN] = "within"};
    es_json_begin(json, '{');
    es_json_put_string(json, "name", statement->name);
    es_json_put_string(json, "text", statement->text);
    es_json_put_string(json, "file", statement->file);
    es_json_put_uint(json, "line", statement->line);
    if (statement->waits_for)
        es_json_put_string(json, "waits_for", statement->waits_for);
    if (statement->expects)
        es_json_put_string(json, "expect", expects[statement->expects]);
    es_json_put_uint(json, "values", statement->value_count);
    es_json_key(json, "fields");
    es_json_begin(json, '[');
    for (size_t i = 0; i < statement->field_count; i++)
        json_field(json, &statement->fields[i]);
    es_json_end(json, ']');
    es_json_key(json, "objects");
    es_json_begin(json, '[');
    for (size_t i = 0; i < statement->object_count; i++)
        json_object(json, &statement->objects[i]);
    es_json_end(json, ']');
    json_aggregates(json, statement);
    es_json_end(json, '}');
}

/* What is observed only at times. */
static void json_lives(es_json *json, const es_schema *schema)
{
    if (!schema->life_count)
        return;
    es_json_key(json, "observed_in_part");
    es_json_begin(json, '[');
    for (size_t k = 0; k < schema->life_count; k++) {
        es_json_begin(json, '{');
        es_json_put_string(json, "procedure", schema->lives[k].procedure);
        es_json_put_string(json, "variable", schema->lives[k].variable);
        es_json_put_string(json, "observed_in", schema->lives[k].observed);
        es_json_put_string(json, "elsewhere", schema->lives[k].elsewhere);
        es_json_end(json, '}');
    }
    es_json_end(json, ']');
}

static void json_tasks(es_json *json, const es_schema *schema)
{
    if (!schema->tasks_by)
        return;
    es_json_put_string(json, "tasks_by", schema->tasks_by);
    if (schema->kernel)
        es_json_put_string(json, "kernel", schema->kernel);
}

void es_schema_json(es_json *json, const es_schema *schema)
{
    es_json_put_string(json, "program", schema->program);
    es_json_put_uint(json, "clock_hz", schema->clock_hz);
    es_json_key(json, "statements");
    es_json_begin(json, '[');
    for (size_t i = 0; i < schema->statement_count; i++)
        json_statement(json, &schema->statements[i]);
    es_json_end(json, ']');
    es_json_key(json, "counters");
    es_json_begin(json, '[');
    for (size_t i = 0; i < schema->counter_count; i++)
        es_json_string(json, schema->counters[i]);
    es_json_end(json, ']');
    json_tasks(json, schema);
    json_flag(json, "task_pointers", schema->task_pointers);
    json_lives(json, schema);
    json_flag(json, "times", schema->times);
    json_flag(json, "simulated", schema->origin == ES_ORIGIN_SIMULATED);
    es_json_key(json, "target");
    es_json_string(json, es_origin_name(schema->origin));
}

/* --- what came ------------------------------------------------------------------------------------------------- */

/* Whether each expectation was met, null where that is open; or why it is not that it was met. */
static void json_judged(es_json *json, const es_schema *schema, const es_summary *summary, bool tells_why)
{
    bool any = false;
    for (size_t i = 0; i < schema->statement_count; i++) {
        const es_judged *judged = &summary->judged[i];
        if (!schema->statements[i].expects || (tells_why && judged->verdict == ES_VERDICT_MET))
            continue;
        if (!any) {
            es_json_key(json, tells_why ? "expectations_why" : "expectations");
            es_json_begin(json, '{');
        }
        any = true;
        es_json_key(json, schema->statements[i].name);
        if (tells_why)
            es_json_string(json, judged->why);
        else if (judged->verdict == ES_VERDICT_UNKNOWN)
            es_json_null(json);
        else
            es_json_bool(json, judged->verdict == ES_VERDICT_MET);
    }
    if (any)
        es_json_end(json, '}');
}

static void json_pulses(es_json *json, const es_summary *summary)
{
    bool pulsed = false;
    for (unsigned pin = 0; pin < 8; pin++)
        pulsed |= summary->pulses[pin] > 0;
    if (!pulsed)
        return;
    es_json_key(json, "pulses");
    es_json_begin(json, '[');
    for (unsigned pin = 0; pin < 8; pin++)
        es_json_uint(json, summary->pulses[pin]);
    es_json_end(json, ']');
}

static void json_list(es_json *json, const char *key, const char *const *texts)
{
    es_json_key(json, key);
    es_json_begin(json, '[');
    for (; texts && *texts; texts++)
        es_json_string(json, *texts);
    es_json_end(json, ']');
}

static void json_counters(es_json *json, const es_schema *schema, const es_summary *summary)
{
    es_json_key(json, "counters");
    es_json_begin(json, '{');
    for (size_t i = 0; i < schema->counter_count; i++) {
        es_json_key(json, schema->counters[i]);
        if (summary->complete)
            es_json_int(json, (int32_t)summary->counters[i]);
        else
            es_json_null(json);
    }
    es_json_end(json, '}');
}

/* "unknown_statements": {"deep": 12}: those with any */
static void json_unknown(es_json *json, const es_schema *schema, const es_summary *summary)
{
    bool any = false;
    for (size_t i = 0; summary->statement_unknown && i < schema->statement_count; i++) {
        if (!summary->statement_unknown[i])
            continue;
        if (!any) {
            es_json_key(json, "unknown_statements");
            es_json_begin(json, '{');
        }
        any = true;
        es_json_put_uint(json, schema->statements[i].name, summary->statement_unknown[i]);
    }
    if (any)
        es_json_end(json, '}');
}

void es_summary_json(es_json *json, const es_schema *schema, const es_summary *summary)
{
    es_json_put_uint(json, "hits", summary->hits);
    es_json_put_uint(json, "lost", summary->lost_bus + summary->lost_events + summary->lost_link);
    es_json_key(json, "exit_code");
    if (summary->exited)
        es_json_int(json, summary->exit_code);
    else
        es_json_null(json);
    json_flag(json, "trapped", summary->trapped);
    json_flag(json, "halted", summary->halted);
    json_pulses(json, summary);
    json_flag(json, "mismatch", summary->mismatch);
    es_json_key(json, "cycles");
    if (schema->origin == ES_ORIGIN_SIMULATED || (schema->origin == ES_ORIGIN_RECORDING && summary->cycles))
        es_json_uint(json, summary->cycles);
    else
        es_json_null(json);
    es_json_key(json, "target");
    es_json_string(json, es_origin_name(schema->origin));
    es_json_key(json, "statements");
    es_json_begin(json, '{');
    for (size_t i = 0; i < schema->statement_count; i++)
        es_json_put_uint(json, schema->statements[i].name, summary->statement_hits[i]);
    es_json_end(json, '}');
    json_judged(json, schema, summary, false);
    json_judged(json, schema, summary, true);
    json_counters(json, schema, summary);
    json_lives(json, schema);
    es_json_put_uint(json, "unknown", summary->unknown);
    json_unknown(json, schema, summary);
    es_json_put_uint(json, "torn", summary->torn);
    if (summary->stack_switches) {
        es_json_put_uint(json, "stack_switches", summary->stack_switches);
        json_list(json, "switched_in", summary->switched_in);
        json_list(json, "task_candidates", summary->switched_by);
    }
    json_tasks(json, schema);
    if (schema->tasks_by)
        es_json_put_uint(json, "tasks_given_up", summary->tasks_given_up);
    if (summary->unaccounted) {
        es_json_key(json, "unaccounted");
        es_json_int(json, summary->unaccounted);
    }
    json_flag(json, "incomplete", !summary->complete);
}
