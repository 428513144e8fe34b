/* Records become columns. */
#include "export/html/html.h"

#include <stdlib.h>

#include "export/html/private.h"
#include "record/json.h"
#include "record/summary_json.h"

#define BYTES_MAX ((size_t)1 << 30) /* of columns: a browser takes a page of some 300 MB at most */
#define LOOK_EVERY 1024u            /* hits, between counting these */

es_html *es_html_new(void)
{
    es_html *html = es_malloc(sizeof *html);
    *html = (es_html){.arena = es_arena_new(), .texts = es_page_texts_new()};
    return html;
}

static void free_statement(es_page_statement *s, const es_schema_statement *statement)
{
    for (size_t i = 0; i < statement->field_count; i++)
        es_value_column_free(&s->fields[i]);
    for (size_t i = 0; i < statement->object_count; i++) {
        es_text_free(&s->objects[i].state);
        es_text_free(&s->objects[i].address);
    }
}

void es_html_free(es_html *html)
{
    if (!html)
        return;
    for (size_t i = 0; html->schema && i < html->schema->statement_count; i++)
        free_statement(&html->statements[i], &html->schema->statements[i]);
    for (size_t i = 0; i < ES_PAGE_COLUMNS; i++)
        es_text_free(&html->columns[i]);
    es_text_free(&html->messages);
    es_text_free(&html->inferred);
    es_text_free(&html->summary);
    es_text_free(&html->progress);
    es_page_texts_free(&html->texts);
    es_arena_free(html->arena);
    free(html);
}

static void begin(es_html *html, const es_schema *schema)
{
    if (html->schema)
        return;
    html->schema = schema;
    html->texts.names = schema->names;
    html->statements = es_arena_alloc(html->arena, (schema->statement_count + 1) * sizeof *html->statements);
    for (size_t i = 0; i < schema->statement_count; i++) {
        es_page_statement *s = &html->statements[i];
        s->fields = es_arena_alloc(html->arena, (schema->statements[i].field_count + 1) * sizeof *s->fields);
        s->objects = es_arena_alloc(html->arena, (schema->statements[i].object_count + 1) * sizeof *s->objects);
    }
}

static size_t size_of(const es_html *html)
{
    size_t size = 0;
    for (size_t i = 0; i < ES_PAGE_COLUMNS; i++)
        size += html->columns[i].length;
    for (size_t k = 0; k < html->schema->statement_count; k++) {
        const es_schema_statement *statement = &html->schema->statements[k];
        for (size_t i = 0; i < statement->field_count; i++)
            size += es_value_column_size(&html->statements[k].fields[i]);
        for (size_t i = 0; i < statement->object_count; i++)
            size += html->statements[k].objects[i].state.length + html->statements[k].objects[i].address.length;
    }
    return size + html->messages.length + html->inferred.length;
}

static void take_values(es_html *html, const es_hit *hit)
{
    const es_schema_statement *statement = &html->schema->statements[hit->statement];
    es_page_statement *s = &html->statements[hit->statement];
    s->hits++;
    for (size_t i = 0; i < statement->field_count; i++)
        es_value_column_add(&s->fields[i], &statement->fields[i], i < hit->value_count ? &hit->values[i] : NULL,
                            &html->texts);
    for (size_t i = 0; i < statement->object_count; i++) {
        const es_composite_state *state = i < hit->object_count ? &hit->objects[i] : NULL;
        uint32_t why = state && !state->found ? 2 + es_page_text_of_name(&html->texts, state->why) : 0;
        es_column_uint(&s->objects[i].state, state ? why : 1);
        es_column_uint(&s->objects[i].address, state ? state->address : 0);
    }
}

static void take_times(es_html *html, const es_hit *hit)
{
    for (size_t i = 0; i < 3; i++) {
        int64_t after = hit->flags & ES_HIT_TIMES ? (int64_t)(hit->times[i] - hit->time) : 0;
        es_column_int(&html->columns[ES_PAGE_RECOGNITION + i], after);
    }
}

static void take_hit(es_html *html, const es_hit *hit)
{
    es_text_buffer *columns = html->columns;
    es_column_int(&columns[ES_PAGE_TIME], (int64_t)(hit->time - html->last_time));
    es_column_uint(&columns[ES_PAGE_STATEMENT], hit->statement);
    es_column_uint(&columns[ES_PAGE_FLAGS], hit->flags);
    es_column_uint(&columns[ES_PAGE_PATH], es_page_text_of_name(&html->texts, hit->path));
    es_column_uint(&columns[ES_PAGE_TASK], es_page_text_of_name(&html->texts, hit->task));
    if (html->schema->task_pointers)
        es_column_uint(&columns[ES_PAGE_TASK_POINTER], hit->task_pointer);
    es_column_uint(&columns[ES_PAGE_FILE], es_page_text_of_name(&html->texts, hit->file));
    es_column_uint(&columns[ES_PAGE_LINE], hit->line);
    es_column_uint(&columns[ES_PAGE_PC], hit->pc);
    es_column_uint(&columns[ES_PAGE_INLINED], es_page_text_of_name(&html->texts, hit->inlined));
    if (html->schema->times)
        take_times(html, hit);
    take_values(html, hit);
    html->beyond |= hit->time > ES_COLUMN_EXACT;
    html->last_time = hit->time;
    if (++html->hits % LOOK_EVERY == 0)
        html->full = size_of(html) > BYTES_MAX;
}

static void take_lost(es_html *html, const es_lost *lost)
{
    html->losses = es_arena_grow(html->arena, html->losses, html->loss_count, sizeof *html->losses);
    html->losses[html->loss_count++] = (es_page_loss){*lost, html->hits};
    html->beyond |= lost->time > ES_COLUMN_EXACT || (lost->last != ES_NO_TIME && lost->last > ES_COLUMN_EXACT);
}

static void take_message(es_html *html, const char *kind, const es_record *record)
{
    es_json json = {.out = &html->messages, .comma = html->messages.length > 0};
    es_json_begin(&json, '[');
    es_json_uint(&json, html->hits);
    es_json_string(&json, kind);
    es_json_bytes(&json, record->text.bytes, record->text.size);
    es_json_end(&json, ']');
}

static void take_inferred(es_html *html, const es_inferred *inferred)
{
    es_json json = {.out = &html->inferred, .comma = html->inferred.length > 0};
    es_json_begin(&json, '[');
    es_json_uint(&json, inferred->time);
    es_json_uint(&json, inferred->statement);
    es_json_bool(&json, inferred->only);
    for (size_t i = 0; i < inferred->path_count; i++) {
        es_json_uint(&json, es_page_text_of_name(&html->texts, inferred->paths[i].path));
        es_json_double(&json, inferred->paths[i].probability);
    }
    es_json_end(&json, ']');
}

static void take_progress(es_html *html, const es_progress *progress)
{
    es_json json = {.out = &html->progress};
    es_text_clear(&html->progress);
    es_json_begin(&json, '{');
    es_json_key(&json, "hits");
    es_json_uint(&json, progress->hits);
    es_json_key(&json, "lost");
    es_json_uint(&json, progress->lost);
    es_json_key(&json, "cycle");
    es_json_uint(&json, progress->time);
    es_json_end(&json, '}');
}

/* What the summary's own form leaves out. */
static void add_losses(es_json *json, const es_summary *summary)
{
    const uint64_t counts[] = {[ES_LOST_BUS] = summary->lost_bus,
                               [ES_LOST_EVENTS] = summary->lost_events,
                               [ES_LOST_LINK] = summary->lost_link};
    es_json_key(json, "lost_by");
    es_json_begin(json, '{');
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        es_json_key(json, es_lost_name((enum es_lost_what)i));
        es_json_uint(json, counts[i]);
    }
    es_json_end(json, '}');
    es_json_key(json, "seconds");
    es_json_double(json, summary->wall_seconds);
}

static void take_summary(es_html *html, const es_summary *summary)
{
    es_json json = {.out = &html->summary};
    es_text_clear(&html->summary);
    es_json_begin(&json, '{');
    es_summary_json(&json, html->schema, summary);
    add_losses(&json, summary);
    es_json_end(&json, '}');
}

static void take(void *context, const es_record *record)
{
    es_html *html = context;
    if (record->kind == ES_RECORD_BEGIN)
        begin(html, record->schema);
    if (!html->schema || html->full)
        return;
    switch (record->kind) {
    case ES_RECORD_BEGIN:
    case ES_RECORD_CLOCK: break;
    case ES_RECORD_HIT: take_hit(html, record->hit); break;
    case ES_RECORD_LOST: take_lost(html, record->lost); break;
    case ES_RECORD_INFERRED: take_inferred(html, record->inferred); break;
    case ES_RECORD_CONSOLE: take_message(html, "console", record); break;
    case ES_RECORD_NOTE: take_message(html, "note", record); break;
    case ES_RECORD_WARNING: take_message(html, "warning", record); break;
    case ES_RECORD_PROGRESS: take_progress(html, record->progress); break;
    case ES_RECORD_SUMMARY: take_summary(html, record->summary); break;
    }
}

es_sink es_html_sink(es_html *html)
{
    return (es_sink){take, html};
}

bool es_html_is_full(const es_html *html)
{
    return html->full;
}
