/* The monitor process: shared state and parts. No heap, no recursion; every loop is bounded by a table of the image
 * or by a constant. */
#ifndef ES_FIRMWARE_H
#define ES_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image.h"
#include "probe_defs.h"

#define FIRMWARE_VERSION 1u

/* Registers, by their offset in probe.def. One base pointer, so that each access is one instruction. */
#define REG(offset) (*(volatile uint32_t *)(uintptr_t)(ES_REG_BASE + (offset)))

/* A soft core address from a table. */
#define AT(type, address) ((type *)(uintptr_t)(address))

typedef uint32_t evaluate_routine(uint32_t events, uint32_t registers);
typedef void print_routine(uint32_t events, uint32_t registers);

#define IMAGE AT(const struct es_mi_image, ES_IMAGE_BASE)

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

#define INSN_MRET 0x30200073u
#define INSN_RET 0x00008067u

/* One activation of the target on the shadow stack. */
struct activation {
    uint32_t site;   /* call site; bit 0: ES_SITE_INTERRUPT */
    /* return address; of an interrupt: the interrupted instruction word (odd, so it equals no return address) */
    uint32_t back;
    uint16_t procedure_at;   /* es_mi_procedure */
    uint16_t caller_node_at; /* NP before the call */
    uint32_t resume_pc;      /* of an interrupt: address of the interrupted instruction */
};

#define FLAG(hitf) ((hitf) << 16) /* as it stands in a HIT frame's word 3 */

#define OWED_BUS 1u
#define OWED_EVENTS 2u

/* What a loss of event frames or bus transactions still has to tell. */
struct gap {
    uint32_t count; /* 0: nothing to tell */
    uint32_t first_low, first_high, last_low, last_high;
};

struct state {
    struct activation *top;    /* first free entry of `stack` */
    struct activation *known;  /* entries below this are the same in the host's copy of the path */
    struct activation *sent;   /* where the host's copy ends */
    const struct es_mi_node *node; /* NP; NULL outside of the tree */
    uint32_t time_high;        /* upper half of the tap's time */
    uint32_t time_low;         /* what a hit's time lacks of the lower half when records carry fewer than 32 bits */
    uint32_t sequence;         /* of the next event frame, in bits 31:16 */
    uint32_t flags;            /* FLAG(HITF_*): of hits from now on */
    uint32_t beyond;           /* activations beyond the shadow stack */
    uint32_t beyond_interrupts; /* interrupts among those of them whose procedure is recorded, ... */
    uint32_t deep_interrupts;   /* ... and among the others */
    uint32_t beyond_mask;       /* which procedures may be among them */
    const struct es_mi_node *beyond_node; /* NP when the shadow stack became too short */
    uint32_t beyond_pc, beyond_insn;      /* evidence that the innermost interrupt among them interrupted */
    const struct activation *unknown_top; /* with HITF_PATH_UNKNOWN: entries below this were right */
    uint32_t resume_pc;        /* after mret: address and word of the instruction before the interrupt */
    uint32_t resume_insn;
    uint32_t dropped;          /* event frames dropped */
    uint32_t flush;            /* FLUSH_*: progress of a flush */
    uint32_t flush_index;
    uint32_t quiet;            /* passes without a hit since the flush was asked for */
    struct gap bus, events;
    uint32_t owed;             /* OWED_*: which of them the host has to be told */
};

extern struct state es;
extern struct activation stack[ES_MI_STACK_DEPTH];

/* events.c: frames to the host */
uint32_t frame_header(uint32_t kind, uint32_t words); /* the next frame's first word; `words` in all */
void send_hit(const struct es_mi_statement *statement, uint32_t print_at, uint32_t events, uint32_t pc);
bool send_owed(void); /* gap frames, as far as there is room; false: some are still owed */
/* the hit's time is the last lost one's, and the first one's of a new gap */
void gap_add(struct gap *gap, uint32_t count);
void send_hello(void);
void send_status(void);
void send_fault(uint32_t fault, uint32_t detail) __attribute__((noreturn));
void flush_start(void);
void flush_step(void);

/* statements.c: MSEL and MSL */
void on_write(uint32_t hit_flags);
void run_controls(uint32_t list_at, uint32_t pc);

/* calls.c: shadow stack; frames.c: NP and frames */
void on_fetch(void);
const struct es_mi_node *child_node(const struct es_mi_node *node, const struct es_mi_procedure *procedure);
void frame_enter(const struct es_mi_node *node);
void frame_leave(const struct es_mi_node *node);

/* start.c */
void start(void);

void monitor(void) __attribute__((noreturn));

/* Low half of the time of the hit at hand. */
static inline uint32_t hit_time(void)
{
    return REG(ES_REG_HIT_TIME) | es.time_low;
}

/* The cell for an armed target address (interface/image.h: row displacement). */
static inline uint32_t map_cell(const struct es_mi_map *map, uint32_t address)
{
    uint32_t row = *(const uint32_t *)((const char *)map->rows + (address & (ES_MI_ROWS - 1) << 2));
    return *AT(const uint16_t, row + (address >> (ES_MI_ROW_SHIFT - 1) & ~1u));
}

#endif
