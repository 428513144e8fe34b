/* Which lines ran, by file. */
#include <string.h>

#include "report/columns.h"
#include "report/statistics.h"

#define INDENT ((size_t)2)

/* The lines of one file, and its functions. */
typedef struct part {
    const es_covered_line *lines;
    size_t count, ran;
    size_t functions, functions_ran;
} part;

/* The next file's, from line number *at on; false: there are no more. */
static bool next_part(const es_covered *covered, size_t *at, part *p)
{
    const es_covered_line *lines;
    const es_covered_function *functions;
    size_t count = es_covered_lines(covered, &lines);
    if (*at == count)
        return false;
    *p = (part){.lines = &lines[*at]};
    for (; *at < count && strcmp(lines[*at].file, p->lines->file) == 0; (*at)++) {
        p->count++;
        p->ran += lines[*at].ran;
    }
    count = es_covered_functions(covered, &functions);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(functions[i].file, p->lines->file) != 0)
            continue;
        p->functions++;
        p->functions_ran += functions[i].ran;
    }
    return true;
}

/* "42-44, 60": numbers of lines between which none ran that has code. */
static void add_not_run(es_text_buffer *out, const part *p)
{
    for (size_t i = 0, end; i < p->count; i = end) {
        end = i + 1;
        if (p->lines[i].ran)
            continue;
        while (end < p->count && !p->lines[end].ran)
            end++;
        es_text_format(out, "%s%u", out->length ? ", " : "", p->lines[i].line);
        if (end > i + 1)
            es_text_format(out, "-%u", p->lines[end - 1].line);
    }
}

void es_cover_text(es_text_buffer *out, const es_covered *covered, size_t width, bool utf8)
{
    part p;
    for (size_t at = 0; next_part(covered, &at, &p);) {
        es_text_buffer missing = {0}, line = {0};
        es_text_format(&line, "%*s%s: %zu of %zu %s ran (%.1f %%), %zu of %zu %s", (int)INDENT, "", p.lines->file,
                       p.ran, p.count, es_plural(p.count, "line", "lines"), 100.0 * (double)p.ran / (double)p.count,
                       p.functions_ran, p.functions, es_plural(p.functions, "function", "functions"));
        if (p.ran < p.count) {
            es_text_format(&line, "\n%*snot: ", (int)(2 * INDENT), "");
            add_not_run(&missing, &p);
            if (width > 2 * INDENT + 5)
                es_text_shorten(&missing, width - 2 * INDENT - 5, utf8);
            es_text_format(&line, "%s", missing.text);
        }
        es_text_format(out, "%s\n", line.text);
        es_text_free(&missing);
        es_text_free(&line);
    }
}

void es_cover_json(es_json *json, const es_covered *covered)
{
    part p;
    es_json_key(json, "files");
    es_json_begin(json, '[');
    for (size_t at = 0; next_part(covered, &at, &p);) {
        const struct {
            const char *key;
            size_t count;
        } counts[] = {
            {"lines", p.count}, {"lines_ran", p.ran}, {"functions", p.functions}, {"functions_ran", p.functions_ran}};
        es_json_begin(json, '{');
        es_json_key(json, "file");
        es_json_string(json, p.lines->file);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            es_json_key(json, counts[i].key);
            es_json_uint(json, counts[i].count);
        }
        es_json_key(json, "not_run");
        es_json_begin(json, '[');
        for (size_t i = 0; i < p.count; i++)
            if (!p.lines[i].ran)
                es_json_uint(json, p.lines[i].line);
        es_json_end(json, ']');
        es_json_end(json, '}');
    }
    es_json_end(json, ']');
}
