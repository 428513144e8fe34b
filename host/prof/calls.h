/* Which activations there are while a recording is executed: calls, returns, tail calls, interrupts, and stacks, each
 * of which is a task's.
 *
 * A return belongs to the activation that was called from there with the same stack pointer. Where the stack becomes
 * another one, execution goes on in the activation that was left with this stack pointer; where there is none, a stack
 * begins. What an interrupt or exception leads to lies above a *trap* on the stack that it came on. */
#ifndef ES_PROF_CALLS_H
#define ES_PROF_CALLS_H

#include "prof/code.h"

/* No addresses: what an activation has in place of its call. */
#define ES_PROF_NOWHERE UINT32_MAX       /* a stack begins with it */
#define ES_PROF_HANDLER (UINT32_MAX - 2) /* an interrupt or exception has led there */
#define ES_PROF_BEFORE (UINT32_MAX - 4)  /* it began before anybody looked */

/* What is counted: instructions, and clocks times 2^ES_REPLAY_PACE_BITS. */
typedef struct es_prof_cost {
    uint64_t instructions, clocks;
} es_prof_cost;

enum es_prof_frame_kind { ES_PROF_ACTIVATION, ES_PROF_TRAP };

typedef struct es_prof_frame {
    enum es_prof_frame_kind kind;
    uint32_t procedure;       /* of an activation */
    uint32_t site;            /* the instruction that called or jumped, or one of the above */
    uint32_t resume;          /* where it returns to; a trap: where it came */
    uint32_t sp;              /* the stack pointer when it began */
    uint32_t cause;           /* a trap's, as in mcause */
    bool tail;                /* returns where the activation below it does */
    bool outermost;           /* the procedure has no activation below it, down to the next trap */
    uint32_t before;          /* ... else or beyond that: what es_prof_stack.active was before */
    es_prof_cost begin, away; /* when it began; since then, in interrupts and other tasks */
    uint32_t node;            /* its path: of the profile where that keeps paths, else for the hearer to set */
} es_prof_frame;

typedef struct es_prof_stack {
    es_prof_frame *frames;
    size_t count, room;
    uint32_t *active;  /* by procedure: the number, from 1, of its outermost activation's frame; 0: none */
    uint32_t root;     /* the procedure that it began with */
    size_t same;       /* so many stacks before it began with that, too */
    es_prof_cost left; /* when it was left last */
    es_prof_cost self; /* all that ran on it, but for interrupts */
    uint64_t times;    /* that it was gone on with, its begin with them */
    size_t traps;      /* frames of that kind */
} es_prof_stack;

struct es_prof_calls;

/* Who wants to know. Each may be NULL. The stack is the one that runs, frames are on top of it. */
typedef struct es_prof_hearer {
    void (*entered)(void *context, const struct es_prof_calls *calls, es_prof_frame *frame);
    /* before it is taken away; `cost`: what it and all that it called took. */
    void (*left)(void *context, const struct es_prof_calls *calls, const es_prof_frame *frame, es_prof_cost cost);
    /* the running activation begins anew: by a jump from `site`, in what it has called last of all */
    void (*again)(void *context, const struct es_prof_calls *calls, es_prof_frame *frame, uint32_t site);
    void (*switched)(void *context, const struct es_prof_calls *calls, size_t from, bool after_trap);
    void *context;
} es_prof_hearer;

typedef struct es_prof_calls {
    es_prof_code *code;
    const es_machine *machine;
    es_prof_hearer hearer;
    es_prof_stack *stacks;
    size_t stack_count, now;
    es_prof_cost total;       /* so far */
    const es_prof_cell *last; /* the instruction before; NULL: none, or a trap has come since */
    uint32_t last_pc, cause;
    uint32_t pc;        /* where execution arrives */
    uint32_t procedure; /* whose code runs */
    bool begun;         /* an activation is known, or execution begins with the first one */
    bool ending;        /* all activations end */
    bool unwinding;     /* those that end do not return: execution goes on further out */
    bool trapped;       /* an interrupt or exception was taken, and its handler not begun */
    size_t switching;   /* the stack may have become another one, when there were so many frames; 0: it has not */
} es_prof_calls;

void es_prof_calls_init(es_prof_calls *calls, es_prof_code *code, const es_machine *machine,
                        const es_prof_hearer *hearer);
void es_prof_calls_free(es_prof_calls *calls);

/* An instruction is fetched: before it is counted. */
void es_prof_arrive(es_prof_calls *calls, uint32_t pc, const es_prof_cell *cell);
/* An interrupt or exception was taken. cause: as in mcause. */
void es_prof_trap(es_prof_calls *calls, uint32_t cause);
/* All activations end: at a reset, and at the end. */
void es_prof_end_all(es_prof_calls *calls);

/* Whether es_prof_arrive has something to do. */
static inline bool es_prof_may_leave(const es_prof_calls *calls, const es_prof_cell *cell)
{
    return !calls->last || calls->last->kind != ES_PROF_PLAIN || cell->procedure != calls->procedure;
}

/* --- calls_frames.c --- */

es_prof_stack *es_prof_stack_now(es_prof_calls *calls);
es_prof_frame *es_prof_top(es_prof_calls *calls); /* NULL: there is none */
/* The number of the innermost trap's frame, from 1; 0: there is none. */
size_t es_prof_last_trap(const es_prof_stack *stack);
/* What is not given of the frame is filled in. */
void es_prof_push(es_prof_calls *calls, es_prof_frame frame);
/* The innermost frames end, until so many are left. */
void es_prof_pop_to(es_prof_calls *calls, size_t count);
void es_prof_switch_to(es_prof_calls *calls, size_t stack);
/* A stack that is empty, or a new one. */
size_t es_prof_free_stack(es_prof_calls *calls);

#endif
