#include "record/json.h"

#include <stdio.h>

#include "base/json.h"
#include "base/times.h"
#include "record/composite.h"
#include "record/path.h"
#include "record/summary_json.h"
#include "record/value.h"

const char *es_lost_name(enum es_lost_what what)
{
    static const char *const names[] = {[ES_LOST_BUS] = "bus",
                                        [ES_LOST_EVENTS] = "events",
                                        [ES_LOST_LINK] = "link",
                                        [ES_LOST_HOST] = "host",
                                        [ES_LOST_DISK] = "disk"};
    return names[what];
}

static void json_name(es_json *json, const es_schema *schema, const char *key, uint32_t name)
{
    es_json_key(json, key);
    es_json_string(json, es_names_text(schema->names, name));
}

static void json_flag(es_json *json, const char *key)
{
    es_json_key(json, key);
    es_json_bool(json, true);
}

/* "elapsed_ns": 12300 */
static void json_value_key(es_json *json, const es_field *field)
{
    es_text_buffer key = {0};
    es_text_format(&key, "%s%s", field->name, field->kind == ES_FIELD_LENGTH ? "_ns" : "");
    es_json_key(json, key.text);
    es_text_free(&key);
}

static void json_values(es_json *json, const es_schema *schema, const es_hit *hit)
{
    const es_schema_statement *statement = &schema->statements[hit->statement];
    es_json_key(json, "values");
    es_json_begin(json, '{');
    for (size_t i = 0; i < statement->value_count && i < hit->value_count; i++) {
        json_value_key(json, &statement->fields[i]);
        es_value_json(json, schema, &statement->fields[i], &hit->values[i]);
    }
    for (size_t i = 0; i < hit->object_count; i++) {
        const es_composite *object = &statement->objects[i];
        es_json_key(json, object->name);
        es_composite_json(json, schema, statement, object, &hit->objects[i], hit->values + object->first);
    }
    es_json_end(json, '}');
}

/* "unknown": {"hi": "optimised out here"}: why values are null */
static void json_unknown(es_json *json, const es_schema *schema, const es_hit *hit)
{
    const es_schema_statement *statement = &schema->statements[hit->statement];
    bool any = false;
    for (size_t i = 0; i < statement->value_count && i < hit->value_count; i++) {
        if (hit->values[i].known || !hit->values[i].about)
            continue;
        if (!any) {
            es_json_key(json, "unknown");
            es_json_begin(json, '{');
        }
        any = true;
        json_name(json, schema, statement->fields[i].name, hit->values[i].about);
    }
    if (any)
        es_json_end(json, '}');
}

static void json_activations(es_json *json, const es_schema *schema, uint32_t path)
{
    const char *at = es_names_text(schema->names, path);
    es_text_buffer name = {0};
    es_path_part part;
    es_json_begin(json, '[');
    while (es_path_next(&at, &name, &part))
        es_json_string(json, part.name);
    es_json_end(json, ']');
    es_text_free(&name);
}

static void json_path(es_json *json, const es_schema *schema, const es_hit *hit)
{
    es_json_key(json, "path");
    if (hit->flags & ES_HIT_NO_PATH)
        es_json_null(json);
    else
        json_activations(json, schema, hit->path);
}

/* "task": "producer", "task_pointer": 132416; null, and no pointer, where it is not known or none */
static void json_task(es_json *json, const es_schema *schema, const es_hit *hit)
{
    json_name(json, schema, "task", hit->task);
    if (!hit->task || !schema->task_pointers)
        return;
    es_json_key(json, "task_pointer");
    es_json_uint(json, hit->task_pointer);
}

static void json_times(es_json *json, const es_schema *schema, const es_hit *hit)
{
    static const char *const names[] = {"recognition", "action_start", "action_end"};
    for (size_t i = 0; i < 3; i++) {
        char key[32];
        snprintf(key, sizeof key, "%s_cycle", names[i]);
        es_json_key(json, key);
        es_json_uint(json, hit->times[i]);
        snprintf(key, sizeof key, "%s_ns", names[i]);
        es_json_key(json, key);
        es_json_uint(json, es_time_ns(hit->times[i], schema->clock_hz));
    }
}

static void json_hit(es_json *json, const es_schema *schema, const es_hit *hit)
{
    es_json_key(json, "cycle");
    es_json_uint(json, hit->time);
    es_json_key(json, "time_ns");
    es_json_uint(json, es_time_ns(hit->time, schema->clock_hz));
    es_json_key(json, "statement");
    es_json_string(json, schema->statements[hit->statement].name);
    json_values(json, schema, hit);
    json_unknown(json, schema, hit);
    json_path(json, schema, hit);
    if (hit->inlined)
        json_name(json, schema, "inlined", hit->inlined);
    if (schema->tasks_by)
        json_task(json, schema, hit);
    json_name(json, schema, "file", hit->file);
    es_json_key(json, "line");
    if (hit->file)
        es_json_uint(json, hit->line);
    else
        es_json_null(json);
    if (hit->flags & ES_HIT_TIMES)
        json_times(json, schema, hit);
    if (hit->flags & ES_HIT_UNCERTAIN)
        json_flag(json, "uncertain");
    if (hit->flags & ES_HIT_CUT_PATH)
        json_flag(json, "path_cut");
}

static void json_inferred(es_json *json, const es_schema *schema, const es_inferred *inferred)
{
    es_json_key(json, "cycle");
    es_json_uint(json, inferred->time);
    es_json_key(json, "time_ns");
    es_json_uint(json, es_time_ns(inferred->time, schema->clock_hz));
    es_json_key(json, "statement");
    es_json_string(json, schema->statements[inferred->statement].name);
    es_json_key(json, "hit");
    es_json_uint(json, inferred->hit);
    es_json_key(json, "path~");
    es_json_begin(json, '[');
    for (size_t i = 0; i < inferred->path_count; i++) {
        es_json_begin(json, '{');
        es_json_key(json, "path");
        json_activations(json, schema, inferred->paths[i].path);
        es_json_key(json, "probability");
        es_json_double(json, inferred->paths[i].probability);
        es_json_end(json, '}');
    }
    es_json_end(json, ']');
    es_json_key(json, "other");
    es_json_double(json, inferred->other);
    if (inferred->only)
        json_flag(json, "only");
}

static void json_lost(es_json *json, const es_lost *lost)
{
    es_json_key(json, "cycle");
    es_json_uint(json, lost->time);
    es_json_key(json, "last_cycle");
    if (lost->last == ES_NO_TIME)
        es_json_null(json);
    else
        es_json_uint(json, lost->last);
    es_json_key(json, "lost");
    es_json_uint(json, lost->count);
    es_json_key(json, "what");
    es_json_string(json, es_lost_name(lost->what));
}

static void json_text(es_json *json, const es_record *record)
{
    es_json_key(json, "text");
    es_json_bytes(json, record->text.bytes, record->text.size);
}

static void json_progress(es_json *json, const es_schema *schema, const es_progress *progress)
{
    es_json_key(json, "hits");
    es_json_uint(json, progress->hits);
    es_json_key(json, "lost");
    es_json_uint(json, progress->lost);
    es_json_key(json, "cycle");
    es_json_uint(json, progress->time);
    es_json_key(json, "time_ns");
    es_json_uint(json, es_time_ns(progress->time, schema->clock_hz));
    es_json_key(json, "seconds");
    es_json_double(json, progress->wall_seconds);
    es_json_key(json, "waiting");
    es_json_uint(json, progress->waiting);
    es_json_key(json, "statements");
    es_json_begin(json, '{');
    for (size_t i = 0; i < schema->statement_count; i++) {
        es_json_key(json, schema->statements[i].name);
        es_json_uint(json, progress->statement_hits[i]);
    }
    es_json_end(json, '}');
}

static void json_clock(es_json *json, const es_schema *schema, const es_clock_told *clock)
{
    const struct {
        const char *key;
        int64_t value;
    } times[] = {{"steady_ns", clock->steady_ns}, {"unix_ns", clock->unix_ns}, {"error_ns", clock->error_ns}};
    const struct {
        const char *key;
        double value;
    } drifts[] = {{"drift_ppm", clock->drift_ppm}, {"drift_error_ppm", clock->drift_error_ppm}};
    es_json_key(json, "cycle");
    es_json_uint(json, clock->time);
    es_json_key(json, "time_ns");
    es_json_uint(json, es_time_ns(clock->time, schema->clock_hz));
    for (size_t i = 0; i < 3; i++) {
        es_json_key(json, times[i].key);
        if (clock->known)
            es_json_int(json, times[i].value);
        else
            es_json_null(json);
    }
    for (size_t i = 0; i < 2; i++) {
        es_json_key(json, drifts[i].key);
        if (clock->known)
            es_json_double(json, drifts[i].value);
        else
            es_json_null(json);
    }
    es_json_key(json, "from_cycle");
    es_json_uint(json, clock->from);
    es_json_key(json, "restarts");
    es_json_uint(json, clock->restarts);
    es_json_key(json, "computer");
    es_json_string(json, clock->computer);
}

void es_record_json(es_text_buffer *out, const es_record *record, const char *probe)
{
    static const char *const names[] = {
        [ES_RECORD_BEGIN] = "begin",       [ES_RECORD_HIT] = "hit",           [ES_RECORD_LOST] = "gap",
        [ES_RECORD_CONSOLE] = "console",   [ES_RECORD_NOTE] = "note",         [ES_RECORD_WARNING] = "warning",
        [ES_RECORD_INFERRED] = "inferred", [ES_RECORD_PROGRESS] = "progress", [ES_RECORD_CLOCK] = "clock",
        [ES_RECORD_SUMMARY] = "summary"};
    es_json json = {.out = out};
    es_json_begin(&json, '{');
    es_json_key(&json, "event");
    es_json_string(&json, names[record->kind]);
    if (probe) {
        es_json_key(&json, "probe");
        es_json_string(&json, probe);
    }
    switch (record->kind) {
    case ES_RECORD_BEGIN: es_schema_json(&json, record->schema); break;
    case ES_RECORD_HIT: json_hit(&json, record->schema, record->hit); break;
    case ES_RECORD_LOST: json_lost(&json, record->lost); break;
    case ES_RECORD_INFERRED: json_inferred(&json, record->schema, record->inferred); break;
    case ES_RECORD_PROGRESS: json_progress(&json, record->schema, record->progress); break;
    case ES_RECORD_CLOCK: json_clock(&json, record->schema, record->clock); break;
    case ES_RECORD_SUMMARY: es_summary_json(&json, record->schema, record->summary); break;
    case ES_RECORD_CONSOLE:
    case ES_RECORD_NOTE:
    case ES_RECORD_WARNING: json_text(&json, record); break;
    }
    es_json_end(&json, '}');
    es_text_add(out, "\n", 1);
}
