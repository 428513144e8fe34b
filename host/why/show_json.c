/* A slice as JSON. */
#include "base/json.h"
#include "why/show.h"

static size_t number_of(const es_why_lines *lines, const es_why_line *line)
{
    size_t i = 0;
    while (lines->lines[i] != line)
        i++;
    return i;
}

static void add_values(es_json *json, const es_why_lines *lines, const es_why_line *line)
{
    es_json_key(json, "of");
    es_json_begin(json, '[');
    for (size_t i = 0; i < line->value_count; i++) {
        es_json_begin(json, '{');
        es_json_key(json, "value");
        es_json_string(json, line->values[i].text);
        if (line->values[i].from) {
            es_json_key(json, "from");
            es_json_uint(json, number_of(lines, line->values[i].from));
        } else {
            es_json_key(json, "end");
            es_json_string(json, line->values[i].end);
        }
        es_json_end(json, '}');
    }
    es_json_end(json, ']');
}

static void add_line(es_json *json, const es_why_lines *lines, size_t i)
{
    const es_why_line *line = lines->lines[i];
    es_json_begin(json, '{');
    es_json_key(json, "id");
    es_json_uint(json, i);
    es_json_key(json, "made");
    es_json_string(json, line->made);
    es_json_key(json, "instruction");
    es_json_uint(json, line->moment);
    es_json_key(json, "time");
    es_json_string(json, line->time);
    if (i) {
        es_json_key(json, "file");
        es_json_string(json, line->file);
        es_json_key(json, "line");
        es_json_uint(json, line->line);
        es_json_key(json, "source");
        es_json_string(json, line->source);
        es_json_key(json, "procedure");
        es_json_string(json, line->procedure);
        es_json_key(json, "pc");
        es_json_uint(json, line->pc);
    }
    add_values(json, lines, line);
    es_json_end(json, '}');
}

void es_why_json(es_text_buffer *out, const es_why_lines *lines)
{
    es_json json = {.out = out};
    es_json_begin(&json, '{');
    es_json_key(&json, "asked");
    es_json_string(&json, lines->lines[0]->made);
    es_json_key(&json, "lines");
    es_json_begin(&json, '[');
    for (size_t i = 0; i < lines->count; i++)
        add_line(&json, lines, i);
    es_json_end(&json, ']');
    es_json_end(&json, '}');
    es_text_format(out, "\n");
}
