/* What the files of the engine share. */
#ifndef ES_PREDICT_ENGINE_PRIVATE_H
#define ES_PREDICT_ENGINE_PRIVATE_H

#include "predict/engine.h"

#define NEVER UINT64_MAX

uint32_t es_predict_common(uint32_t a, uint32_t b);           /* greatest common divisor */
uint64_t es_predict_scale(const es_predict_machine *machine); /* ticks of a clock: all speeds' clocks are whole ticks */

enum core_state {
    CORE_IDLE,  /* sleeps until it is woken */
    CORE_DOZE,  /* is going to sleep, and can be woken */
    CORE_WAKE,  /* is up again, on its way to the kernel's lock */
    CORE_RUN,   /* its thread's own code */
    CORE_SPIN,  /* waits for the kernel's lock */
    CORE_HOLD,  /* has it, for its thread's event */
    CORE_CUT,   /* has it, to put away its thread, which was interrupted */
    CORE_LOOK,  /* has it, looks for a thread, and has found an item that has arrived */
    CORE_TAKE,  /* has it, takes the next thread */
    CORE_AFTER, /* has given it back: the rest of the library's function */
    CORE_PARK,  /* has it, found no thread */
    CORE_TRAP,  /* its thread was interrupted: on its way to the lock */
    CORE_KEEP,  /* ... has it, and goes on with its thread */
    CORE_KEPT,  /* ... has given it back */
};

enum core_intent {
    INTENT_EVENT,   /* its thread's event */
    INTENT_PICK,    /* it was idle */
    INTENT_PREEMPT, /* its thread has to give way: of a better one */
    INTENT_SLICE,   /* ... its quantum is over */
};

/* A way through blocks, access by access. */
typedef struct walk {
    const uint32_t *item, *item_end;
    const uint8_t *gap, *gap_end;
} walk;

/* A place in a step, and what is left of it. */
typedef struct spot {
    walk at;
    uint64_t clocks, accesses;
} spot;

/* Code of a known length: what a core does until its next decision. */
typedef struct way {
    uint64_t clocks, accesses;
    uint64_t more; /* clocks after them, without accesses */
    uint64_t late; /* clocks before the first access, where it is walked */
    const uint32_t *items;
    size_t count;
} way;

typedef struct list {
    uint32_t head, tail, count;
} list;

enum thread_state { THREAD_NEW, THREAD_READY, THREAD_RUNNING, THREAD_WAITS, THREAD_DONE };

typedef struct token {
    enum thread_state state;
    uint32_t next, before; /* in one list */
    uint32_t stream;       /* whose trace it goes through: its own, but where work goes with items */
    size_t at;             /* its step */
    uint8_t kind;          /* of the event that it was in last; FORK: it has not run */
    bool again;            /* its event is to be tried again */
    bool cut;              /* its step was interrupted, or what comes after its event: at */
    bool after;            /* ... the latter */
    uint32_t closed;       /* it begins with so many accesses in which no interrupt comes */
    spot at_spot;
    uint64_t asked, woken;
    uint32_t by, by_step, object;
    uint16_t home; /* core whose queue it is in */
    list joiners;
    uint32_t mutex; /* in a wait: to have again */
} token;

typedef struct shared {
    list waiting, getters; /* getters: of a queue; its `waiting` put */
    uint32_t owner;        /* of a mutex: thread; of a queue: how many items are in it */
    uint32_t *items;       /* of a queue: which, in a ring of `room`; the first one's place */
    uint32_t room, first;
    uint32_t next;  /* of a queue: place of the first item in the library's ring */
    uint32_t value; /* of a semaphore; items in a queue; threads at a barrier; signals of a condition that found
                              none waiting, but did in the recorded run */
    uint32_t ahead; /* of a semaphore: threads that have gone on without a post, and the next ones are theirs */
} shared;

typedef struct processor {
    enum core_state state;
    enum core_intent intent;
    uint64_t until;    /* NEVER: not known, as it walks, or depends on others */
    uint64_t queued;   /* == until: it has come to an access to the lock that must wait until then */
    uint64_t turn;     /* it waits for the lock after so many others */
    uint64_t began;    /* of what it does */
    bool asked;        /* PREEMPTIVE: to look for a better thread, and has not looked yet */
    uint64_t due;      /* from when on an interrupt is pending; NEVER: none */
    uint64_t cut_at;   /* where that interrupts its thread's code; NEVER: nowhere that is known */
    uint64_t spot_at;  /* when the spot of its thread is reached, where it does not walk */
    uint32_t closed;   /* so many accesses more no interrupt comes */
    uint32_t slice_in; /* walking: so many accesses until a slice begins */
    bool woken;        /* IDLE: it will be, at `until`; its bell rings at: */
    uint64_t rung;
    bool fresh;    /* it has not run anything yet */
    uint64_t tick; /* ticks of one of its clocks */
    uint32_t thread;
    bool waits;                    /* HOLD: its thread will */
    enum es_predict_next found_by; /* LOOK: how it has come there */
    uint64_t looked, sets;         /* ... what has arrived by then is found; when it sets the timer, if nothing has */
    uint64_t looks_until;          /* ... when it has found the first item */
    bool found_any;
    walk walk_at;
    bool walks;
    uint64_t more;       /* clocks after what it walks */
    uint32_t rings;      /* walking: threads for which it has not rung yet, if there is a core for them */
    uint32_t ring_count; /* ... of all these */
    unsigned ring_ask;   /* ... it rings for a core with a thread; ES_PREDICT_CORES: for one that sleeps */
    uint64_t left, ring_last,
        ring_apart; /* ... clocks left of what it walks, without waiting; after the last ring; between them */
    bool aside;     /* it rings: walk_at is of that, the rest in `back` */
    walk back;
    uint64_t back_more;
    bool scheduled; /* it has taken a thread, or found none */
} processor;

typedef struct timer {
    uint64_t time;
    uint32_t object;
} timer;

typedef struct engine {
    const es_predict_trace *trace;
    const es_predict_steps *steps;
    const es_predict_machine *machine;
    const es_predict_listener *listener;
    es_predict_result *result;
    uint64_t now, scale;
    processor cores[ES_PREDICT_CORES];
    token *threads;
    shared *objects;
    list ready[ES_PREDICT_CORES]; /* all but WORK: the first one */
    uint32_t ready_count;
    uint32_t holder;    /* of the kernel's lock: a core */
    bool over;          /* the first thread has ended */
    uint64_t turns;     /* how often a core has begun to wait for the lock */
    bool lock_used;     /* the lock has been taken, or tried, at least once: */
    uint64_t lock_end;  /* ... the last time, which ended then */
    unsigned lock_last; /* ... by this core */
    uint32_t cuts;      /* since a step has ended */
    timer *timers;      /* items on their way: a ring in the order of time, as the latency is the same for all */
    size_t timer_first, timer_count, timer_room;
    bool timer_set;            /* a core that sleeps is woken for the first one */
    uint64_t sent;             /* what is sent now, is from then on; the timer is set at: */
    uint64_t sets, timer_from; /* ... it has been, and does not ring before */
    bool looks;                /* a core that looks for a thread makes others ready: it sees to the first one */
    uint32_t passed;           /* threads that wait, which the last one has passed */
    uint32_t fresh;            /* threads that have become ready, and no core has been woken for */
    struct {
        uint32_t number; /* of those */
        unsigned core;   /* is asked to let it run */
    } asks[ES_PREDICT_CORES];
    uint32_t ask_count;
    /* the one port */
    uint32_t wheel[256];
    uint32_t pending; /* cores that ask for it */
    unsigned last;    /* had it last */
    uint64_t port;    /* clock in which it is free */
    unsigned walking; /* cores */
} engine;

/* Lists of threads: a thread is in one at most. */
void es_predict_list_add(engine *e, list *l, uint32_t thread);
void es_predict_list_remove(engine *e, list *l, uint32_t thread);
uint32_t es_predict_list_choose(engine *e, list *l); /* by the machine's order; NONE: empty. Removed */

/* Ready threads. */
void es_predict_ready_add(engine *e, uint32_t thread, unsigned core);
/* Without asking a core to let it run. */
void es_predict_ready_put(engine *e, uint32_t thread, unsigned core);
uint32_t es_predict_ready_take(engine *e, unsigned core);
uint32_t es_predict_ready_best(const engine *e); /* stays */

/* The one that has waited longest for a condition goes on without being told; where time decides the ways, that for a
 * semaphore, too. False: none waits. */
bool es_predict_goes_on_untold(engine *e);

/* The event of core's thread: whether it has to wait. Lets others go on. *woken: so many. */
bool es_predict_event_done(engine *e, unsigned c, uint32_t *woken);
/* Before it is done: what is in the lists and the ring that it may change, as bits; and what they mean for the way it
 * goes: ES_PREDICT_CROWD and _WRAPS. */
unsigned es_predict_event_lists(const engine *e, unsigned c);
unsigned es_predict_event_way(unsigned kind, unsigned how, unsigned lists);

/* Items are on their way before they arrive. */
bool es_predict_is_late(const engine *e);
uint64_t es_predict_ticks_to(const engine *e, unsigned c, es_predict_point point);
void es_predict_sends_at(engine *e, unsigned c, unsigned kind); /* the event of the core's thread, if it sends any */
void es_predict_sends(engine *e, uint32_t object);
uint64_t es_predict_timer_rings(const engine *e);        /* when a core is woken; NEVER: it is not known */
uint32_t es_predict_arrives(engine *e, uint32_t object); /* an item; returns how many threads go on */
/* A core looks for a thread: what it does before it knows what has arrived, of the whole way to it; false: nothing.
 * And the rest. */
bool es_predict_look(engine *e, unsigned c, enum es_predict_next how, const es_predict_section *all);
es_predict_section es_predict_after_look(const engine *e, enum es_predict_next how, const es_predict_section *all);
bool es_predict_finds_item(engine *e, unsigned c); /* and goes on with it */
/* Code with the lock that may have made threads ready, for which it rings `tail` clocks before its end. `more` clocks
 * longer than the section. */
void es_predict_hold(engine *e, unsigned c, const es_predict_section *hold, uint64_t more, uint32_t tail);

/* Code of a core from now on. */
void es_predict_start(engine *e, unsigned c, const way *what);
void es_predict_walk_on(engine *e, unsigned c, const walk *from, uint64_t after);
/* Walking; the rest is in walk_at. Returns the clocks to its next request. */
uint64_t es_predict_stop(engine *e, unsigned c);
/* What a core does in the kernel. */
void es_predict_enter(engine *e, unsigned c, enum core_state state);
void es_predict_run_step(engine *e, unsigned c);
void es_predict_code_has_ended(engine *e, unsigned c);
/* Cores that wait for the lock look again and again. */
bool es_predict_lock_loops(const engine *e);
/* The core's code ends now, with an access to the lock: another one comes first, so it ends later. */
bool es_predict_lock_is_late(engine *e, unsigned c);
/* A core that waits for the lock looks for it in vain until some other core does something. */
void es_predict_lock_skip(engine *e, unsigned c);
/* Idle cores for threads that have become ready, at a time, which is of the last of them; so long lies between two
 * of them, and to ring takes so long. Cores that are asked to let a better one run hear it in the same way. */
void es_predict_wake_cores(engine *e, uint64_t last, uint64_t apart, uint64_t bell);
/* The first core that is idle, at a time. False: there is none. */
bool es_predict_wake_core(engine *e, uint64_t time);
uint32_t es_predict_idle(const engine *e); /* cores that can be woken */
/* For a timer: there is one that can be woken at that time, also one for which it is known that a bell will ring later.
 * The first of them is; then that bell is for the next one. */
bool es_predict_hears(const engine *e, uint64_t time);
void es_predict_wake_first(engine *e, uint64_t time);
/* How many bells ring for the threads that have become ready. */
uint32_t es_predict_bells(const engine *e);
/* The core that is asked for the thread of that number; ES_PREDICT_CORES: none. */
unsigned es_predict_asked_for(const engine *e, uint32_t number);
/* Nobody's bell rings later than now, the end of the event that does it. */
void es_predict_wake_now(engine *e);
/* The rest of the library's function, as its thread has given the lock back, or got on after waiting. */
void es_predict_start_after(engine *e, unsigned c, unsigned kind, bool waited);
/* Its thread goes on where it was interrupted. */
void es_predict_go_on(engine *e, unsigned c);
#define ES_PREDICT_CLOSED UINT32_MAX /* as `closed`: what is executed is not at the thread's spot */

/* Where its thread's code, which does not walk, is interrupted: cut_at. */
void es_predict_find_cut(engine *e, unsigned c);
/* An interrupt is pending from a time on. */
void es_predict_interrupt_at(engine *e, unsigned c, uint64_t time);
/* Its thread is interrupted now, at its spot: cut_at. */
void es_predict_is_cut(engine *e, unsigned c);
/* It has the lock: its thread stops, or goes on. */
void es_predict_has_trapped(engine *e, unsigned c);
/* It has given it back, and goes on with its own thread; it is there again. */
void es_predict_keep_thread(engine *e, unsigned c);
void es_predict_thread_kept(engine *e, unsigned c);
uint64_t es_predict_section_accesses(const engine *e, const es_predict_section *s);
uint64_t es_predict_section_clocks(const engine *e, const es_predict_section *s); /* of its accesses */
/* Accesses of the last so many clocks of it. */
uint64_t es_predict_accesses_after(const engine *e, const es_predict_section *s, uint64_t clocks);
uint64_t es_predict_bell_accesses(const engine *e); /* of waking a core */
/* A slice begins so far from now. */
void es_predict_slice_begins(engine *e, unsigned c, es_predict_point after);
/* Its walk comes to a request now, at a time, and an interrupt is pending: where it may be cut, it is. */
bool es_predict_cuts_walk(engine *e, unsigned c, uint64_t time);
/* Kernel code of a core from now on. `more` clocks longer than that. */
void es_predict_start_section(engine *e, unsigned c, const es_predict_section *s, uint64_t more);
/* To the next block that has an access. False: the code has ended. */
bool es_predict_next_block(const engine *e, walk *w);
void es_predict_enter_block(const engine *e, walk *w);

/* How many accesses code has of which only the length is known. */
static inline uint64_t es_predict_more_accesses(uint64_t clocks)
{
    return clocks * 5 / 9; /* as the library's own */
}

/* The one port until some core has come to the end of its code, or `limit`. */
void es_predict_port(engine *e, uint64_t limit);

#endif
