#include "lang/lexer.h"

#include <string.h>

#include "base/text.h"

/* ASCII only, whatever the locale. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_name_part(char c)
{
    return is_name_start(c) || is_digit(c);
}

static int digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

void es_lexer_init(es_lexer *lexer, const es_text *text, es_error *err)
{
    *lexer = (es_lexer){.file = text->file, .text = text->text, .at = text->text, .line_start = text->text, .line = 1, .err = err};
    if (strncmp(lexer->at, "\xEF\xBB\xBF", 3) == 0) /* byte order mark */
        lexer->at += 3;
}

static void skip_space(es_lexer *lexer)
{
    for (;; lexer->at++) {
        if (*lexer->at == '#')
            lexer->at += strcspn(lexer->at, "\n");
        if (*lexer->at == '\n') {
            lexer->line++;
            lexer->line_start = lexer->at + 1;
        } else if (!*lexer->at || !strchr(" \t\r\f\v", *lexer->at)) {
            return;
        }
    }
}

static es_token bad(es_lexer *lexer, const es_token *token, const char *hint, const char *message)
{
    es_lang_fail(lexer->err, lexer->text, token->source, token->length, hint, "%s", message);
    es_token result = *token;
    result.kind = ES_TOKEN_BAD;
    return result;
}

static es_token number(es_lexer *lexer, es_token token)
{
    const char *at = token.start;
    int base = 10;
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
        base = 16;
    else if (at[0] == '0' && (at[1] == 'b' || at[1] == 'B'))
        base = 2;
    else if (at[0] == '0')
        base = 8;
    if (base == 16 || base == 2)
        at += 2;
    const char *digits = at;
    uint64_t value = 0;
    bool too_big = false;
    for (; digit_value(*at) < base; at++) {
        value = value * (unsigned)base + (unsigned)digit_value(*at);
        too_big |= value > UINT32_MAX;
        value &= 0xFFFFFFFFFF; /* no overflow, and too big stays so */
    }
    bool no_digits = at == digits;
    bool is_float = base != 16 && (*at == '.' || ((*at == 'e' || *at == 'E') && base != 2));
    bool has_u = false, has_l = false, is_long_long = false;
    while (!is_float && (*at == 'u' || *at == 'U' || *at == 'l' || *at == 'L')) {
        bool is_u = *at == 'u' || *at == 'U';
        if (is_u ? has_u : has_l && is_long_long)
            break;
        is_long_long |= !is_u && has_l;
        has_u |= is_u;
        has_l |= !is_u;
        at++;
    }
    while (is_name_part(*at) || (is_float && *at == '.')) {
        no_digits |= !is_float;
        at++;
    }
    lexer->at = at;
    token.length = (size_t)(at - token.start);
    if (is_float)
        return bad(lexer, &token, "predicates work with whole numbers; a float can be printed: { print x }",
                   "floating-point constants are not available");
    if (no_digits)
        return bad(lexer, &token, "write 80, 0x50, 0120 or 0b1010000", "this is not a number");
    if (too_big || is_long_long)
        return bad(lexer, &token, "the largest constant is 4294967295u", "predicates work with values of 32 bits");
    token.kind = ES_TOKEN_NUMBER;
    token.value = (uint32_t)value;
    token.is_unsigned = has_u || value > INT32_MAX;
    token.is_big = !has_u && base == 10 && value > INT32_MAX;
    return token;
}

/* One character or escape sequence. Returns false when it is malformed. */
static bool character(const char **at, uint32_t *value)
{
    static const char letters[] = "abfnrtv\\'\"?";
    static const char meanings[] = "\a\b\f\n\r\t\v\\'\"?";
    const char *p = *at;
    if (*p == 0 || *p == '\n' || *p == '\'')
        return false;
    if (*p != '\\') {
        *value = (unsigned char)*p;
        *at = p + 1;
        return true;
    }
    p++;
    const char *letter = *p ? strchr(letters, *p) : NULL;
    if (letter) {
        *value = (unsigned char)meanings[letter - letters];
        *at = p + 1;
        return true;
    }
    int base = *p == 'x' ? 16 : 8;
    int most = *p == 'x' ? 2 : 3;
    p += *p == 'x';
    uint32_t sum = 0;
    int digits = 0;
    for (; digits < most && digit_value(*p) < base; digits++)
        sum = sum * (unsigned)base + (unsigned)digit_value(*p++);
    *value = sum;
    *at = p;
    return digits > 0 && sum <= 255;
}

static es_token character_constant(es_lexer *lexer, es_token token)
{
    const char *at = token.start + 1;
    bool good = character(&at, &token.value) && *at == '\'';
    if (good)
        at++;
    else
        at = token.start + 1;
    lexer->at = at;
    token.length = (size_t)(at - token.start);
    if (!good)
        return bad(lexer, &token, "write one character: 'a', '\\n', '\\x1b' or '\\0'", "this is not a character constant");
    token.kind = ES_TOKEN_NUMBER; /* of type int; RISC-V's plain char is unsigned, so the value is 0 to 255 */
    return token;
}

static es_token string(es_lexer *lexer, es_token token)
{
    size_t length = strcspn(token.start + 1, "\"\n");
    bool closed = token.start[1 + length] == '"';
    token.length = length + 1 + closed;
    lexer->at = token.start + token.length;
    if (!closed)
        return bad(lexer, &token, NULL, "this string has no end");
    token.kind = ES_TOKEN_STRING;
    return token;
}

static es_token sign(es_lexer *lexer, es_token token)
{
    static const struct { char text[4]; int sign; } signs[] = {
        {"<<=", ES_SIGN_ASSIGN_OP}, {">>=", ES_SIGN_ASSIGN_OP}, {"&&", ES_SIGN_LOGAND}, {"||", ES_SIGN_LOGOR},
        {"==", ES_SIGN_EQ}, {"!=", ES_SIGN_NE}, {"<=", ES_SIGN_LE}, {">=", ES_SIGN_GE}, {"<<", ES_SIGN_SHL},
        {">>", ES_SIGN_SHR}, {"->", ES_SIGN_ARROW}, {"++", ES_SIGN_INCREMENT}, {"--", ES_SIGN_DECREMENT},
        {"+=", ES_SIGN_ASSIGN_OP}, {"-=", ES_SIGN_ASSIGN_OP}, {"*=", ES_SIGN_ASSIGN_OP}, {"/=", ES_SIGN_ASSIGN_OP},
        {"%=", ES_SIGN_ASSIGN_OP}, {"&=", ES_SIGN_ASSIGN_OP}, {"|=", ES_SIGN_ASSIGN_OP}, {"^=", ES_SIGN_ASSIGN_OP},
    };
    token.kind = ES_TOKEN_SIGN;
    token.sign = (unsigned char)*token.start;
    token.length = 1;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i].text);
        if (strncmp(token.start, signs[i].text, length) == 0) {
            token.sign = signs[i].sign;
            token.length = length;
            break;
        }
    }
    lexer->at = token.start + token.length;
    if ((token.start[0] == '/' && (token.start[1] == '/' || token.start[1] == '*')))
        return bad(lexer, &token, "a comment begins with # and ends with the line", "this is not how a comment begins");
    if (token.length == 1 && !strchr("(){}[]<>=!~+-*/%&|^,;:.\\?", *token.start))
        return bad(lexer, &token, NULL, "this character does not belong in a statement");
    return token;
}

es_token es_lexer_next(es_lexer *lexer)
{
    skip_space(lexer);
    es_token token = {.start = lexer->at};
    token.source = (es_source){lexer->file, lexer->line, (unsigned)(lexer->at - lexer->line_start) + 1};
    if (!*lexer->at) {
        token.kind = ES_TOKEN_END;
        return token;
    }
    if (is_name_start(*lexer->at)) {
        while (is_name_part(*lexer->at))
            lexer->at++;
        token.kind = ES_TOKEN_NAME;
        token.length = (size_t)(lexer->at - token.start);
        return token;
    }
    if (is_digit(*lexer->at) || (*lexer->at == '.' && is_digit(lexer->at[1])))
        return number(lexer, token);
    if (*lexer->at == '\'')
        return character_constant(lexer, token);
    if (*lexer->at == '"')
        return string(lexer, token);
    return sign(lexer, token);
}
