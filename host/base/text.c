#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static void reserve(es_text_buffer *buffer, size_t more)
{
    size_t need = buffer->length + more + 1;
    if (need <= buffer->size)
        return;
    size_t size = buffer->size ? buffer->size : 64;
    while (size < need)
        size *= 2;
    buffer->text = es_realloc(buffer->text, size);
    buffer->size = size;
}

void es_text_add(es_text_buffer *buffer, const char *bytes, size_t length)
{
    reserve(buffer, length);
    memcpy(buffer->text + buffer->length, bytes, length);
    buffer->length += length;
    buffer->text[buffer->length] = 0;
}

void es_text_vformat(es_text_buffer *buffer, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length > 0) {
        reserve(buffer, (size_t)length);
        vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, again);
        buffer->length += (size_t)length;
    }
    va_end(again);
}

void es_text_format(es_text_buffer *buffer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    es_text_vformat(buffer, format, args);
    va_end(args);
}

char *es_text_room(es_text_buffer *buffer, size_t more)
{
    reserve(buffer, more);
    return buffer->text + buffer->length;
}

/* How many decimal digits. */
static unsigned digits_of(uint64_t value)
{
    unsigned digits = 1;
    for (; value >= 10000; value /= 10000)
        digits += 4;
    return digits + (value >= 10) + (value >= 100) + (value >= 1000);
}

char *es_put_decimal(char *to, int64_t value, unsigned width)
{
    static const char pairs[] =
        "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243"
        "4445464748495051525354555657585960616263646566676869707172737475767778798081828384858687"
        "888990919293949596979899";
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    unsigned length = digits_of(rest) + (value < 0);
    for (; width > length; width--)
        *to++ = ' ';
    if (value < 0)
        *to = '-';
    to += length;
    char *at = to;
    for (; rest >= 100; rest /= 100)
        memcpy(at -= 2, pairs + 2 * (rest % 100), 2);
    if (rest >= 10)
        memcpy(at - 2, pairs + 2 * rest, 2);
    else
        at[-1] = (char)('0' + rest);
    return to;
}

void es_text_int(es_text_buffer *buffer, int64_t value)
{
    char *end = es_put_decimal(es_text_room(buffer, ES_DECIMAL_MAX), value, 0);
    *end = 0;
    buffer->length = (size_t)(end - buffer->text);
}

void es_text_uint(es_text_buffer *buffer, uint64_t value)
{
    if (value <= INT64_MAX)
        es_text_int(buffer, (int64_t)value);
    else
        es_text_format(buffer, "%" PRIu64, value);
}

void es_text_clear(es_text_buffer *buffer)
{
    buffer->length = 0;
    reserve(buffer, 0);
    buffer->text[0] = 0;
}

void es_text_free(es_text_buffer *buffer)
{
    free(buffer->text);
    *buffer = (es_text_buffer){0};
}

void es_text_escape(es_text_buffer *buffer, unsigned char c, char quote)
{
    static const char letters[] = "abtnvfr";
    if (c == (unsigned char)quote || c == '\\')
        es_text_format(buffer, "\\%c", c);
    else if (c >= ' ' && c < 0x7F)
        es_text_format(buffer, "%c", c);
    else if (c >= '\a' && c <= '\r')
        es_text_format(buffer, "\\%c", letters[c - '\a']);
    else if (c == 0)
        es_text_format(buffer, "\\0");
    else
        es_text_format(buffer, "\\x%02x", c);
}

size_t es_utf8_length(const char *text, size_t room)
{
    const unsigned char *b = (const unsigned char *)text;
    if (room == 0)
        return 0;
    if (b[0] < 0x80)
        return 1;
    size_t length = b[0] >= 0xF0 ? 4 : b[0] >= 0xE0 ? 3 : 2;
    if (b[0] < 0xC2 || b[0] > 0xF4 || length > room)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((b[i] & 0xC0) != 0x80)
            return 0;
    /* overlong forms, surrogates, and beyond U+10FFFF */
    if ((b[0] == 0xE0 && b[1] < 0xA0) || (b[0] == 0xED && b[1] > 0x9F) || (b[0] == 0xF0 && b[1] < 0x90) ||
        (b[0] == 0xF4 && b[1] > 0x8F))
        return 0;
    return length;
}

bool es_text_read_file(es_text_buffer *buffer, const char *path, size_t max, es_error *err)
{
    *buffer = (es_text_buffer){0};
    FILE *file = fopen(path, "re");
    if (!file)
        return es_fail(err, ES_USAGE, "%s: cannot be opened: %s", path, strerror(errno));
    char chunk[8192];
    size_t got;
    bool good = true;
    while (good && (got = fread(chunk, 1, sizeof chunk, file)) > 0) {
        if (memchr(chunk, 0, got))
            good = es_fail(err, ES_USAGE, "%s: is not a text: it holds a NUL byte", path);
        else if (buffer->length + got > max)
            good = es_fail(err, ES_USAGE, "%s: is larger than %zu bytes", path, max);
        else
            es_text_add(buffer, chunk, got);
    }
    if (good && ferror(file))
        good = es_fail(err, ES_USAGE, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    if (good)
        es_text_add(buffer, "", 0);
    else
        es_text_free(buffer);
    return good;
}

const char *es_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool es_is_plain_file(const char *name)
{
    bool begins = true; /* a word does, here */
    for (; *name; name++) {
        bool digit = *name >= '0' && *name <= '9';
        bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || *name == '_' ||
                      (unsigned char)*name >= 0x80;
        if (!letter && (begins || (!digit && *name != '.')))
            return false;
        begins = *name == '.';
    }
    return !begins;
}

bool es_file_matches(const char *file, const char *wanted)
{
    size_t length = strlen(file), tail = strlen(wanted);
    if (length < tail || strcmp(file + length - tail, wanted) != 0)
        return false;
    return length == tail || file[length - tail - 1] == '/';
}
