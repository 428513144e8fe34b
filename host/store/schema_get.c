#include <string.h>

#include "store/layout.h"
#include "store/schema_text.h"

#define DEPTH_MAX 64u /* of an object's shape */

typedef struct reader {
    const char *at, *end;
    es_arena *arena;
    bool bad;
} reader;

static uint64_t get_number(reader *r, uint64_t most)
{
    uint64_t value = 0;
    const char *begin = r->at;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
        uint64_t digit = (uint64_t)(*r->at - '0');
        if (value > (UINT64_MAX - digit) / 10)
            r->bad = true;
        value = value * 10 + digit;
    }
    if (r->bad || r->at == begin || r->at == r->end || *r->at != ' ' || value > most) {
        r->bad = true;
        return 0;
    }
    r->at++;
    return value;
}

/* How many of something follow. Each takes two bytes at least, so that no more room is made than the text has. */
static size_t get_count(reader *r)
{
    return (size_t)get_number(r, (uint64_t)(r->end - r->at) / 2);
}

static char *get_text(reader *r)
{
    if (r->end - r->at >= 2 && memcmp(r->at, "- ", 2) == 0) {
        r->at += 2;
        return NULL;
    }
    size_t length = 0;
    const char *begin = r->at;
    for (; r->at < r->end && r->at - begin < 9 && *r->at >= '0' && *r->at <= '9'; r->at++)
        length = length * 10 + (size_t)(*r->at - '0');
    if (r->bad || r->at == begin || r->end - r->at < 2 || *r->at != ':' || length > (size_t)(r->end - r->at) - 2 ||
        r->at[1 + length] != ' ' || memchr(r->at + 1, 0, length)) {
        r->bad = true;
        return NULL;
    }
    char *text = es_arena_copy(r->arena, r->at + 1, length);
    r->at += length + 2;
    return text;
}

/* One that must be there. */
static char *get_name(reader *r)
{
    char *text = get_text(r);
    r->bad |= !text;
    return text;
}

static void get_labels(reader *r, es_field *fields, size_t at)
{
    uint64_t how = get_number(r, at + 1);
    if (how == 0)
        return;
    if (how > 1) {
        fields[at].labels = fields[how - 2].labels;
        fields[at].label_count = fields[how - 2].label_count;
        return;
    }
    size_t count = get_count(r);
    es_label *labels = es_arena_alloc(r->arena, (count + 1) * sizeof *labels);
    for (size_t i = 0; i < count && !r->bad; i++) {
        labels[i].name = get_name(r);
        labels[i].value = (int64_t)get_number(r, UINT64_MAX);
    }
    fields[at].labels = labels;
    fields[at].label_count = count;
}

static const es_field *get_fields(reader *r, size_t count)
{
    es_field *fields = es_arena_alloc(r->arena, (count + 1) * sizeof *fields);
    for (size_t i = 0; i < count && !r->bad; i++) {
        fields[i].name = get_name(r);
        fields[i].kind = (enum es_field_kind)get_number(r, ES_FIELD_TEXT);
        fields[i].bits = (uint8_t)get_number(r, 64);
        uint64_t flags = get_number(r, 7);
        fields[i].is_signed = flags & 1;
        fields[i].is_aggregated = flags & 2;
        fields[i].is_parts = flags & 4;
        get_labels(r, fields, i);
    }
    return fields;
}

/* Reads a node and what is in it. Returns the node after it. */
static size_t check_shape(reader *r, const es_composite *object, size_t node, size_t *fields, unsigned depth)
{
    if (node >= object->shape_count || depth > DEPTH_MAX) {
        r->bad = true;
        return node;
    }
    const es_shape *shape = &object->shape[node++];
    if (shape->kind == ES_SHAPE_LEAF)
        *fields += 1;
    else if (shape->kind == ES_SHAPE_BYTES)
        *fields += shape->count;
    else
        for (uint32_t i = 0; i < shape->count && !r->bad; i++)
            node = check_shape(r, object, node, fields, depth + 1);
    return node;
}

static void get_object(reader *r, es_composite *object, size_t fields)
{
    object->name = get_name(r);
    object->range = get_number(r, 1) != 0;
    object->first = (size_t)get_number(r, fields);
    object->count = (size_t)get_number(r, fields - (r->bad ? 0 : object->first));
    object->shape_count = get_count(r);
    es_shape *shape = es_arena_alloc(r->arena, (object->shape_count + 1) * sizeof *shape);
    for (size_t i = 0; i < object->shape_count && !r->bad; i++) {
        shape[i].kind = (enum es_shape_kind)get_number(r, ES_SHAPE_BYTES);
        shape[i].name = get_text(r);
        shape[i].count = (uint32_t)get_number(r, UINT32_MAX);
    }
    object->shape = shape;
    size_t taken = 0;
    if (!r->bad && object->shape_count && check_shape(r, object, 0, &taken, 0) != object->shape_count)
        r->bad = true;
    r->bad |= taken != object->count;
}

static const es_cover *get_cover(reader *r)
{
    es_cover *cover = es_arena_alloc(r->arena, sizeof *cover);
    cover->function_count = get_count(r);
    es_cover_function *functions = es_arena_alloc(r->arena, (cover->function_count + 1) * sizeof *functions);
    for (size_t i = 0; i < cover->function_count && !r->bad; i++) {
        functions[i].name = get_name(r);
        functions[i].file = get_text(r);
        functions[i].line = (unsigned)get_number(r, UINT32_MAX);
    }
    cover->place_count = r->bad ? 0 : get_count(r);
    es_cover_place *places = es_arena_alloc(r->arena, (cover->place_count + 1) * sizeof *places);
    for (size_t i = 0; i < cover->place_count && !r->bad; i++) {
        places[i].pc = (uint32_t)get_number(r, UINT32_MAX);
        places[i].line = (uint32_t)get_number(r, UINT32_MAX);
        places[i].function = (size_t)get_number(r, UINT32_MAX);
        places[i].file = get_text(r);
        if (!places[i].file && i)
            places[i].file = places[i - 1].file;
        r->bad |=
            !places[i].file || places[i].function >= cover->function_count || (i && places[i].pc < places[i - 1].pc);
    }
    cover->places = places;
    cover->functions = functions;
    return cover;
}

/* Its fields are there, where it names any. */
static void get_aggregate(reader *r, es_aggregate *aggregate, size_t fields)
{
    aggregate->name = get_name(r);
    aggregate->kind = (enum es_aggregate_kind)get_number(r, ES_AGGREGATE_STACK);
    aggregate->by = (enum es_aggregate_by)get_number(r, ES_AGGREGATE_BY_VALUE);
    aggregate->value = (size_t)get_number(r, UINT32_MAX);
    aggregate->key = (size_t)get_number(r, UINT32_MAX);
    aggregate->top = (unsigned)get_number(r, UINT32_MAX);
    aggregate->entry = (uint32_t)get_number(r, UINT32_MAX);
    if (aggregate->kind == ES_AGGREGATE_COVER && !r->bad)
        aggregate->cover = get_cover(r);
    if (aggregate->kind == ES_AGGREGATE_STACK && !r->bad)
        aggregate->bytes = (uint32_t)get_number(r, UINT32_MAX);
    bool valued = aggregate->kind < ES_AGGREGATE_COUNT || aggregate->kind == ES_AGGREGATE_STACK;
    r->bad |= valued && aggregate->value >= fields;
    r->bad |= aggregate->by == ES_AGGREGATE_BY_VALUE && aggregate->key >= fields;
}

static void get_aggregates(reader *r, es_schema_statement *statement)
{
    statement->is_aggregated = get_number(r, 1) != 0;
    statement->aggregate_count = r->bad ? 0 : get_count(r);
    es_aggregate *aggregates = es_arena_alloc(r->arena, (statement->aggregate_count + 1) * sizeof *aggregates);
    for (size_t i = 0; i < statement->aggregate_count && !r->bad; i++)
        get_aggregate(r, &aggregates[i], statement->field_count);
    statement->aggregates = aggregates;
}

static void get_statement(reader *r, es_schema_statement *statement)
{
    statement->name = get_name(r);
    statement->text = get_text(r);
    statement->file = get_text(r);
    statement->line = (unsigned)get_number(r, UINT32_MAX);
    statement->expects = (enum es_expectation)get_number(r, ES_EXPECTS_WITHIN);
    statement->value_count = (size_t)get_number(r, UINT32_MAX);
    statement->field_count = get_count(r);
    if (r->bad || statement->value_count > statement->field_count) {
        r->bad = true;
        return;
    }
    statement->fields = get_fields(r, statement->field_count);
    statement->object_count = r->bad ? 0 : get_count(r);
    es_composite *objects = es_arena_alloc(r->arena, (statement->object_count + 1) * sizeof *objects);
    size_t next = statement->value_count;
    for (size_t i = 0; i < statement->object_count && !r->bad; i++) {
        get_object(r, &objects[i], statement->field_count);
        r->bad |= objects[i].first != next; /* one after the other */
        next += objects[i].count;
    }
    r->bad |= next != statement->field_count;
    statement->objects = objects;
    if (!r->bad)
        get_aggregates(r, statement);
}

static void get_rest(reader *r, es_schema *schema)
{
    schema->counter_count = get_count(r);
    const char **counters = es_arena_alloc(r->arena, (schema->counter_count + 1) * sizeof *counters);
    for (size_t i = 0; i < schema->counter_count && !r->bad; i++)
        counters[i] = get_name(r);
    schema->counters = counters;
    schema->life_count = r->bad ? 0 : get_count(r);
    es_schema_life *lives = es_arena_alloc(r->arena, (schema->life_count + 1) * sizeof *lives);
    for (size_t i = 0; i < schema->life_count && !r->bad; i++) {
        lives[i].procedure = get_name(r);
        lives[i].variable = get_name(r);
        lives[i].observed = get_text(r);
        lives[i].elsewhere = get_text(r);
    }
    schema->lives = lives;
}

es_schema *es_schema_get(const char *text, size_t length)
{
    es_schema *schema = es_schema_new();
    reader r = {.at = text, .end = text + length, .arena = schema->arena};
    schema->program = get_text(&r);
    schema->clock_hz = get_number(&r, UINT64_C(10000000000));
    schema->tasks_by = get_text(&r);
    schema->kernel = get_text(&r);
    schema->task_pointers = get_number(&r, 1) != 0;
    schema->times = get_number(&r, 1) != 0;
    schema->origin = (enum es_origin)get_number(&r, ES_ORIGINS - 1);
    schema->statement_count = get_count(&r);
    r.bad |= !schema->clock_hz || schema->statement_count > ES_TRACE_STATEMENTS_MAX;
    es_schema_statement *statements =
        es_arena_alloc(schema->arena, (r.bad ? 1 : schema->statement_count + 1) * sizeof *statements);
    for (size_t i = 0; i < schema->statement_count && !r.bad; i++)
        get_statement(&r, &statements[i]);
    schema->statements = statements;
    if (!r.bad)
        get_rest(&r, schema);
    if (!r.bad && r.at == r.end)
        return schema;
    es_schema_free(schema);
    return NULL;
}
