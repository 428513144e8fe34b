/* A trace without times (Nutt 1991, section 3): for each thread the sequence of basic blocks that it goes through, and
 * its abstract events. What a block takes is in a table beside it, as the processor's instruction classes say; what the
 * library's kernel takes for an event, too. */
#ifndef ES_PREDICT_TRACE_H
#define ES_PREDICT_TRACE_H

#include <stddef.h>

#include "base/error.h"
#include "predict/event.h"

/* A basic block, or the part of one that lies on one side of an abstract event. */
typedef struct es_predict_block {
    uint32_t address;
    uint32_t end;       /* of its last instruction */
    uint32_t clocks;    /* of the bus, where no access waits */
    uint32_t first_gap; /* its accesses: from each one's request to the next one's, in gaps; their sum is `clocks` */
    uint32_t accesses;
} es_predict_block;

/* A gap: clocks to the next access's request, and whose access it is: an instruction's fetch, data in memory, or a
 * device, which has a port of its own for each core. */
#define ES_PREDICT_GAP 0x3Fu
#define ES_PREDICT_FETCH 0x40u
#define ES_PREDICT_DEVICE 0x80u

/* An item of a thread: a block's number, or ES_PREDICT_IS_EVENT and an event's. */
#define ES_PREDICT_IS_EVENT 0x80000000u

typedef struct es_predict_thread {
    uint32_t entry;   /* address of the procedure that it begins with; 0: it is the one that main runs in */
    uint8_t priority; /* 0 is the highest */
    uint32_t *items;  /* the last one is its end */
    size_t count, room;
} es_predict_thread;

typedef struct es_predict_object {
    uint32_t address; /* where it is in the target's memory */
    uint8_t kind;     /* the first event's that is about it */
    uint32_t value;   /* of a semaphore at first; of a queue: how many it holds at most, 0: any number */
    char *name;       /* symbol and place in it; may be NULL */
} es_predict_object;

/* A piece of the kernel's own code, which one core after the other goes through: what it takes, and the blocks of
 * it. */
typedef struct es_predict_section {
    uint32_t clocks;       /* 0 with no items: it was never seen */
    uint32_t first, count; /* in kernel_items */
} es_predict_section;

/* A point in such code: clocks to there, and accesses, the last of which ends there. */
typedef struct es_predict_point {
    uint32_t clocks, accesses;
} es_predict_point;

/* How an event goes: its thread waits; it lets others go on; the list into which a thread comes by it has others in it;
 * the place of a queue's item is the first one of its ring again (of what is put), or the last one (of what is got). */
enum { ES_PREDICT_WAITS = 1, ES_PREDICT_WAKES = 2, ES_PREDICT_CROWD = 4, ES_PREDICT_WRAPS = 8, ES_PREDICT_WAYS = 16 };

/* How an item arrives: it goes to a thread that waits for it, and one more goes on that has waited to send; others are
 * ready. */
enum { ES_PREDICT_ARRIVES_TO = 1, ES_PREDICT_ARRIVES_MORE = 2, ES_PREDICT_ARRIVES_CROWD = 4, ES_PREDICT_ARRIVALS = 8 };

/* How a core goes to its next thread: from where its last one stops to giving the lock back, or, of one that was idle,
 * from having the lock. */
enum es_predict_next { ES_PREDICT_TAKE, ES_PREDICT_PICK, ES_PREDICT_TAKE_NONE, ES_PREDICT_PICK_NONE, ES_PREDICT_NEXTS };

/* What the library takes for an event (docs/predict.md, "Costs"). */
typedef struct es_predict_costs {
    bool known[ES_PREDICT_KINDS][ES_PREDICT_WAYS]; /* seen so in the run that was recorded */
    /* from having the kernel's lock: up to giving it back, or where the thread waits up to where it stops */
    es_predict_section hold[ES_PREDICT_KINDS][ES_PREDICT_WAYS];
    /* from the lock given back to the end of the library's function; [1]: of who has waited, on the core that has taken
     * it */
    es_predict_section after[ES_PREDICT_KINDS][2];
    bool known_after[ES_PREDICT_KINDS][2]; /* not kept in files */
    es_predict_section next[ES_PREDICT_NEXTS];
    es_predict_section begin;                        /* more, the first time that a core takes a thread or finds none */
    uint32_t begin_before;                           /* ... before the block at this address */
    es_predict_section next_first[ES_PREDICT_NEXTS]; /* with it (es_predict_add_begin) */
    es_predict_section spin;                         /* what a core does again and again that waits for the lock */
    uint32_t
        pass; /* clocks of a thread that waits, for each that it passes on the way to its place; 0: it is the last */
    uint32_t wake; /* clocks of a broadcast for each thread but the first that it lets go on */
    uint32_t bell; /* ... more for each idle core that is woken */
    uint32_t tail; /* from waking it to giving the lock back, or to where the thread stops; of an event that */
    uint32_t tails[ES_PREDICT_KINDS][ES_PREDICT_WAYS]; /* ... was seen to let others go on: these; 0: not seen */
    es_predict_section ring;         /* what `bell` is spent on: the code that wakes a core; may be empty */
    es_predict_section doze;         /* a core that has found none: from giving the lock back to where it sleeps */
    es_predict_section notice;       /* an idle core, from being woken to asking for the lock */
    es_predict_section notice_first; /* the same for the first time */
    /* a thread that is interrupted; nothing: not seen */
    es_predict_section trap;                    /* up to asking for the lock */
    es_predict_section cut;                     /* from having the lock to where the thread stops */
    es_predict_section back;                    /* when it goes on: from the lock given back to its own code */
    es_predict_section keep;                    /* it need not stop: from having the lock to giving it back */
    es_predict_section kept;                    /* ... from there to its own code */
    es_predict_point open[ES_PREDICT_KINDS][2]; /* in `after`: from there on interrupts may come; 0: not seen */
    es_predict_point slice_after;               /* from the lock given back to where a slice begins */
    es_predict_point slice_kept;                /* from the begin of `kept` to where one begins */
    es_predict_point slice_first;               /* from the reset to where that of the first thread begins */
    /* items of queues that are on their way */
    uint32_t late;    /* 1: the library has such; else it is as if a core took no time for them */
    uint32_t latency; /* clocks, in the recorded run */
    es_predict_section arrive[ES_PREDICT_ARRIVALS];
    es_predict_section
        looks[2]; /* what next[TAKE] and next[PICK] begin with: up to where it is known what has arrived */
    uint32_t arrive_tails[ES_PREDICT_ARRIVALS]; /* as tails; 0: not seen */
    es_predict_point stamp[2];    /* from having the lock to where the clock is read: of who sends; of who receives */
    es_predict_point set[2];      /* ... to where the timer is set that wakes a core for what is sent */
    es_predict_point look[2];     /* as stamp, of a core that looks for a thread: from where one stops; from the lock */
    es_predict_point look_set[2]; /* ... to where the timer is set, if nothing has arrived */
    uint32_t masked_first, masked_end; /* addresses: after the first instruction of these, nothing interrupts */
} es_predict_costs;

typedef struct es_predict_trace {
    uint64_t program_hash;        /* of what the ELF loads (es_recording_hash) */
    uint64_t clocks;              /* that the recorded run took on its one core, as the table of blocks says */
    uint64_t lead, lead_accesses; /* of them, those before main, and accesses */
    es_predict_block *blocks;
    size_t block_count, block_room;
    uint8_t *gaps;
    size_t gap_count, gap_room;
    es_predict_event *events;
    size_t event_count, event_room;
    es_predict_object *objects;
    size_t object_count, object_room;
    es_predict_thread *threads; /* the first one runs at the start, others are forked */
    size_t thread_count, thread_room;
    uint32_t *kernel_items;
    size_t kernel_count, kernel_room;
    es_predict_costs costs;
    uint32_t depends; /* ES_PREDICT_ON_*: why paths may depend on timing; ES_PREDICT_CUT, _UNSEEN */
} es_predict_trace;

/* Reasons for which another machine may take other ways through the code than the recorded one. */
enum {
    ES_PREDICT_ON_TRY = 1,     /* a lock was tried */
    ES_PREDICT_ON_CLOCK = 2,   /* the cycle counter was read */
    ES_PREDICT_ON_ITEMS = 4,   /* several threads take from one queue */
    ES_PREDICT_ON_YIELD = 8,   /* a thread gave way: perhaps it polls */
    ES_PREDICT_ON_WAIT = 16,   /* a condition was waited for: on another machine it may hold already, or not yet */
    ES_PREDICT_ON_RANDOM = 32, /* random numbers: which thread draws which depends on their order */
    ES_PREDICT_CUT = 64,       /* no reason, but beside them: the recorded run ends before the program does */
    /* branches hang on what other threads have written, when, time decides; where conditions are waited for, that goes
     * without saying */
    ES_PREDICT_ON_MEMORY = 128,
    ES_PREDICT_ON_CORES = 256, /* the program asks how many cores there are */
    /* no reason either: the trace is from hits, which do not tell whether ES_PREDICT_ON_MEMORY holds */
    ES_PREDICT_UNSEEN = 512,
    ES_PREDICT_DEPENDS_MAX = 1023,
    /* ... so that a thread may do what another one did */
    ES_PREDICT_ON_ANYBODY = ES_PREDICT_ON_WAIT | ES_PREDICT_ON_MEMORY | ES_PREDICT_ON_CORES
};

es_predict_trace *es_predict_trace_new(void);
void es_predict_trace_free(es_predict_trace *trace);

/* Adding. Memory that is short ends the program, as everywhere. All return the number of what was added. */
uint32_t es_predict_add_block(es_predict_trace *trace, uint32_t address, uint32_t end, const uint8_t *gaps,
                              size_t count);
uint32_t es_predict_add_event(es_predict_trace *trace, es_predict_event event);
uint32_t es_predict_add_object(es_predict_trace *trace, uint32_t address, enum es_predict_kind kind, uint32_t value,
                               const char *name);
uint32_t es_predict_add_thread(es_predict_trace *trace, uint32_t entry, uint8_t priority);
void es_predict_add_item(es_predict_thread *thread, uint32_t item);
/* Blocks of the kernel as a section. */
es_predict_section es_predict_add_section(es_predict_trace *trace, const uint32_t *items, size_t count);
/* Such a one of which only the length is known: nothing but the simplest instructions. */
es_predict_section es_predict_plain_section(es_predict_trace *trace, uint32_t clocks);

/* A section of another trace, with its blocks (64 at most). */
es_predict_section es_predict_copy_section(es_predict_trace *to, const es_predict_trace *from,
                                           const es_predict_section *s);
/* Ways to the next thread with what is done the first time; next_first[ES_PREDICT_TAKE] may have been seen. */
void es_predict_add_begin(es_predict_trace *trace);

/* Everything that the file's reader cannot see from one record: numbers in range, each thread forked once and ended.
 * ES_USAGE. */
bool es_predict_trace_check(const es_predict_trace *trace, es_error *err);

/* How many threads meet at its smallest barrier, and at its largest one. What a barrier costs (costs.hold) is that of
 * the smallest; each further thread that it lets go on takes costs.wake more. False: there are none. */
bool es_predict_trace_barriers(const es_predict_trace *trace, uint32_t *least, uint32_t *most);

/* Of all threads, without events. */
uint64_t es_predict_trace_firings(const es_predict_trace *trace);

#endif
