/* What all parts of the monitor process share. */
#ifndef ES_FIRMWARE_STATE_H
#define ES_FIRMWARE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image.h"
#include "probe_defs.h"

#define FIRMWARE_VERSION 2u

/* One activation of the target on the shadow stack. */
struct activation {
    uint32_t site;           /* of the call (evidence.h); plus ES_SITE_TO_DO where its return is no plain one */
    uint16_t procedure_at;   /* es_mi_procedure, plus ES_MI_AWAITS_NONE */
    uint16_t caller_node_at; /* NP before the call */
};

/* What interface/image.h keeps in registers; the compiler uses them for nothing else (firmware/rules.mk). */
register volatile uint32_t *registers __asm__("s1");
register struct activation *top __asm__("s2");   /* first free entry of `stack` */
register struct activation *known __asm__("s4"); /* entries below this are the same in the host's copy of the path */
register struct activation *sent __asm__("s5");  /* where the host's copy ends */
register uint32_t room __asm__("s6");
register struct activation *stack_end __asm__("s7");
register const struct es_mi_node *node __asm__("s8"); /* NP; NULL: there are no nodes, or not known */
register uint32_t distance __asm__("s9");
register uint32_t busy __asm__("s10");
register uint32_t ram_pointer __asm__("tp");

#define BEYOND_DEPTH 256u  /* activations beyond the shadow stack whose procedures are recorded */
#define FRAMES_BEYOND 255u /* from so many on no frame is known */

#define RETURN_DISTANCE ((uint32_t)ES_SITE_RETURN)
#define RETURN_NEVER 5u /* no return address lies so far after a call site: returns come to C */

/* Instead of a call site: the root jumped there, nobody waits for a return. es.root_jump is the place. */
#define SITE_ROOT_JUMP 0xFFFFFFF3u /* the lowest of these */
/* ... a task began there, nobody waits for a return. */
#define SITE_TASK 0xFFFFFFF7u

/* Registers, by their offset in probe.def. One base pointer, so that each access is one instruction. */
#define REG(offset) (registers[(offset) / 4])

/* A soft core address from a table. */
#define AT(type, address) ((type *)(uintptr_t)(address))

#define HEADER AT(const struct es_mi_header, ES_IMAGE_BASE)
#define TASKS AT(const struct es_mi_tasks, HEADER->tasks_at)

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* struct state's stacks */
#define STACKS_JUMPED 1u   /* a longjmp was met since the last return that nobody waited for */
#define STACKS_SWITCHED 2u /* since the program began: a longjmp may go to another stack, too */

#define OWED_BUS 1u
#define OWED_EVENTS 2u
#define OWED_FLUSH 8u /* closing figures for which there was no room when a gap ended: hits give way to them */
#define OWED_GAPS (OWED_BUS | OWED_EVENTS)
#define OWED_DOUBT 4u /* no gap: transactions were lost, so each hit has to be asked what of it is certain */

/* What a loss of event frames or bus transactions still has to tell. */
struct gap {
    uint32_t count; /* 0: nothing to tell */
    uint32_t first_low, first_high, last_low, last_high;
    uint32_t cores; /* bit c: of core c; 0: not known */
};

/* Where an interrupt came: the instruction before it, with which what follows its mret is judged. */
struct interruption {
    uint32_t pc, insn;
};

struct state {
    /* the first ES_MI_CALM_WORDS words are what interface/routines.h says of them */
    uint32_t flags;                          /* HITF_*: of hits from now on; a copy of REG_EV_FLAGS */
    uint32_t beyond;                         /* activations beyond the shadow stack */
    uint32_t beyond_interrupts;              /* interrupts among those of them whose procedure is recorded, ... */
    uint32_t deep_interrupts;                /* ... and among the others */
    uint32_t beyond_mask;                    /* which procedures may be among them */
    uint32_t owed;                           /* OWED_*: which gaps the host has to be told */
    struct interruption beyond_interruption; /* of the innermost interrupt among them */
    uint32_t root_jump;                      /* address of the jump with which the root was left without a call */
    const struct activation *unknown_top;    /* with HITF_PATH_UNKNOWN: entries below this were right */
    struct interruption resume;              /* what counts as fetched before the mret that was fetched last */
    uint32_t dropped;                        /* event frames dropped */
    uint32_t flush;                          /* FLUSH_*: progress of a flush */
    uint32_t flush_index;
    uint32_t quiet;       /* records of the FIFO that have surely gone since the flush was asked for */
    uint32_t incomplete;  /* pending bytes that a flush has found */
    uint32_t stopped;     /* by `stop` */
    uint32_t begun;       /* the program's first instruction was seen, or it ran before */
    uint32_t waiting;     /* for that instruction: nothing counts before */
    uint32_t lost_before; /* transactions lost until then */
    uint32_t ends;        /* the flush tells deadlines, as of this time: */
    uint32_t end_low, end_high;
    struct gap bus, events;
    /* tasks.c; all 0 in an image without tasks */
    uint32_t task_pending;                /* the pointer names another task than the one that runs */
    uint32_t task;                        /* the pointer's value that names the task on whose stack the target runs */
    uint32_t task_pointer;                /* what was written last */
    const struct activation *task_inside; /* while pending: the innermost interrupt at that write; NULL: none */
    uint32_t tell_task;                   /* the host has to learn of `task` */
    uint32_t boot;                        /* what runs is the start-up code's stack, which was no task's so far */
    uint32_t task_resumed;                /* the mret that was fetched last went on with another task */
    struct es_mi_flow *task_to; /* record of the task that the pointer names since it was written last; NULL: none */
    /* of the start-up code's stack, when that was left before it was a task's; NULL: none */
    struct es_mi_flow *task_boot;
    struct es_mi_flow *task_free; /* the first free one; NULL: none */
    uint32_t refreshed;           /* when a word was written or read last that had been doubtful (doubt.c) */
    /* switches at which there was no record for the task that stopped running; in an image without tasks, of stacks by
     * hand */
    uint32_t tasks_lost;
    uint32_t stacks; /* STACKS_*; 0: all that the program has done so far was on one stack */
};

extern struct state es;
extern struct activation stack_and_end[1 + ES_MI_STACK_DEPTH];
/* by depth: where the interrupts came that the stack holds */
extern struct interruption interruptions[ES_MI_STACK_DEPTH];
#define stack (stack_and_end + 1) /* below it stands an entry that no return matches */

/* near.S: words that code reaches without a base register */
extern uint32_t control_pc, incomplete_at, unknown_at, gathering, start_mode;
extern uint8_t hushed;
extern uint16_t tells_at;
void run_frame(uint32_t code, uint32_t cfa);
uint32_t task_depth(const struct es_mi_flow *flow);     /* its `depth`, at a place that host/check knows */
void run_cell(uint32_t code) __attribute__((noreturn)); /* a word's code, from the main loop */

/* state.c */
void set_flags(uint32_t flags);
void set_busy(void);             /* after es.owed or es.flush has changed */
void doubt_nobodys(uint32_t by); /* evaluations that could not be made, of no statement in particular */

static inline const struct es_mi_procedure *procedure_of(const struct activation *entry)
{
    return AT(const struct es_mi_procedure, entry->procedure_at & ~(uint32_t)ES_MI_AWAITS_NONE);
}

/* Of interrupts, beginnings of tasks, and what the root jumped to. */
static inline bool awaits_none(const struct activation *entry)
{
    return entry->procedure_at & ES_MI_AWAITS_NONE;
}

/* A site as it is pushed, with bit 0 where no return is waited for: of an interrupt. */
static inline bool is_interrupt_site(uint32_t site)
{
    return site & ES_SITE_INTERRUPT && site < SITE_ROOT_JUMP;
}

static inline bool is_interrupt(const struct activation *entry)
{
    return awaits_none(entry) && is_interrupt_site(entry->site);
}

/* An activation waits for a return to here. */
static inline bool awaits(const struct activation *entry, uint32_t address)
{
    return !awaits_none(entry) && (entry->site & ~(uint32_t)ES_SITE_TO_DO) + RETURN_DISTANCE == address;
}

/* The site as it was pushed. */
static inline uint32_t pushed_site(const struct activation *entry)
{
    return awaits_none(entry) ? entry->site : entry->site & ~(uint32_t)ES_SITE_TO_DO;
}

/* Deadlines that have passed at a time; only where header.marks_at is not 0. */
static inline void tell_deadlines(uint32_t low, uint32_t high)
{
    ((void (*)(uint32_t, uint32_t))(uintptr_t)HEADER->marks_at)(low, high);
}

#endif
