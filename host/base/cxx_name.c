#include "base/cxx_name.h"

#include <string.h>

#define DEPTH_MAX 64 /* of brackets inside each other */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

static size_t word(const char *text)
{
    size_t length = 0;
    while (is_word(text[length]))
        length++;
    return length;
}

static bool is(const char *text, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(text, wanted, length) == 0;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static size_t blanks(const char *text)
{
    return strspn(text, " \t");
}

static bool joins(const char *text)
{
    return text[0] == ':' && text[1] == ':';
}

/* --- components --------------------------------------------------------------------------------------------------- */

static size_t group(const char *text, unsigned depth)
{
    static const char open[] = "(<{[", close[] = ")>}]";
    const char *kind = *text ? strchr(open, *text) : NULL;
    if (!kind || depth > DEPTH_MAX)
        return 0;
    char end = close[kind - open];
    for (size_t at = 1; text[at] && text[at] != '\n';) {
        if (text[at] == end)
            return at + 1;
        bool arrow = text[at] == '-' && text[at + 1] == '>';
        /* inside of parentheses < and > are operators as well, and matter less */
        bool inner = strchr("({[", text[at]) || (text[at] == '<' && (end == '>' || end == '}'));
        size_t length = inner ? group(text + at, depth + 1) : arrow ? 2 : 1;
        if (!length)
            return 0;
        at += length;
    }
    return 0;
}

size_t es_cxx_group(const char *text)
{
    return group(text, 0);
}

/* What stands after `operator`: a sign, or a type or word after a blank. */
static size_t operator_rest(const char *text)
{
    static const char *const signs[] = {
        "()", "[]", "<=>", "->*", "<<=", ">>=", "->", "<<", ">>", "==", "!=", "<=", ">=",
        "&&", "||", "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "^=", "|=", "&=", "+",
        "-",  "*",  "/",   "%",   "^",   "&",   "|",  "~",  "!",  "=",  "<",  ">",  ","};
    size_t blank = blanks(text), at = blank;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (begins(text + at, signs[i]))
            return at + strlen(signs[i]);
    if (!blank || !word(text + at))
        return 0;
    /* new, delete[], or a type: words, scopes, template arguments, stars */
    while (is_word(text[at])) {
        at += word(text + at);
        if (text[at] == '<')
            at += group(text + at, 0);
        if (joins(text + at) && is_word(text[at + 2]))
            at += 2;
        else if (text[at] == ' ' && is_word(text[at + 1]))
            at++;
    }
    if (text[at] == '[' && text[at + 1] == ']')
        at += 2;
    return at + strspn(text + at, "*&");
}

size_t es_cxx_component(const char *text)
{
    size_t at = *text == '~', length;
    if (*text == '{' || begins(text, "(anonymous namespace)"))
        return joins(text + group(text, 0)) || *text == '(' ? group(text, 0) : 0;
    length = word(text + at);
    if (!length || (text[at] >= '0' && text[at] <= '9'))
        return 0;
    bool is_operator = is(text + at, length, "operator");
    at += length;
    if (is_operator)
        at += operator_rest(text + at);
    if (is_operator && text[at] == ' ' && text[at + 1] == '<') /* operator<< <int> */
        at++;
    if (text[at] == '<')
        at += group(text + at, 0);
    length = text[at] == '(' ? group(text + at, 0) : 0;
    size_t after = length && begins(text + at + length, " const") ? 6 : 0;
    if (length && joins(text + at + length + after))
        at += length + after;
    return at;
}

size_t es_cxx_scoped(const char *text)
{
    size_t at = joins(text) ? 2 : 0, end = 0, length;
    while ((length = es_cxx_component(text + at)) > 0) {
        end = at + length;
        if (!joins(text + end))
            break;
        at = end + 2;
    }
    return end;
}

const char *es_cxx_last(const char *name)
{
    size_t at = joins(name) ? 2 : 0, length;
    while ((length = es_cxx_component(name + at)) > 0 && joins(name + at + length))
        at += length + 2;
    return name + at;
}

/* --- normal form -------------------------------------------------------------------------------------------------- */

/* A type's or name's words on the way to its normal form. */
typedef struct spelling {
    bool is_const, is_volatile, is_unsigned, is_signed, integer;
    unsigned longs, shorts, chars;
} spelling;

/* Takes a word that says something about a type and stands alone. */
static bool take_word(spelling *s, const char *text, size_t length)
{
    if (is(text, length, "const"))
        return s->is_const = true;
    if (is(text, length, "volatile"))
        return s->is_volatile = true;
    if (is(text, length, "struct") || is(text, length, "class") || is(text, length, "union") ||
        is(text, length, "enum") || is(text, length, "typename"))
        return true;
    bool known = true;
    if (is(text, length, "unsigned"))
        s->is_unsigned = true;
    else if (is(text, length, "signed"))
        s->is_signed = true;
    else if (is(text, length, "long"))
        s->longs++;
    else if (is(text, length, "short"))
        s->shorts++;
    else if (is(text, length, "char"))
        s->chars++;
    else
        known = is(text, length, "int");
    s->integer |= known;
    return known;
}

static void add_integer(es_text_buffer *out, const spelling *s)
{
    const char *name = s->chars ? "char" : s->shorts ? "short" : s->longs > 1 ? "long long" : s->longs ? "long" : "int";
    es_text_format(out, "%s%s", s->is_unsigned ? "unsigned " : s->is_signed && s->chars ? "signed " : "", name);
}

static void normal(es_text_buffer *out, const char *text, const char *end, unsigned depth);

/* Adds one component of a name; returns what is after it. */
static const char *add_component(es_text_buffer *out, const char *at, const char *end, unsigned depth)
{
    if (*at == '~')
        es_text_add(out, at++, 1);
    size_t length = word(at);
    bool number = *at >= '0' && *at <= '9';
    while (number && length > 1 && strchr("uUlL", at[length - 1])) /* 4u is 4 */
        length--;
    es_text_add(out, at, length);
    at += number ? word(at) : length;
    if (length == 8 && strncmp(at - length, "operator", length) == 0 && at < end) {
        size_t rest = operator_rest(at), blank = blanks(at);
        if (rest > blank && is_word(at[blank])) {
            es_text_add(out, " ", 1);
            normal(out, at + blank, at + rest, depth + 1);
        } else if (rest) {
            es_text_add(out, at + blank, rest - blank);
        }
        at += rest;
    }
    size_t blank = blanks(at), inside = at[blank] == '<' ? group(at + blank, 0) : 0;
    if (inside && at + blank + inside <= end) {
        es_text_add(out, "<", 1);
        normal(out, at + blank + 1, at + blank + inside - 1, depth + 1);
        es_text_add(out, ">", 1);
        at += blank + inside;
    }
    return at;
}

/* Words and a name with its scopes, then const after it. */
static const char *add_type(es_text_buffer *out, const char *at, const char *end, unsigned depth)
{
    spelling s = {0};
    bool named = false;
    const char *last = at;
    for (;;) {
        size_t length = word(at);
        if (at < end && length && take_word(&s, at, length)) {
            at += length;
        } else if (at < end && (length || (*at == '~' && word(at + 1))) && !named && !s.integer) {
            at = add_component(out, at, end, depth);
            named = true;
        } else {
            break;
        }
        last = at;
        while (joins(at) && at < end && named) {
            es_text_add(out, "::", 2);
            at += 2;
            last = at = is_word(*at) || *at == '~' ? add_component(out, at, end, depth) : at;
        }
        at += blanks(at);
        if (at > end)
            at = end;
    }
    if (!named && s.integer)
        add_integer(out, &s);
    if (s.is_const)
        es_text_add(out, " const", 6);
    if (s.is_volatile)
        es_text_add(out, " volatile", 9);
    return last > end ? end : last;
}

static void normal(es_text_buffer *out, const char *text, const char *end, unsigned depth)
{
    for (const char *at = text; at < end && depth < DEPTH_MAX;) {
        if (*at == ' ' || *at == '\t') {
            at++;
        } else if (begins(at, "(anonymous namespace)::") || begins(at, "{anonymous}::")) {
            at = strstr(at, "::") + 2;
        } else if (begins(at, "(void)")) {
            es_text_add(out, "()", 2);
            at += 6;
        } else if (is_word(*at) || (*at == '~' && is_word(at[1]))) {
            at = add_type(out, at, end, depth);
        } else {
            es_text_add(out, at++, 1);
        }
    }
}

void es_cxx_normal(es_text_buffer *out, const char *text, size_t length)
{
    normal(out, text, text + length, 0);
    es_text_add(out, "", 0);
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

/* Bytes of a component without its template arguments and parameters. */
static size_t bare(const char *component, size_t length)
{
    size_t at = component[0] == '~', name = word(component + at);
    if (component[0] == '{' || is(component + at, name, "operator"))
        return length;
    return at + name < length ? at + name : length;
}

static bool same_component(const char *wanted, size_t wanted_length, const char *name, size_t length)
{
    if (wanted_length == length && memcmp(wanted, name, length) == 0)
        return true;
    return bare(wanted, wanted_length) == wanted_length && bare(name, length) == wanted_length &&
           memcmp(wanted, name, wanted_length) == 0;
}

/* From a component on, are the two the same up to their ends? */
static bool same_rest(const char *wanted, const char *name)
{
    for (;;) {
        size_t w = es_cxx_component(wanted), n = es_cxx_component(name);
        if (!w || !n || !same_component(wanted, w, name, n))
            return false;
        wanted += w;
        name += n;
        if (!joins(wanted) || !joins(name))
            return !*wanted && !*name;
        wanted += 2;
        name += 2;
    }
}

enum es_cxx_match es_cxx_means(const char *wanted, const char *name)
{
    if (strcmp(wanted, name) == 0)
        return ES_CXX_WHOLE;
    if (joins(wanted))
        return same_rest(wanted + 2, name) ? ES_CXX_WHOLE : ES_CXX_NOT;
    if (same_rest(wanted, name))
        return ES_CXX_WHOLE;
    for (size_t length; (length = es_cxx_component(name)) > 0 && joins(name + length);) {
        name += length + 2;
        if (same_rest(wanted, name))
            return ES_CXX_PART;
    }
    return ES_CXX_NOT;
}

bool es_cxx_same_parameters(const char *wanted, const char *parameters)
{
    size_t length = group(parameters, 0);
    return strcmp(wanted, parameters) == 0 || is(parameters, length, wanted);
}
