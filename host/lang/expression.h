/* State variables, places in the source, and expressions over them. */
#ifndef ES_LANG_EXPRESSION_H
#define ES_LANG_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lang/activations.h"
#include "lang/source.h"
#include "symbols/symbols.h"

/* --- places in the source ----------------------------------------------------------------------------------------- */

/* Code of a line. Execution is at it when it comes to one of the addresses. */
typedef struct es_position {
    const char *text; /* "control.c:42", "1:1:2\\5" */
    const char *file;
    unsigned line;
    const uint32_t *addresses; /* where the line's code begins: ascending, each the first of a row of instructions */
    size_t count;              /* >= 1 */
    const char *inlined;       /* the procedure of whose inlined copies these are the beginnings; NULL none */
} es_position;

/* --- state variables ---------------------------------------------------------------------------------------------- */

typedef struct es_expr es_expr;

/* Several references that a statement takes as one: an array, a struct, elements 3 to 9. */
typedef struct es_area {
    const char *text;      /* as the user wrote it: "buf[0..63]" */
    const size_t *members; /* their indices among the statement's references, in the order of their declaration */
    size_t count;          /* >= 1 */
} es_area;

/* A variable index: adds index * stride bytes to the address. Out of 0 .. count - 1 the variable does not exist. */
typedef struct es_subscript {
    const es_expr *index; /* a 32-bit value */
    uint32_t stride;
    uint32_t count; /* elements; 0: not bounded (through a pointer) */
} es_subscript;

/* A reference to (part of) a state variable, resolved to one scalar of 1, 2, 4 or 8 bytes. It exists while
 *  - an activation of `frame` (on `path` if there is one) does,
 *  - the pointer it goes through exists and is not 0,
 *  - its subscripts are in range.
 * When it does not exist a predicate that needs it cannot be evaluated. */
typedef struct es_reference {
    const char *text;             /* as the user wrote it: "plant.temp[2]"; with the prefix where it was factored out */
    const es_variable *variable;  /* NULL: goes through a pointer */
    const es_type *type;          /* of the scalar */
    const es_procedure *frame;    /* NULL: address is absolute. Else the procedure whose frame holds it: address is the
                                     offset from its CFA */
    uint32_t address;             /* aligned to size (8: to 4) unless ES_FEATURE_MISALIGNED; two's complement when it is
                                     an offset */
    uint8_t size;                 /* bytes of the scalar, or of a bit-field's storage unit: 1, 2, 4 or 8 */
    uint8_t bit_offset, bit_size; /* bit-field; bit_size 0: none */
    const es_path *path; /* NULL: of a local: whichever way its procedure was called (the innermost activation) */
    bool via;            /* through a pointer: `address` is an offset from the value of references[base] */
    size_t base;         /* < this reference's own index */
    const es_subscript *subscripts;
    size_t subscript_count;
} es_reference;

/* --- expressions -------------------------------------------------------------------------------------------------- */

enum es_expr_kind {
    ES_EXPR_CONST,     /* value */
    ES_EXPR_REFERENCE, /* references[index] of the statement */
    ES_EXPR_OLD,    /* value of references[index] before the event; equals the value where the event did not write it */
    ES_EXPR_ENTER,  /* 1 at the event "procedure entered" (on path if there is one), else 0 */
    ES_EXPR_LEAVE,  /* 1 at the event "procedure left" (on path if there is one), else 0 */
    ES_EXPR_WRITE,  /* 1 when the event is a write to references[index], else 0 */
    ES_EXPR_UNARY,  /* op lhs: '-' '~' '!' */
    ES_EXPR_BINARY, /* lhs op rhs */
    /* beyond the smallest statements: see the feature of each */
    ES_EXPR_READ,      /* 1 when the event is a read of references[index], else 0 */
    ES_EXPR_AT,        /* 1 when the event is execution coming to position (in an activation of path if there is one) */
    ES_EXPR_ACTIVE,    /* 1 while an activation of path exists; with `exact`, while it is the innermost of all */
    ES_EXPR_UNCHANGED, /* 1 at the event "references[index] has kept its value for duration": once, until it changes
                          again */
    ES_EXPR_AGE,       /* time since the last write to references[index] before this event: an ES_VALUE_TIME */
    ES_EXPR_ELAPSED,   /* time since the compound event began: an ES_VALUE_TIME */
    ES_EXPR_COUNTER,   /* value of counter `index`, an int */
    ES_EXPR_CONVERT, /* lhs converted to type and is_signed as C does: widened by its own sign, float to double, ... */
    ES_EXPR_CHOICE,  /* condition ? lhs : rhs; only the one that is chosen is evaluated */
};

enum es_op {
    /* clang-format off */
    ES_OP_NEG, ES_OP_NOT, ES_OP_LOGNOT,
    ES_OP_ADD, ES_OP_SUB, ES_OP_AND, ES_OP_OR, ES_OP_XOR,
    ES_OP_SHL, ES_OP_SHR,                               /* SHR: arithmetic when the node is signed */
    ES_OP_EQ, ES_OP_NE, ES_OP_LT, ES_OP_LE, ES_OP_GT, ES_OP_GE, /* compared as signed or unsigned by operand_signed */
    ES_OP_LOGAND, ES_OP_LOGOR,
    ES_OP_MUL, ES_OP_DIV, ES_OP_REM, /* of signed or unsigned by is_signed; by 0: cannot be evaluated */
    /* clang-format on */
};

/* The comparison that says the same with its operands exchanged; other operators as they are. */
static inline enum es_op es_op_turned(enum es_op op)
{
    switch (op) {
    case ES_OP_LT: return ES_OP_GT;
    case ES_OP_LE: return ES_OP_GE;
    case ES_OP_GT: return ES_OP_LT;
    case ES_OP_GE: return ES_OP_LE;
    default: return op;
    }
}

/* What a node's value is. */
enum es_value_type {
    ES_VALUE_32, /* an integer of 32 bits: all there is in the smallest statements */
    ES_VALUE_64, /* an integer of 64 bits */
    ES_VALUE_FLOAT,
    ES_VALUE_DOUBLE,
    ES_VALUE_TIME, /* a length of time, unsigned */
};

/* C's integer promotions and usual arithmetic conversions (int and long 32 bits, long long 64) are already done: both
 * operands of an operator have the same type and size, but shifts, whose right operand is 32 bits and counts modulo the
 * left one's size. && || ! and ?: take operands of any type and ask whether they differ from 0. Comparisons give an
 * int; their operands' type is lhs->type. */
struct es_expr {
    enum es_expr_kind kind;
    enum es_op op;
    bool is_signed;      /* of the result */
    bool operand_signed; /* comparisons: how the operands compare */
    bool exact;          /* ACTIVE */
    enum es_value_type type;
    uint32_t value; /* CONST of type 32 */
    union {
        uint64_t wide;    /* of type 64 */
        double number;    /* FLOAT, DOUBLE */
        es_duration time; /* TIME */
    } constant;           /* CONST of another type */
    es_duration duration; /* UNCHANGED */
    size_t index;         /* REFERENCE, OLD, WRITE, READ, UNCHANGED, AGE; COUNTER: into the program's counters */
    size_t area;          /* WRITE, READ: 1 + an area of the statement, any of whose members is meant; 0: just one */
    const es_procedure *procedure;   /* ENTER, LEAVE */
    const es_path *path;             /* ENTER, LEAVE, AT, ACTIVE */
    const es_position *position;     /* AT */
    const struct es_snapshot *shown; /* what a bare print shows instead of what the parts name; NULL: that */
    es_expr *lhs, *rhs, *condition;
    es_source source;
};

#endif
