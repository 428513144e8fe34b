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
        es_json_put_string(json, "value", line->values[i].text);
        if (line->values[i].from) {
            es_json_put_uint(json, "from", number_of(lines, line->values[i].from));
        } else {
            es_json_put_string(json, "end", line->values[i].end);
        }
        es_json_end(json, '}');
    }
    es_json_end(json, ']');
}

static void add_line(es_json *json, const es_why_lines *lines, size_t i)
{
    const es_why_line *line = lines->lines[i];
    es_json_begin(json, '{');
    es_json_put_uint(json, "id", i);
    es_json_put_string(json, "made", line->made);
    es_json_put_uint(json, "instruction", line->moment);
    es_json_put_string(json, "time", line->time);
    if (i) {
        es_json_put_string(json, "file", line->file);
        es_json_put_uint(json, "line", line->line);
        es_json_put_string(json, "source", line->source);
        es_json_put_string(json, "procedure", line->procedure);
        es_json_put_uint(json, "pc", line->pc);
    }
    add_values(json, lines, line);
    if (line->decides)
        es_json_put_bool(json, "jumped", line->jumped);
    es_json_key(json, "decided_by");
    es_json_begin(json, '[');
    for (size_t k = 0; k < line->decision_count; k++)
        es_json_uint(json, number_of(lines, line->decisions[k]));
    es_json_end(json, ']');
    es_json_end(json, '}');
}

void es_why_json(es_text_buffer *out, const es_why_lines *lines)
{
    es_json json = {.out = out};
    es_json_begin(&json, '{');
    es_json_put_string(&json, "asked", lines->lines[0]->made);
    es_json_put_bool(&json, "undecided", lines->undecided);
    es_json_key(&json, "lines");
    es_json_begin(&json, '[');
    for (size_t i = 0; i < lines->count; i++)
        add_line(&json, lines, i);
    es_json_end(&json, ']');
    es_json_end(&json, '}');
    es_text_format(out, "\n");
}
