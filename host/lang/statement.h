/* Monitoring statements as checked trees: what host/lang makes of text and host/image turns into tables and code. */
#ifndef ES_LANG_STATEMENT_H
#define ES_LANG_STATEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "symbols/symbols.h"

/* Where text stands. */
typedef struct es_source {
    const char *file; /* file name, or "-e" */
    unsigned line, column; /* 1 based; column counts bytes */
} es_source;

/* A reference to (part of) a state variable, resolved to one scalar of 1, 2 or 4 bytes. */
typedef struct es_reference {
    const char *text;             /* as the user wrote it: "plant.temp[2]" */
    const es_variable *variable;
    const es_type *type;          /* of the scalar */
    const es_procedure *frame;    /* NULL: address is absolute. Else the procedure whose frame holds it: address is the offset from its CFA */
    uint32_t address;             /* aligned to size; two's complement when it is an offset */
    uint8_t size;                 /* bytes of the scalar, or of a bit-field's storage unit: 1, 2 or 4 */
    uint8_t bit_offset, bit_size; /* bit-field; bit_size 0: none */
} es_reference;

enum es_expr_kind {
    ES_EXPR_CONST,     /* value */
    ES_EXPR_REFERENCE, /* references[index] of the statement */
    ES_EXPR_OLD,       /* value of references[index] before the event; equals the value where the event did not write it */
    ES_EXPR_ENTER,     /* 1 at the event "procedure entered", else 0 */
    ES_EXPR_LEAVE,     /* 1 at the event "procedure left", else 0 */
    ES_EXPR_WRITE,     /* 1 when the event is a write to references[index], else 0 */
    ES_EXPR_UNARY,     /* op lhs: '-' '~' '!' */
    ES_EXPR_BINARY,    /* lhs op rhs */
};

enum es_op {
    ES_OP_NEG, ES_OP_NOT, ES_OP_LOGNOT,
    ES_OP_ADD, ES_OP_SUB, ES_OP_AND, ES_OP_OR, ES_OP_XOR, ES_OP_SHL, ES_OP_SHR, /* SHR: arithmetic when the node is signed */
    ES_OP_EQ, ES_OP_NE, ES_OP_LT, ES_OP_LE, ES_OP_GT, ES_OP_GE,                 /* compared as signed or unsigned by operand_signed */
    ES_OP_LOGAND, ES_OP_LOGOR,
};

/* Every value is a 32-bit word; C's integer promotions and usual conversions for a 32-bit int are already done. */
typedef struct es_expr es_expr;
struct es_expr {
    enum es_expr_kind kind;
    enum es_op op;
    bool is_signed;        /* of the result */
    bool operand_signed;   /* comparisons: how the operands compare */
    uint32_t value;        /* CONST */
    size_t index;          /* REFERENCE, OLD, WRITE */
    const es_procedure *procedure; /* ENTER, LEAVE */
    es_expr *lhs, *rhs;
    es_source source;
};

enum es_action_kind {
    ES_ACTION_PRINT, /* a hit with the values of items; a bare `print` has been expanded to all the predicate reads, so none means none */
    ES_ACTION_COUNT, /* increment counter */
};

typedef struct es_print_item {
    const char *name; /* as shown: the reference's text, or "old(x)" */
    size_t index;     /* into references */
    bool old;
} es_print_item;

typedef struct es_action {
    enum es_action_kind kind;
    es_print_item *items; /* PRINT */
    size_t item_count;
    size_t counter;       /* COUNT: index into the program's counters */
} es_action;

typedef struct es_statement {
    const char *name;
    es_source source;
    const char *text; /* the statement as written, for messages */
    es_expr *predicate;
    es_reference *references; /* each distinct reference once, those of the predicate first. A union's members may share a place */
    size_t reference_count;
    size_t predicate_count;   /* how many of them the predicate names: writes to these are the statement's events */
    es_action *actions;
    size_t action_count;
} es_statement;

/* All statements of a run, in the order given; index = statement number in hits. */
typedef struct es_program {
    es_statement *statements;
    size_t statement_count;
    const char **counters; /* names, distinct */
    size_t counter_count;
    void *arena; /* private */
} es_program;

typedef struct es_text {
    const char *file; /* name shown in messages: a path, or "-e" */
    const char *text; /* NUL terminated */
} es_text;

/* Parses and checks statements against the target's symbols. Errors: ES_USAGE with file:line:column, the source line, a caret, and what
 * to write instead. Statements without a name get "s1", "s2", ... Unnamed `-e 'x > 3'` (a bare expression, no `when`, no braces) means
 * `when x > 3 { print }`. */
bool es_program_parse(const es_symbols *symbols, const es_text *texts, size_t count, es_program *program, es_error *err);
void es_program_free(es_program *program);

#endif
