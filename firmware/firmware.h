/* The monitor process: shared state and parts. No heap, no recursion; every loop is bounded by a table of the image
 * or by a constant. dispatch.S has what each hit runs; C has what is rare. */
#ifndef ES_FIRMWARE_H
#define ES_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image.h"
#include "probe_defs.h"

#define FIRMWARE_VERSION 2u

/* One activation of the target on the shadow stack. */
struct activation {
    uint32_t site;           /* call site plus ES_SITE_* in bits 1:0; the return address lies behind it */
    uint16_t procedure_at;   /* es_mi_procedure */
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

#define RETURN_DISTANCE 4u /* a return address lies so far behind its call site */
#define RETURN_NEVER 5u    /* no return address lies so far behind a call site: returns come to C */

/* Instead of a call site: the root jumped there, nobody waits for a return. es.root_jump is the place. */
#define SITE_ROOT_JUMP 0xFFFFFFF3u
/* ... a task began there, nobody waits for a return. */
#define SITE_TASK 0xFFFFFFF7u

/* Registers, by their offset in probe.def. One base pointer, so that each access is one instruction. */
#define REG(offset) (registers[(offset) / 4])

/* A soft core address from a table. */
#define AT(type, address) ((type *)(uintptr_t)(address))

#define HEADER AT(const struct es_mi_header, ES_IMAGE_BASE)

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

#define INSN_MRET 0x30200073u
#define INSN_RET 0x00008067u

/* struct state's stacks */
#define STACKS_JUMPED 1u   /* a longjmp was met since the last return that nobody waited for */
#define STACKS_SWITCHED 2u /* since the program began: a longjmp may go to another stack, too */

#define OWED_BUS 1u
#define OWED_EVENTS 2u
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
    uint32_t quiet;       /* passes without a hit since the flush was asked for */
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
    uint32_t tell_task;                   /* the host has to be told of `task` */
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

/* dispatch.S */
extern uint32_t control_pc, incomplete_at, unknown_at, gathering, hushed, start_mode;
void run_frame(uint32_t code, uint32_t cfa);
uint32_t task_depth(const struct es_mi_flow *flow); /* its `depth`, at a place that host/check knows */
void pop(void);
void run_cell(uint32_t code) __attribute__((noreturn)); /* a word's code, from the main loop */

/* events.c: frames to the host */
void send_owed(void);            /* gap frames, as far as there is room */
void owe(uint32_t what);         /* a gap frame, OWED_* */
bool make_ready(uint32_t words); /* what goes before a HIT frame of 1 + words; false: it was dropped */
/* the hit's time is the last lost one's, and the first one's of a new gap */
void gap_add(struct gap *gap, uint32_t count);
void send_mark(void); /* the hit is a mark of the program */
void send_hello(void);
void send_status(void);
void send_fault(uint32_t fault, uint32_t detail) __attribute__((noreturn));
void flush_asked(void);
void flush_stopped(void); /* monitoring has ended: nothing is told any more but the closing figures */
void flush_step(void);

/* background.c: what dispatch.S does not know itself */
void background(void);
void unusual(uint32_t cell);
void set_busy(void); /* after es.owed or es.flush has changed */

/* calls.c: shadow stack and NP */
void called_in_c(const struct es_mi_procedure *procedure);
void returned_in_c(uint32_t inside_at);
void special_fetch(const struct es_mi_fetch *fetch);
void unusual_fetch(uint32_t cell);
void forget_beyond(void); /* activations beyond the shadow stack */
void drop_all(void);      /* those of the shadow stack are gone, without an event; the path is known */

void lose_stack(void);   /* nothing is known of what is active */
void doubt_anchor(void); /* what runs is the code of header.anchor_at, whose path is always the same */

/* switches.c: stacks that are switched by hand; only in images with header.switches */
void switches_met(uint32_t flags); /* an instruction with ES_MI_FETCH_SWITCH, ES_MI_FETCH_LONGJMP is executed */
void stack_switched(void);         /* the target may be on another stack */
void switches_entered(const struct es_mi_procedure *procedure); /* with a frame, and NP is not known */
bool switches_returned(void); /* to where nobody waits; false: that says nothing of stacks */

/* doubt.c: after a loss on the bus */
void doubt_begin(void);
/* The word of a write or read is right from now on, as far as its lanes go. True: that was all that it is armed for. */
bool doubt_met(uint32_t cell_at);
/* Sets REG_EV_FLAGS for this hit of the statement; while `room` is without bound. */
void doubt_hit(uint32_t statement);

/* restart.c: the program starts anew */
void restarted(void);
void begin(void); /* as start_mode says */
void hush(void);  /* sets `hushed` after the shadow stack has changed in a way that may matter */

/* tasks.c: only in images with tasks, but for the first */
void tasks_start(void);
uint32_t task_words(void); /* of a TASK frame */
void send_task(void);
void task_written_in_c(void);
/* An interrupt has ended, whose activation stood at `ended`, with the mret at address; NULL: there was none. */
void task_mret(const struct activation *ended, uint32_t address);
/* Before a return from the procedure at pc to the address is followed; awaited: the innermost activation waits for it.
 * True: the target goes on with another task, whose innermost activation the return is from. */
#define TASK_OF_NONE 1u /* procedure_at: not known */
bool task_return(uint32_t address, bool awaited, uint32_t procedure_at, uint32_t pc);
void tasks_leave_all(void); /* all activations of the task that runs are gone, without an event */
/* A return at pc led to where a procedure begins. */
void task_begins_by_return(uint32_t pc);

/* slots.c: words whose address moves */
void slot_move(const struct es_mi_slot *slot, uint32_t base);
void slots_over(uint32_t first, uint32_t end);
void frame_changed_in_c(uint32_t first, uint32_t end, uint32_t pointers);
void dynamic_hit(uint32_t cell_at, bool reads);
uint32_t slot_met(const struct es_mi_slot *slot, uint32_t i, bool all, bool allocator);
extern volatile uint32_t given_back;
void gather(uint32_t events, uint32_t index);

/* pointers.c */
void pointers_update(uint32_t written, uint32_t gone);
void pointers_start(void);
uint32_t pointers_resting(uint32_t of); /* bits of those that rest */
void pointer_written(uint32_t written);
bool in_allocator(uint32_t pc);
/* frames.c: where activations' frames lie that no path fixes */
void frames_entered(const struct es_mi_procedure *procedure, uint32_t site); /* pushed, and NP is its own */
void frames_left(const struct es_mi_procedure *procedure);
uint32_t frames_innermost(void);    /* CFA of the innermost activation; 0: not known */
void frames_replaced(uint32_t cfa); /* the innermost activation is a tail call's, which took the frame's place */
void frames_doubt(const struct activation *right); /* entries from there on may be wrong */
void frames_entered_beyond(const struct es_mi_procedure *procedure);
void frames_left_beyond(const struct es_mi_procedure *procedure);
void frames_forget_beyond(void);
void frames_settle(void);
void copy_marks(uint32_t *to, const uint32_t *from, uint32_t words);
void frames_interrupted(uint32_t pc); /* an interrupt came behind the instruction at pc; before it is pushed */
void frames_resumed(void);            /* at an mret */
/* The CFAs of the outermost `depth` activations; lives: which pointers among their locals do not rest, NULL where there
 * are none; marks_at: where the marks of their locals go. */
void frames_save(uint32_t *to, uint32_t depth, uint32_t *lives, uint32_t marks_at);
void frames_rest(void); /* another task goes on: no frame is meant */
/* The other way; the activations are on the shadow stack, and NP is the innermost one's. */
void frames_restore(const uint32_t *from, uint32_t depth, const uint32_t *lives, uint32_t marks_at);
void frames_learn(const struct es_mi_procedure *procedure, uint32_t pc); /* a learning point is met, behind pc */

/* convert.c: for statements' code, through compute.S */
uint64_t number_of_integer(uint64_t value, uint32_t what);
uint64_t double_of_float(uint64_t value, uint32_t unused);
uint64_t float_of_double(uint64_t value, uint32_t unused);
uint64_t integer_of_double(uint64_t value, uint32_t what);
uint64_t number_arithmetic(uint64_t value, uint32_t what);
uint64_t wide_arithmetic(uint64_t value, uint32_t what);
extern uint64_t right_operand;

/* start.c */
void start(void);

/* Activations of interrupts. (The other odd sites have bit 1, too.) */
static inline bool is_interrupt(const struct activation *entry)
{
    return (entry->site & 3) == ES_SITE_INTERRUPT;
}

/* An activation waits for a return to here. Odd sites wait for none. */
static inline bool awaits(const struct activation *entry, uint32_t address)
{
    return (entry->site & ~(uint32_t)ES_SITE_TO_DO) + RETURN_DISTANCE == address;
}

/* Deadlines that have passed at a time; only where header.marks_at is not 0. */
static inline void tell_deadlines(uint32_t low, uint32_t high)
{
    ((void (*)(uint32_t, uint32_t))(uintptr_t)HEADER->marks_at)(low, high);
}

static inline void put(uint32_t word)
{
    REG(ES_REG_EV_DATA) = word;
}

/* Evaluations that could not be made, of no statement in particular. */
static inline void doubt_nobodys(uint32_t by)
{
    struct es_mi_doubts *doubts = AT(struct es_mi_doubts, unknown_at);
    doubts->unknown += by;
    doubts->nobodys += by;
}

void set_flags(uint32_t flags); /* background.c */

#endif
