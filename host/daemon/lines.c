#include "daemon/lines.h"

#include <string.h>

#include "record/json.h"
#include "record/wire.h"

static bool is_needed(const es_record *record)
{
    return record->kind != ES_RECORD_HIT && record->kind != ES_RECORD_INFERRED && record->kind != ES_RECORD_CONSOLE &&
           record->kind != ES_RECORD_PROGRESS;
}

void es_lines_write(const es_lines *lines, enum es_form form, es_text_buffer *out, const es_record *record)
{
    if (form == ES_FORM_RECORD)
        es_wire_record(out, record, lines->run);
    else
        es_record_json(out, record, lines->run);
}

static es_batch *add_line(es_lines *lines, enum es_form form, const es_record *record)
{
    es_batches *row = &lines->waiting[form];
    es_batch *batch = es_batches_last(row, is_needed(record));
    size_t before = batch->text.length;
    es_lines_write(lines, form, &batch->text, record);
    row->bytes += batch->text.length - before;
    return batch;
}

static void leave_out(es_lines *lines, enum es_form form, const es_record *record)
{
    es_left_out *left = &lines->left_out[form];
    if (record->kind != ES_RECORD_HIT)
        return;
    lines->dropped++;
    left->first = left->count++ ? left->first : record->hit->time;
    left->last = record->hit->time;
}

static void tell_left_out(es_lines *lines, enum es_form form, const es_schema *schema)
{
    es_left_out *left = &lines->left_out[form];
    es_lost lost = {left->first, left->last, left->count, ES_LOST_HOST};
    es_record record = {.kind = ES_RECORD_LOST, .schema = schema, .lost = &lost};
    if (!left->count)
        return;
    *left = (es_left_out){0};
    add_line(lines, form, &record);
}

static void add_record(es_lines *lines, enum es_form form, const es_record *record)
{
    if (!lines->wanted[form])
        return;
    if (!is_needed(record) && lines->waiting[form].bytes > ES_LINES_BYTES) {
        leave_out(lines, form, record);
        return;
    }
    tell_left_out(lines, form, record->schema);
    es_batch *batch = add_line(lines, form, record);
    if (record->kind != ES_RECORD_HIT)
        return;
    batch->first = batch->hits++ ? batch->first : record->hit->time;
    batch->last = record->hit->time;
}

static void add_names(es_lines *lines, const es_schema *schema)
{
    size_t before = lines->names.length;
    es_wire_names(&lines->names, &lines->told, schema, lines->run);
    if (!lines->wanted[ES_FORM_RECORD] || lines->names.length == before)
        return;
    es_batch *batch = es_batches_last(&lines->waiting[ES_FORM_RECORD], true);
    es_text_add(&batch->text, lines->names.text + before, lines->names.length - before);
    lines->waiting[ES_FORM_RECORD].bytes += lines->names.length - before;
}

void es_lines_add(es_lines *lines, const es_record *record)
{
    if (record->schema)
        add_names(lines, record->schema);
    for (unsigned form = 0; form < ES_FORMS; form++)
        add_record(lines, form, record);
}

void es_lines_forget_names(es_lines *lines)
{
    lines->told = 0;
    es_text_clear(&lines->names);
}

void es_lines_take(es_lines *lines, es_batches rows[ES_FORMS])
{
    memcpy(rows, lines->waiting, sizeof lines->waiting);
    memset(lines->waiting, 0, sizeof lines->waiting);
}

void es_lines_free(es_lines *lines)
{
    for (unsigned form = 0; form < ES_FORMS; form++)
        es_batches_free(&lines->waiting[form]);
    es_text_free(&lines->names);
}
