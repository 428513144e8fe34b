/* The text format of machines, line by line: docs/infer.md. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "infer/machine.h"
#include "infer/parse.h"

/* --- tokens ---------------------------------------------------------------------------------------------------- */

bool es_infer_parse_fail(es_infer_parser *p, const char *at, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!p->failed) {
        const char *end = at + strcspn(at, "\r\n");
        int length = (int)(end - p->line_start), column = (int)(at - p->line_start);
        if (length > 160)
            length = column < 160 ? 160 : 0;
        if (length)
            es_fail(p->err, ES_USAGE, "%s:%u:%d: error: %s\n  %.*s\n  %*s", p->file, p->line, column + 1, text, length,
                    p->line_start, column + 1, "^");
        else
            es_fail(p->err, ES_USAGE, "%s:%u:%d: error: %s", p->file, p->line, column + 1, text);
    }
    p->failed = true;
    return false;
}

static void skip_blanks(es_infer_parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')
        p->at++;
    if (*p->at == '#')
        p->at += strcspn(p->at, "\n");
}

bool es_infer_parse_end(es_infer_parser *p)
{
    skip_blanks(p);
    return *p->at == '\n' || *p->at == 0;
}

bool es_infer_parse_take(es_infer_parser *p, const char *sign)
{
    skip_blanks(p);
    size_t length = strlen(sign);
    if (strncmp(p->at, sign, length) != 0 || (isalnum((unsigned char)*sign) && es_infer_is_name(p->at[length])))
        return false;
    p->at += length;
    return true;
}

bool es_infer_is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':';
}

/* What stands between two quotes. */
static bool take_quoted(es_infer_parser *p, char quote)
{
    const char *begin = p->at++;
    size_t length = 0;
    while (*p->at && *p->at != quote && *p->at != '\n') {
        if (*p->at == '\\' && p->at[1] && p->at[1] != '\n')
            p->at++;
        if (length == sizeof p->word - 1)
            return es_infer_parse_fail(p, begin, "texts have at most %zu bytes", sizeof p->word - 1);
        p->word[length++] = *p->at++;
    }
    p->word[length] = 0;
    if (*p->at != quote)
        return es_infer_parse_fail(p, begin, "the text does not end: a %c is missing", quote);
    p->at++;
    return true;
}

bool es_infer_parse_name(es_infer_parser *p, const char *what)
{
    skip_blanks(p);
    if (*p->at == '"') {
        const char *begin = p->at;
        if (!take_quoted(p, '"'))
            return false;
        return *p->word || es_infer_parse_fail(p, begin, "a name is empty");
    }
    const char *begin = p->at;
    while (es_infer_is_name(*p->at))
        p->at++;
    size_t length = (size_t)(p->at - begin);
    if (length == 0 || isdigit((unsigned char)*begin))
        return es_infer_parse_fail(p, begin, "here should be %s", what);
    if (length >= sizeof p->word)
        return es_infer_parse_fail(p, begin, "names have at most %zu bytes", sizeof p->word - 1);
    memcpy(p->word, begin, length);
    p->word[length] = 0;
    return true;
}

/* --- conditions and assignments -------------------------------------------------------------------------------- */

static bool take_number(es_infer_parser *p, int64_t *number)
{
    skip_blanks(p);
    const char *digits = *p->at == '-' ? p->at + 1 : p->at;
    if (!isdigit((unsigned char)*digits))
        return es_infer_parse_fail(p, p->at, "here should be a number");
    char *end;
    errno = 0;
    long long value = strtoll(p->at, &end, digits[0] == '0' && (digits[1] | 32) == 'x' ? 16 : 10);
    if (errno || es_infer_is_name(*end))
        return es_infer_parse_fail(p, p->at, "this is no number of 64 bits with sign");
    *number = es_infer_number_value(value);
    p->at = end;
    return true;
}

static bool take_operand(es_infer_parser *p, es_infer_operand *operand)
{
    skip_blanks(p);
    const char *begin = p->at;
    if (*p->at == '\'') {
        if (!take_quoted(p, '\''))
            return false;
        *operand = (es_infer_operand){.value = es_infer_text_value(&p->model->words, p->word, strlen(p->word))};
        return true;
    }
    if (*p->at == '-' || isdigit((unsigned char)*p->at)) {
        *operand = (es_infer_operand){0};
        return take_number(p, &operand->value);
    }
    bool variable = es_infer_parse_take(p, "$");
    if (!es_infer_parse_name(p, "a field, a $variable, a number or a 'text'"))
        return false;
    uint32_t index = variable ? es_infer_variable(p->model, p->machine, p->word)
                              : es_infer_field_number(&p->model->words, p->word, strlen(p->word), true);
    if (index == ES_INFER_NONE)
        return es_infer_parse_fail(p, begin, "there are too many %s: at most %u", variable ? "variables" : "fields",
                                   variable ? ES_INFER_VARIABLES_MAX : ES_INFER_FIELDS_MAX);
    *operand = (es_infer_operand){.source = variable ? ES_INFER_VARIABLE : ES_INFER_FIELD, .index = index};
    bool plus = es_infer_parse_take(p, "+"), minus = !plus && *p->at == '-' && p->at[1] != '>';
    if (minus)
        p->at++;
    if (!plus && !minus)
        return true;
    int64_t by = 0;
    if (!take_number(p, &by))
        return false;
    operand->value = minus ? (int64_t)(0 - (uint64_t)by) : by;
    return true;
}

static bool add_test(es_infer_parser *p, const char *at, es_infer_test test)
{
    if (p->test_count == ES_INFER_TESTS_MAX)
        return es_infer_parse_fail(p, at, "a condition has at most %u parts", ES_INFER_TESTS_MAX);
    p->tests[p->test_count++] = test;
    return true;
}

/* in (1, 2, 3) */
static bool parse_in(es_infer_parser *p, es_infer_operand left, const char *at)
{
    if (!es_infer_parse_take(p, "("))
        return es_infer_parse_fail(p, p->at, "here should be '(' and values with commas between them");
    for (uint32_t count = 0;; count++) {
        es_infer_operand right;
        if (!take_operand(p, &right) || !add_test(p, at, (es_infer_test){ES_INFER_EQ, left, right}) ||
            (count && !add_test(p, at, (es_infer_test){.op = ES_INFER_OR})))
            return false;
        if (es_infer_parse_take(p, ")"))
            return true;
        if (!es_infer_parse_take(p, ","))
            return es_infer_parse_fail(p, p->at, "here should be ',' or ')'");
    }
}

static bool parse_either(es_infer_parser *p, unsigned depth);

static bool parse_comparison(es_infer_parser *p, unsigned depth)
{
    static const struct {
        const char *sign;
        enum es_infer_op op;
    } signs[] = {{"==", ES_INFER_EQ}, {"!=", ES_INFER_NE}, {"<=", ES_INFER_LE},
                 {">=", ES_INFER_GE}, {"<", ES_INFER_LT},  {">", ES_INFER_GT}};
    skip_blanks(p);
    const char *at = p->at;
    if (depth > ES_INFER_TESTS_MAX)
        return es_infer_parse_fail(p, at, "the condition is nested too deep");
    if (es_infer_parse_take(p, "not"))
        return parse_comparison(p, depth + 1) && add_test(p, at, (es_infer_test){.op = ES_INFER_NOT});
    if (es_infer_parse_take(p, "("))
        return parse_either(p, depth + 1) &&
               (es_infer_parse_take(p, ")") || es_infer_parse_fail(p, p->at, "here should be ')'"));
    es_infer_test test = {0};
    if (!take_operand(p, &test.left))
        return false;
    if (es_infer_parse_take(p, "in"))
        return parse_in(p, test.left, at);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (es_infer_parse_take(p, signs[i].sign)) {
            test.op = signs[i].op;
            return take_operand(p, &test.right) && add_test(p, at, test);
        }
    return es_infer_parse_fail(p, p->at, "here should be ==, !=, <, <=, >, >= or in (...)");
}

static bool parse_both(es_infer_parser *p, unsigned depth)
{
    if (!parse_comparison(p, depth))
        return false;
    while (es_infer_parse_take(p, "and"))
        if (!parse_comparison(p, depth) || !add_test(p, p->at, (es_infer_test){.op = ES_INFER_AND}))
            return false;
    return true;
}

static bool parse_either(es_infer_parser *p, unsigned depth)
{
    if (!parse_both(p, depth))
        return false;
    while (es_infer_parse_take(p, "or"))
        if (!parse_both(p, depth) || !add_test(p, p->at, (es_infer_test){.op = ES_INFER_OR}))
            return false;
    return true;
}

bool es_infer_parse_condition(es_infer_parser *p)
{
    return parse_either(p, 0);
}

bool es_infer_parse_assignments(es_infer_parser *p)
{
    do {
        es_infer_update update;
        skip_blanks(p);
        const char *at = p->at;
        if (!es_infer_parse_take(p, "$") || !es_infer_parse_name(p, "a variable"))
            return es_infer_parse_fail(p, at, "here should be a $variable");
        update.variable = es_infer_variable(p->model, p->machine, p->word);
        if (update.variable == ES_INFER_NONE || p->update_count == ES_INFER_VARIABLES_MAX)
            return es_infer_parse_fail(p, at, "there are too many variables: at most %u", ES_INFER_VARIABLES_MAX);
        if (!es_infer_parse_take(p, "="))
            return es_infer_parse_fail(p, p->at, "here should be '='");
        if (!take_operand(p, &update.from))
            return false;
        p->updates[p->update_count++] = update;
    } while (es_infer_parse_take(p, ","));
    return true;
}
