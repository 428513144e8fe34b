/* What the files of the follower share. */
#ifndef ES_PREDICT_FOLLOW_PRIVATE_H
#define ES_PREDICT_FOLLOW_PRIVATE_H

#include "base/error.h"
#include "predict/follow.h"
#include "predict/sharing.h"

enum { BLOCK_GAPS = 240 };

/* Samples of a section, of which a typical one is kept. */
typedef struct es_predict_samples {
    uint64_t count, sum; /* of clocks */
    uint32_t *items;     /* of the one that is nearest to the mean so far */
    size_t item_count;
    uint32_t clocks;
} es_predict_samples;

enum es_predict_sampled {
    ES_PREDICT_SAMPLE_TAKE,
    ES_PREDICT_SAMPLE_IDLE,
    ES_PREDICT_SAMPLE_PICK,
    ES_PREDICT_SAMPLE_EMPTY,
    ES_PREDICT_SAMPLE_FIRST, /* one of them, of a core that takes a thread or finds none for the first time */
    ES_PREDICT_SAMPLE_TRAP,  /* as the costs of these names */
    ES_PREDICT_SAMPLE_CUT,
    ES_PREDICT_SAMPLE_BACK,
    ES_PREDICT_SAMPLE_KEEP,
    ES_PREDICT_SAMPLE_KEPT,
    ES_PREDICT_SAMPLES
};

typedef struct follow_buffer {
    uint32_t *items;
    size_t count, room;
    uint32_t clocks;
} follow_buffer;

/* Where a thread is between its own code and the kernel. */
enum phase { PHASE_OWN, PHASE_BEFORE, PHASE_AFTER, PHASE_TRAP };

typedef struct follow_thread {
    uint32_t pointer; /* the library's: 0 after its end */
    enum phase phase;
    uint8_t kind;
    bool waited;
    uint32_t event, ra; /* of the event that it is in */
    enum phase before;  /* TRAP: it was interrupted in this one */
    follow_buffer kept; /* ... AFTER: of which this was gone through */
    bool cut;           /* TRAP: it has had to stop */
    uint32_t made;      /* kind FORK: the new thread, which is ready, and not counted yet; 0: not known */
} follow_thread;

enum kernel {
    KERNEL_OUT,
    KERNEL_HOLD, /* for a thread's event */
    KERNEL_TAKE, /* a thread has stopped */
    KERNEL_PICK, /* a core without a thread has come */
};

/* Numbers of items that threads have got, or put, which have not gone on yet: the first one goes on first. */
typedef struct follow_handed {
    uint32_t *items;
    size_t first, count, room;
} follow_handed;

/* Of a queue, condition or semaphore, by object. */
typedef struct follow_object {
    uint32_t puts, gets, waiting;
    uint32_t blocked; /* threads */
    follow_handed got, put;
    uint32_t used, next;     /* of a queue: items in its ring, the first one's place */
    uint32_t getter, putter; /* thread; NONE: none yet */
} follow_object;

/* An item that arrives. */
typedef struct follow_arrival {
    bool looks, under_way,
        over;        /* the block under way is where it is looked whether there is one; it arrives; it has */
    bool any, crowd; /* it is not the first one; others were ready */
    uint32_t ra, queue;
    size_t begin; /* in the buffer */
    uint32_t readied;
} follow_arrival;

struct es_predict_follower {
    es_machine *machine;
    es_predict_source source; /* all zeros: the machine */
    const es_predict_code *code;
    const es_predict_library *library;
    es_predict_trace *trace;

    /* the open block */
    bool open, ended; /* ended: its last instruction ends one */
    uint32_t first, last, next;
    uint8_t gaps[BLOCK_GAPS + 2];
    size_t gap_count;

    /* blocks by address, end and gaps: a hash table of numbers + 1 */
    uint32_t *table;
    size_t table_size;

    uint32_t now; /* thread; NONE: a core's scheduler */
    follow_thread *threads;
    size_t thread_room;
    follow_object *objects;
    size_t object_room;
    uint8_t *entries; /* by halfword of the code: kind + 1 of a function that begins there */

    enum kernel kernel;
    bool took; /* a thread was taken */
    uint8_t way;
    follow_buffer buffer;

    /* what the last instruction has done */
    bool asked, released, stopped, resumed, rings, trapped;
    uint32_t resumed_pointer;

    uint32_t readied;                         /* threads made ready since the lock was had */
    uint32_t ready_count;                     /* that are */
    bool crowd;                               /* some were when the lock was had */
    uint64_t clocks;                          /* since the reset */
    uint64_t had, rang, ready_at, blocked_at; /* when: the lock, the bell, a thread ready, a wait; 0: none */
    uint64_t had_accesses;                    /* so many when it had the lock, or had stopped its thread */
    follow_arrival arrival;
    es_predict_samples arrived[ES_PREDICT_ARRIVALS], arrived_tails[ES_PREDICT_ARRIVALS], looks[2];
    uint32_t ready_ra;
    es_predict_samples hold[ES_PREDICT_KINDS][ES_PREDICT_WAYS], after[ES_PREDICT_KINDS][2];
    uint32_t met[ES_PREDICT_WAYS]; /* so many went on by the barriers whose hold is kept: as few as were seen */
    es_predict_samples others[ES_PREDICT_SAMPLES];
    es_predict_samples ready, apart, belled, tail, block, prefix;     /* lengths only */
    es_predict_samples from_ready[ES_PREDICT_KINDS][ES_PREDICT_WAYS]; /* ... from the last thread made ready */
    uint32_t ring;                                                    /* block that rings; NONE: none has */
    es_predict_samples notice, notice_first, doze;
    uint64_t accesses; /* since the reset */
    bool sleeps;       /* it has been woken */
    bool dozes;        /* it has found no thread, and does not sleep yet */
    bool scheduled;    /* it has taken a thread, or found none */
    bool lead_known;
    uint32_t main_entry, block_entry, cores_entry;
    es_predict_sharing *sharing;              /* NULL: not looked at */
    bool closed;                              /* since `begun`, interrupts are kept out */
    es_predict_point begun;                   /* clocks and accesses: where the lock was given back */
    es_predict_point slice_after, slice_kept; /* 0: not seen */
    es_predict_point slice_first;
    char wrong[400];
};

void es_follow_registers(const es_predict_follower *f, es_machine_registers *registers);
uint32_t es_follow_word(const es_predict_follower *f, uint32_t address);
void es_follow_close_block(es_predict_follower *f); /* the open block belongs to whoever has gone through it */
uint32_t es_follow_block(es_predict_follower *f);   /* the open block's number; it is closed */
void es_follow_sample(es_predict_follower *f, es_predict_samples *samples, const follow_buffer *buffer);
void es_follow_keep(follow_buffer *to, const follow_buffer *from); /* a copy */
void es_follow_length(es_predict_samples *samples, uint64_t clocks);
/* The way of an event that was not seen, made of another one that was, and differs in ES_PREDICT_CROWD or _WRAPS. */
void es_follow_other_way(es_predict_follower *f, unsigned kind, unsigned way, unsigned other);
void es_follow_costs(es_predict_follower *f);
/* Something that is about threads has been done; before the next instruction. */
void es_follow_act(es_predict_follower *f);
/* Interrupts of the kernel's own: one comes; its handler has the lock; its thread stops, or need
 * not; it is over. And slices. */
void es_follow_trap(es_predict_follower *f);
void es_follow_trap_has_lock(es_predict_follower *f);
void es_follow_trap_stops(es_predict_follower *f);
void es_follow_trap_ends(es_predict_follower *f);
void es_follow_trap_keeps(es_predict_follower *f);
/* Code begins in which points are looked for: where a slice begins, where interrupts may come. */
void es_follow_begin(es_predict_follower *f);
void es_follow_look_open(es_predict_follower *f);
void es_follow_slice(es_predict_follower *f);
/* The instruction that is executed begins a slice: it reads the clock. */
bool es_follow_is_slice(const es_predict_follower *f);
/* A thread is going to wait: what it took to pass others is no part of its event. */
void es_follow_passes(es_predict_follower *f);
/* Items that are on their way: a block of the kernel begins; the instruction reads the clock for them, which costs say
 * when. Costs. */
void es_follow_late(es_predict_follower *f, uint32_t pc);
bool es_follow_is_late(const es_predict_follower *f);
void es_follow_reads_clock(es_predict_follower *f);
void es_follow_sets_timer(es_predict_follower *f); /* the instruction does, or stops it */
void es_follow_late_costs(es_predict_follower *f);
follow_object *es_follow_object(es_predict_follower *f, uint32_t number);
uint32_t es_follow_number(es_predict_follower *f, uint32_t address, uint8_t kind); /* of the object there */
/* Items are numbered in the order in which they go in, and come out: by a thread's event; by one that has waited. */
void es_follow_number_items(es_predict_follower *f, const follow_thread *t, bool waits);
void es_follow_take_number(es_predict_follower *f, const follow_thread *t);
/* How the event of a thread goes, and what is then in the lists and the ring of its object. */
unsigned es_follow_way(es_predict_follower *f, const follow_thread *t, bool waits);
/* An item has gone to a thread that has waited for it, if any go on, and another one of the second of them. */
void es_follow_handed_over(es_predict_follower *f, uint32_t queue, uint32_t threads);
es_predict_section es_follow_section(es_predict_follower *f, const es_predict_samples *samples);
void es_follow_enter_function(es_predict_follower *f, uint8_t kind);
void es_follow_leave_function(es_predict_follower *f);
void es_follow_fail(es_predict_follower *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
