/* Statements' text to tokens; and messages about them. */
#ifndef ES_LANG_LEXER_H
#define ES_LANG_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "lang/statement.h"

enum es_token_kind {
    ES_TOKEN_END_OF_TEXT,
    ES_TOKEN_BAD,    /* the error is already told */
    ES_TOKEN_NAME,   /* also with what C++ puts to it: Ring<int, 4>::push(int const&), ~X, operator+= */
    ES_TOKEN_NUMBER, /* decimal, hexadecimal, octal, binary or character constant */
    ES_TOKEN_FLOAT,  /* 1.5, 1e3, 1.5f */
    ES_TOKEN_TIME,   /* 5ms: a number with a unit on it */
    ES_TOKEN_STRING, /* "file name", for qualifiers only */
    ES_TOKEN_SIGN,   /* operators and punctuation: see sign */
};

/* Signs of several characters; those of one are their own code. */
enum es_sign {
    ES_SIGN_LOGAND = 256,
    ES_SIGN_LOGOR,
    ES_SIGN_EQ,
    ES_SIGN_NE,
    ES_SIGN_LE,
    ES_SIGN_GE,
    ES_SIGN_SHL,
    ES_SIGN_SHR,
    ES_SIGN_ARROW,
    ES_SIGN_INCREMENT,
    ES_SIGN_DECREMENT,
    ES_SIGN_ASSIGN_OP,
    ES_SIGN_RANGE,
};

typedef struct es_token {
    enum es_token_kind kind;
    int sign;
    const char *start; /* in the text */
    size_t length;
    es_source source;
    uint64_t value;   /* NUMBER */
    bool is_unsigned; /* NUMBER: of an unsigned type, by suffix or by size as in C */
    bool is_wide;     /* NUMBER: of 64 bits, by suffix or by size as in C */
    bool is_decimal;  /* NUMBER, FLOAT: digits alone, so a unit of time may follow */
    bool is_float;    /* FLOAT: of type float, by suffix */
    double number;    /* FLOAT */
    es_duration time; /* TIME */
} es_token;

typedef struct es_lexer {
    const char *file;
    const char *text; /* all of it */
    const char *at;   /* the next character */
    const char *line_start;
    unsigned line;
    es_error *err;
    const es_symbols *symbols; /* tell template arguments from comparisons */
} es_lexer;

void es_lexer_init(es_lexer *lexer, const es_symbols *symbols, const es_text *text, es_error *err);

/* The time that `digits`, as 12 or 1.5, makes of a unit: ns, us, ms, s, cycles. *message: what is wrong, when it is
 * false. `unit` of none of these is wrong with *message NULL. */
bool es_lexer_time(const char *digits, size_t length, const char *unit, size_t unit_length, es_duration *time,
                   const char **message);

/* One character or escape sequence of a constant, at *at, which goes on after it. False when it is malformed. */
bool es_lexer_character(const char **at, uint64_t *value);

/* The next token. Copying the lexer and asking the copy looks ahead. */
es_token es_lexer_next(es_lexer *lexer);

/* Tells an error about `length` bytes at `where`, which stands at `source` in `text`:
 *     file:line:column: error: message
 *       the source line
 *             ^~~~
 *     hint: what to write instead
 * `hint` may be NULL. Returns false. */
bool es_lang_fail(es_error *err, const char *text, es_source source, size_t length, const char *hint,
                  const char *format, ...) __attribute__((format(printf, 6, 7)));

#endif
