#include "store/metadata_read.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "store/layout.h"
#include "store/trace_metadata.h"

enum token { END, WORD, NUMBER, TEXT, SIGN };

typedef struct lexer {
    const char *at, *end;
    es_arena *arena;
    enum token token; /* the one at hand: */
    const char *word; /* WORD: its `length` bytes; TEXT: NUL terminated */
    size_t length;
    int64_t number;
    char sign;
    bool bad;
} lexer;

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static void skip_blanks(lexer *l)
{
    for (;;) {
        while (l->at < l->end && (*l->at == ' ' || *l->at == '\n'))
            l->at++;
        if (l->end - l->at < 4 || memcmp(l->at, "/*", 2) != 0)
            return;
        const char *close = memmem(l->at + 2, (size_t)(l->end - l->at) - 2, "*/", 2);
        l->at = close ? close + 2 : l->end;
    }
}

/* After the backslash. Returns the character that is meant. */
static char escaped(lexer *l)
{
    unsigned value = 0, digits = 0;
    while (digits < 3 && l->at < l->end && *l->at >= '0' && *l->at <= '7') {
        value = value * 8 + (unsigned)(*l->at++ - '0');
        digits++;
    }
    if (digits)
        return (char)value;
    char c = l->at < l->end ? *l->at++ : 0;
    return c == 'n' ? '\n' : c;
}

static void read_text(lexer *l)
{
    /* The longest that it can be: up to a quote that no backslash is before. */
    const char *end = ++l->at;
    while (end < l->end && *end != '"')
        end += *end == '\\' && end + 1 < l->end ? 2 : 1;
    if (end >= l->end) {
        l->bad = true;
        return;
    }
    char *text = es_arena_alloc(l->arena, (size_t)(end - l->at) + 1);
    l->word = text;
    while (l->at < end)
        if (*l->at == '\\') {
            l->at++;
            *text++ = escaped(l);
        } else {
            *text++ = *l->at++;
        }
    l->length = (size_t)(text - l->word);
    l->bad |= memchr(l->word, 0, l->length) != NULL;
    l->at = end + 1;
    l->token = TEXT;
}

static void read_number(lexer *l)
{
    char digits[24] = {0};
    size_t count = 0;
    while (l->at < l->end && (is_word(*l->at) || (*l->at == '-' && !count))) {
        if (count < sizeof digits - 1)
            digits[count++] = *l->at;
        l->at++;
    }
    l->number = digits[0] == '-' ? strtoll(digits, NULL, 10) : (int64_t)strtoull(digits, NULL, 10);
    l->token = NUMBER;
}

static void next(lexer *l)
{
    skip_blanks(l);
    l->token = END;
    if (l->bad || l->at >= l->end)
        return;
    char c = *l->at;
    if (c == '"') {
        read_text(l);
    } else if ((c >= '0' && c <= '9') || c == '-') {
        read_number(l);
    } else if (is_word(c)) {
        l->word = l->at;
        while (l->at < l->end && is_word(*l->at))
            l->at++;
        l->length = (size_t)(l->at - l->word);
        l->token = WORD;
    } else {
        l->sign = c;
        l->token = SIGN;
        l->at++;
    }
}

static bool at_word(const lexer *l, const char *word)
{
    return l->token == WORD && l->length == strlen(word) && memcmp(l->word, word, l->length) == 0;
}

static bool at_sign(const lexer *l, char sign)
{
    return l->token == SIGN && l->sign == sign;
}

/* To after the ; that ends the item. */
static void skip_item(lexer *l)
{
    for (unsigned depth = 0; l->token != END; next(l)) {
        if (at_sign(l, '{'))
            depth++;
        else if (at_sign(l, '}') && depth)
            depth--;
        else if (at_sign(l, ';') && !depth) {
            next(l);
            return;
        }
    }
}

static void read_env(lexer *l, es_chunk_metadata *found)
{
    for (next(l), next(l); l->token == WORD; next(l)) {
        lexer key = *l;
        next(l); /* = */
        next(l);
        if (l->token == NUMBER && at_word(&key, "earshot_format"))
            found->format = (uint64_t)l->number;
        else if (l->token == NUMBER && at_word(&key, "earshot_chunk"))
            found->chunk = (uint64_t)l->number;
        else if (l->token == NUMBER && at_word(&key, "earshot_origin_ns"))
            found->origin_ns = l->number;
        else if (l->token == TEXT && at_word(&key, "probe"))
            found->probe = l->word;
        else if (l->token == TEXT && at_word(&key, "earshot_schema"))
            found->schema = l->word;
        next(l);
        if (!at_sign(l, ';'))
            break;
    }
    skip_item(l);
}

/* typealias enum : uint32_t { "text" = 1, ... } := name; */
static void read_enum(lexer *l, es_chunk_metadata *found)
{
    const char **names = NULL;
    size_t count = 0;
    bool in_order = true;
    while (l->token != END && !at_sign(l, '{'))
        next(l);
    for (next(l); l->token == TEXT; next(l)) {
        const char *text = l->word;
        next(l);
        if (!at_sign(l, '='))
            return; /* numbered by itself: not the names */
        next(l);
        uint32_t number = (uint32_t)l->number;
        if (l->token == NUMBER && number && number != ES_TRACE_NO_NAME) {
            in_order &= number == count + 1;
            names = es_arena_grow(l->arena, names, count, sizeof *names);
            names[count++] = text;
        }
        next(l);
        if (!at_sign(l, ','))
            break;
    }
    next(l);
    next(l);
    next(l); /* over } : = */
    if (!at_word(l, "name"))
        return;
    found->names = names;
    found->name_count = (uint32_t)count;
    l->bad |= !in_order;
}

bool es_chunk_metadata_read(const char *text, size_t length, es_arena *arena, es_chunk_metadata *found, es_error *err)
{
    *found = (es_chunk_metadata){0};
    lexer l = {.at = text, .end = text + length, .arena = arena};
    next(&l);
    while (l.token != END) {
        if (at_word(&l, "env")) {
            read_env(&l, found);
            continue;
        }
        if (at_word(&l, "typealias")) {
            next(&l);
            if (at_word(&l, "enum"))
                read_enum(&l, found);
        }
        skip_item(&l);
    }
    if (l.bad)
        return es_fail(err, ES_USAGE, "damaged: what the trace consists of cannot be read");
    if (!found->format || !found->schema)
        return es_fail(err, ES_USAGE, "this is a trace of another program, which earshot cannot read");
    if (found->format > ES_TRACE_FORMAT)
        return es_fail(err, ES_USAGE, "written by a newer earshot (format %llu, this one reads %u)",
                       (unsigned long long)found->format, ES_TRACE_FORMAT);
    if (!es_trace_metadata_is_whole(text, length))
        return es_fail(err, ES_USAGE, "damaged: it is not as it was written");
    return true;
}
