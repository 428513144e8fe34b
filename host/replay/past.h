/* Movements in a recording with what stops them: breakpoints and watchpoints, forwards and backwards, one instruction
 * or as many as it takes.
 *
 * Where they stop: at a breakpoint before the instruction with it, forwards and backwards. At a watchpoint forwards
 * before the instruction that makes the access, and backwards after it: as gdb expects it of RISC-V. Who has seen that
 * removes the watchpoint for one step, and knows what has changed. */
#ifndef ES_REPLAY_PAST_H
#define ES_REPLAY_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/isa.h"
#include "replay/timeline.h"

enum es_past_kind { ES_PAST_AT, ES_PAST_WRITES, ES_PAST_READS, ES_PAST_ACCESSES };

enum es_past_stop {
    ES_PAST_BREAK,   /* before an instruction with a breakpoint */
    ES_PAST_WATCH,   /* es_past.hit: which access */
    ES_PAST_STEPPED, /* the instruction is done, or undone */
    ES_PAST_BEGIN,   /* the recording has nothing before */
    ES_PAST_END,     /* ... nothing after this */
    ES_PAST_ASKED,   /* somebody wants it to stop */
    ES_PAST_WRONG,   /* the replay failed: es_past.error */
};

typedef struct es_past_point {
    enum es_past_kind kind;
    uint32_t address, size; /* size: of what is watched, in bytes; of a breakpoint any */
} es_past_point;

typedef struct es_past {
    es_timeline *timeline;
    es_machine *machine;
    const es_isa *isa;
    /* Steps take an interrupt and its handler, other tasks with it, as one with the instruction after which it came:
     * whoever steps, forwards or backwards, stays in the code that was interrupted. Where es_past_note tells of
     * instructions, a call of the kernel by an exception is one with the instruction that makes it. */
    bool over_interrupts;
    bool (*asked)(void *context); /* called all the time while it moves far: true ends it. May be NULL */
    void *asked_context;

    /* Instructions of which somebody wants to know when they are executed, `code_count` addresses that ascend: `met`
     * before each of them, `moved` after each stretch in which none was missed. Set by es_past_note. */
    const uint32_t *code;
    size_t code_count;
    void (*met)(void *context, uint64_t moment, uint32_t pc);
    void (*moved)(void *context, uint64_t from, uint64_t to);
    void *note_context;

    es_past_point hit; /* WATCH: the watchpoint's kind; address: the first byte of it that was accessed */
    es_error error;    /* WRONG */

    /* private */
    es_past_point *points;
    size_t point_count, watch_count;
    bool hit_any;
    struct {
        bool any, passes; /* passes: over_interrupts is about it */
        uint64_t moment;
        uint32_t resume;
    } trap; /* the last one since it was cleared, of those with `trap_stack` as stack pointer */
    bool trap_any_stack;
    uint32_t trap_stack;
    bool awaits; /* `awaited` has a mark, though it may be no breakpoint */
    uint32_t awaited;
} es_past;

/* At the recording's present moment. It belongs to the caller, as do timeline and instruction set. */
void es_past_init(es_past *past, es_timeline *timeline, const es_isa *isa);
void es_past_free(es_past *past);

/* Sets or removes a breakpoint or watchpoint; twice the same is one. False: one is to be removed that there is not, or
 * there are too many. */
bool es_past_point_set(es_past *past, es_past_point point, bool set);

/* From now on, tells of these instructions, until es_past_free: addresses that ascend and belong to the caller. */
void es_past_note(es_past *past, const uint32_t *code, size_t count,
                  void (*met)(void *context, uint64_t moment, uint32_t pc),
                  void (*moved)(void *context, uint64_t from, uint64_t to), void *context);

enum es_past_stop es_past_forward(es_past *past);
enum es_past_stop es_past_backward(es_past *past);
enum es_past_stop es_past_step(es_past *past);
enum es_past_stop es_past_step_back(es_past *past);

/* Forwards to where this instruction is the next one, with this stack pointer: STEPPED. Or what stops it before. */
enum es_past_stop es_past_await(es_past *past, uint32_t pc, uint32_t stack);
/* Backwards to this moment, which is before now: STEPPED. Or what stops it on the way there. */
enum es_past_stop es_past_back_to(es_past *past, uint64_t moment);

/* Forwards to a moment after now, only for what es_past_note wants to know: breakpoints do not stop it. */
enum es_past_stop es_past_look(es_past *past, uint64_t moment);

/* Goes to a moment, at most the recording's last one. */
enum es_past_stop es_past_go(es_past *past, uint64_t moment);

#endif
