/* Inside of what follows a procedure's code: what is known at each of its instructions. */
#ifndef ES_SYMBOLS_FOLLOW_H
#define ES_SYMBOLS_FOLLOW_H

#include "symbols/internal.h"

enum followed_kind {
    VALUE_NONE, /* this place was not reached yet */
    VALUE_UNKNOWN,
    VALUE_CONSTANT,
    VALUE_STACK,  /* stack pointer on entry + number */
    VALUE_RETURN, /* made of the return address on entry */
    VALUE_FRAME,  /* a place in the own frame plus something: an element of a local array */
};

typedef struct followed_value {
    uint8_t kind;
    uint32_t number;
} followed_value;

typedef struct followed_state {
    followed_value regs[32];
    uint32_t own; /* bit by register: what it holds was made from the stack pointer on entry, on every way */
} followed_state;

typedef struct followed {
    es_symbols *symbols;
    symbols_procedure *procedure;
    const es_isa *isa;
    uint32_t low, high;
    es_flow flow;            /* by the smallest instruction's size from low on: before the instruction */
    followed_state indirect; /* of all jumps through registers: what their targets start with */
    bool has_table;          /* data words point into the procedure: a switch's jump table */
} followed;

/* Follows what a procedure's first instruction leads to. False: it has no code, or too much. */
bool es_followed_begin(followed *f, es_symbols *symbols, symbols_procedure *procedure);
/* ... and what is left, which is reached in ways not seen here, or never: only calls and addresses matter there. */
void es_followed_rest(followed *f);

/* The instruction at an address of the procedure. False: it has none. */
bool es_followed_insn(const followed *f, uint32_t pc, es_insn *insn);
/* What is known before the instruction; all VALUE_NONE when no way leads there. */
const followed_state *es_followed_at(const followed *f, uint32_t pc);
/* The same, with the stack pointer from the CFI where merging ways has lost it. */
followed_state es_followed_anchored(const followed *f, uint32_t pc);
/* rs1 + imm. */
followed_value es_followed_sum(const followed_state *s, es_insn insn);
/* Whether what the instruction puts into rd is made from the stack pointer on entry. */
bool es_followed_makes_own(es_insn insn, const followed_state *s);
/* The target of a jump, branch or call; false when it is only known at run time. */
bool es_followed_target(es_insn insn, uint32_t pc, const followed_state *s, uint32_t *target);

#endif
