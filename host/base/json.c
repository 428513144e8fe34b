#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void separate(es_json *json)
{
    if (json->comma)
        es_text_add(json->out, ",", 1);
    json->comma = true;
}

void es_json_begin(es_json *json, char kind)
{
    separate(json);
    es_text_add(json->out, &kind, 1);
    json->comma = false;
}

void es_json_end(es_json *json, char kind)
{
    es_text_add(json->out, &kind, 1);
    json->comma = true;
}

/* Is each of eight bytes printable ASCII with nothing to escape? In each byte, bit 7 of a sum or difference tells. */
static bool eight_plain(uint64_t bytes)
{
    const uint64_t ones = 0x0101010101010101, tops = 0x80 * ones;
    uint64_t quotes = bytes ^ '"' * ones, slashes = bytes ^ '\\' * ones;
    uint64_t odd = bytes | (bytes - ' ' * ones) | (bytes + ones) | (quotes - ones) | (slashes - ones);
    return !(odd & tops);
}

/* The same of any number; false also for some of them that could be taken. */
static bool all_plain(const char *bytes, size_t size)
{
    uint64_t eight;
    for (; size >= 8; size -= 8, bytes += 8) {
        memcpy(&eight, bytes, 8);
        if (!eight_plain(eight))
            return false;
    }
    for (; size; size--, bytes++)
        if (!eight_plain((unsigned char)*bytes * (uint64_t)0x0101010101010101))
            return false;
    return true;
}

/* A string with nothing to escape, as nearly all are, and what comes after it. False: it is another one, and nothing
 * was added. */
static bool add_plain(es_json *json, const char *bytes, size_t size, char after)
{
    if (!all_plain(bytes, size))
        return false;
    char *to = es_text_room(json->out, size + 4);
    if (json->comma)
        *to++ = ',';
    *to++ = '"';
    memcpy(to, bytes, size);
    to += size;
    *to++ = '"';
    if (after)
        *to++ = after;
    *to = 0;
    json->out->length = (size_t)(to - json->out->text);
    json->comma = true;
    return true;
}

void es_json_key(es_json *json, const char *key)
{
    if (!add_plain(json, key, strlen(key), ':')) {
        es_json_string(json, key);
        es_text_add(json->out, ":", 1);
    }
    json->comma = false;
}

void es_json_bytes(es_json *json, const char *bytes, size_t size)
{
    if (add_plain(json, bytes, size, 0))
        return;
    separate(json);
    es_text_add(json->out, "\"", 1);
    for (size_t i = 0; i < size;) {
        unsigned char c = (unsigned char)bytes[i];
        size_t length = es_utf8_length(bytes + i, size - i);
        if (length == 0)
            es_text_add(json->out, "\\ufffd", 6);
        else if (c == '"' || c == '\\')
            es_text_format(json->out, "\\%c", c);
        else if (c == '\n')
            es_text_add(json->out, "\\n", 2);
        else if (c == '\t')
            es_text_add(json->out, "\\t", 2);
        else if (c == '\r')
            es_text_add(json->out, "\\r", 2);
        else if (c < ' ' || c == 0x7F)
            es_text_format(json->out, "\\u%04x", c);
        else
            es_text_add(json->out, bytes + i, length);
        i += length ? length : 1;
    }
    es_text_add(json->out, "\"", 1);
}

void es_json_string(es_json *json, const char *text)
{
    if (text)
        es_json_bytes(json, text, strlen(text));
    else
        es_json_null(json);
}

void es_json_int(es_json *json, int64_t value)
{
    separate(json);
    es_text_int(json->out, value);
}

void es_json_uint(es_json *json, uint64_t value)
{
    separate(json);
    es_text_uint(json->out, value);
}

void es_json_bool(es_json *json, bool value)
{
    separate(json);
    es_text_format(json->out, "%s", value ? "true" : "false");
}

void es_json_null(es_json *json)
{
    separate(json);
    es_text_add(json->out, "null", 4);
}

void es_json_raw(es_json *json, const char *text)
{
    separate(json);
    es_text_add(json->out, text, strlen(text));
}

/* JSON has no numbers for them. */
static bool odd_number(es_json *json, double value)
{
    if (isfinite(value))
        return false;
    es_json_string(json, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    return true;
}

void es_json_float(es_json *json, float value)
{
    if (odd_number(json, (double)value))
        return;
    char text[32];
    es_float_text(text, value);
    separate(json);
    es_text_format(json->out, "%s", text);
}

void es_json_double(es_json *json, double value)
{
    if (odd_number(json, value))
        return;
    char text[32];
    es_double_text(text, value);
    separate(json);
    es_text_format(json->out, "%s", text);
}

void es_float_text(char text[32], float value)
{
    int precision = 6;
    do
        snprintf(text, 32, "%.*g", precision, (double)value);
    while (precision++ < 9 && strtof(text, NULL) != value);
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
}

void es_double_text(char text[32], double value)
{
    int precision = 6;
    do
        snprintf(text, 32, "%.*g", precision, value);
    while (precision++ < 17 && strtod(text, NULL) != value);
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
}
