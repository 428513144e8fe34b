/* The monitor process: its parts, from the lowest layer up; each calls those above it in this list only
 * (tests/cli/structure.py). No heap, no recursion; every loop is bounded by a table of the image or by a constant.
 * dispatch.S has what each hit runs; C has what is rare. */
#ifndef ES_FIRMWARE_H
#define ES_FIRMWARE_H

#include "state.h"

/* events.c: frames to the host */
void send_owed(void);            /* gap frames, as far as there is room */
void owe(uint32_t what);         /* a gap frame, OWED_* */
void settle_owed(uint32_t left); /* all but what of OWED_* is left */
void send_path(void);            /* path.S: what changed of it; there is room */
bool make_ready(uint32_t words); /* what goes before a HIT frame of 1 + words; false: it was dropped */
/* the hit's time is the last lost one's, and the first one's of a new gap */
void gap_add(struct gap *gap, uint32_t count);
void send_mark(void); /* the hit is a mark of the program */
void send_hello(void);
void send_status(void);
void send_fault(uint32_t fault, uint32_t detail) __attribute__((noreturn));

/* flush.c: the closing figures */
void flush_asked(void);
void flush_stopped(void); /* monitoring has ended: nothing is told any more but these */
void flush_step(void);
void flush_overloaded(void); /* steps of one that is under way, at the end of a gap: between hits that never cease */

/* slots.c: words whose address moves */
void slot_move(const struct es_mi_slot *slot, uint32_t base);
void slots_over(uint32_t first, uint32_t end);

/* pointers.c */
void pointers_update(uint32_t written, uint32_t gone);
void pointers_start(void);
uint32_t pointers_resting(uint32_t of); /* bits of those that rest */
void pointer_written(uint32_t written);
bool in_allocator(uint32_t pc);

/* dynamic.c: hits on words whose address moves */
void dynamic_hit(uint32_t cell_at, bool reads);
uint32_t slot_met(const struct es_mi_slot *slot, uint32_t i, bool all, bool allocator);
extern volatile uint32_t given_back;
void gather(uint32_t events, uint32_t index);
void frame_changed_in_c(uint32_t first, uint32_t end, uint32_t pointers);

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
void frames_interrupted(uint32_t pc); /* an interrupt came after the instruction at pc; before it is pushed */
void frames_resumed(void);            /* at an mret */
/* The CFAs of the outermost `depth` activations; lives: which pointers among their locals do not rest, NULL where there
 * are none; marks_at: where the marks of their locals go. */
void frames_save(uint32_t *to, uint32_t depth, uint32_t *lives, uint32_t marks_at);
void frames_rest(void); /* another task goes on: no frame is meant */
/* The other way; the activations are on the shadow stack, and NP is the innermost one's. */
void frames_restore(const uint32_t *from, uint32_t depth, const uint32_t *lives, uint32_t marks_at);
void frames_learn(const struct es_mi_procedure *procedure, uint32_t pc); /* a learning point is met, after pc */

/* stack.c: the shadow stack and NP */
void push(uint32_t site, const struct es_mi_procedure *procedure);
void push_interrupt(uint32_t site, const struct es_mi_procedure *procedure, struct interruption where);
/* Without an event: the innermost activation is gone; all above `entry`; all, and the path is known. */
void drop(void);
void drop_above(const struct activation *entry);
void drop_all(void);
void forget_beyond(void);           /* activations beyond the shadow stack */
bool pop_beyond(void);              /* the innermost one of them is gone; true: it was an interrupt's */
void pop_to_interrupt_beyond(void); /* all above the innermost interrupt among those that are recorded */
/* A list of statements, 0: none, whose hits are told to be at pc; the one of a procedure that is left. */
void run_list(uint32_t list_at, uint32_t pc);
void run_leave(const struct es_mi_procedure *procedure, uint32_t pc);
void leave_beyond(uint32_t pc); /* the same of the innermost activation beyond the shadow stack */
/* The procedure that is active once the innermost activation beyond it is gone; NULL: not known. */
const struct es_mi_procedure *beyond_caller(void);
bool may_be_beyond(uint32_t procedure_at);         /* false: surely none of its activations is beyond it */
void path_unknown(const struct activation *right); /* entries below `right` are still right */
void lose_stack(void);                             /* nothing is known of what is active */
void doubt_anchor(void); /* what runs is the code of header.anchor_at, whose path is always the same */

/* tasks.c: only in images with tasks, but for the first; flows.c: those that do not run */
void tasks_start(void);
void task_written_in_c(uint32_t value);
/* An interrupt has ended, whose activation stood at `ended`, with the mret at address; NULL: there was none. */
void task_mret(const struct activation *ended, uint32_t address);
/* Before a return from the procedure at pc to the address is followed; awaited: the innermost activation waits for it.
 * True: the target goes on with another task, whose innermost activation the return is from. */
#define TASK_OF_NONE 1u /* procedure_at: not known */
bool task_return(uint32_t address, bool awaited, uint32_t procedure_at, uint32_t pc);
void tasks_leave_all(void); /* all activations of the task that runs are gone, without an event */
/* A return at pc led to where a procedure begins. */
void task_begins_by_return(uint32_t pc);

/* switches.c: stacks that are switched by hand; only in images with header.switches */
void switches_met(uint32_t flags); /* an instruction with ES_MI_FETCH_SWITCH, ES_MI_FETCH_LONGJMP is executed */
void stack_switched(void);         /* the target may be on another stack */
bool switches_returned(void);      /* to where nobody waits; false: that says nothing of stacks */

/* doubt.c: after a loss on the bus */
void doubt_begin(void);
/* The word of a write or read is right from now on, as far as its lanes go. True: that was all that it is armed for. */
bool doubt_met(uint32_t cell_at);
/* Sets REG_EV_FLAGS for this hit of the statement; while `room` is without bound. */
void doubt_hit(uint32_t statement);

/* calls.c: calls and returns */
void called_at(uint32_t address, const struct es_mi_procedure *procedure, uint32_t site);
void called_in_c(const struct es_mi_procedure *procedure);
void tail_called(uint32_t address, const struct es_mi_procedure *procedure, struct interruption before);
void returned_to(uint32_t address, uint32_t inside_at, uint32_t pc);
void returned_in_c(uint32_t inside_at);

/* restart.c: the program starts anew */
void restarted(void);
void begin(void); /* as start_mode says */
void hush(void);  /* sets `hushed` after the shadow stack has changed in a way that may matter */

/* fetches.c */
void special_fetch(const struct es_mi_fetch *fetch);
void unusual_fetch(uint32_t cell);

/* background.c: what dispatch.S does not know itself */
void background(void);
void unusual(uint32_t cell);

/* start.c */
void start(void);

#endif
