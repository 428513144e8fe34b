#include "terminal/model.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "record/value.h"
#include "report/parts.h"

#define OF_LATE 0.4 /* weight of the latest rate among those before */

struct es_model {
    pthread_mutex_t lock;
    es_top_view view;
    uint64_t *before; /* by statement: hits at the record of progress before */
    double before_at; /* its time */
    es_text_buffer text;
    bool utf8;
};

es_model *es_model_new(bool utf8)
{
    es_model *model = es_malloc(sizeof *model);
    memset(model, 0, sizeof *model);
    pthread_mutex_init(&model->lock, NULL);
    model->utf8 = utf8;
    return model;
}

void es_model_free(es_model *model)
{
    pthread_mutex_destroy(&model->lock);
    es_top_view_free(&model->view);
    free(model->before);
    es_text_free(&model->text);
    free(model);
}

void es_top_view_free(es_top_view *view)
{
    free(view->rows);
    view->rows = NULL;
}

static void *zeroed(size_t count, size_t size)
{
    void *memory = es_malloc(count * size + 1);
    memset(memory, 0, count * size);
    return memory;
}

static void begin(es_model *model, const es_schema *schema)
{
    es_top_view_free(&model->view);
    free(model->before);
    model->view = (es_top_view){.schema = schema, .rows = zeroed(schema->statement_count, sizeof *model->view.rows)};
    model->before = zeroed(schema->statement_count, sizeof *model->before);
    model->before_at = 0;
}

static void add_sample(es_top_row *row, double sample)
{
    if (row->sample_count == ES_TOP_SAMPLES)
        memmove(row->samples, row->samples + 1, --row->sample_count * sizeof *row->samples);
    row->samples[row->sample_count++] = sample;
}

static bool as_number(const es_field *field, const es_value *value, double *number)
{
    bool is_one = field->kind == ES_FIELD_INT || field->kind == ES_FIELD_BOOL || field->kind == ES_FIELD_FLOAT ||
                  field->kind == ES_FIELD_ENUM || field->kind == ES_FIELD_LENGTH;
    if (!value->known || !is_one || field->is_aggregated)
        return false;
    *number = field->kind == ES_FIELD_FLOAT            ? es_value_double(field, value)
              : field->bits == 64 && !field->is_signed ? (double)value->bits
                                                       : (double)es_value_int(field, value);
    return true;
}

static void note_worst(es_top_row *row, uint64_t clocks)
{
    row->worst = !row->has_worst || clocks > row->worst ? clocks : row->worst;
    row->has_worst = true;
}

static void take_hit(es_model *model, const es_schema *schema, const es_hit *hit)
{
    const es_schema_statement *statement = &schema->statements[hit->statement];
    es_top_row *row = &model->view.rows[hit->statement];
    bool sampled = false, lengths = false;
    row->hits++;
    row->last = hit->time;
    for (size_t i = 0; i < statement->value_count && i < hit->value_count; i++) {
        const es_field *field = &statement->fields[i];
        double number;
        if (field->kind == ES_FIELD_LENGTH && hit->values[i].known) {
            note_worst(row, hit->values[i].bits);
            lengths = true;
        }
        if (sampled || !as_number(field, &hit->values[i], &number))
            continue;
        if (!row->samples_values)
            row->sample_count = 0;
        row->samples_values = sampled = true;
        add_sample(row, number);
    }
    if (!lengths && (hit->flags & ES_HIT_TIMES))
        note_worst(row, hit->times[2] - hit->time);
    es_text_clear(&model->text);
    es_text_add(&model->text, "", 0);
    es_part_values(&model->text, schema, hit, model->utf8);
    size_t length = model->text.length;
    if (length >= ES_TOP_TEXT) /* not in the middle of a character */
        for (length = ES_TOP_TEXT - 1; ((unsigned char)model->text.text[length] & 0xC0) == 0x80; length--)
            ;
    memcpy(row->values, model->text.text, length);
    row->values[length] = 0;
}

static void take_progress(es_model *model, const es_schema *schema, const es_progress *progress)
{
    double seconds = progress->wall_seconds - model->before_at;
    for (size_t i = 0; i < schema->statement_count && seconds > 0; i++) {
        es_top_row *row = &model->view.rows[i];
        double hits = (double)(row->hits - model->before[i]);
        row->rate += OF_LATE * (hits / seconds - row->rate);
        model->before[i] = row->hits;
        if (!row->samples_values)
            add_sample(row, hits);
    }
    model->before_at = progress->wall_seconds;
}

void es_model_take(es_model *model, const es_record *record)
{
    pthread_mutex_lock(&model->lock);
    if (record->kind == ES_RECORD_BEGIN)
        begin(model, record->schema);
    es_figures_take(&model->view.figures, record);
    if (record->kind == ES_RECORD_HIT)
        take_hit(model, record->schema, record->hit);
    else if (record->kind == ES_RECORD_PROGRESS && model->view.rows)
        take_progress(model, record->schema, record->progress);
    else if (record->kind == ES_RECORD_NOTE || record->kind == ES_RECORD_WARNING)
        snprintf(model->view.note, sizeof model->view.note, "%s", record->text.bytes);
    pthread_mutex_unlock(&model->lock);
}

void es_model_end(es_model *model)
{
    pthread_mutex_lock(&model->lock);
    model->view.over = true;
    pthread_mutex_unlock(&model->lock);
}

void es_model_look(es_model *model, es_top_view *view)
{
    es_top_row *rows = view->rows;
    pthread_mutex_lock(&model->lock);
    size_t count = model->view.schema ? model->view.schema->statement_count : 0;
    *view = model->view;
    if (count && (rows = es_realloc(rows, count * sizeof *rows)))
        memcpy(rows, model->view.rows, count * sizeof *rows);
    pthread_mutex_unlock(&model->lock);
    view->rows = rows;
}
