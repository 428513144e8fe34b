/* What code does, seen from outside: its loads and stores in order, what it calls with which registers, and how it
 * ends. Of the IR by the interpreter; of the words by the RV32 model of tests/cpu. */
#ifndef TESTS_IR_COMPARE_H
#define TESTS_IR_COMPARE_H

#include "ir/interpret.h"

enum { IR_TRACE_MAX = 600 };

enum ir_effect { IR_LOADED, IR_STORED, IR_CALLED, IR_MISALIGNED, IR_RETURNED, IR_GONE, IR_AFTER, IR_LOST };

typedef struct ir_trace {
    const struct ir_trace *like; /* the run to be compared with: which registers count. NULL: this is the first */
    uint32_t seed;               /* chooses registers at the beginning, what loads give, what routines give */
    /* what a routine leaves in registers that it spoils: other values than in the run to be compared with */
    uint32_t garbage;
    struct {
        enum ir_effect effect;
        uint32_t at, value, meant;
    } effects[IR_TRACE_MAX]; /* value: what is stored, a hash of the registers that are taken, those of
                                `meant` */
    size_t count;
    bool full;             /* what follows is not noted */
    uint32_t takes;        /* registers that count where it went on */
    bool words;            /* it is a run of words */
    uint32_t left[32];     /* what routines have left in registers that they spoil */
    uint32_t loads, calls; /* so far */
    uint32_t spills[256];  /* RAM from code->spill on: not seen from outside */
} ir_trace;

/* Runs the code from a label or ES_IR_FIRST on. */
void ir_trace_interpret(ir_trace *trace, const es_ir_code *code, uint32_t label);

/* The same of its words, after es_ir_finish, beside a run of the IR, trace->like. */
void ir_trace_words(ir_trace *trace, const es_ir_code *code, uint32_t label);

/* NULL: the same; else how they differ. */
const char *ir_trace_differ(const ir_trace *a, const ir_trace *b);

#endif
