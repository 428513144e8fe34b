#include "record/wire_schema.h"

#include <string.h>

#define FIELDS_MAX 65536u /* of a statement; more is no schema of earshot's */
#define DEPTH_MAX 64

static const char *copy_of(es_arena *arena, const json_t *text)
{
    return json_is_string(text) ? es_arena_copy(arena, json_string_value(text), json_string_length(text)) : NULL;
}

static const char *text_of(es_arena *arena, const json_t *object, const char *key)
{
    return copy_of(arena, json_object_get(object, key));
}

static uint64_t uint_of(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static bool flag_of(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

/* Which of the names it is; the number of names: none. */
static size_t index_of(const char *text, const char *const *names, size_t count)
{
    size_t i = 0;
    while (i < count && !(text && strcmp(text, names[i]) == 0))
        i++;
    return i;
}

/* --- schema ---------------------------------------------------------------------------------------------------- */

static bool take_field(es_arena *arena, const json_t *from, es_field *field)
{
    static const char *const kinds[] = {"int", "char", "bool", "float", "enum", "pointer", "time", "byte", "text"};
    const size_t count = sizeof kinds / sizeof *kinds;
    size_t kind = index_of(json_string_value(json_object_get(from, "kind")), kinds, count);
    uint64_t bits = uint_of(from, "bits");
    json_t *labels = json_object_get(from, "labels"), *value;
    *field = (es_field){.name = text_of(arena, from, "name"),
                        .kind = (enum es_field_kind)kind,
                        .bits = (uint8_t)bits,
                        .is_signed = flag_of(from, "signed"),
                        .is_aggregated = flag_of(from, "aggregated"),
                        .is_parts = flag_of(from, "parts")};
    if (!field->name || kind == count || bits > 64)
        return false;
    es_label *made = es_arena_alloc(arena, (json_object_size(labels) + 1) * sizeof *made);
    const char *name;
    json_object_foreach(labels, name, value) made[field->label_count++] =
        (es_label){es_arena_copy(arena, name, strlen(name)), json_integer_value(value)};
    field->labels = made;
    return true;
}

/* The nodes must come to exactly the object's fields, and stand in each other no deeper than types do, whoever walks
 * over them. */
static bool shape_fits(const es_shape *shape, size_t count, size_t fields)
{
    uint64_t open[DEPTH_MAX] = {1}, leaves = 0; /* nodes that have to come, by depth */
    size_t depth = 0;
    for (size_t i = 0; i < count; i++) {
        while (depth && !open[depth])
            depth--;
        if (!open[depth]--)
            return false;
        bool inner = shape[i].kind == ES_SHAPE_STRUCT || shape[i].kind == ES_SHAPE_ARRAY;
        leaves += inner ? 0 : shape[i].kind == ES_SHAPE_BYTES ? shape[i].count : 1;
        if (inner && ++depth == DEPTH_MAX)
            return false;
        if (inner)
            open[depth] = shape[i].count;
    }
    for (size_t i = 0; i <= depth; i++)
        if (open[i])
            return false;
    return leaves == fields;
}

static bool take_object(es_arena *arena, const json_t *from, size_t field_count, es_composite *object)
{
    static const char *const kinds[] = {"leaf", "struct", "array", "bytes"};
    const json_t *shape = json_object_get(from, "shape");
    size_t count = json_array_size(shape);
    es_shape *nodes = es_arena_alloc(arena, (count + 1) * sizeof *nodes);
    *object = (es_composite){.name = text_of(arena, from, "name"),
                             .range = flag_of(from, "range"),
                             .first = uint_of(from, "first"),
                             .count = uint_of(from, "count"),
                             .shape = nodes,
                             .shape_count = count};
    for (size_t i = 0; i < count; i++) {
        const json_t *node = json_array_get(shape, i), *name = json_array_get(node, 1);
        size_t kind = index_of(json_string_value(json_array_get(node, 0)), kinds, 4);
        if (kind == 4)
            return false;
        nodes[i] = (es_shape){
            (enum es_shape_kind)kind,
            json_is_string(name) ? es_arena_copy(arena, json_string_value(name), json_string_length(name)) : NULL,
            (uint32_t)json_integer_value(json_array_get(node, 2))};
    }
    return object->name && object->first <= field_count && object->count <= field_count - object->first &&
           shape_fits(nodes, count, object->count);
}

/* Of a cover: {"functions":[[name,file,line],...],"files":[...],"places":[[pc,file,line,function],...]} */
static const es_cover *take_cover(es_arena *arena, const json_t *from)
{
    const json_t *functions = json_object_get(from, "functions"), *files = json_object_get(from, "files"),
                 *places = json_object_get(from, "places");
    es_cover *cover = es_arena_alloc(arena, sizeof *cover);
    cover->function_count = json_array_size(functions);
    cover->place_count = json_array_size(places);
    es_cover_function *named = es_arena_alloc(arena, (cover->function_count + 1) * sizeof *named);
    es_cover_place *made = es_arena_alloc(arena, (cover->place_count + 1) * sizeof *made);
    const char **names = es_arena_alloc(arena, (json_array_size(files) + 1) * sizeof *names);
    for (size_t i = 0; i < json_array_size(files); i++)
        if (!(names[i] = copy_of(arena, json_array_get(files, i))))
            return NULL;
    for (size_t i = 0; i < cover->function_count; i++) {
        const json_t *function = json_array_get(functions, i);
        named[i] = (es_cover_function){copy_of(arena, json_array_get(function, 0)),
                                       copy_of(arena, json_array_get(function, 1)),
                                       (unsigned)json_integer_value(json_array_get(function, 2))};
        if (!named[i].name)
            return NULL;
    }
    for (size_t i = 0; i < cover->place_count; i++) {
        const json_t *place = json_array_get(places, i);
        uint64_t file = (uint64_t)json_integer_value(json_array_get(place, 1));
        made[i] = (es_cover_place){.pc = (uint32_t)json_integer_value(json_array_get(place, 0)),
                                   .line = (uint32_t)json_integer_value(json_array_get(place, 2)),
                                   .file = file < json_array_size(files) ? names[file] : NULL,
                                   .function = (size_t)json_integer_value(json_array_get(place, 3))};
        if (!made[i].file || made[i].function >= cover->function_count || (i && made[i].pc < made[i - 1].pc))
            return NULL;
    }
    cover->places = made;
    cover->functions = named;
    return cover;
}

/* What its hits are aggregated by. */
static bool take_aggregate(es_arena *arena, const json_t *from, const es_schema_statement *statement,
                           es_aggregate *aggregate)
{
    static const char *const kinds[] = {"hist", "stats", "count", "profile", "cover", "stack"};
    static const char *const ways[] = {"path", "task", "place", "value"};
    const json_t *by = json_object_get(from, "by");
    size_t kind = index_of(json_string_value(json_object_get(from, "kind")), kinds, 6);
    size_t way = by ? index_of(json_string_value(by), ways, 4) + 1 : 0;
    *aggregate = (es_aggregate){.name = text_of(arena, from, "name"),
                                .kind = (enum es_aggregate_kind)kind,
                                .by = (enum es_aggregate_by)way,
                                .value = uint_of(from, "value"),
                                .key = uint_of(from, "key"),
                                .top = (unsigned)uint_of(from, "top"),
                                .entry = (uint32_t)uint_of(from, "entry"),
                                .bytes = (uint32_t)uint_of(from, "bytes")};
    if (kind == ES_AGGREGATE_COVER && !(aggregate->cover = take_cover(arena, from)))
        return false;
    return aggregate->name && kind < 6 && way <= 4 &&
           ((kind >= ES_AGGREGATE_COUNT && kind != ES_AGGREGATE_STACK) || aggregate->value < statement->value_count) &&
           (way != ES_AGGREGATE_BY_VALUE || aggregate->key < statement->value_count);
}

static bool take_aggregates(es_arena *arena, const json_t *from, es_schema_statement *statement)
{
    statement->aggregate_count = json_array_size(from);
    es_aggregate *made = es_arena_alloc(arena, (statement->aggregate_count + 1) * sizeof *made);
    statement->aggregates = made;
    for (size_t i = 0; i < statement->aggregate_count; i++)
        if (!take_aggregate(arena, json_array_get(from, i), statement, &made[i]))
            return false;
    return true;
}

static bool take_statement(es_arena *arena, const json_t *from, es_schema_statement *statement)
{
    static const char *const expects[] = {"", "never", "eventually", "within"};
    const json_t *fields = json_object_get(from, "fields"), *objects = json_object_get(from, "objects");
    size_t expect = index_of(json_string_value(json_object_get(from, "expect")), expects, 4);
    *statement = (es_schema_statement){.name = text_of(arena, from, "name"),
                                       .text = text_of(arena, from, "text"),
                                       .file = text_of(arena, from, "file"),
                                       .line = (unsigned)uint_of(from, "line"),
                                       .waits_for = text_of(arena, from, "waits_for"),
                                       .expects = (enum es_expectation)(expect % 4),
                                       .value_count = uint_of(from, "values"),
                                       .field_count = json_array_size(fields),
                                       .object_count = json_array_size(objects),
                                       .is_aggregated = flag_of(from, "aggregated")};
    if (!statement->name || statement->field_count > FIELDS_MAX || statement->value_count > statement->field_count)
        return false;
    es_field *made = es_arena_alloc(arena, (statement->field_count + 1) * sizeof *made);
    es_composite *composites = es_arena_alloc(arena, (statement->object_count + 1) * sizeof *composites);
    statement->fields = made;
    statement->objects = composites;
    for (size_t i = 0; i < statement->field_count; i++)
        if (!take_field(arena, json_array_get(fields, i), &made[i]))
            return false;
    for (size_t i = 0; i < statement->object_count; i++)
        if (!take_object(arena, json_array_get(objects, i), statement->field_count, &composites[i]))
            return false;
    return take_aggregates(arena, json_object_get(from, "statistics"), statement);
}

static bool take_schema(es_schema *schema, const json_t *line)
{
    const json_t *statements = json_object_get(line, "statements"), *counters = json_object_get(line, "counters");
    schema->program = text_of(schema->arena, line, "program");
    schema->clock_hz = uint_of(line, "clock_hz");
    schema->statement_count = json_array_size(statements);
    schema->counter_count = json_array_size(counters);
    schema->tasks_by = text_of(schema->arena, line, "tasks_by");
    schema->kernel = text_of(schema->arena, line, "kernel");
    schema->task_pointers = flag_of(line, "task_pointers");
    schema->times = flag_of(line, "times");
    schema->simulated = flag_of(line, "simulated");
    es_schema_statement *made = es_arena_alloc(schema->arena, (schema->statement_count + 1) * sizeof *made);
    const char **names = es_arena_alloc(schema->arena, (schema->counter_count + 1) * sizeof *names);
    schema->statements = made;
    schema->counters = names;
    for (size_t i = 0; i < schema->statement_count; i++)
        if (!take_statement(schema->arena, json_array_get(statements, i), &made[i]))
            return false;
    for (size_t i = 0; i < schema->counter_count; i++) {
        const json_t *name = json_array_get(counters, i);
        if (!json_is_string(name))
            return false;
        names[i] = es_arena_copy(schema->arena, json_string_value(name), json_string_length(name));
    }
    const json_t *lives = json_object_get(line, "observed_in_part");
    schema->life_count = json_array_size(lives);
    es_schema_life *told = es_arena_alloc(schema->arena, (schema->life_count + 1) * sizeof *told);
    schema->lives = told;
    for (size_t i = 0; i < schema->life_count; i++) {
        const json_t *life = json_array_get(lives, i);
        told[i] =
            (es_schema_life){text_of(schema->arena, life, "procedure"), text_of(schema->arena, life, "variable"),
                             text_of(schema->arena, life, "observed_in"), text_of(schema->arena, life, "elsewhere")};
    }
    return schema->clock_hz > 0;
}

es_schema *es_wire_schema(const json_t *line)
{
    es_schema *schema = es_schema_new();
    if (take_schema(schema, line))
        return schema;
    es_schema_free(schema);
    return NULL;
}

/* --- summary --------------------------------------------------------------------------------------------------- */

static const char *const *texts_of(es_arena *arena, const json_t *line, const char *key)
{
    const json_t *from = json_object_get(line, key);
    const char **texts = es_arena_alloc(arena, (json_array_size(from) + 1) * sizeof *texts);
    for (size_t i = 0; i < json_array_size(from); i++) {
        const json_t *text = json_array_get(from, i);
        texts[i] = es_arena_copy(arena, json_is_string(text) ? json_string_value(text) : "",
                                 json_is_string(text) ? json_string_length(text) : 0);
    }
    return texts;
}

static void take_judged(es_arena *arena, const es_schema *schema, const json_t *line, es_summary *summary)
{
    const json_t *verdicts = json_object_get(line, "expectations"), *whys = json_object_get(line, "expectations_why");
    for (size_t i = 0; i < schema->statement_count; i++) {
        const char *name = schema->statements[i].name, *why = text_of(arena, whys, name);
        const json_t *verdict = json_object_get(verdicts, name);
        summary->judged[i] = (es_judged){!verdict || json_is_true(verdict) ? ES_VERDICT_MET
                                         : json_is_false(verdict)          ? ES_VERDICT_FAILED
                                                                           : ES_VERDICT_UNKNOWN,
                                         why ? why : ""};
    }
}

const es_summary *es_wire_summary(es_arena *arena, const es_schema *schema, const json_t *line)
{
    const json_t *exact = json_object_get(line, "exact"), *code = json_object_get(line, "exit_code");
    es_summary *summary = es_arena_alloc(arena, sizeof *summary);
    if (json_array_size(exact) != 4)
        return NULL;
    *summary = (es_summary){
        .hits = uint_of(line, "hits"),
        .statement_hits = es_arena_alloc(arena, (schema->statement_count + 1) * sizeof *summary->statement_hits),
        .statement_unknown = es_arena_alloc(arena, (schema->statement_count + 1) * sizeof *summary->statement_unknown),
        .judged = es_arena_alloc(arena, (schema->statement_count + 1) * sizeof *summary->judged),
        .counters = es_arena_alloc(arena, (schema->counter_count + 1) * sizeof *summary->counters),
        .lost_bus = (uint64_t)json_integer_value(json_array_get(exact, 0)),
        .lost_events = (uint64_t)json_integer_value(json_array_get(exact, 1)),
        .lost_link = (uint64_t)json_integer_value(json_array_get(exact, 2)),
        .wall_seconds = json_number_value(json_array_get(exact, 3)),
        .unknown = uint_of(line, "unknown"),
        .stack_switches = uint_of(line, "stack_switches"),
        .switched_in = texts_of(arena, line, "switched_in"),
        .switched_by = texts_of(arena, line, "task_candidates"),
        .tasks_given_up = uint_of(line, "tasks_given_up"),
        .torn = uint_of(line, "torn"),
        .complete = !flag_of(line, "incomplete"),
        .unaccounted = (int64_t)uint_of(line, "unaccounted"),
        .exited = json_is_integer(code),
        .exit_code = (int)json_integer_value(code),
        .trapped = flag_of(line, "trapped"),
        .halted = flag_of(line, "halted"),
        .mismatch = flag_of(line, "mismatch"),
        .cycles = uint_of(line, "cycles"),
    };
    for (unsigned pin = 0; pin < 8; pin++)
        summary->pulses[pin] = (uint64_t)json_integer_value(json_array_get(json_object_get(line, "pulses"), pin));
    for (size_t i = 0; i < schema->statement_count; i++)
        summary->statement_hits[i] = uint_of(json_object_get(line, "statements"), schema->statements[i].name);
    for (size_t i = 0; i < schema->statement_count; i++)
        summary->statement_unknown[i] =
            uint_of(json_object_get(line, "unknown_statements"), schema->statements[i].name);
    for (size_t i = 0; i < schema->counter_count; i++)
        summary->counters[i] = (uint32_t)uint_of(json_object_get(line, "counters"), schema->counters[i]);
    take_judged(arena, schema, line, summary);
    return summary;
}
