/* A slice as a page by itself: the tree to the left, the source files to the right. */
#include <string.h>

#include "why/show.h"
#include "why/source.h"

static size_t number_of(const es_why_lines *lines, const es_why_line *line)
{
    size_t i = 0;
    while (lines->lines[i] != line)
        i++;
    return i;
}

/* The file's number: that of the first line that is of it. */
static size_t file_number(const es_why_lines *lines, const char *file)
{
    size_t i = 0;
    while (!lines->lines[i]->file || strcmp(lines->lines[i]->file, file) != 0)
        i++;
    return i;
}

static void add_line(es_text_buffer *out, const es_why_lines *lines, size_t i)
{
    const es_why_line *line = lines->lines[i];
    es_text_format(out, "<section id=\"n%zu\"%s><h2>", i, line->decides ? " class=\"decides\"" : "");
    es_text_xml_string(out, line->made ? line->made : line->decides ? "decision" : "");
    es_text_format(out, "</h2><p>%s", line->time);
    if (line->file) {
        es_text_format(out, " <a href=\"#f%zu-%u\">", file_number(lines, line->file), line->line);
        es_text_xml_string(out, es_base_name(line->file));
        es_text_format(out, ":%u</a>", line->line);
    }
    if (line->procedure) {
        es_text_format(out, " ");
        es_text_xml_string(out, line->procedure);
    }
    if (line->source) {
        es_text_format(out, "<br><code>");
        es_text_xml_string(out, line->source);
        es_text_format(out, "</code>");
    }
    es_text_format(out, "</p><ul>");
    for (size_t k = 0; k < line->value_count; k++) {
        es_text_format(out, "<li>");
        if (line->values[k].from)
            es_text_format(out, "<a href=\"#n%zu\">", number_of(lines, line->values[k].from));
        es_text_xml_string(out, line->values[k].text);
        es_text_format(out, line->values[k].from ? "</a>" : ": ");
        if (!line->values[k].from)
            es_text_xml_string(out, line->values[k].end);
        es_text_format(out, "</li>");
    }
    for (size_t k = 0; k < line->decision_count; k++) {
        const es_why_line *by = line->decisions[k];
        es_text_format(out, "%s<a href=\"#n%zu\">", k ? ", " : "<li class=\"by\">decided by ", number_of(lines, by));
        if (by->file) {
            es_text_xml_string(out, es_base_name(by->file));
            es_text_format(out, ":%u", by->line);
        } else {
            es_text_format(out, "0x%08x", by->pc);
        }
        es_text_format(out, k + 1 < line->decision_count ? "</a>" : "</a></li>");
    }
    es_text_format(out, "</ul></section>\n");
}

static bool is_used(const es_why_lines *lines, const char *file, unsigned line)
{
    for (size_t i = 1; i < lines->count; i++)
        if (lines->lines[i]->file && lines->lines[i]->line == line && strcmp(lines->lines[i]->file, file) == 0)
            return true;
    return false;
}

static void add_file(es_text_buffer *out, const es_why_lines *lines, es_why_source *source, size_t i)
{
    const char *file = lines->lines[i]->file;
    const es_text_buffer *text = es_why_source_file_text(source, file);
    es_text_format(out, "<h2>");
    es_text_xml_string(out, file);
    es_text_format(out, "</h2><pre>");
    unsigned number = 1;
    for (const char *at = text->length ? text->text : ""; *at; number++) {
        size_t length = strcspn(at, "\n");
        es_text_format(out, "<span id=\"f%zu-%u\"%s>%5u ", i, number,
                       is_used(lines, file, number) ? " class=\"used\"" : "", number);
        es_text_xml(out, at, length);
        es_text_format(out, "</span>\n");
        at += length + (at[length] == '\n');
    }
    es_text_format(out, number > 1 ? "</pre>\n" : "(cannot be read here)</pre>\n");
}

void es_why_html(es_text_buffer *out, const es_why_lines *lines, const char *title)
{
    es_why_source source = {0};
    es_text_format(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    es_text_xml_string(out, title);
    es_text_format(
        out, "</title><style>body{margin:0;display:flex;font:15px/1.4 system-ui,sans-serif;color:#222;background:#fff}"
             "main,aside{height:100vh;overflow:auto;padding:0 1em;box-sizing:border-box}main{flex:1 1 "
             "45%%}aside{flex:1 1 55%%;"
             "background:#f6f6f4}h2{font-size:1em;margin:.8em 0 0}p{margin:.2em 0}ul{margin:.2em 0;padding-left:1.4em}"
             "section{border-bottom:1px solid #ddd;padding-bottom:.4em}section:target,span:target{background:#ffe9a8}"
             "code,pre{font:13px/1.4 "
             "ui-monospace,monospace}.by,.decides "
             "h2{color:#7a4a00}.used{background:#fff4cf}a{color:#0b57a4}</style></head><body><main><h1>");
    es_text_xml_string(out, title);
    es_text_format(out, "</h1>\n");
    for (size_t i = 0; i < lines->count; i++)
        add_line(out, lines, i);
    es_text_format(out, "</main><aside>\n");
    for (size_t i = 1; i < lines->count; i++)
        if (lines->lines[i]->file && file_number(lines, lines->lines[i]->file) == i)
            add_file(out, lines, &source, i);
    es_text_format(out, "</aside></body></html>\n");
    es_why_source_free(&source);
}
