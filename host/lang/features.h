/* Constructs beyond the smallest statements: each has a bit. */
#ifndef ES_LANG_FEATURES_H
#define ES_LANG_FEATURES_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "lang/source.h"

enum es_feature {
    ES_FEATURE_PATH,      /* references, enter, leave by a path of activations: es_path */
    ES_FEATURE_NESTED,    /* a path with f[k] */
    ES_FEATURE_RECURSIVE, /* a local of a recursive procedure, unless its path names all activations from main on */
    ES_FEATURE_INTERRUPT, /* a local of an interrupt handler */
    /* a local of optimised code that the stack holds for a part of its procedure only: es_variable.life */
    ES_FEATURE_LIFE,
    ES_FEATURE_SUBSTATE,   /* ES_EXPR_ACTIVE */
    ES_FEATURE_AT,         /* ES_EXPR_AT */
    ES_FEATURE_READ,       /* ES_EXPR_READ */
    ES_FEATURE_POINTER,    /* a reference through a pointer: es_reference.via */
    ES_FEATURE_INDEX,      /* a reference with an index that is not constant: es_reference.subscripts */
    ES_FEATURE_MISALIGNED, /* a reference that is not aligned, or a bit-field across words */
    ES_FEATURE_WIDE,       /* a 64-bit integer: references of 8 bytes, es_expr.type ES_VALUE_64 */
    ES_FEATURE_FLOAT,      /* float and double in comparisons and conversions (printing a float needs no feature) */
    ES_FEATURE_FLOAT_SUM,  /* + - * / of floats */
    ES_FEATURE_MULTIPLY,   /* ES_OP_MUL of what is not constant */
    ES_FEATURE_DIVIDE,     /* ES_OP_DIV, ES_OP_REM of what is not constant */
    ES_FEATURE_CHOICE,     /* ES_EXPR_CHOICE */
    ES_FEATURE_COUNTER,    /* ES_EXPR_COUNTER */
    ES_FEATURE_UNCHANGED,  /* ES_EXPR_UNCHANGED */
    ES_FEATURE_FOR,        /* es_condition.holds_for */
    ES_FEATURE_THEN,       /* ES_EVENT_THEN */
    ES_FEATURE_AND,        /* ES_EVENT_AND */
    ES_FEATURE_OR,         /* ES_EVENT_OR */
    ES_FEATURE_WITHIN,     /* es_event.within */
    ES_FEATURE_ELAPSED,    /* ES_EXPR_ELAPSED, ES_ITEM_ELAPSED */
    ES_FEATURE_AGE,        /* ES_EXPR_AGE, ES_ITEM_AGE */
    ES_FEATURE_EXPECT,     /* es_statement.expect */
    ES_FEATURE_PRINT,      /* ES_ITEM_COUNTER */
    ES_FEATURE_SET,        /* ES_ACTION_SET, ES_ACTION_DECREMENT */
    ES_FEATURE_ENABLE,     /* ES_ACTION_ENABLE, ES_ACTION_DISABLE, es_statement.disabled */
    ES_FEATURE_SNAPSHOT,   /* ES_ACTION_SNAPSHOT */
    ES_FEATURE_TRIGGER,    /* ES_ACTION_TRIGGER */
    ES_FEATURE_STOP,       /* ES_ACTION_STOP */
    ES_FEATURE_HALT,       /* ES_ACTION_HALT: needs the user's explicit flag besides */
    ES_FEATURE_COUNT,
};
#define ES_FEATURE(name) (UINT64_C(1) << ES_FEATURE_##name)
static_assert(ES_FEATURE_COUNT <= 64, "a set of features fits 64 bits");

/* Where a statement first uses a feature. */
typedef struct es_feature_use {
    enum es_feature feature;
    es_source source;
    size_t length;    /* of the text at source */
    const char *what; /* for messages: "fact\\n is a local of a recursive procedure (fact -> fact)"; NULL: the usual */
} es_feature_use;

#endif
