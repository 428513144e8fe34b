/* Who decided that instructions were executed, while a run is looked at backwards. */
#ifndef ES_WHY_DECIDE_H
#define ES_WHY_DECIDE_H

#include "why/control.h"
#include "why/trace.h"

/* Somebody waits for the branch that decided about it. */
typedef struct es_why_undecided {
    size_t node;
    int64_t depth; /* of the activation in which it is looked for */
    const uint32_t *deciders;
    size_t count;
} es_why_undecided;

/* A return that was met, whose call comes later: the stack pointer at both is the same, or else these are two
 * stacks. */
typedef struct es_why_return {
    uint32_t sp;
    bool checked;
} es_why_return;

typedef struct es_why_decide {
    es_why_control *control;
    es_why_undecided *waiting;
    size_t count, size;
    int64_t depth; /* of the present activation; 0: the one of the end, less: who called it */
    es_why_return *returns;
    size_t return_count, return_size;
    bool lost;      /* another stack was met: nothing is decided from here back */
    bool undecided; /* somebody was not decided because of that, or since its code is not known */
} es_why_decide;

void es_why_decide_begin(es_why_decide *d, const es_symbols *symbols);
void es_why_decide_end(es_why_decide *d);

/* Who is executed in the present activation waits from now on. */
void es_why_decide_wait(es_why_decide *d, size_t node, uint32_t pc);

/* The trap after the instruction that comes next, with the stack pointer then. */
void es_why_decide_trap(es_why_decide *d, uint32_t sp);

/* The instruction before all that came so far: where it ends an activation, that is entered. To be called first. */
void es_why_decide_enter(es_why_decide *d, const es_isa *isa, es_insn insn, uint32_t sp);

/* Then: the nodes about which the instruction decided, one after the other; SIZE_MAX: no more. */
size_t es_why_decided(es_why_decide *d, uint32_t pc);

/* Last, of a call: who was executed in the activation that it began, without a branch there, waits for who decided
 * about the call. */
void es_why_decide_leave(es_why_decide *d, uint32_t pc);

#endif
