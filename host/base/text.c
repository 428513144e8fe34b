#include "base/text.h"

#include <endian.h>
#include <errno.h>
#include <iconv.h>
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

/* The eight digits of a number below 100000000, a byte each, the first one lowest: halves, quarters and single digits
 * are told apart in all of it at once. Division is by multiplying, exact in this range. */
static uint64_t eight_digits(uint32_t value)
{
    uint64_t fours = value / 10000 | (uint64_t)(value % 10000) << 32;
    uint64_t hundreds = (fours * 10486 >> 20) & UINT64_C(0x7F0000007F);
    uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = (twos * 103 >> 10) & UINT64_C(0x000F000F000F000F);
    return tens | (twos - 10 * tens) << 8;
}

static char *put_eight(char *to, uint64_t digits)
{
    digits = htole64(digits);
    memcpy(to, &digits, sizeof digits);
    return to + sizeof digits;
}

/* Writes up to seven bytes more than the digits. */
static char *put_digits(char *to, uint64_t value)
{
    static const uint64_t characters = UINT64_C(0x3030303030303030);
    if (value < 10) {
        *to = (char)('0' + value);
        return to + 1;
    }
    if (value >= 100000000) {
        to = put_digits(to, value / 100000000);
        return put_eight(to, eight_digits((uint32_t)(value % 100000000)) | characters);
    }
    uint64_t digits = eight_digits((uint32_t)value);
    unsigned zeros = (unsigned)__builtin_ctzll(digits) / 8;
    put_eight(to, (digits | characters) >> 8 * zeros);
    return to + 8 - zeros;
}

char *es_put_decimal(char *to, int64_t value, unsigned width)
{
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    char digits[ES_DECIMAL_ROOM];
    if (value < 0 && !width)
        *to++ = '-';
    if (!width)
        return put_digits(to, rest);
    digits[0] = '-';
    unsigned length = (unsigned)(put_digits(digits + (value < 0), rest) - digits),
             spaces = width > length ? width - length : 0;
    memset(to, ' ', spaces);
    memcpy(to + spaces, digits, length);
    return to + spaces + length;
}

void es_text_int(es_text_buffer *buffer, int64_t value)
{
    char *end = es_put_decimal(es_text_room(buffer, ES_DECIMAL_ROOM), value, 0);
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

void es_text_shell(es_text_buffer *buffer, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (*word && !word[strspn(word, plain)]) {
        es_text_add(buffer, word, strlen(word));
        return;
    }
    es_text_add(buffer, "'", 1);
    for (; *word; word++)
        es_text_add(buffer, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    es_text_add(buffer, "'", 1);
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

void es_text_xml(es_text_buffer *buffer, const char *text, size_t length)
{
    for (const char *end = text + length; text < end;) {
        size_t one = es_utf8_length(text, (size_t)(end - text));
        unsigned char c = (unsigned char)*text;
        if (one == 0 || (c < ' ' && c != '\n' && c != '\t') || c == 0x7F) {
            es_text_add(buffer, "\xEF\xBF\xBD", 3);
            one = 1;
        } else if (c == '<' || c == '&' || c == '>' || c == '"') {
            es_text_format(buffer, c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : "&amp;");
        } else {
            es_text_add(buffer, text, one);
        }
        text += one;
    }
}

void es_text_xml_string(es_text_buffer *buffer, const char *text)
{
    es_text_xml(buffer, text, strlen(text));
}

/* Does a file begin with the byte order mark of UTF-16, as editors of Windows write it? */
static bool is_utf16(const char *bytes, size_t size)
{
    return size >= 2 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "\xFE\xFF", 2) == 0);
}

/* The same text in UTF-8, without the byte order mark. */
static bool from_utf16(es_text_buffer *buffer, const char *path, es_error *err)
{
    iconv_t converter = iconv_open("UTF-8", "UTF-16");
    if (converter == (iconv_t)-1) /* NOLINT(performance-no-int-to-ptr): what iconv's interface asks for */
        return es_fail(err, ES_USAGE, "%s: is UTF-16, and the C library cannot convert it: save it as UTF-8", path);
    es_text_buffer text = {0};
    char *from = buffer->text;
    size_t left = buffer->length, room = 2 * left + 4;
    char *to = es_text_room(&text, room);
    bool good = iconv(converter, &from, &left, &to, &room) != (size_t)-1 && left == 0;
    text.length = (size_t)(to - text.text);
    iconv_close(converter);
    if (!good)
        es_fail(err, ES_USAGE, "%s: is not a text: what stands at byte %zu is no character of UTF-16", path,
                buffer->length - left);
    else if (memchr(text.text, 0, text.length))
        good = es_fail(err, ES_USAGE, "%s: is not a text: it holds a NUL character", path);
    es_text_free(buffer);
    *buffer = text;
    return good;
}

bool es_text_read_file(es_text_buffer *buffer, const char *path, size_t max, es_error *err)
{
    *buffer = (es_text_buffer){0};
    FILE *file = fopen(path, "re");
    if (!file)
        return es_fail(err, ES_USAGE, "%s: cannot be opened: %s", path, strerror(errno));
    char chunk[8192];
    size_t got;
    bool good = true, wide = false;
    while (good && (got = fread(chunk, 1, sizeof chunk, file)) > 0) {
        wide = wide || (buffer->length == 0 && is_utf16(chunk, got));
        if (!wide && memchr(chunk, 0, got))
            good = es_fail(err, ES_USAGE, "%s: is not a text: it holds a NUL byte", path);
        else if (buffer->length + got > max)
            good = es_fail(err, ES_USAGE, "%s: is larger than %zu bytes", path, max);
        else
            es_text_add(buffer, chunk, got);
    }
    if (good && ferror(file))
        good = es_fail(err, ES_USAGE, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    good = good && (wide ? from_utf16(buffer, path, err) : true);
    if (good && buffer->length >= 3 && memcmp(buffer->text, "\xEF\xBB\xBF", 3) == 0)
        memmove(buffer->text, buffer->text + 3, buffer->length -= 3);
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
