/* CSV as RFC 4180 has it, with a head line; a value that is not known, or that a statement does not have, is empty. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/times.h"
#include "export/private.h"
#include "record/json.h"
#include "record/value.h"

typedef struct csv {
    es_arena *arena;
    const es_schema *schema;
    es_all_series series;
    const es_value **values; /* by series: of the hit at hand; NULL: none */
    es_text_buffer cell;
} csv;

static void add_cell(es_text_buffer *out, const char *text)
{
    es_text_add(out, ",", 1);
    if (!text)
        return;
    if (!strpbrk(text, ",\"\r\n")) {
        es_text_add(out, text, strlen(text));
        return;
    }
    es_text_add(out, "\"", 1);
    for (; *text; text++)
        es_text_add(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    es_text_add(out, "\"", 1);
}

static void *csv_begin(es_text_buffer *out, const es_schema *schema, int64_t origin_ns)
{
    csv *c = es_malloc(sizeof *c);
    (void)origin_ns;
    *c = (csv){.arena = es_arena_new(), .schema = schema};
    c->series = es_series_of(schema, c->arena);
    c->values = es_arena_alloc(c->arena, (c->series.count + 1) * sizeof *c->values);
    es_text_format(out, "event,time_ns,cycle,statement,task,path,file,line,uncertain,lost,what");
    for (size_t i = 0; i < c->series.count; i++)
        add_cell(out, c->series.items[i].name);
    es_text_format(out, "\r\n");
    return c;
}

/* Numbers as JSON has them, enumerators and texts without quotes. */
static void add_value(csv *c, es_text_buffer *out, const es_field *field, const es_value *value)
{
    if (!value || !value->known) {
        add_cell(out, NULL);
        return;
    }
    es_text_buffer *cell = &c->cell;
    es_text_clear(cell);
    es_json json = {.out = cell};
    if (field->kind == ES_FIELD_TEXT)
        es_text_format(cell, "%s", value->text);
    else if (field->kind == ES_FIELD_ENUM)
        es_value_text(cell, c->schema, field, value, true);
    else
        es_value_json(&json, c->schema, field, value);
    if (cell->text[0] == '"') { /* "nan", "inf" */
        cell->text[cell->length - 1] = 0;
        add_cell(out, cell->text + 1);
    } else {
        add_cell(out, cell->text);
    }
}

static void add_hit(csv *c, es_text_buffer *out, const es_hit *hit)
{
    const es_names *names = c->schema->names;
    const es_schema_statement *statement = &c->schema->statements[hit->statement];
    const char *path = es_names_text(names, hit->path);
    es_text_format(out, "hit,%" PRIu64 ",%" PRIu64, es_time_ns(hit->time, c->schema->clock_hz), hit->time);
    add_cell(out, statement->name);
    add_cell(out, es_names_text(names, hit->task));
    add_cell(out, hit->flags & ES_HIT_NO_PATH ? "?" : path);
    add_cell(out, es_names_text(names, hit->file));
    es_text_format(out, hit->file ? ",%u" : ",", (unsigned)hit->line);
    es_text_format(out, ",%d,,", hit->flags & ES_HIT_UNCERTAIN ? 1 : 0);
    memset(c->values, 0, c->series.count * sizeof *c->values);
    for (size_t i = 0; i < hit->value_count; i++)
        c->values[c->series.of_field[hit->statement][i]] = &hit->values[i];
    for (size_t i = 0; i < c->series.count; i++)
        add_value(c, out, c->series.items[i].field, c->values[i]);
    es_text_format(out, "\r\n");
}

static void csv_take(void *state, es_text_buffer *out, const es_record *record)
{
    csv *c = state;
    if (record->kind == ES_RECORD_HIT) {
        add_hit(c, out, record->hit);
    } else if (record->kind == ES_RECORD_LOST) {
        const es_lost *lost = record->lost;
        es_text_format(out, "gap,%" PRIu64 ",%" PRIu64 ",,,,,,,%" PRIu64 ",%s",
                       es_time_ns(lost->time, c->schema->clock_hz), lost->time, lost->count, es_lost_name(lost->what));
        for (size_t i = 0; i < c->series.count; i++)
            add_cell(out, NULL);
        es_text_format(out, "\r\n");
    }
}

static void csv_end(void *state, es_text_buffer *out)
{
    csv *c = state;
    (void)out;
    es_text_free(&c->cell);
    es_arena_free(c->arena);
    free(c);
}

const es_export_form es_export_csv = {csv_begin, csv_take, csv_end};
