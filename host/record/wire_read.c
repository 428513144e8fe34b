#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "record/json.h"
#include "record/wire.h"
#include "record/wire_schema.h"

struct es_wire_reader {
    es_sink sink;
    es_schema *schema;   /* the last one of: */
    es_schema **schemas; /* who shows records in a thread of its own may still look at those before */
    size_t schema_count;
    es_value *values; /* room for the largest statement */
    es_composite_state *objects;
    uint64_t *hits; /* by statement */
};

es_wire_reader *es_wire_reader_new(const es_sink *sink)
{
    es_wire_reader *reader = es_malloc(sizeof *reader);
    *reader = (es_wire_reader){.sink = *sink};
    return reader;
}

static void forget_room(es_wire_reader *reader)
{
    free(reader->values);
    free(reader->objects);
    free(reader->hits);
}

void es_wire_reader_free(es_wire_reader *reader)
{
    if (!reader)
        return;
    forget_room(reader);
    for (size_t i = 0; i < reader->schema_count; i++)
        es_schema_free(reader->schemas[i]);
    free((void *)reader->schemas);
    free(reader);
}

static bool give(const es_wire_reader *reader, es_record record)
{
    record.schema = reader->schema;
    es_sink_give(&reader->sink, &record);
    return true;
}

static bool take_begin(es_wire_reader *reader, const json_t *line)
{
    size_t fields = 1, objects = 1;
    es_schema *schema = es_wire_schema(line);
    if (!schema)
        return false;
    forget_room(reader);
    reader->schemas = es_realloc((void *)reader->schemas, (reader->schema_count + 1) * sizeof(es_schema *));
    reader->schemas[reader->schema_count++] = reader->schema = schema;
    for (size_t i = 0; i < schema->statement_count; i++) {
        const es_schema_statement *statement = &schema->statements[i];
        fields = statement->field_count > fields ? statement->field_count : fields;
        objects = statement->object_count > objects ? statement->object_count : objects;
    }
    reader->values = es_malloc(fields * sizeof *reader->values);
    reader->objects = es_malloc(objects * sizeof *reader->objects);
    reader->hits = es_malloc((schema->statement_count + 1) * sizeof *reader->hits);
    return give(reader, (es_record){.kind = ES_RECORD_BEGIN});
}

/* Names come in the order of their numbers. */
static bool take_name(const es_wire_reader *reader, const json_t *line)
{
    const json_t *text = json_object_get(line, "text");
    json_int_t number = json_integer_value(json_object_get(line, "number"));
    if (!json_is_string(text) || !json_string_length(text))
        return false;
    return es_names_add(reader->schema->names, json_string_value(text), json_string_length(text)) == number;
}

static bool take_value(const es_field *field, const json_t *from, es_value *value)
{
    *value = (es_value){0};
    if (json_is_array(from)) {
        value->about = (uint32_t)json_integer_value(json_array_get(from, 1));
        from = json_array_get(from, 0);
    }
    value->known = !json_is_null(from);
    if (field->kind == ES_FIELD_TEXT) {
        value->text = json_is_string(from) ? json_string_value(from) : "";
        return json_is_string(from) || !value->known;
    }
    value->bits = (uint64_t)json_integer_value(from);
    return json_is_integer(from) || !value->known;
}

static bool take_hit(const es_wire_reader *reader, const json_t *line)
{
    enum { STATEMENT, TIME, FLAGS, PC, PATH, INLINED, TASK, TASK_POINTER, FILE_NAME, LINE, TIMES, VALUES, OBJECTS };
    const json_t *record = json_object_get(line, "record");
    uint64_t heads[LINE + 1];
    for (size_t i = 0; i <= LINE; i++)
        heads[i] = (uint64_t)json_integer_value(json_array_get(record, i));
    if (!json_is_array(record) || heads[STATEMENT] >= reader->schema->statement_count)
        return false;
    const es_schema_statement *statement = &reader->schema->statements[heads[STATEMENT]];
    const json_t *values = json_array_get(record, VALUES), *objects = json_array_get(record, OBJECTS);
    es_hit hit = {.statement = (uint32_t)heads[STATEMENT],
                  .time = heads[TIME],
                  .flags = (uint32_t)heads[FLAGS],
                  .pc = (uint32_t)heads[PC],
                  .path = (uint32_t)heads[PATH],
                  .inlined = (uint32_t)heads[INLINED],
                  .task = (uint32_t)heads[TASK],
                  .task_pointer = (uint32_t)heads[TASK_POINTER],
                  .file = (uint32_t)heads[FILE_NAME],
                  .line = (uint32_t)heads[LINE],
                  .values = reader->values,
                  .value_count = json_array_size(values),
                  .objects = reader->objects,
                  .object_count = json_array_size(objects)};
    if (hit.value_count > statement->field_count || hit.object_count > statement->object_count)
        return false;
    for (size_t i = 0; i < hit.object_count; i++) { /* an object's fields are all there */
        const es_composite *object = &statement->objects[i];
        const json_t *from = json_array_get(objects, i);
        if (object->first + object->count > hit.value_count)
            return false;
        reader->objects[i] = (es_composite_state){json_is_true(json_array_get(from, 0)),
                                                  (uint32_t)json_integer_value(json_array_get(from, 1)),
                                                  (uint32_t)json_integer_value(json_array_get(from, 2))};
    }
    for (size_t i = 0; i < hit.value_count; i++)
        if (!take_value(&statement->fields[i], json_array_get(values, i), &reader->values[i]))
            return false;
    for (size_t i = 0; i < 3; i++)
        hit.times[i] = (uint64_t)json_integer_value(json_array_get(json_array_get(record, TIMES), i));
    return give(reader, (es_record){.kind = ES_RECORD_HIT, .hit = &hit});
}

static bool take_lost(const es_wire_reader *reader, const json_t *line)
{
    const char *what = json_string_value(json_object_get(line, "what"));
    const json_t *last = json_object_get(line, "last_cycle");
    for (unsigned i = 0; what && i < ES_LOST_KINDS; i++)
        if (strcmp(what, es_lost_name((enum es_lost_what)i)) == 0) {
            es_lost lost = {(uint64_t)json_integer_value(json_object_get(line, "cycle")),
                            json_is_integer(last) ? (uint64_t)json_integer_value(last) : ES_NO_TIME,
                            (uint64_t)json_integer_value(json_object_get(line, "lost")), (enum es_lost_what)i};
            return give(reader, (es_record){.kind = ES_RECORD_LOST, .lost = &lost});
        }
    return false;
}

static bool take_inferred(const es_wire_reader *reader, const json_t *line)
{
    const json_t *record = json_object_get(line, "record"), *paths = json_array_get(record, 6);
    es_inferred_path from[ES_INFERRED_MAX];
    es_inferred inferred = {.statement = (uint32_t)json_integer_value(json_array_get(record, 0)),
                            .time = (uint64_t)json_integer_value(json_array_get(record, 1)),
                            .hit = (uint64_t)json_integer_value(json_array_get(record, 2)),
                            .pc = (uint32_t)json_integer_value(json_array_get(record, 3)),
                            .only = json_integer_value(json_array_get(record, 4)) != 0,
                            .other = json_number_value(json_array_get(record, 5)),
                            .paths = from,
                            .path_count = json_array_size(paths) / 2};
    if (!json_is_integer(json_array_get(record, 0)) || inferred.statement >= reader->schema->statement_count ||
        inferred.path_count > ES_INFERRED_MAX)
        return false;
    for (size_t i = 0; i < inferred.path_count; i++)
        from[i] = (es_inferred_path){(uint32_t)json_integer_value(json_array_get(paths, 2 * i)),
                                     json_number_value(json_array_get(paths, 2 * i + 1))};
    return give(reader, (es_record){.kind = ES_RECORD_INFERRED, .inferred = &inferred});
}

static bool take_progress(const es_wire_reader *reader, const json_t *line)
{
    const json_t *hits = json_object_get(line, "statements");
    for (size_t i = 0; i < reader->schema->statement_count; i++)
        reader->hits[i] = (uint64_t)json_integer_value(json_object_get(hits, reader->schema->statements[i].name));
    es_progress progress = {.hits = (uint64_t)json_integer_value(json_object_get(line, "hits")),
                            .lost = (uint64_t)json_integer_value(json_object_get(line, "lost")),
                            .time = (uint64_t)json_integer_value(json_object_get(line, "cycle")),
                            .wall_seconds = json_number_value(json_object_get(line, "seconds")),
                            .statement_hits = reader->hits,
                            .waiting = (uint64_t)json_integer_value(json_object_get(line, "waiting"))};
    return give(reader, (es_record){.kind = ES_RECORD_PROGRESS, .progress = &progress});
}

static bool is_event(const json_t *line, const char *name)
{
    const char *event = json_string_value(json_object_get(line, "event"));
    return event && strcmp(event, name) == 0;
}

bool es_wire_clock(const json_t *line, es_clock_told *clock)
{
    const char *computer = json_string_value(json_object_get(line, "computer"));
    *clock = (es_clock_told){.known = json_is_integer(json_object_get(line, "steady_ns")),
                             .time = (uint64_t)json_integer_value(json_object_get(line, "cycle")),
                             .steady_ns = json_integer_value(json_object_get(line, "steady_ns")),
                             .unix_ns = json_integer_value(json_object_get(line, "unix_ns")),
                             .error_ns = json_integer_value(json_object_get(line, "error_ns")),
                             .drift_ppm = json_number_value(json_object_get(line, "drift_ppm")),
                             .drift_error_ppm = json_number_value(json_object_get(line, "drift_error_ppm")),
                             .from = (uint64_t)json_integer_value(json_object_get(line, "from_cycle")),
                             .restarts = (uint32_t)json_integer_value(json_object_get(line, "restarts")),
                             .computer = computer};
    return computer && is_event(line, "clock");
}

bool es_wire_time(const json_t *line, uint64_t *time)
{
    bool hit = is_event(line, "hit");
    const json_t *at = hit ? json_array_get(json_object_get(line, "record"), 1) : json_object_get(line, "cycle");
    *time = (uint64_t)json_integer_value(at);
    return json_is_integer(at) && (hit || is_event(line, "gap"));
}

static bool take_clock(const es_wire_reader *reader, const json_t *line)
{
    es_clock_told clock;
    return es_wire_clock(line, &clock) && give(reader, (es_record){.kind = ES_RECORD_CLOCK, .clock = &clock});
}

static bool take_text(const es_wire_reader *reader, const json_t *line, enum es_record_kind kind)
{
    const json_t *text = json_object_get(line, "text");
    return json_is_string(text) &&
           give(reader, (es_record){.kind = kind, .text = {json_string_value(text), json_string_length(text)}});
}

static bool take_summary(const es_wire_reader *reader, const json_t *line)
{
    es_arena *arena = es_arena_new();
    const es_summary *summary = es_wire_summary(arena, reader->schema, line);
    bool good = summary && give(reader, (es_record){.kind = ES_RECORD_SUMMARY, .summary = summary});
    es_arena_free(arena);
    return good;
}

/* What the line is, if it is a record. */
static bool take(es_wire_reader *reader, const json_t *line, const char *event, bool *record)
{
    *record = true;
    if (strcmp(event, "begin") == 0)
        return take_begin(reader, line);
    if (strcmp(event, "note") == 0)
        return take_text(reader, line, ES_RECORD_NOTE);
    if (strcmp(event, "warning") == 0)
        return take_text(reader, line, ES_RECORD_WARNING);
    bool known = strcmp(event, "hit") == 0 || strcmp(event, "gap") == 0 || strcmp(event, "name") == 0 ||
                 strcmp(event, "inferred") == 0 || strcmp(event, "console") == 0 || strcmp(event, "progress") == 0 ||
                 strcmp(event, "clock") == 0 || strcmp(event, "summary") == 0;
    if (!known) {
        *record = false;
        return true;
    }
    if (!reader->schema)
        return false;
    switch (event[0]) {
    case 'h': return take_hit(reader, line);
    case 'g': return take_lost(reader, line);
    case 'i': return take_inferred(reader, line);
    case 'n': return take_name(reader, line);
    case 'c': return event[1] == 'l' ? take_clock(reader, line) : take_text(reader, line, ES_RECORD_CONSOLE);
    case 'p': return take_progress(reader, line);
    default: return take_summary(reader, line);
    }
}

static bool fail(const char *why, es_error *err)
{
    return es_fail(err, ES_PROBE, "the daemon sent a line that cannot be read%s%s: is it of another version?",
                   why ? ": " : "", why ? why : "");
}

bool es_wire_take(es_wire_reader *reader, const json_t *line, bool *record, es_error *err)
{
    const char *event = json_string_value(json_object_get(line, "event"));
    *record = false;
    return (event && take(reader, line, event, record)) || fail(NULL, err);
}

bool es_wire_read(es_wire_reader *reader, const char *line, size_t length, bool *record, es_error *err)
{
    json_error_t wrong;
    json_t *root = json_loadb(line, length, JSON_REJECT_DUPLICATES, &wrong);
    *record = false;
    bool good = root ? es_wire_take(reader, root, record, err) : fail(wrong.text, err);
    json_decref(root);
    return good;
}
