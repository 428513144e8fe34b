#include "net/formats/trace_json.h"

#include <string.h>

#define DEPTH_MAX 64

static bool problem(es_json_reader *r, const char *what)
{
    r->problem = what;
    return false;
}

static void skip_blanks(es_json_reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n'))
        r->at++;
}

static bool take(es_json_reader *r, char c)
{
    skip_blanks(r);
    if (r->at >= r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static bool hex(es_json_reader *r, uint32_t *code)
{
    *code = 0;
    if (r->end - r->at < 4)
        return problem(r, "four hexadecimal digits are needed after \\u");
    for (int i = 0; i < 4; i++, r->at++) {
        char c = *r->at;
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return problem(r, "four hexadecimal digits are needed after \\u");
        *code = *code << 4 | (uint32_t)digit;
    }
    return true;
}

static void add_code(es_text_buffer *out, uint32_t code)
{
    char bytes[4];
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(length == 1 ? code : (0xF00u >> length & 0xFFu) | code);
    es_text_add(out, bytes, length);
}

/* \uXXXX, surrogate pairs too; a lone surrogate and U+0000 become U+FFFD. */
static bool unicode(es_json_reader *r, es_text_buffer *out)
{
    uint32_t code, low;
    if (!hex(r, &code))
        return false;
    if (code >= 0xD800 && code < 0xDC00 && r->end - r->at >= 2 && r->at[0] == '\\' && r->at[1] == 'u') {
        const char *back = r->at;
        r->at += 2;
        if (!hex(r, &low))
            return false;
        if (low >= 0xDC00 && low < 0xE000)
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        else
            r->at = back;
    }
    add_code(out, code == 0 || (code >= 0xD800 && code < 0xE000) ? 0xFFFD : code);
    return true;
}

/* After the opening quote. */
static bool string(es_json_reader *r, es_text_buffer *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    es_text_clear(out);
    while (r->at < r->end && *r->at != '"') {
        const char *plain = r->at; /* as nearly all of it is */
        while (r->at < r->end && *r->at >= ' ' && *r->at != '"' && *r->at != '\\')
            r->at++;
        if (r->at > plain) {
            es_text_add(out, plain, (size_t)(r->at - plain));
            continue;
        }
        if ((unsigned char)*r->at < ' ')
            return problem(r, "a control character in a string");
        size_t length = es_utf8_length(r->at, (size_t)(r->end - r->at));
        if (length == 0)
            return problem(r, "not UTF-8");
        if (*r->at != '\\') {
            es_text_add(out, r->at, length);
            r->at += length;
            continue;
        }
        const char *escape = ++r->at < r->end && *r->at ? strchr(from, *r->at) : NULL;
        if (r->at < r->end && *r->at == 'u') {
            r->at++;
            if (!unicode(r, out))
                return false;
        } else if (escape) {
            es_text_add(out, &to[escape - from], 1);
            r->at++;
        } else {
            return problem(r, "an unknown escape in a string");
        }
    }
    return take(r, '"') || problem(r, "the string has no end");
}

static bool number(es_json_reader *r)
{
    bool minus = *r->at == '-', fits = true;
    const char *c = r->at + minus;
    uint64_t value = 0;
    if (c >= r->end || *c < '0' || *c > '9' || (*c == '0' && c + 1 < r->end && c[1] >= '0' && c[1] <= '9'))
        return problem(r, "not a number");
    for (; c < r->end && *c >= '0' && *c <= '9'; c++) {
        fits = fits && value <= (INT64_MAX - (uint64_t)(*c - '0')) / 10;
        value = fits ? value * 10 + (uint64_t)(*c - '0') : 0;
    }
    r->kind = fits ? ES_JSON_INTEGER : ES_JSON_NUMBER;
    r->integer = minus ? -(int64_t)value : (int64_t)value;
    while (c < r->end && (*c == '.' || *c == 'e' || *c == 'E' || *c == '+' || *c == '-' || (*c >= '0' && *c <= '9'))) {
        r->kind = ES_JSON_NUMBER;
        c++;
    }
    r->at = c;
    return true;
}

static bool word(es_json_reader *r, const char *text, enum es_json_kind kind)
{
    size_t length = strlen(text);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length) != 0)
        return problem(r, "a value is needed here");
    r->at += length;
    r->kind = kind;
    return true;
}

/* A string, number or word. */
static bool simple(es_json_reader *r, es_text_buffer *text)
{
    skip_blanks(r);
    char c = r->at < r->end ? *r->at : 0;
    if (c == '"') {
        r->at++;
        r->kind = ES_JSON_STRING;
        return string(r, text);
    }
    if (c == '-' || (c >= '0' && c <= '9'))
        return number(r);
    return c == 't'   ? word(r, "true", ES_JSON_TRUE)
           : c == 'f' ? word(r, "false", ES_JSON_FALSE)
                      : word(r, "null", ES_JSON_NULL);
}

/* Arrays and objects are passed over, checked as well as is needed to find their end. */
static bool nested(es_json_reader *r)
{
    char ends[DEPTH_MAX];
    unsigned depth = 0;
    es_text_buffer ignored = {0};
    bool good = true, value = true; /* a value comes next */
    do {
        skip_blanks(r);
        char c = r->at < r->end ? *r->at : 0;
        if (value && (c == '[' || c == '{')) {
            good = depth < DEPTH_MAX || problem(r, "nested too deeply");
            if (good)
                ends[depth++] = c == '[' ? ']' : '}';
            r->at++;
            skip_blanks(r);
            if (good && r->at < r->end && *r->at == ends[depth - 1])
                value = false;
            else if (good && c == '{')
                good = take(r, '"') ? string(r, &ignored) && (take(r, ':') || problem(r, "':' is needed here"))
                                    : problem(r, "a name is needed here");
        } else if (value) {
            good = simple(r, &ignored);
            value = false;
        } else if (c && c == ends[depth - 1]) {
            r->at++;
            depth--;
        } else {
            good = take(r, ',') || problem(r, "',' or the end of an array or object is needed here");
            if (good && ends[depth - 1] == '}')
                good = take(r, '"') ? string(r, &ignored) && (take(r, ':') || problem(r, "':' is needed here"))
                                    : problem(r, "a name is needed here");
            value = true;
        }
    } while (good && depth);
    es_text_free(&ignored);
    return good;
}

bool es_json_open(es_json_reader *r, const char *text, size_t length)
{
    r->start = r->at = text;
    r->end = text + length;
    r->first = true;
    r->problem = NULL;
    return take(r, '{') || problem(r, "an object is needed: {\"event\":...}");
}

bool es_json_member(es_json_reader *r)
{
    if (r->problem)
        return false;
    if (take(r, '}')) {
        skip_blanks(r);
        return r->at < r->end ? problem(r, "nothing may follow the object") : false;
    }
    if (!r->first && !take(r, ','))
        return problem(r, "',' or '}' is needed here");
    r->first = false;
    if (!take(r, '"'))
        return problem(r, "a name is needed here");
    if (!string(r, &r->key))
        return false;
    if (!take(r, ':'))
        return problem(r, "':' is needed here");
    skip_blanks(r);
    r->value = r->at;
    bool array = r->at < r->end && *r->at == '[', object = r->at < r->end && *r->at == '{';
    bool good = array || object ? nested(r) : simple(r, &r->string);
    if (array || object)
        r->kind = array ? ES_JSON_ARRAY : ES_JSON_OBJECT;
    r->value_end = r->at;
    return good;
}

bool es_json_integers(es_json_reader *r, const char **at, int64_t *integer)
{
    const char *back = r->at;
    r->at = *at ? *at : r->value + 1;
    skip_blanks(r);
    if (*at && r->at < r->value_end && *r->at == ',')
        r->at++;
    skip_blanks(r);
    bool more = r->at < r->value_end && *r->at != ']';
    char c = more ? *r->at : 0;
    if (more && !((c == '-' || (c >= '0' && c <= '9')) && number(r) && r->kind == ES_JSON_INTEGER)) {
        r->kind = ES_JSON_ARRAY;
        return problem(r, "whole numbers are needed in this array");
    }
    *at = r->at;
    *integer = r->integer;
    r->kind = ES_JSON_ARRAY;
    r->at = back;
    return more;
}

void es_json_close(es_json_reader *r)
{
    es_text_free(&r->key);
    es_text_free(&r->string);
}
