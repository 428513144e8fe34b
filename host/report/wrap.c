#include "report/wrap.h"

#include <string.h>

#include "report/columns.h"

#define INDENT 4u /* of what follows */

/* Columns of `size` bytes, without what steers colours: from ESC to m. */
static size_t shown(const char *bytes, size_t size)
{
    es_text_buffer plain = {0};
    for (size_t i = 0; i < size; i++) {
        const char *end = bytes[i] == '\033' ? memchr(bytes + i, 'm', size - i) : NULL;
        if (end)
            i = (size_t)(end - bytes);
        else
            es_text_add(&plain, bytes + i, 1);
    }
    size_t columns = plain.length ? es_shown_width(plain.text) : 0;
    es_text_free(&plain);
    return columns;
}

static void wrap_line(es_text_buffer *out, const char *line, size_t size, size_t width)
{
    size_t column = 0;
    bool words = false; /* there are some in this line */
    for (size_t at = 0; at < size;) {
        size_t blanks = at, end;
        while (at < size && line[at] == ' ')
            at++;
        for (end = at; end < size && line[end] != ' ';)
            end++;
        size_t gap = at - blanks, taken = shown(line + at, end - at);
        if (words && column + gap + taken > width) {
            es_text_format(out, "\n%*s", (int)INDENT, "");
            column = INDENT;
        } else {
            es_text_format(out, "%*s", (int)gap, "");
            column += gap;
        }
        es_text_add(out, line + at, end - at);
        column += taken;
        words = true;
        at = end;
    }
}

void es_text_wrap(es_text_buffer *text, size_t width)
{
    es_text_buffer made = {0};
    for (const char *at = text->text, *end = at ? at + text->length : NULL; at < end;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((line_end ? line_end : end) - at);
        if (shown(at, size) > width)
            wrap_line(&made, at, size, width);
        else
            es_text_add(&made, at, size);
        if (line_end)
            es_text_add(&made, "\n", 1);
        at += size + (line_end ? 1 : 0);
    }
    es_text_free(text);
    *text = made;
}
