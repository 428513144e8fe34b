/* Error messages with the source line and a caret. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "lang/lexer.h"

#define LINE_SHOWN 120 /* bytes of a source line that a message shows */
#define NAME_SHOWN 80  /* and of a name */

/* Adds [from, to) so that any terminal shows it in as many columns as the caret line counts: control characters and
 * broken UTF-8 as '?'. With blank != 0 adds that character per shown one instead, but keeps tabs. */
static void add_shown(es_text_buffer *out, const char *from, const char *to, char blank)
{
    while (from < to) {
        size_t length = es_utf8_length(from, (size_t)(to - from));
        char single = blank;
        if (*from == '\t')
            single = '\t';
        else if (!blank && (length == 0 || (unsigned char)*from < ' ' || *from == 0x7F))
            single = '?';
        if (single)
            es_text_add(out, &single, 1);
        else
            es_text_add(out, from, length);
        from += length ? length : 1;
    }
}

static bool continues_character(const char *at)
{
    return ((unsigned char)*at & 0xC0) == 0x80;
}

static bool is_name_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

/* Adds a message with each name that is too long to be read cut. */
static void add_message(es_text_buffer *out, const char *message)
{
    while (*message) {
        size_t length = 0;
        while (is_name_part(message[length]))
            length++;
        size_t shown = length > NAME_SHOWN ? NAME_SHOWN : length;
        while (shown < length && shown > 0 && continues_character(message + shown))
            shown--;
        add_shown(out, message, message + shown, 0);
        if (shown < length)
            es_text_add(out, "...", 3);
        message += length;
        if (*message)
            add_shown(out, message, message + 1, 0);
        message += *message != 0;
    }
}

bool es_lang_fail(es_error *err, const char *text, es_source source, size_t length, const char *hint,
                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *message = es_malloc((size_t)size + 1);
    va_start(args, format);
    vsnprintf(message, (size_t)size + 1, format, args);
    va_end(args);

    const char *line = text;
    for (unsigned n = 1; n < source.line; n++)
        line = strchr(line, '\n') + 1;
    const char *line_end = line + strcspn(line, "\r\n");
    const char *place = line + (source.column - 1);
    if (place > line_end)
        place = line_end;
    const char *place_end = place + length > line_end ? line_end : place + length;

    /* Of a long line, the part around the place. */
    const char *from = line, *to = line_end;
    if (to - from > LINE_SHOWN) {
        if (place - from > LINE_SHOWN / 2)
            from = place - LINE_SHOWN / 2;
        if (to - from > LINE_SHOWN)
            to = from + LINE_SHOWN;
        while (from < place && continues_character(from))
            from++;
        while (to > place && continues_character(to))
            to--;
    }
    if (place_end > to)
        place_end = to;

    es_text_buffer out = {0};
    es_text_format(&out, "%s:%u:%u: error: ", source.file, source.line, source.column);
    add_message(&out, message);
    es_text_format(&out, "\n  %s", from > line ? "..." : "");
    add_shown(&out, from, to, 0);
    es_text_format(&out, "%s\n  %s", to < line_end ? "..." : "", from > line ? "   " : "");
    add_shown(&out, from, place, ' ');
    es_text_add(&out, "^", 1);
    if (place_end > place) {
        size_t first = es_utf8_length(place, (size_t)(place_end - place));
        add_shown(&out, place + (first ? first : 1), place_end, '~');
    }
    if (hint) {
        es_text_add(&out, "\nhint: ", 7);
        add_message(&out, hint);
    }
    free(message);
    es_fail(err, ES_USAGE, "%s", out.text);
    es_text_free(&out);
    return false;
}
