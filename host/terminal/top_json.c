#include "base/json.h"
#include "base/times.h"
#include "terminal/top.h"

static void add_row(es_json *json, const es_schema *schema, const char *name, const es_top_row *row)
{
    es_json_key(json, name);
    es_json_begin(json, '{');
    es_json_put_uint(json, "hits", row->hits);
    es_json_put_double(json, "rate", row->rate);
    if (row->hits) {
        es_json_put_uint(json, "last_ns", es_time_ns(row->last, schema->clock_hz));
        es_json_key(json, "last");
        es_json_string(json, row->values);
    }
    if (row->has_worst)
        es_json_put_uint(json, "worst_ns", es_time_ns(row->worst, schema->clock_hz));
    es_json_end(json, '}');
}

void es_top_json(es_text_buffer *out, const es_top_view *view)
{
    es_json json = {.out = out};
    const es_figures *figures = &view->figures;
    es_json_begin(&json, '{');
    es_json_key(&json, "event");
    es_json_string(&json, "top");
    es_json_put_uint(&json, "hits", figures->hits);
    es_json_put_uint(&json, "lost", figures->lost);
    es_json_put_double(&json, "rate", figures->rate);
    es_json_put_uint(&json, "time_ns", es_time_ns(figures->time, view->schema->clock_hz));
    es_json_put_double(&json, "seconds", figures->wall_seconds);
    es_json_key(&json, "statements");
    es_json_begin(&json, '{');
    for (size_t i = 0; i < view->schema->statement_count; i++)
        add_row(&json, view->schema, view->schema->statements[i].name, &view->rows[i]);
    es_json_end(&json, '}');
    es_json_end(&json, '}');
    es_text_add(out, "\n", 1);
}
