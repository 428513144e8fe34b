/* The head of the page's data: all that is no column, and where the columns are. */
#include "export/html/private.h"
#include "record/json.h"
#include "record/summary_json.h"

/* JSON that stands already; none: null */
static void put_made(es_json *json, const char *key, const es_text_buffer *made)
{
    es_json_key(json, key);
    if (made->length)
        es_text_add(json->out, made->text, made->length);
    else
        es_text_format(json->out, "null");
    json->comma = true;
}

/* "key": [first byte, bytes], and the column goes to the others. */
static void put_column(es_json *json, const char *key, const es_text_buffer *column, es_text_buffer *data)
{
    es_json_key(json, key);
    es_json_begin(json, '[');
    es_json_uint(json, data->length);
    es_json_uint(json, column->length);
    es_json_end(json, ']');
    if (column->length)
        es_text_add(data, column->text, column->length);
}

static void put_field(es_json *json, const es_value_column *column, es_text_buffer *data)
{
    es_json_begin(json, '{');
    put_column(json, "values", &column->values, data);
    es_json_key(json, "wide");
    es_json_bool(json, column->wide);
    if (column->unknown)
        put_column(json, "known", &column->known, data);
    if (column->abouts.length)
        put_column(json, "abouts", &column->abouts, data);
    es_json_end(json, '}');
}

static void put_statement(es_json *json, const es_html *html, size_t number, es_text_buffer *data)
{
    const es_page_statement *s = &html->statements[number];
    const es_schema_statement *statement = &html->schema->statements[number];
    es_json_begin(json, '{');
    es_json_put_uint(json, "hits", s->hits);
    es_json_key(json, "fields");
    es_json_begin(json, '[');
    for (size_t i = 0; i < statement->field_count; i++)
        put_field(json, &s->fields[i], data);
    es_json_end(json, ']');
    es_json_key(json, "objects");
    es_json_begin(json, '[');
    for (size_t i = 0; i < statement->object_count; i++) {
        es_json_begin(json, '{');
        put_column(json, "state", &s->objects[i].state, data);
        put_column(json, "address", &s->objects[i].address, data);
        es_json_end(json, '}');
    }
    es_json_end(json, ']');
    es_json_end(json, '}');
}

static void put_columns(es_json *json, const es_html *html, es_text_buffer *data)
{
    static const char *const names[] = {[ES_PAGE_TIME] = "time",
                                        [ES_PAGE_STATEMENT] = "statement",
                                        [ES_PAGE_FLAGS] = "flags",
                                        [ES_PAGE_PATH] = "path",
                                        [ES_PAGE_TASK] = "task",
                                        [ES_PAGE_TASK_POINTER] = "task_pointer",
                                        [ES_PAGE_FILE] = "file",
                                        [ES_PAGE_LINE] = "line",
                                        [ES_PAGE_PC] = "pc",
                                        [ES_PAGE_INLINED] = "inlined",
                                        [ES_PAGE_RECOGNITION] = "recognition",
                                        [ES_PAGE_ACTION_START] = "action_start",
                                        [ES_PAGE_ACTION_END] = "action_end"};
    es_json_put_uint(json, "hits", html->hits);
    es_json_key(json, "columns");
    es_json_begin(json, '{');
    for (size_t i = 0; i < ES_PAGE_COLUMNS; i++)
        put_column(json, names[i], &html->columns[i], data);
    es_json_end(json, '}');
    es_json_key(json, "statements");
    es_json_begin(json, '[');
    for (size_t i = 0; html->schema && i < html->schema->statement_count; i++)
        put_statement(json, html, i, data);
    es_json_end(json, ']');
}

/* [[first, last or null, how many, of what, hits before], ...] */
static void put_losses(es_json *json, const es_html *html)
{
    es_json_key(json, "losses");
    es_json_begin(json, '[');
    for (size_t i = 0; i < html->loss_count; i++) {
        const es_lost *lost = &html->losses[i].lost;
        es_json_begin(json, '[');
        es_json_uint(json, lost->time);
        if (lost->last == ES_NO_TIME)
            es_json_null(json);
        else
            es_json_uint(json, lost->last);
        es_json_uint(json, lost->count);
        es_json_string(json, es_lost_name(lost->what));
        es_json_uint(json, html->losses[i].hits);
        es_json_end(json, ']');
    }
    es_json_end(json, ']');
}

static void put_texts(es_json *json, const es_html *html)
{
    es_json_key(json, "texts");
    es_json_begin(json, '[');
    for (uint32_t i = 1; i <= es_names_count(html->texts.texts); i++)
        es_json_string(json, es_names_text(html->texts.texts, i) + 1);
    es_json_end(json, ']');
}

static void put_about(es_json *json, const es_html_about *about)
{
    es_json_key(json, "about");
    es_json_begin(json, '{');
    es_json_put_string(json, "probe", about->probe);
    es_json_put_string(json, "part", about->part);
    es_json_key(json, "origin_ms");
    es_json_int(json, about->origin_ns / 1000000);
    es_json_put_uint(json, "removed", about->removed);
    es_json_put_uint(json, "torn_bytes", about->torn_bytes);
    es_json_key(json, "unfinished");
    es_json_bool(json, about->unfinished);
    es_json_end(json, '}');
}

void es_page_head(es_html *html, const es_html_about *about, es_text_buffer *head, es_text_buffer *data)
{
    es_json json = {.out = head};
    es_json_begin(&json, '{');
    put_about(&json, about);
    es_json_key(&json, "schema");
    es_json_begin(&json, '{');
    if (html->schema)
        es_schema_json(&json, html->schema);
    es_json_end(&json, '}');
    put_made(&json, "summary", &html->summary);
    put_made(&json, "progress", &html->progress);
    put_columns(&json, html, data);
    put_losses(&json, html);
    put_texts(&json, html);
    es_json_key(&json, "inferred");
    es_text_format(head, "[%s]", html->inferred.length ? html->inferred.text : "");
    json.comma = true;
    es_json_key(&json, "messages");
    es_text_format(head, "[%s]", html->messages.length ? html->messages.text : "");
    json.comma = true;
    es_json_end(&json, '}');
}
