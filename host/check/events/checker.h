/* Inside of a check: what its files share. */
#ifndef ES_CHECK_CHECKER_H
#define ES_CHECK_CHECKER_H

#include "check/check.h"
#include "check/events/holding.h"
#include "check/firmware/service.h"
#include "check/queues/backlog.h"
#include "check/target/aims.h"
#include "check/target/switches.h"

typedef struct key {
    uint32_t address;
    bool armed; /* false: the place is empty */
    const es_image_key *image;
    uint32_t depth; /* of a fetch: most activations when its procedure is the innermost, that one included */
    bool back;      /* of a fetch: a call stands before it */
    bool elsewhere; /* of a fetch: the place is also part of what is jumped into from elsewhere */
    bool outside;   /* of a fetch: it may be executed outside of handlers */
    bool handler;   /* of a fetch: in a handler's own code */
} key;

typedef struct es_checker_list {
    size_t *items, count;
} es_checker_list;

/* A cost that was asked for before. */
typedef struct es_checker_known {
    uint64_t what, where; /* what 0: the place is empty */
    int64_t cost;
} es_checker_known;

struct es_checker_stacks; /* stacks.c */
/* Where words whose address moves may lie. */
typedef struct es_checker_slot {
    bool anywhere;
    uint32_t set;      /* regions of the program's memory, or ... */
    size_t frame;      /* ... the frame of the procedure with this number; CHECK_NONE: no frame. Tasks: any */
    int32_t low, high; /* ... from this place in it to below that one */
} es_checker_slot;

/* One check while it is made. */
typedef struct checker {
    const es_symbols *symbols;
    const es_program *statements;
    const es_image *image;
    bool narrow; /* the bus has 8 or 16 bits */
    const es_check_options *options;
    es_check_report *report;
    es_check_program program;
    es_check_service *service;
    es_check_switches switches; /* with tasks */
    uint32_t tasks;             /* ... so many at most; 0: there are none */
    uint32_t nest;              /* what is taken as the most activations that nest */
    bool nests;                 /* and the program's calls alone do not show it */
    bool handlers;              /* the program has interrupt handlers */
    bool nested;                /* which may be interrupted themselves */
    uint32_t levels;            /* most of them that are active at once */
    uint32_t depth;             /* most activations that nest, as far as the shadow stack holds them */
    es_check_aims aims;
    bool follows_stores;       /* aims are known */
    size_t *one_stack;         /* by image key: the first key of the same stack of `stack`; CHECK_NONE: of none */
    int64_t (*stack_costs)[2]; /* of that key's words, written whole and in part; -1: not asked yet */
    size_t *frames;            /* by image key: number of the procedure in whose frame it is; CHECK_NONE: in none */
    es_checker_list *tails;    /* by procedure: those that may return in its stead */
    key *fetches;              /* hash tables of armed addresses */
    key *writes;
    uint32_t *reads; /* words that statements read() */
    size_t read_count;
    uint64_t slots;        /* a bit for each es_mi_slot: words whose address moves ... */
    uint64_t reading;      /* ... and that are armed for data reads; the others are for writes */
    es_checker_slot *slot; /* by es_mi_slot */
    uint64_t *slots_of;    /* by node: those that its store may go to, and its load */
    bool *interrupting;    /* by procedure: it may run in an interrupt */
    bool *start_up;        /* by procedure: it may run before start-up code is over, whose writes are no events */
    bool constants;        /* data reads are hits: of constants in armed words of code, too */
    size_t room;
    bool words;                                                  /* count packets' words, not clocks */
    enum { EACH_HIT_ALL, MOVES_PAY, HITS_AND_CALLS_PAY } paying; /* for the path that is sent before a hit */
    uint32_t frame, entry;                                       /* what its frame costs, and each activation in it */
    int64_t idle; /* what a pass without a hit takes, at most (with words: all passes of a flush) */
    struct es_checker_stacks *stacks;
    es_checker_known *known; /* hash table */
    size_t known_count, known_room;
    es_check_sweep *sweeps;
    size_t sweep_count;
    uint32_t *depth_of; /* by procedure: most activations at its entry, its own included */
    bool failed;
    es_error *err;
} checker;

static inline int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* How fetched words tell of calls and returns. */
static inline const es_isa_evidence *evidence_of(const checker *c)
{
    return &c->program.isa->evidence;
}

static inline uint32_t at_most(uint32_t depth, uint32_t most)
{
    return depth < most ? depth : most;
}

/* fetches.c: the procedure in whose code an address lies; CHECK_NONE: in no symbol's. */
size_t es_checker_procedure_at(const checker *c, uint32_t address);

/* depth.c */
void es_checker_find_depth(checker *c);
/* Most activations on the shadow stack in procedure p (CHECK_NONE: anywhere). */
uint32_t es_checker_depth(const checker *c, size_t p);
/* The same as far as it is known, whatever the shadow stack has room for. */
uint32_t es_checker_shadow_depth(const checker *c);

/* start_up.c: in which procedures start-up code may go on: c->start_up. Nowhere, where its writes are events. */
void es_checker_find_start_up(checker *c);

/* sweeps.c: c->sweeps, when the program's loops are known */
void es_checker_find_sweeps(checker *c);

/* costs.c, before all costs: tells the service whether variables with a filter may be written in part. */
void es_checker_find_parts(checker *c);

/* sending.c */
bool es_checker_find_sending(checker *c);

/* keys.c: which words are armed */
void es_checker_take_keys(checker *c);
/* Whether a key is of a stack's word, all of which cost the same, and not the first one. */
bool es_checker_is_same_stack(const checker *c, size_t which);
key *es_checker_key_of(const checker *c, key *table, uint32_t address);

/* costs.c: costs of one event; c->failed when no worst case is known. */
int64_t es_checker_cost(checker *c, enum es_check_event_kind kind, uint32_t address, es_check_situation now);
/* The costliest over the NPs that there may be, where procedure p is the innermost one or called. */
int64_t es_checker_cost_at(checker *c, enum es_check_event_kind kind, uint32_t address, es_check_situation now,
                           size_t p, const uint32_t *nodes);
/* Where a cost is kept; what is not 0. What it depends on besides its place; and how it is put there. */
es_checker_known *es_checker_known_cost(checker *c, uint64_t what, uint64_t where);
uint64_t es_checker_what_for(const checker *c, unsigned sort, uint32_t number);
int64_t es_checker_keep_cost(checker *c, uint64_t what, uint64_t where, int64_t cost);
/* Of the image's key with that number; slots: those that the write may concern, too; stored: the word after it, as far
 * as that is known. */
int64_t es_checker_write_cost(checker *c, size_t p, size_t which, uint64_t slots, bool whole, es_check_word stored);
/* The same of the start-up code, which writes each word of static storage once as a whole. */
int64_t es_checker_clear_cost(checker *c, size_t which);
/* What is known of that key's word after the node's store into it. */
es_check_word es_checker_stored(const checker *c, const es_check_node *node, size_t which);
/* The same of words of slots, where no other is armed; no slot: 0. */
int64_t es_checker_moving_cost(checker *c, size_t p, uint64_t slots, bool whole);
int64_t es_checker_moving_read_cost(checker *c, size_t p, uint64_t slots);
/* Whether the node's store may write all lanes of a word; and some of them. */
void es_checker_lanes(const es_check_node *node, bool *whole, bool *part);
/* Whether the node's store may write the armed word with this number among the image's keys. */
bool es_checker_may_store(const checker *c, const es_check_node *node, size_t which);
/* Whether its load may be of a word that is armed for reads, or one of code. */
bool es_checker_may_load(const checker *c, const es_check_node *node, uint32_t address);
/* The same of a load; of a word that is armed for reads, or of code, and that slots may lie over. */
int64_t es_checker_read_cost(checker *c, size_t p, uint32_t address, uint64_t slots);
/* For es_check_costs; the context is the checker. */
int64_t es_checker_store_cost(void *context, const es_check_node *node);

/* fetches.c: what fetches cost */

/* With tasks: one may begin at the address; the return or mret there may go on with another; so may what returns after
 * the call there. */
bool es_checker_begins(const checker *c, uint32_t address);
bool es_checker_switches_at(const checker *c, uint32_t address);
bool es_checker_returns_switched(checker *c, uint32_t call);
/* For es_check_costs; the context is the checker. A fetch from 0: nothing is known of what was fetched before, or it
 * was the mret that ended an interrupt. */
int64_t es_checker_fetch_cost(void *context, uint32_t from, uint32_t word, uint32_t address);
int64_t es_checker_back_cost(void *context, const es_check_node *call, size_t callee, uint32_t address);

/* slots.c: words whose address moves. Bits by es_mi_slot */
void es_checker_find_slots(checker *c);
/* Those for writes that the node's store may go to; those for reads that its load may. */
uint64_t es_checker_slots_of(const checker *c, const es_check_node *node);
uint64_t es_checker_slots_read(const checker *c, const es_check_node *node);
/* Those for writes that may lie over the image's key with that number; for reads, over the word of static storage or
 * code; those for writes where that of another one may. */
uint64_t es_checker_slots_over(const checker *c, size_t which);
uint64_t es_checker_slots_read_over(const checker *c, uint32_t address);
uint64_t es_checker_slots_beside(const checker *c, size_t number);
/* Whether the node's store may go to the stack and run in an interrupt: then it may come when a procedure has just
 * taken down its frame and its return is not seen. */
bool es_checker_overruns(const checker *c, const es_check_node *node);

/* clearing.c: the most work that waits while the start-up code clears memory (with c->words: packets' words) */
int64_t es_checker_find_clearing(checker *c, es_check_ratio ratio);

/* mail.c: c->idle; and how many soft core clocks go by until there is such a pass, at most; below 0: no bound is
 * known */
bool es_checker_find_idle(checker *c);
double es_checker_mail_waits(checker *c, const es_check_costs *costs);

/* From a transaction at the tap to its record at the FIFO's output, to the hit queue's head, and the soft core's
 * waking. */
#define ES_CHECKER_LATENCY 24 /* soft core clocks */

typedef struct checker_bound {
    double work;
    size_t worst;     /* node at which it is so much; CHECK_NONE: no event at all */
    uint32_t records; /* in the FIFO, if asked for */
} checker_bound;

/* highest.c: the highest backlog, with that ratio. False: it has no bound, as *unbounded says. */
bool es_checker_find_backlog(checker *c, const es_check_costs *costs, es_check_ratio ratio, bool fifo,
                             checker_bound *least, es_check_backlog *unbounded);
/* ... and until its record is at hand; below 0: it has no bound */
double es_checker_backlog(checker *c, const es_check_costs *costs, es_check_ratio ratio);

/* events.c: the report's list of events, and their holding times */
void es_checker_list_events(checker *c);
void es_checker_find_holding(checker *c, const es_check_costs *costs);

#endif
