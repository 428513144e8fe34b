/* What was written, as messages and results show it. */
#include <string.h>

#include "lang/parser.h"

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

/* Does a text end within {lambda(int)#1}? */
static bool in_lambda(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] != '}' && text[length - 1] != '{')
        length--;
    return length > 0 && text[length - 1] == '{' && strncmp(text + length, "lambda(", 7) == 0;
}

const char *es_text_since(es_parser *parser, const char *start)
{
    const char *end = parser->previous_end;
    char *text = es_arena_alloc(parser->arena, (size_t)(end - start) + 1);
    size_t length = 0;
    bool blank = false;
    char quote = 0; /* in a file's name or a character constant, which are kept as they are */
    for (const char *at = start; at < end; at++) {
        if (quote && *at == '\\' && quote == '\'' && at + 1 < end) {
            text[length++] = *at++;
        } else if (quote) {
            quote = *at == quote ? 0 : quote;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '#' && !in_lambda(text, length)) {
            while (at + 1 < end && at[1] != '\n')
                at++;
            blank = true;
            continue;
        } else if (strchr(" \t\r\n\f\v", *at)) {
            blank = true;
            continue;
        }
        if (blank && length && is_word(text[length - 1]) && is_word(*at))
            text[length++] = ' ';
        blank = false;
        text[length++] = *at;
    }
    return text;
}
