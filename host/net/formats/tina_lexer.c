#include "net/formats/tina_lexer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define NAME_MAX_LENGTH 4096u

void es_tina_start(es_tina_lexer *lexer, const char *file, const char *bytes, size_t size, es_arena *arena,
                   es_error *err)
{
    *lexer = (es_tina_lexer){.file = file,
                             .at = bytes,
                             .end = bytes + size,
                             .line_start = bytes,
                             .arena = arena,
                             .err = err,
                             .line = 1,
                             .text = "",
                             .token_line = 1,
                             .token_column = 1};
}

bool es_tina_fail(const es_tina_lexer *lexer, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return es_fail(lexer->err, ES_USAGE, "%s:%u:%u: error: %s", lexer->file, lexer->token_line, lexer->token_column,
                   text);
}

const char *es_tina_shown(const es_tina_lexer *lexer)
{
    switch (lexer->token) {
    case ES_TINA_END: return "the end of the file";
    case ES_TINA_NEWLINE: return "the end of the line";
    case ES_TINA_EARSHOT: return "a line for earshot";
    case ES_TINA_ARROW: return "'->'";
    case ES_TINA_MARK: return es_arena_format(lexer->arena, "'%c'", lexer->mark);
    default: return es_arena_format(lexer->arena, "'%.60s'", lexer->text);
    }
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '\'';
}

static void new_line(es_tina_lexer *lexer)
{
    lexer->line++;
    lexer->line_start = ++lexer->at;
}

/* Moves past blanks and comments. True when it ended at "# earshot:" (which is then passed too) or at the end of such a
 * line. */
static bool skip_blanks(es_tina_lexer *lexer)
{
    static const char prefix[] = "# earshot:";
    const size_t length = sizeof prefix - 1;
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        if (c == '\n') {
            if (lexer->in_comment)
                return true;
            new_line(lexer);
        } else if (c == '#') {
            if (!lexer->in_comment && (size_t)(lexer->end - lexer->at) >= length &&
                memcmp(lexer->at, prefix, length) == 0)
                return true;
            while (lexer->at < lexer->end && *lexer->at != '\n')
                lexer->at++;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            lexer->at++;
        } else {
            return false;
        }
    }
    return lexer->in_comment;
}

static void place_token(es_tina_lexer *lexer)
{
    lexer->token_line = lexer->line;
    lexer->token_column = (unsigned)(lexer->at - lexer->line_start) + 1;
}

/* {anything}: \ takes the next character as it is. */
static bool quoted(es_tina_lexer *lexer)
{
    es_text_buffer name = {0};
    const char *c = lexer->at + 1;
    while (c < lexer->end && *c != '}' && *c != '\n' && name.length <= NAME_MAX_LENGTH) {
        if (*c == '\\' && c + 1 < lexer->end && c[1] != '\n')
            c++;
        es_text_add(&name, c++, 1);
    }
    bool good = c < lexer->end && *c == '}';
    if (!good)
        es_tina_fail(
            lexer, name.length > NAME_MAX_LENGTH ? "a name is longer than %u bytes" : "the name has no '}' in its line",
            NAME_MAX_LENGTH);
    for (size_t i = 0; good && i < name.length;) {
        size_t step = es_utf8_length(name.text + i, name.length - i);
        good = step && (unsigned char)name.text[i] >= ' ' && name.text[i] != 0x7F;
        if (!good)
            es_tina_fail(lexer, "the name holds bytes that are no text (UTF-8)");
        i += step;
    }
    if (good) {
        lexer->text = name.length ? es_arena_copy(lexer->arena, name.text, name.length) : "";
        lexer->at = c + 1;
    }
    es_text_free(&name);
    return good;
}

bool es_tina_next(es_tina_lexer *lexer)
{
    bool special = skip_blanks(lexer);
    place_token(lexer);
    if (special && !lexer->in_comment) {
        lexer->token = ES_TINA_EARSHOT;
        lexer->in_comment = true;
        lexer->at += strlen("# earshot:");
        return true;
    }
    if (special) { /* the newline is left for the next skip_blanks */
        lexer->token = ES_TINA_NEWLINE;
        lexer->in_comment = false;
        return true;
    }
    if (lexer->at >= lexer->end) {
        lexer->token = ES_TINA_END;
        return true;
    }
    char c = *lexer->at;
    if (c == '{') {
        lexer->token = ES_TINA_QUOTED;
        return quoted(lexer);
    }
    if (is_name(c)) {
        const char *start = lexer->at;
        while (lexer->at < lexer->end && is_name(*lexer->at))
            lexer->at++;
        if (lexer->at - start > (ptrdiff_t)NAME_MAX_LENGTH)
            return es_tina_fail(lexer, "a name is longer than %u bytes", NAME_MAX_LENGTH);
        lexer->token = ES_TINA_NAME;
        lexer->text = es_arena_copy(lexer->arena, start, (size_t)(lexer->at - start));
        return true;
    }
    if (c == '-' && lexer->end - lexer->at > 1 && lexer->at[1] == '>') {
        lexer->token = ES_TINA_ARROW;
        lexer->at += 2;
        return true;
    }
    if (c && strchr(":()[],<>?!*-", c)) {
        lexer->token = ES_TINA_MARK;
        lexer->mark = c;
        lexer->at++;
        return true;
    }
    return es_tina_fail(lexer,
                        (unsigned char)c >= ' ' && (unsigned char)c < 0x7F
                            ? "'%c' has no meaning here; names that are not only of letters, "
                              "digits, _ and ' go in braces"
                            : "a character that has no meaning here; such names go in braces",
                        c);
}
