/* The words of TINA's .net format. */
#ifndef ES_NET_TINA_LEXER_H
#define ES_NET_TINA_LEXER_H

#include "base/arena.h"
#include "base/error.h"

enum es_tina_token {
    ES_TINA_END,
    ES_TINA_NAME,    /* text: the name, without braces */
    ES_TINA_QUOTED,  /* the same, was in braces: no keyword */
    ES_TINA_ARROW,   /* -> */
    ES_TINA_MARK,    /* one of : ( ) [ ] , < > ? ! * -, in `mark` */
    ES_TINA_EARSHOT, /* # earshot: at the beginning of a line */
    ES_TINA_NEWLINE, /* ends what ES_TINA_EARSHOT began; elsewhere lines do not matter */
};

typedef struct es_tina_lexer {
    const char *file, *at, *end;
    const char *line_start;
    es_arena *arena; /* for names */
    es_error *err;
    unsigned line;
    bool in_comment; /* between ES_TINA_EARSHOT and ES_TINA_NEWLINE */
    /* the current token */
    enum es_tina_token token;
    const char *text;
    char mark;
    unsigned token_line, token_column;
} es_tina_lexer;

void es_tina_start(es_tina_lexer *lexer, const char *file, const char *bytes, size_t size, es_arena *arena,
                   es_error *err);

/* Moves to the next token. False with an error. */
bool es_tina_next(es_tina_lexer *lexer);

/* "file:line:column: error: ..." at the current token; false. */
bool es_tina_fail(const es_tina_lexer *lexer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The current token as it could stand in a message. */
const char *es_tina_shown(const es_tina_lexer *lexer);

#endif
