/* The monitor image: static tables and code that the host builds for the firmware. Included by both.
 *
 * Little endian on both sides. Every address in a table is an absolute soft core address that fits 16 bits (`uint16_t`
 * named *_at or said so), because the soft core's memory ends at 64 KiB; 0 means none. Target addresses are 32 bits
 * wide. The image is loaded at ES_IMAGE_BASE. Memory from header.ram_at to the end is cleared by the firmware at its
 * start: counters, totals, frame cells, bytes of writes in parts. What is needed at the start only (rows, arm lists)
 * stands last in the image and may reach into it.
 *
 * Most of the image is RV32I code, entered through the cells of REG_HIT_CELL. Registers while it runs:
 *   s1  ES_REG_BASE                          s7  end of the shadow stack
 *   s2  top of the shadow stack              s8  NP: es_mi_node; 0: there are none, or not known
 *   s3  lanes of the write and what they     s9  what a return address lies after its call site, 4; 5: nothing matches
 *       complete; return of a list           s10 1: there is something to do besides hits
 *   s4  top of what the host knows of it     s11 which of the word's variables were completed in parts
 *   s5  top of what the host was sent        tp  header.ram_at + ES_MI_RAM_POINTER
 *   s6  words of room that a HIT frame needs at most; without bound when something is owed to the host
 * ra is where to go on: `pop` (interface/routines.h) unless a list called. sp is the firmware's. a0 to a7, t0 to t6 are
 * free. */
#ifndef ES_INTERFACE_IMAGE_H
#define ES_INTERFACE_IMAGE_H

#include <stdint.h>

#include "routines.h"

#define ES_MI_MAGIC 0x494D5345u /* "ESMI" */
#define ES_MI_VERSION 7u
#define ES_MI_ADDRESS_END 0x10000u /* addresses in tables are below */
#define ES_MI_STACK_DEPTH 64u      /* activations that the firmware's shadow stack holds */
#define ES_MI_EVENTS_MAX 16u       /* distinct events that one statement tells apart */
#define ES_MI_RAM_POINTER 0x800u   /* tp points so far into RAM: its first 4 KiB are in reach of loads and stores */

struct es_mi_header {
    uint32_t magic, version;
    uint32_t size;          /* bytes from the header's start, a multiple of 4 */
    uint32_t checksum;      /* es_mi_checksum over all words, this one taken as 0 */
    uint32_t window_base;   /* target address of phantom offset 0 */
    uint16_t ram_at;        /* words to clear ... */
    uint16_t ram_words;     /* ... and how many */
    uint16_t rows_at;       /* uint16_t for each row of data, then of fetches: what goes to ES_ROWS_BASE */
    uint16_t fetch_arms_at; /* arm list of the fetch plane */
    uint16_t fetch_arm_count;
    uint16_t data_arms_at; /* arm list of the data plane */
    uint16_t data_arm_count;
    uint16_t counters_at; /* in RAM: uint32_t per counter, then uint32_t total per statement */
    uint16_t counter_count;
    uint16_t statement_count;
    uint16_t root_at;       /* procedure of the entry symbol, or 0 */
    uint16_t root_node_at;  /* NP before the first call; 0: no nodes */
    uint16_t unknown_at;    /* in RAM: uint32_t, evaluations that met unknown memory */
    uint16_t incomplete_at; /* in RAM: uint32_t, assignments in parts that were torn or given up */
    uint16_t pending_at;    /* in RAM: a byte per variable: bits of its bytes that were written while others of the */
    uint16_t pending_words; /* same assignment are missing; how many words of such bytes */
    /* code that is run at each MARK_EPOCH and at a flush, or 0; a routine. a0, a1: the time, low and high word */
    uint16_t marks_at;
    /* code that is run when the program starts anew: what was begun is forgotten (host/image/tables/anew.h); a routine.
     * 0: there is nothing */
    uint16_t anew_at;
    uint16_t hush;       /* not 0: what start-up code writes is no event */
    uint16_t slots_at;   /* es_mi_slot, ... */
    uint16_t slot_count; /* ... so many; at most ES_MI_SLOTS_MAX */
    /* with slots: uint16_t for each routine that a write may run: its code, in the order of running */
    uint16_t order_at;
    uint16_t order_count;
    uint16_t gathered_at;     /* in RAM: uint32_t event bits per routine, then a bit per routine in words */
    uint16_t pointers_at;     /* es_mi_pointer, those before others that are reached through them ... */
    uint16_t pointer_count;   /* ... so many; at most ES_MI_POINTERS_MAX */
    uint16_t allocator_at;    /* es_mi_range of code, ... */
    uint16_t allocator_count; /* ... so many: what writes from there says that an object is gone */
    uint32_t allocator_first; /* all of them lie in the bytes from this target address on, ... */
    uint32_t allocator_size;  /* ... so many; 0: there are none */
    uint16_t moving_at;       /* es_mi_moving, ... */
    uint16_t moving_count;    /* ... so many */
    uint16_t tasks_at;        /* es_mi_tasks, or 0 */
    uint16_t switches;        /* ES_MI_SWITCHES_*; 0: no code switches stacks, or tasks tell them apart */
    /* code: what is done after calls and returns that came to C, and after marks, for what lasts while a path does
     * (host/image/tables/tells.h); a routine. 0: there is nothing */
    uint16_t tells_at;
    uint32_t window_size;   /* bytes of phantom memory */
    uint32_t root_cfa;      /* phantom address of the CFA of what the root calls; 0: not known */
    uint32_t root_jump_cfa; /* ... of what it jumps to */
    /* what REG_CTRL is given at the start: ES_CTRL_READS when words are armed for data reads */
    uint32_t control;
    /* written before a flush is asked for by a host that knows when the target's run has ended; 0: the probe's clock
     * tells */
    uint32_t end_low, end_high;
    /* words from counters_at on that the host is told at a flush; es_mi_expected, es_mi_doubts */
    uint16_t figure_count;
    /* what is right again after a loss on the bus, and when (firmware/doubt.c) */
    /* uint16_t by statement: es_mi_trust, 0: it is never certain. 0: all hits are uncertain */
    uint16_t trust_at;
    uint16_t fresh_at;    /* es_mi_fresh, ... */
    uint16_t fresh_count; /* ... so many */
    uint16_t stale_at;    /* in RAM: a byte for each */
    /* es_mi_procedure whose path is always the same, as it is called at one place only, ... */
    uint16_t anchor_at;
    uint32_t anchor_site;             /* ... this one, by start-up code; 0: there is none */
    uint32_t anchor_low, anchor_size; /* its code */
};

/* A word of static storage that statements refer to, and which lanes. */
struct es_mi_fresh {
    uint16_t index; /* its offset in phantom memory, in words */
    uint8_t lanes;
    uint8_t kept; /* what it is armed for: PLANE_* of the data plane; of the fetch plane, shifted */
};
#define ES_MI_FRESH_READS_SHIFT 2

/* What has to be right for a statement's hits to be certain. */
struct es_mi_trust {
    uint8_t flags; /* ES_MI_TRUST_* */
    uint8_t count;
    uint16_t words[]; /* number of the es_mi_fresh, and the lanes */
};
#define ES_MI_TRUST_PATH 4u /* HITF_PATH_UNKNOWN: it depends on the call path */
#define ES_MI_TRUST_OLD 2u  /* it takes values from before the event */
#define ES_MI_TRUST_WORD 0xFFFu
#define ES_MI_TRUST_LANES_SHIFT 12

/* After the totals of all statements: of each that is an expectation. Where some action enables or disables it, the
 * words of its switch follow (host/image/plan/plan.h). */
struct es_mi_expected {
    /* time of its first hit that is certain; bit 31 of the upper half: there was one */
    uint32_t first_low, first_high;
    uint32_t uncertain; /* its hits that are not certain */
    uint32_t unknown;   /* its evaluations that met what is not known */
};
#define ES_MI_EXPECTED_FIRST 0x80000000u

/* The last of the figures; header.unknown_at. */
struct es_mi_doubts {
    uint32_t unknown;    /* evaluations that met unknown memory, of all statements and ... */
    uint32_t incomplete; /* header.incomplete_at */
    /* ... those of them that are not counted for one: locals or a return that could not be followed */
    uint32_t nobodys;
    uint32_t paths;             /* not 0: the path was unknown for a time */
    uint32_t end_low, end_high; /* monitoring went on until this time at least */
};

/* Arm lists, ascending: each uint16_t the distance from the one before (the first: from the window's base), of the data
 * plane in words, of the fetch plane in halves of words. Bit 15: with lock (data plane). Distance ES_MI_ARM_SKIP: move
 * on without arming. */
#define ES_MI_ARM_LOCK 0x8000u
#define ES_MI_ARM_SKIP 0x7FFFu
#define ES_MI_ARM_DATA_SHIFT 2
#define ES_MI_ARM_FETCH_SHIFT 1

/* Cells of the address maps: where REG_HIT_CELL points to. Both are addresses of code. */
struct es_mi_cell {
    uint16_t first;  /* data: all lanes of the word were written. Fetch: right after a call */
    uint16_t second; /* data: some lanes were. Fetch: right after a return */
};
/* Cells of fetches are one of three: {code of an es_mi_procedure - 4, pop} where it begins, {pop, code of an
 * es_mi_procedure - 8} at a return point in it, or twice the code of an es_mi_fetch - 4, with this record after it.
 * Where a data word is armed for reads it is {code | ES_MI_READ, pop}: a data read of it runs this code, a list. A data
 * read of any other word is one of a constant among code, and nothing. With tasks, those of procedures whose address is
 * taken are {code of an es_mi_procedure - 4, code of an es_mi_fetch - 4}. */
#define ES_MI_READ 1u

/* A mark's sort besides MARK_*, of the probe in software alone: a word of phantom memory that is armed for writes has
 * changed without an access. That is no event, but pointers that statements follow may be it: data = a bit for each. */
#define ES_MI_MARK_POKED 4u

/* Where the probe has a tracker (CONFIG_TRACKER), bits of cells say what it may deal with by itself; to a jump to the
 * code they mean nothing, since jalr drops bit 0. Of `second` of a fetch's cell: the es_mi_procedure's calls have
 * nothing to do but to be noted, and its column does not depend on the call site; or it is a plain return point. */
#define ES_MI_PLAIN 1u
/* Of `first` of a data word's cell: before the code that `second` leads to stands an es_mi_filter; of `second`, too: it
 * is a narrow one. */
#define ES_MI_FILTERED 1u
#define ES_MI_NARROW 1u

/* A write concerns no statement when all the bytes were written, there was no write of some of them before, and the
 * value lies more than `span` above `low`, modulo its size. */
struct es_mi_filter {
    uint32_t span;
    uint32_t low; /* narrow: [15:0], and in the upper half where the value lies: */
};
#define ES_MI_FILTER_ODD (1u << 24)   /* a byte at an odd address */
#define ES_MI_FILTER_UPPER (1u << 25) /* in the word's upper half */
#define ES_MI_FILTER_TWO (1u << 26)   /* of two bytes */
#define ES_MI_FILTER_LANES_SHIFT 28   /* which bytes of the word */

/* A code word that is several things at once, or has to do with mret, or that statements wait for. Before it stands
 * `jal a0, special`. */
struct es_mi_fetch {
    uint16_t enter_at;  /* es_mi_procedure that starts here */
    uint16_t inside_at; /* es_mi_procedure that contains this return point */
    uint16_t flags;     /* ES_MI_FETCH_* */
    /* code: the statements that are evaluated when execution comes here; where a procedure starts, its enter_at has
     * them too */
    uint16_t at_at;
    uint16_t learn_at; /* es_mi_procedure whose frame is learned when this is fetched (es_mi_learn.point) */
    /* code: instead of at_at when execution comes here from the instruction before: a procedure's prologue ends. 0: the
     * same as at_at */
    uint16_t begin_at;
};

#define ES_MI_FETCH_MRET 1u      /* the instruction is mret */
#define ES_MI_FETCH_TO_ITSELF 2u /* it is a jump or branch to itself */
#define ES_MI_FETCH_RESTART 4u   /* the program's first instruction: it starts anew */

/* The stack pointer gets what may be another stack's; of longjmp, once there has been one of these. */
#define ES_MI_FETCH_SWITCH 8u
#define ES_MI_FETCH_LONGJMP 16u

#define ES_MI_SWITCHES_ANY 1u    /* there is such code: calls are followed by routines that know NP may be 0 */
#define ES_MI_SWITCHES_LOCALS 2u /* statements name locals: each switch is an evaluation that could not be made */
#define ES_MI_SWITCHES_LEAVES 4u /* statements wait for returns: so is each of nobody knows what */

#define ES_MI_SIZE_INTERRUPT 1u       /* the procedure contains mret */
#define ES_MI_SIZE_COPIES 0x80000000u /* start-up code lets it copy and clear: es_mi_header.hush */
#define ES_MI_SIZE_FRAMES 0x40000000u /* its activations' CFAs are kept: the es_mi_frame has its second part */

/* Before it stand `jal a0, returned...` at -8 and `jal a0, called...` at -4. */
struct es_mi_procedure {
    uint32_t size;     /* bytes of code, plus ES_MI_SIZE_* */
    uint16_t column;   /* ES_MI_MOVE_SIZE * its column in the nodes' rows; 0: none. Odd: it depends on the call site:
                           a list of es_mi_site + ES_MI_COLUMN_BY_SITE */
    uint16_t enter_at; /* code: the statements that are evaluated when it is entered; a list, as all lists a routine */
    uint16_t leave_at; /* code: ... when it is left */
    uint16_t frame_at; /* es_mi_frame, 0: no local of it is referenced, nor does it lead to a moving frame */
};

/* What an activation is that was called at one place. The last of a list has site 0 and stands for all others. */
struct es_mi_site {
    uint32_t site;
    uint16_t column;
    uint16_t reserved;
};

/* What NP points to: a state of the automaton of all paths, and within the potential procedure activation tree an
 * activation. A call moves it to the node that the es_mi_move at row_at + column tells, when that one is of this node's
 * row (rows lie over one another); else to the one at other_at. After it stand words with bits that say of paths
 * whether the innermost activation is the one they denote, or such an activation exists. */
struct es_mi_node {
    /* phantom address of the activation's canonical frame address; 0: it has no locals to be armed */
    uint32_t cfa;
    uint16_t row_at;
    uint16_t other_at;
};

struct es_mi_move {
    uint16_t from_at, to_at; /* es_mi_node */
};
#define ES_MI_MOVE_SIZE 4

/* Code for a frame of a procedure with referenced locals. In: t0 where to go on. Keeps a0. */
struct es_mi_frame {
    /* a1: the node's cfa. Writes it into the frame's cell, forgets writes in parts, arms the words */
    uint16_t enter_at;
    uint16_t leave_at;  /* a1: the same. Clears the cell, disarms the words */
    uint16_t resume_at; /* a1: the same, with tasks only. Writes the cell and arms the words, forgets nothing */
    /* with ES_MI_SIZE_FRAMES: */
    uint16_t size;     /* bytes that its callees' CFA lies below its own, or ES_MI_FRAME_SIZE_UNKNOWN */
    uint16_t learn_at; /* es_mi_learn; 0: its CFA cannot be learned, or always follows from its callers' */
};
#define ES_MI_FRAME_SIZE_UNKNOWN 0xFFFFu

/* Locals of a procedure whose frame's place no path fixes: of the innermost activation that a path denotes. */
struct es_mi_moving {
    uint32_t low, high; /* where the CFA can lie, phantom addresses: else it is taken for unknown */
    /* bit of the node's word `tells` bytes from its start that says that the activation is denoted; */
    uint32_t mask;
    uint16_t tells;        /* 0: any activation of the procedure is */
    uint16_t slot_at;      /* es_mi_slot: moved to the CFA */
    uint16_t meant_at;     /* in RAM: es_mi_meant */
    uint16_t procedure_at; /* es_mi_procedure */
    uint32_t pointers;     /* bits of the es_mi_pointer that are among the locals */
    /* in RAM: which bytes of the locals the activation that is meant has not written, as words; 0: nobody asks */
    uint16_t marks_at, mark_words;
    /* in RAM: the same by place in the shadow stack, 1 << kept_shift bytes each, while another one is meant; 0: it is
     * forgotten then */
    uint16_t kept_at, kept_shift;
    uint32_t saved; /* bytes from an activation's marks in a task's record to these */
};
#define ES_MI_MARKS_NONE 0x0F0F0F0Fu /* marks of words of which nothing is written */

/* Which activation is meant. */
struct es_mi_meant {
    uint8_t depth; /* 1 + its place in the shadow stack; 0: none */
    uint8_t reserved;
    uint16_t beyond; /* denoted activations beyond the shadow stack: while there are any, none can be watched */
    uint8_t before[ES_MI_STACK_DEPTH]; /* by place of one that is or was meant: `depth` before it */
    /* the same, where there are pointers: which of them rested when another began to be meant */
    uint32_t rests[];
};

/* How the CFA is learned: from one of the stores into its frame that the procedure begins with. The instruction after
 * it is executed too before the learning point, and stores nothing: so the store may reach the bus after the fetch of
 * what follows it. */
struct es_mi_learn {
    uint32_t store; /* address of the store instruction */
    uint32_t point; /* of the second instruction after it: at its fetch, the last write was that store's */
    int32_t offset; /* of the word stored, from the CFA */
};

/* With a current-task pointer: its word's code ends in `task_written`. What the firmware keeps of tasks that do not run
 * stands in RAM, flow_count records. */
struct es_mi_tasks {
    uint32_t first; /* what the pointer holds at the start */
    uint16_t flow_count;
    /* of a record: es_mi_flow, a word for each frame, `cfas` words, `lives` words, `places` times
     * ES_MI_ACTIVATION_SIZE */
    uint16_t flow_bytes;
    uint16_t flows_at; /* in RAM */
    uint16_t places;   /* activations of a task that does not run; an interrupt's takes two */
    uint16_t frame_count;
    uint16_t frames_at; /* es_mi_task_frame: frames with a fixed place */
    uint16_t cfas;      /* activations whose CFAs are kept: `places` where frames move, else 0 */
    /* words after these, of which local pointers do not rest: of frames with a fixed place, then by activation; 1 +
     * `places`, or 0: there are none */
    uint16_t lives;
    uint16_t name_at; /* a task's name: bytes from what the pointer holds to its first word, ... */
    uint16_t reserved;
    uint32_t pointers;    /* bits of the es_mi_pointer in frames with a fixed place */
    uint16_t name_words;  /* ... and how many; 0: tasks have none; at most ES_TASK_NAME_WORDS */
    uint16_t marks;       /* bytes from a record to marks of locals by activation, ... */
    uint16_t marks_shift; /* ... and log2 of bytes for each */
    uint16_t reserved2;
};

struct es_mi_task_frame {
    uint16_t cell_at;  /* in RAM */
    uint16_t frame_at; /* es_mi_frame */
};

/* A task that does not run: the head of its record. */
struct es_mi_flow {
    uint32_t task;                   /* the pointer's value */
    uint16_t kind;                   /* firmware/tasks.c; 0: the record is free */
    uint16_t node_at;                /* NP */
    uint16_t depth;                  /* activations that follow */
    uint16_t unknown_above;          /* when the path is not known: activations from this one on are doubtful */
    uint16_t marks;                  /* firmware/tasks.c */
    uint16_t last_at;                /* the innermost activation */
    uint32_t resume_pc, resume_insn; /* what was fetched before it was left */
};

/* Words whose address moves: they stand at offsets from a base that the firmware is told at run time (slot_move). Where
 * a slot is, data plane value 2 stands: REG_HIT_CELL is special for it, and firmware/slots.c looks through all
 * slots. */
struct es_mi_slot {
    uint16_t words_at;   /* es_mi_slot_word, ascending offsets */
    uint16_t word_count; /* at least 1 */
    uint16_t state_at;   /* in RAM: es_mi_slot_state */
    /* code that is run before the slot leaves its place: forgets what is known of its words; a routine. 0: none */
    uint16_t moved_at;
    uint32_t low;     /* offset of the first word, two's complement */
    uint32_t span;    /* bytes from there to the end of the last word */
    uint8_t pointer;  /* 1 + number of the es_mi_pointer over whose object it lies; 0: none */
    uint8_t reads;    /* 1: its words are armed for data reads, in the fetch plane */
    uint16_t also_at; /* es_mi_slot that moves with it; 0: none */
};

struct es_mi_slot_word {
    uint32_t offset;        /* from the base: two's complement, a multiple of 4 */
    struct es_mi_cell cell; /* as of any word; 0: no code. The code ends with a return to ra */
};

struct es_mi_slot_state {
    uint32_t base;  /* phantom address, a multiple of 4; 0: nowhere */
    uint8_t kept[]; /* by word: its plane's value without the slot, or ES_MI_KEPT_ELSEWHERE */
};
/* another slot over the same word keeps it; the plane's value of all of them is 2 too */
#define ES_MI_KEPT_ELSEWHERE 2u
#define ES_MI_SLOTS_MAX 64u

/* A pointer variable that statements follow, or an element after a pointer whose index is a variable: a place that is
 * computed. */
struct es_mi_pointer {
    uint32_t offset; /* of the variable from the word at base_at; when that is 0 its phantom address */
    /* in RAM: uint32_t phantom address, 0 while the variable does not exist: a frame's cell, another pointer's state */
    uint16_t base_at;
    uint16_t state_at; /* in RAM: es_mi_pointer_state */
    uint16_t slot_at;  /* es_mi_slot: the first of `phases` */
    /* 1, 2, 4: for each place in a word that what it points to may begin at; multiples of 4 / phases */
    uint8_t phases;
    uint8_t index_count; /* of an element: variables that its index names, for those who reason about it (host/check) */
    /* bytes from its value on, two's complement: its value itself and all that statements refer to through it ... */
    uint32_t low;
    uint32_t span; /* ... and how many */
    /* of an element, and of a variable whose bytes are not in the probe's order: code that computes where it leads to.
     * In: a0 the word at base_at (when that is 0: 0); out: a0 the target address, 0: nowhere. 0: the variable's word */
    uint16_t index_at;
    uint16_t is_element; /* 1: it does not rest by itself */
    /* bits of the pointers before it whose move is one of it too: through which the variable, or one that its index
     * names, is reached */
    uint32_t follows;
};

struct es_mi_pointer_state {
    uint32_t value;                 /* phantom address; 0: it points to nothing that can be watched */
    uint32_t rests;                 /* not 0: what it pointed to is gone, or the variable is new: until it is written */
    uint32_t before;                /* its value before the event at which that changed last, ... */
    uint32_t moved_low, moved_high; /* ... and that event's time, the upper half inverted; 0: it never has */
};
#define ES_MI_POINTERS_MAX 32u

/* When a local of optimised code is in memory; only the image's own code reads it. After it `count` spans: the first,
 * and how many, of the moments of the procedure's instructions (host/symbols/symbols.h: es_moment_at). */
struct es_mi_life {
    uint32_t low, size; /* the procedure's code */
    uint32_t count;
};

struct es_mi_range {
    uint32_t first, size; /* target addresses */
};

/* Adds a word to the image's checksum. */
static inline uint32_t es_mi_checksum(uint32_t sum, uint32_t word)
{
    return (sum << 5 | sum >> 27) + word;
}

#endif
