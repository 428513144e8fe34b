/* Predicates of 32-bit variables as code for interpreter.S. */
#ifndef TESTS_BYTECODE_THREADED_H
#define TESTS_BYTECODE_THREADED_H

#include "lang/statement.h"

enum threaded_op {
    /* clang-format off */
    THREADED_NO, THREADED_YES, THREADED_HIT, THREADED_FIRST, THREADED_LOAD, THREADED_CONSTANT, THREADED_PLUS, THREADED_MINUS,
    THREADED_AND, THREADED_OR, THREADED_XOR, THREADED_COMPARE_CONSTANT, /* 6 of them: == != < >= > <= */
    THREADED_COMPARE_TOP = THREADED_COMPARE_CONSTANT + 6, THREADED_BEGIN = THREADED_COMPARE_TOP + 6, THREADED_OPS
    /* clang-format on */
};

typedef struct threaded {
    const uint32_t *handlers; /* their addresses by operation */
    const es_reference *references;
    uint32_t variables; /* the address that s2 stands for */
    bool direct;        /* the only variable is what the event wrote */
    uint16_t *at;       /* the code ... */
    uint16_t base;      /* ... and the address that it is run at */
    size_t count, room; /* halfwords */
} threaded;

/* Translates a predicate: comparisons of sums, differences and bits, joined by && and ||. Constants have 16 bits.
 * False: something else is in it, or there is no room. */
bool threaded_translate(threaded *code, const es_expr *predicate);

#endif
