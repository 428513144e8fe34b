/* How much of a stack was in use. */
#include "base/times.h"
#include "report/columns.h"
#include "report/statistics.h"

#define INDENT ((size_t)2)

void es_stack_text(es_text_buffer *out, const es_statistic_table *table, size_t width, bool utf8)
{
    const es_stack_mark *mark = &table->mark;
    uint64_t size = table->aggregate->bytes;
    es_text_buffer line = {0};
    es_text_format(out, "%*s%llu of %llu bytes used at most (%.1f %%), %llu free\n", (int)INDENT, "",
                   (unsigned long long)mark->used, (unsigned long long)size, 100.0 * (double)mark->used / (double)size,
                   (unsigned long long)(size - mark->used));
    if (!mark->used)
        return;
    if (mark->placed) {
        es_text_format(&line, "deepest at %s, ", mark->place);
        es_time_tight(&line, mark->ns, utf8);
        es_text_format(&line, "%s%s: %s", mark->task ? ", task " : "", mark->task ? mark->task : "", mark->path);
    } else {
        es_text_format(&line, "where it was deepest was lost");
    }
    if (width > 2 * INDENT)
        es_text_shorten(&line, width - 2 * INDENT, utf8);
    es_text_format(out, "%*s%s\n", (int)(2 * INDENT), "", line.text);
    es_text_free(&line);
}

void es_stack_json(es_json *json, const es_statistic_table *table)
{
    const es_stack_mark *mark = &table->mark;
    es_json_put_uint(json, "size", table->aggregate->bytes);
    es_json_put_uint(json, "used", mark->used);
    es_json_put_uint(json, "free", table->aggregate->bytes - mark->used);
    if (!mark->placed)
        return;
    es_json_put_uint(json, "time_ns", mark->ns);
    es_json_put_string(json, "path", mark->path);
    es_json_put_string(json, "place", mark->place);
    if (mark->task)
        es_json_put_string(json, "task", mark->task);
}
