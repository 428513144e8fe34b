#include "lang/lexer.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/cxx_name.h"
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

void es_lexer_init(es_lexer *lexer, const es_symbols *symbols, const es_text *text, es_error *err)
{
    *lexer = (es_lexer){.file = text->file,
                        .text = text->text,
                        .at = text->text,
                        .line_start = text->text,
                        .line = 1,
                        .err = err,
                        .symbols = symbols};
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

bool es_lexer_time(const char *digits, size_t length, const char *unit, size_t unit_length, es_duration *time,
                   const char **message)
{
    static const struct {
        char name[8];
        uint64_t nanoseconds;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}, {"cycles", 0}, {"cycle", 0}};
    size_t u = 0, unit_count = sizeof units / sizeof *units;
    while (u < unit_count && (strlen(units[u].name) != unit_length || memcmp(units[u].name, unit, unit_length) != 0))
        u++;
    *message = NULL;
    if (u == unit_count)
        return false;
    uint64_t scale = units[u].nanoseconds ? units[u].nanoseconds : 1, sum = 0;
    bool fraction = false;
    for (size_t i = 0; i < length; i++) {
        if (digits[i] == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (!is_digit(digits[i])) {
            *message = "a time is written as 5ms, 1.5us or 100 cycles";
            return false;
        }
        uint64_t digit = (uint64_t)(digits[i] - '0');
        if (fraction) {
            if (digit && scale % 10) {
                *message = units[u].nanoseconds ? "times are whole nanoseconds" : "cycles are whole";
                return false;
            }
            scale /= 10;
            sum += digit * scale;
        } else if (sum > (UINT64_MAX / 2 - digit * scale) / 10) {
            *message = "this time is too long";
            return false;
        } else {
            sum = sum * 10 + digit * scale;
        }
    }
    *time = (es_duration){sum, units[u].nanoseconds == 0};
    return true;
}

/* The rest of a number with a point or an exponent. */
static es_token float_number(es_lexer *lexer, es_token token)
{
    const char *at = token.start;
    bool exponent = false;
    while (is_digit(*at) || *at == '.' || (!exponent && (*at == 'e' || *at == 'E')) ||
           ((*at == '+' || *at == '-') && (at[-1] == 'e' || at[-1] == 'E'))) {
        exponent |= *at == 'e' || *at == 'E';
        at++;
    }
    const char *digits_end = at;
    while (is_name_part(*at))
        at++;
    lexer->at = at;
    token.length = (size_t)(at - token.start);
    const char *message;
    if (es_lexer_time(token.start, (size_t)(digits_end - token.start), digits_end, (size_t)(at - digits_end),
                      &token.time, &message)) {
        token.kind = ES_TOKEN_TIME;
        return token;
    }
    if (message)
        return bad(lexer, &token, "for example 5ms, 1.5us, 100 cycles", message);
    token.is_float = at - digits_end == 1 && (*digits_end == 'f' || *digits_end == 'F');
    token.is_decimal = at == digits_end && !exponent;
    char text[64], *end = NULL;
    size_t length = (size_t)(digits_end - token.start);
    if (length < sizeof text && (at == digits_end || token.is_float)) {
        memcpy(text, token.start, length);
        text[length] = 0;
        token.number = strtod(text, &end); /* earshot sets no locale for numbers: the point is a point */
    }
    if (!end || *end)
        return bad(lexer, &token, "write 1.5, 1e-3 or 1.5f", "this is not a number");
    if (token.is_float)
        token.number = (float)token.number;
    if (token.number > DBL_MAX || (token.is_float && token.number > FLT_MAX))
        return bad(lexer, &token, NULL, "this number is too large");
    token.kind = ES_TOKEN_FLOAT;
    return token;
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
    if (base == 10 || base == 8) {
        while (is_digit(*at))
            at++;
        if ((*at == '.' && at[1] != '.') || *at == 'e' || *at == 'E')
            return float_number(lexer, token);
        at = digits;
    }
    uint64_t value = 0;
    bool too_big = false;
    for (; digit_value(*at) < base; at++) {
        too_big |= value > (UINT64_MAX - (unsigned)digit_value(*at)) / (unsigned)base;
        value = value * (unsigned)base + (unsigned)digit_value(*at);
    }
    const char *digits_end = at;
    bool no_digits = at == digits;
    unsigned u_count = 0, l_count = 0;
    for (; *at == 'u' || *at == 'U' || *at == 'l' || *at == 'L'; at++) {
        if (*at == 'u' || *at == 'U') {
            if (*digits_end != 'u' && *digits_end != 'U' && at[1] && strchr("lL", at[1]))
                no_digits = true; /* lul */
            u_count++;
        } else {
            l_count++;
        }
    }
    while (is_name_part(*at))
        at++;
    lexer->at = at;
    token.length = (size_t)(at - token.start);
    const char *message = NULL;
    if (!no_digits && (base == 10 || digits_end - digits == 1) &&
        es_lexer_time(token.start, (size_t)(digits_end - token.start), digits_end, (size_t)(at - digits_end),
                      &token.time, &message)) {
        token.kind = ES_TOKEN_TIME;
        return token;
    }
    if (!no_digits && base == 10 && message)
        return bad(lexer, &token, "for example 5ms, 1.5us, 100 cycles", message);
    if (no_digits || u_count > 1 || l_count > 2 || (size_t)(at - digits_end) != u_count + l_count)
        return bad(lexer, &token, "write 80, 0x50, 0120 or 0b1010000; with a unit of time 5ms, 80us, 100cycles",
                   "this is not a number");
    if (too_big)
        return bad(lexer, &token, "the largest constant is 18446744073709551615u", "this number does not fit 64 bits");
    token.kind = ES_TOKEN_NUMBER;
    token.value = value;
    /* int, then unsigned where C allows it, then 64 bits; long is as int */
    bool may_be_unsigned = u_count || base != 10;
    token.is_wide = l_count == 2 || value > (may_be_unsigned ? UINT32_MAX : INT32_MAX);
    token.is_unsigned = u_count || value > (token.is_wide ? (uint64_t)INT64_MAX : (uint64_t)INT32_MAX);
    token.is_decimal = at == digits_end && (base == 10 || value == 0);
    return token;
}

bool es_lexer_character(const char **at, uint64_t *value)
{
    static const char letters[] = "abfnrtv\\'\"?";
    static const char meanings[] = "\a\b\f\n\r\t\v\\'\"?";
    const char *p = *at;
    if (*p == 0 || *p == '\n')
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
    bool good = *at != '\'' && es_lexer_character(&at, &token.value) && *at == '\'';
    if (good)
        at++;
    else
        at = token.start + 1;
    lexer->at = at;
    token.length = (size_t)(at - token.start);
    if (!good)
        return bad(lexer, &token, "write one character: 'a', '\\n', '\\x1b' or '\\0'",
                   "this is not a character constant");
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
    static const struct {
        char text[4];
        int sign;
    } signs[] = {
        {"<<=", ES_SIGN_ASSIGN_OP}, {">>=", ES_SIGN_ASSIGN_OP}, {"&&", ES_SIGN_LOGAND},    {"||", ES_SIGN_LOGOR},
        {"==", ES_SIGN_EQ},         {"!=", ES_SIGN_NE},         {"<=", ES_SIGN_LE},        {">=", ES_SIGN_GE},
        {"<<", ES_SIGN_SHL},        {">>", ES_SIGN_SHR},        {"->", ES_SIGN_ARROW},     {"++", ES_SIGN_INCREMENT},
        {"--", ES_SIGN_DECREMENT},  {"+=", ES_SIGN_ASSIGN_OP},  {"-=", ES_SIGN_ASSIGN_OP}, {"*=", ES_SIGN_ASSIGN_OP},
        {"/=", ES_SIGN_ASSIGN_OP},  {"%=", ES_SIGN_ASSIGN_OP},  {"&=", ES_SIGN_ASSIGN_OP}, {"|=", ES_SIGN_ASSIGN_OP},
        {"^=", ES_SIGN_ASSIGN_OP},  {"..", ES_SIGN_RANGE},
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
    if (token.length == 1 && !strchr("(){}[]<>=!~+-*/%&|^,;:.\\?@", *token.start))
        return bad(lexer, &token, NULL, "this character does not belong in a statement");
    return token;
}

/* --- C++'s names -------------------------------------------------------------------------------------------------- */

/* Is the text up to `length`, and not only without its last brackets, a name of the program? */
static bool is_spelt(const es_lexer *lexer, const char *start, size_t length)
{
    return es_symbols_spells(lexer->symbols, start, length);
}

/* Bytes of one component of a name that began at `start`. Template arguments count when the program has them there, or
 * a name goes on after them: a < b is a comparison. */
static size_t component(const es_lexer *lexer, const char *start, const char *at)
{
    size_t length = *at == '~', all = es_cxx_component(at), before = (size_t)(at - start);
    if (*at == '{' || all == 0)
        return all;
    while (is_name_part(at[length]))
        length++;
    bool plain = all == length, scope = at[all] == ':' && at[all + 1] == ':' && all > length;
    return plain || scope || is_spelt(lexer, start, before + all) ? all : length;
}

/* Bytes of the name at `start`: components, and parameters that a procedure of the program has. */
static size_t name_length(const es_lexer *lexer, const char *start)
{
    const char *at = start + (start[0] == ':' ? 2 : 0);
    at += component(lexer, start, at);
    while (at[0] == ':' && at[1] == ':') {
        size_t length = component(lexer, start, at + 2);
        if (!length)
            break;
        at += 2 + length;
    }
    size_t parameters = *at == '(' ? es_cxx_group(at) : 0;
    if (parameters && is_spelt(lexer, start, (size_t)(at - start) + parameters)) {
        at += parameters;
        if (strncmp(at, " const", 6) == 0 && !is_name_part(at[6]))
            at += 6;
    }
    return (size_t)(at - start);
}

/* Does a name begin that no C name does: ::x, or ~X where that is a destructor? */
static bool at_cxx_name(const es_lexer *lexer)
{
    const char *at = lexer->at;
    if (at[0] == ':' && at[1] == ':')
        return is_name_start(at[2]);
    return at[0] == '~' && is_name_start(at[1]) && is_spelt(lexer, at, es_cxx_component(at));
}

es_token es_lexer_next(es_lexer *lexer)
{
    skip_space(lexer);
    es_token token = {.start = lexer->at};
    token.source = (es_source){lexer->file, lexer->line, (unsigned)(lexer->at - lexer->line_start) + 1};
    if (!*lexer->at) {
        token.kind = ES_TOKEN_END_OF_TEXT;
        return token;
    }
    if (is_name_start(*lexer->at) || at_cxx_name(lexer)) {
        token.kind = ES_TOKEN_NAME;
        token.length = name_length(lexer, token.start);
        lexer->at += token.length;
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
