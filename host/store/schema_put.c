#include <inttypes.h>
#include <string.h>

#include "store/schema_text.h"

static void put_number(es_text_buffer *out, uint64_t number)
{
    es_text_format(out, "%" PRIu64 " ", number);
}

static void put_text(es_text_buffer *out, const char *text)
{
    if (!text) {
        es_text_add(out, "- ", 2);
        return;
    }
    es_text_format(out, "%zu:", strlen(text));
    es_text_add(out, text, strlen(text));
    es_text_add(out, " ", 1);
}

/* Labels of a type are written with the first of its fields: the number says which earlier field of the statement has
 * the same, plus 2; 1: here they are; 0: none. */
static void put_labels(es_text_buffer *out, const es_schema_statement *statement, size_t at)
{
    const es_field *field = &statement->fields[at];
    if (!field->label_count) {
        put_number(out, 0);
        return;
    }
    for (size_t i = 0; i < at; i++)
        if (statement->fields[i].labels == field->labels && statement->fields[i].label_count == field->label_count) {
            put_number(out, i + 2);
            return;
        }
    put_number(out, 1);
    put_number(out, field->label_count);
    for (size_t i = 0; i < field->label_count; i++) {
        put_text(out, field->labels[i].name);
        put_number(out, (uint64_t)field->labels[i].value);
    }
}

static void put_objects(es_text_buffer *out, const es_schema_statement *statement)
{
    put_number(out, statement->object_count);
    for (size_t i = 0; i < statement->object_count; i++) {
        const es_composite *object = &statement->objects[i];
        put_text(out, object->name);
        put_number(out, object->range);
        put_number(out, object->first);
        put_number(out, object->count);
        put_number(out, object->shape_count);
        for (size_t k = 0; k < object->shape_count; k++) {
            put_number(out, object->shape[k].kind);
            put_text(out, object->shape[k].name);
            put_number(out, object->shape[k].count);
        }
    }
}

static void put_cover(es_text_buffer *out, const es_cover *cover)
{
    put_number(out, cover->function_count);
    for (size_t i = 0; i < cover->function_count; i++) {
        put_text(out, cover->functions[i].name);
        put_text(out, cover->functions[i].file);
        put_number(out, cover->functions[i].line);
    }
    put_number(out, cover->place_count);
    for (size_t i = 0; i < cover->place_count; i++) {
        const es_cover_place *place = &cover->places[i];
        put_number(out, place->pc);
        put_number(out, place->line);
        put_number(out, place->function);
        /* "-": that of the one before */
        put_text(out, i && strcmp(place->file, cover->places[i - 1].file) == 0 ? NULL : place->file);
    }
}

static void put_aggregates(es_text_buffer *out, const es_schema_statement *statement)
{
    put_number(out, statement->is_aggregated);
    put_number(out, statement->aggregate_count);
    for (size_t i = 0; i < statement->aggregate_count; i++) {
        const es_aggregate *aggregate = &statement->aggregates[i];
        put_text(out, aggregate->name);
        put_number(out, aggregate->kind);
        put_number(out, aggregate->by);
        put_number(out, aggregate->value);
        put_number(out, aggregate->key);
        put_number(out, aggregate->top);
        put_number(out, aggregate->entry);
        if (aggregate->kind == ES_AGGREGATE_COVER)
            put_cover(out, aggregate->cover);
        if (aggregate->kind == ES_AGGREGATE_STACK)
            put_number(out, aggregate->bytes);
    }
}

static void put_statement(es_text_buffer *out, const es_schema_statement *statement)
{
    put_text(out, statement->name);
    put_text(out, statement->text);
    put_text(out, statement->file);
    put_number(out, statement->line);
    put_number(out, statement->expects);
    put_number(out, statement->value_count);
    put_number(out, statement->field_count);
    for (size_t i = 0; i < statement->field_count; i++) {
        const es_field *field = &statement->fields[i];
        put_text(out, field->name);
        put_number(out, field->kind);
        put_number(out, field->bits);
        put_number(out, (field->is_signed ? 1u : 0) | (field->is_aggregated ? 2u : 0) | (field->is_parts ? 4u : 0));
        put_labels(out, statement, i);
    }
    put_objects(out, statement);
    put_aggregates(out, statement);
}

void es_schema_put(es_text_buffer *out, const es_schema *schema)
{
    put_text(out, schema->program);
    put_number(out, schema->clock_hz);
    put_text(out, schema->tasks_by);
    put_text(out, schema->kernel);
    put_number(out, schema->task_pointers);
    put_number(out, schema->times);
    put_number(out, schema->origin);
    put_number(out, schema->statement_count);
    for (size_t i = 0; i < schema->statement_count; i++)
        put_statement(out, &schema->statements[i]);
    put_number(out, schema->counter_count);
    for (size_t i = 0; i < schema->counter_count; i++)
        put_text(out, schema->counters[i]);
    put_number(out, schema->life_count);
    for (size_t i = 0; i < schema->life_count; i++) {
        put_text(out, schema->lives[i].procedure);
        put_text(out, schema->lives[i].variable);
        put_text(out, schema->lives[i].observed);
        put_text(out, schema->lives[i].elsewhere);
    }
}
