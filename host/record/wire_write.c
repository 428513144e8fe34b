#include "base/json.h"
#include "record/json.h"
#include "record/summary_json.h"
#include "record/wire.h"

static void add_name(es_text_buffer *out, const es_schema *schema, uint32_t number, const char *probe)
{
    es_json json = {.out = out};
    es_json_begin(&json, '{');
    es_json_key(&json, "event");
    es_json_string(&json, "name");
    if (probe) {
        es_json_key(&json, "probe");
        es_json_string(&json, probe);
    }
    es_json_key(&json, "number");
    es_json_uint(&json, number);
    es_json_key(&json, "text");
    es_json_string(&json, es_names_text(schema->names, number));
    es_json_end(&json, '}');
    es_text_add(out, "\n", 1);
}

/* A number; with what is there, of a pointer; a text; null where it is not known, with why if that is told. */
static void add_value(es_json *json, const es_field *field, const es_value *value)
{
    if (!value->known && value->about) {
        es_json_begin(json, '[');
        es_json_null(json);
        es_json_uint(json, value->about);
        es_json_end(json, ']');
    } else if (!value->known) {
        es_json_null(json);
    } else if (field->kind == ES_FIELD_TEXT) {
        es_json_string(json, value->text);
    } else if (value->about) {
        es_json_begin(json, '[');
        es_json_int(json, (int64_t)value->bits);
        es_json_uint(json, value->about);
        es_json_end(json, ']');
    } else {
        es_json_int(json, (int64_t)value->bits);
    }
}

static void add_hit(es_json *json, const es_schema *schema, const es_hit *hit)
{
    const uint64_t heads[] = {hit->statement, hit->time, hit->flags,        hit->pc,   hit->path,
                              hit->inlined,   hit->task, hit->task_pointer, hit->file, hit->line};
    es_json_key(json, "record");
    es_json_begin(json, '[');
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        es_json_int(json, (int64_t)heads[i]);
    es_json_begin(json, '[');
    for (size_t i = 0; i < 3 && (hit->flags & ES_HIT_TIMES); i++)
        es_json_int(json, (int64_t)hit->times[i]);
    es_json_end(json, ']');
    es_json_begin(json, '[');
    for (size_t i = 0; i < hit->value_count; i++)
        add_value(json, &schema->statements[hit->statement].fields[i], &hit->values[i]);
    es_json_end(json, ']');
    es_json_begin(json, '[');
    for (size_t i = 0; i < hit->object_count; i++) {
        es_json_begin(json, '[');
        es_json_bool(json, hit->objects[i].found);
        es_json_uint(json, hit->objects[i].why);
        es_json_uint(json, hit->objects[i].address);
        es_json_end(json, ']');
    }
    es_json_end(json, ']');
    es_json_end(json, ']');
}

/* Paths and probabilities after the rest. */
static void add_inferred(es_json *json, const es_inferred *inferred)
{
    const uint64_t heads[] = {inferred->statement, inferred->time, inferred->hit, inferred->pc, inferred->only};
    es_json_key(json, "record");
    es_json_begin(json, '[');
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        es_json_int(json, (int64_t)heads[i]);
    es_json_double(json, inferred->other);
    es_json_begin(json, '[');
    for (size_t i = 0; i < inferred->path_count; i++) {
        es_json_uint(json, inferred->paths[i].path);
        es_json_double(json, inferred->paths[i].probability);
    }
    es_json_end(json, ']');
    es_json_end(json, ']');
}

/* What the summary's own keys do not tell. */
static void add_exact(es_json *json, const es_summary *summary)
{
    es_json_key(json, "exact");
    es_json_begin(json, '[');
    es_json_uint(json, summary->lost_bus);
    es_json_uint(json, summary->lost_events);
    es_json_uint(json, summary->lost_link);
    es_json_double(json, summary->wall_seconds);
    es_json_end(json, ']');
}

void es_wire_names(es_text_buffer *out, uint32_t *told, const es_schema *schema, const char *probe)
{
    while (*told < es_names_count(schema->names))
        add_name(out, schema, ++*told, probe);
}

void es_wire_record(es_text_buffer *out, const es_record *record, const char *probe)
{
    if (record->kind != ES_RECORD_HIT && record->kind != ES_RECORD_INFERRED && record->kind != ES_RECORD_SUMMARY) {
        es_record_json(out, record, probe);
        return;
    }
    es_json json = {.out = out};
    es_json_begin(&json, '{');
    es_json_key(&json, "event");
    es_json_string(&json, record->kind == ES_RECORD_HIT        ? "hit"
                          : record->kind == ES_RECORD_INFERRED ? "inferred"
                                                               : "summary");
    if (probe) {
        es_json_key(&json, "probe");
        es_json_string(&json, probe);
    }
    if (record->kind == ES_RECORD_HIT) {
        add_hit(&json, record->schema, record->hit);
    } else if (record->kind == ES_RECORD_INFERRED) {
        add_inferred(&json, record->inferred);
    } else {
        es_summary_json(&json, record->schema, record->summary);
        add_exact(&json, record->summary);
    }
    es_json_end(&json, '}');
    es_text_add(out, "\n", 1);
}
