/* What the files of the statement parser share. Private to host/lang.
 *
 * Every function that can fail tells its error itself, once, and returns NULL or false; callers only pass that on. Checking happens while
 * parsing: a tree that exists is a checked one.
 */
#ifndef ES_LANG_PARSER_H
#define ES_LANG_PARSER_H

#include "base/arena.h"
#include "lang/lexer.h"
#include "lang/statement.h"

#define ES_LANG_NESTING_MAX 64 /* parentheses and prefix operators inside each other */
#define ES_LANG_DEPTH_MAX 256  /* of an expression's tree; bounds the recursion of whoever walks it */

typedef struct es_parser {
    const es_symbols *symbols;
    es_arena *arena;
    es_program *program;
    es_statement *statement; /* being parsed */
    es_error *err;
    es_lexer lexer;
    es_token token;           /* the next one, not yet taken */
    const char *previous_end; /* end of the last token taken */
    unsigned nesting;
} es_parser;

/* A node and what only the checker needs to know of it. Every es_expr of a tree is the first member of one of these. */
typedef struct es_node {
    es_expr expr;
    const es_type *type; /* of a pointer; NULL: an integer */
    const char *end;     /* where its text ends */
    unsigned depth;
} es_node;

/* A place in the text: for messages about something longer than a token. */
typedef struct es_span {
    es_source source;
    const char *start;
} es_span;

/* --- parser.c: tokens --- */
es_span es_parser_here(const es_parser *parser);            /* where the next token stands */
void es_parser_take(es_parser *parser);                     /* goes on to the next token */
es_token es_parser_peek(const es_parser *parser);           /* the token after the next */
bool es_parser_at_sign(const es_parser *parser, int sign);  /* is the next token this sign? */
bool es_token_is(const es_token *token, const char *name);  /* is it this name? */

/* Error at the next token, about the span from `from` to the last token taken, or about a node. All return false. */
bool es_parser_fail(es_parser *parser, const char *hint, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool es_parser_fail_from(es_parser *parser, es_span from, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool es_parser_fail_node(es_parser *parser, const es_node *node, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* --- expression.c --- */
/* Parses an expression up to the first token that cannot go on with it. */
es_node *es_parse_expression(es_parser *parser);

/* Error about a token that cannot follow an expression; `wanted` says in words what could. Returns false. */
bool es_parser_fail_after_expression(es_parser *parser, const char *wanted);

/* --- unavailable.c --- */
/* If the next token begins something of the wider language that this version lacks, tells so and returns true. */
bool es_unavailable_prefix(es_parser *parser); /* where an operand or a statement begins */
bool es_unavailable_infix(es_parser *parser);  /* after an operand */
bool es_unavailable_action(es_parser *parser); /* where an action begins */

/* --- typing.c: nodes with C's conversions applied and constants folded. NULL on errors, which they tell --- */
es_node *es_node_constant(es_parser *parser, es_span span, uint32_t value, bool is_signed);
es_node *es_node_reference(es_parser *parser, es_span span, size_t index, bool old);
es_node *es_node_write(es_parser *parser, es_span span, size_t index);
es_node *es_node_event(es_parser *parser, es_span span, enum es_expr_kind kind, const es_procedure *procedure);
es_node *es_node_unary(es_parser *parser, es_span span, int sign, es_node *operand);
es_node *es_node_binary(es_parser *parser, const es_token *sign, es_node *lhs, es_node *rhs);

/* --- reference.c --- */
/* Parses and resolves a reference at the next token (a name or a string); adds it to the statement unless it is there already.
 * *text: as written, without blanks. */
bool es_parse_reference(es_parser *parser, size_t *index, const char **text);

/* --- resolve.c --- */
/* The variable that a name means. `qualifier` is NULL, a procedure's name, or (is_file) a file's. Tells its error about the span. */
const es_variable *es_resolve_variable(es_parser *parser, es_span from, const char *qualifier, bool is_file, const char *name);
const es_procedure *es_resolve_procedure(es_parser *parser, es_span from, const char *name);
/* Fails when the variable cannot be followed: in a register, local of a recursive procedure or of an interrupt handler. */
bool es_check_observable(es_parser *parser, es_span from, const es_variable *variable);
/* "did you mean ...?" for an unknown name; NULL when nothing is near. */
const char *es_suggest(es_parser *parser, const char *name, bool procedures);

#endif
