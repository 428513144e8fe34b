/* Waveforms as IEEE 1364 has them, with GTKWave's strings: each value is a signal, which holds what the last hit told;
 * x is what is not known. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/times.h"
#include "export/private.h"
#include "record/value.h"

typedef struct vcd {
    es_arena *arena;
    const es_schema *schema;
    es_all_series series;
    size_t first_hit; /* signals: series, path, task, lost; then an event for each statement */
    uint64_t time;
    bool any;
    es_text_buffer text;
} vcd;

/* Signals' short names: printable characters from ! on. */
static void add_id(es_text_buffer *out, size_t signal)
{
    do {
        char digit = (char)('!' + signal % 94);
        es_text_add(out, &digit, 1);
        signal /= 94;
    } while (signal);
}

static bool is_string(const es_field *field)
{
    return field->kind == ES_FIELD_ENUM || field->kind == ES_FIELD_TEXT;
}

static unsigned width_of(const es_field *field)
{
    return field->kind == ES_FIELD_LENGTH ? 64 : field->bits ? field->bits : 1;
}

static void declare(es_text_buffer *out, const char *type, unsigned width, size_t signal, const char *name)
{
    es_text_format(out, "$var %s %u ", type, width);
    add_id(out, signal);
    es_text_add(out, " ", 1);
    es_export_word(out, name);
    es_text_format(out, " $end\n");
}

static void declare_series(es_text_buffer *out, size_t signal, const es_series *series)
{
    const es_field *field = series->field;
    if (is_string(field))
        declare(out, "string", 1, signal, series->name);
    else if (field->kind == ES_FIELD_FLOAT)
        declare(out, "real", 64, signal, series->name);
    else if (field->is_signed && field->bits == 32)
        declare(out, "integer", 32, signal, series->name);
    else
        declare(out, "wire", width_of(field), signal, series->name);
}

static void *vcd_begin(es_text_buffer *out, const es_schema *schema, int64_t origin_ns)
{
    vcd *v = es_malloc(sizeof *v);
    (void)origin_ns;
    *v = (vcd){.arena = es_arena_new(), .schema = schema};
    v->series = es_series_of(schema, v->arena);
    v->first_hit = v->series.count + 3;
    es_text_format(out, "$version earshot $end\n$timescale 1ns $end\n$scope module values $end\n");
    for (size_t i = 0; i < v->series.count; i++)
        declare_series(out, i, &v->series.items[i]);
    es_text_format(out, "$upscope $end\n$scope module where $end\n");
    declare(out, "string", 1, v->series.count, "path");
    declare(out, "string", 1, v->series.count + 1, "task");
    declare(out, "integer", 32, v->series.count + 2, "lost");
    es_text_format(out, "$upscope $end\n$scope module hits $end\n");
    for (size_t i = 0; i < schema->statement_count; i++)
        declare(out, "event", 1, v->first_hit + i, schema->statements[i].name);
    es_text_format(out, "$upscope $end\n$enddefinitions $end\n");
    return v;
}

/* Times only grow: what came late is at the time before. */
static void add_time(vcd *v, es_text_buffer *out, uint64_t clocks)
{
    uint64_t time = es_time_ns(clocks, v->schema->clock_hz);
    if (v->any && time <= v->time)
        return;
    es_text_format(out, "#%" PRIu64 "\n", time);
    v->time = time;
    v->any = true;
}

static void add_string(es_text_buffer *out, size_t signal, const char *text)
{
    es_text_add(out, "s", 1);
    for (; *text; text++) /* blanks end it */
        es_text_add(out, (unsigned char)*text <= ' ' ? "_" : text, 1);
    es_text_add(out, " ", 1);
    add_id(out, signal);
    es_text_add(out, "\n", 1);
}

static void add_bits(es_text_buffer *out, size_t signal, uint64_t bits, unsigned width)
{
    char digits[65];
    for (unsigned i = 0; i < width; i++)
        digits[i] = (char)('0' + (bits >> (width - 1 - i) & 1));
    digits[width] = 0;
    es_text_format(out, width == 1 ? "%s" : "b%s ", digits);
    add_id(out, signal);
    es_text_add(out, "\n", 1);
}

static void add_unknown(es_text_buffer *out, size_t signal, const es_field *field)
{
    if (is_string(field)) {
        add_string(out, signal, "?");
        return;
    }
    es_text_format(out, field->kind == ES_FIELD_FLOAT ? "rnan " : width_of(field) == 1 ? "x" : "bx ");
    add_id(out, signal);
    es_text_add(out, "\n", 1);
}

static void add_value(vcd *v, es_text_buffer *out, size_t signal, const es_field *field, const es_value *value)
{
    if (!value->known) {
        add_unknown(out, signal, field);
    } else if (is_string(field)) {
        es_text_clear(&v->text);
        if (field->kind == ES_FIELD_TEXT)
            es_text_format(&v->text, "%s", value->text);
        else
            es_value_text(&v->text, v->schema, field, value, false);
        add_string(out, signal, v->text.text);
    } else if (field->kind == ES_FIELD_FLOAT) {
        es_text_format(out, "r%.17g ", es_value_double(field, value));
        add_id(out, signal);
        es_text_add(out, "\n", 1);
    } else {
        uint64_t bits = field->kind == ES_FIELD_LENGTH ? es_time_ns(value->bits, v->schema->clock_hz)
                                                       : (uint64_t)es_value_int(field, value);
        add_bits(out, signal, bits, width_of(field));
    }
}

static void add_hit(vcd *v, es_text_buffer *out, const es_hit *hit)
{
    const es_schema_statement *statement = &v->schema->statements[hit->statement];
    const char *path = es_names_text(v->schema->names, hit->path), *task = es_names_text(v->schema->names, hit->task);
    add_time(v, out, hit->time);
    for (size_t i = 0; i < hit->value_count; i++)
        add_value(v, out, v->series.of_field[hit->statement][i], &statement->fields[i], &hit->values[i]);
    if (!(hit->flags & ES_HIT_TIMED)) {
        add_string(out, v->series.count, hit->flags & ES_HIT_NO_PATH ? "?" : path ? path : "-");
        if (v->schema->tasks_by)
            add_string(out, v->series.count + 1, hit->flags & ES_HIT_NO_TASK ? "?" : task ? task : "-");
    }
    es_text_add(out, "1", 1);
    add_id(out, v->first_hit + hit->statement);
    es_text_add(out, "\n", 1);
}

/* What was known is not known any more. */
static void add_lost(vcd *v, es_text_buffer *out, const es_lost *lost)
{
    add_time(v, out, lost->time);
    add_bits(out, v->series.count + 2, lost->count, 32);
    for (size_t i = 0; i < v->series.count; i++)
        add_unknown(out, i, v->series.items[i].field);
    if (lost->last == ES_NO_TIME)
        return;
    add_time(v, out, lost->last);
    add_bits(out, v->series.count + 2, 0, 32);
}

static void vcd_take(void *state, es_text_buffer *out, const es_record *record)
{
    if (record->kind == ES_RECORD_HIT)
        add_hit(state, out, record->hit);
    else if (record->kind == ES_RECORD_LOST)
        add_lost(state, out, record->lost);
}

static void vcd_end(void *state, es_text_buffer *out)
{
    vcd *v = state;
    (void)out;
    es_text_free(&v->text);
    es_arena_free(v->arena);
    free(v);
}

const es_export_form es_export_vcd = {vcd_begin, vcd_take, vcd_end};
