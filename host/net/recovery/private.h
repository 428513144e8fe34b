/* What the parts of recovery share: the net in the form that both games need, and their states. */
#ifndef ES_NET_RECOVERY_PRIVATE_H
#define ES_NET_RECOVERY_PRIVATE_H

#include "net/recovery/recovery.h"

#define NONE ES_NET_NONE
#define BEGINNING (INT64_MIN / 4) /* when initial tokens came: they are older than any event and no part of a wait */

/* A moment in the recovered run's total order: time, and among events at one time the order of net.h. There, an event
 * comes into play with its causes and goes before what is in play with a larger priority. So two events are ordered by
 * the chains of causes at that time that led to them: by the largest priority in each chain, then by the largest one
 * after it, and so on; a cause (whose list is the beginning of the other) goes first. `order` holds that falling list.
 * */
#define ORDER_MAX 4
typedef struct moment {
    int64_t time;
    uint32_t order[ORDER_MAX];
    uint8_t length;
    bool loose; /* its place among others at this time is a guess: unobserved steps, or a longer list */
} moment;

/* In answers: the decision hung on the order of events at one time; and that order is not known. Transitions have
 * smaller numbers. */
#define ANSWER_TIED 0x80000000u
#define ANSWER_GUESSED 0x40000000u
#define ANSWER_TO(answer) ((answer) & ~(ANSWER_TIED | ANSWER_GUESSED))
/* In the number of a measure: it was used before; or it is none, but the net's delay. */
#define REUSED (UINT64_C(1) << 63)
#define NOMINAL (UINT64_C(1) << 62)

/* Measurement of one run of a stretch. */
typedef struct measure {
    int64_t length; /* ticks, without the mark */
    int64_t observed, mark;
    uint64_t serial, number;
} measure;

/* The recovered game's wait at a stretch: when it began, and how certain that is. */
typedef struct wait {
    moment base;
    uint64_t since; /* es_net_recovery.pushed at that time */
    uint8_t certainty;
    uint8_t flags;
} wait;

/* Rings: `count` items from `first` on in an array of `size`, a power of two. */
/* clang-format off */
#define RING(type) struct { type *items; uint32_t first, count, size; }
/* clang-format on */

/* A stretch: from the transition `entry`, whose tokens monitors made, over unobserved steps to the monitor `end`; entry
 * may be end. */
typedef struct stretch {
    uint32_t entry, end;
    const uint32_t *path; /* priorities of entry, ... , end */
    uint32_t path_length;
    RING(measure) measures;
    uint32_t *answers; /* observed decisions at the end, `decisions` for each measure */
    RING(wait) waits;
    RING(int64_t) begun; /* observed runs: when they began */
    measure last;        /* used last; for pasting it again */
    int64_t nominal;     /* the net's delays of the path */
    bool has_last;
    bool queued;
    bool starving; /* in es_net_recovery.starving */
    /* Asking again (spin.c): of those runs of `end` alone that come after the step `after`. */
    bool repeat, has_steady, varies;
    bool exit; /* no repeat, but the way on after several steps that ask: each takes its own time */
    uint32_t after;
    int64_t steady;        /* what it always takes */
    RING(uint64_t) labels; /* by measure: process_state.spin_observed at that time */
    uint64_t unpaired;     /* certain events that rely on `steady` alone */
    uint32_t watch;        /* first place that looks again when this fires, or NONE */
} stretch;

/* A token's stay in a place of the recovered game. */
typedef struct stay {
    moment came, went;
    uint64_t number;
    uint32_t from, last, to; /* to: NONE while undecided */
    uint8_t certainty, went_class, flags;
    bool gone;
    /* For a decision: what was observed. */
    uint32_t answer;
    int64_t observed;
    uint64_t serial;
} stay;

/* A free place's observed choice, and the process' last decision before it. */
typedef struct choice {
    uint32_t to, context;
} choice;

#define HABITS_MAX 64

/* What waits after a change for an occurrence that has not come yet. */
typedef struct hunger {
    uint32_t task; /* stretch, or stretch_count + free place */
    uint64_t since;
} hunger;

enum head { HEAD_NONE, HEAD_ROUTED, HEAD_DECIDING, HEAD_FREE };

typedef struct place_state {
    /* What every token needs stands first, in one line of the cache. */
    uint32_t only;           /* the only output, or NONE */
    bool decides;            /* several outputs and rules */
    bool free;               /* several outputs, no rules */
    bool controlling;        /* in some D_p */
    bool leaves_unseen;      /* unobserved steps take its tokens */
    bool meets_unseen;       /* decides, and two ways lead over unobserved steps to one monitor: no event tells which */
    bool ordered;            /* monitors of different processes put tokens here: which of them is first matters */
    bool root;               /* tokens here come from monitors or are initial */
    bool spin;               /* decides whether its process asks again or goes on: the one way that is not idle */
    bool answers_call;       /* decides by nothing but where its process is (again_implied.c) */
    bool silent;             /* decides: which way is nothing that the program does (silent.c) */
    bool present;            /* observed game: a token is here, */
    bool queued;             /* recovered game: it is to be looked at */
    enum head head : 8;      /* recovered game: what the first token does */
    uint32_t to, from, last; /* ... routed there, made by that transition, and the last monitor on its way */
    int64_t came;
    RING(stay) stays;   /* recovered game: past stays that decisions may need, the head's, those after it */
    uint32_t past;      /* stays before the head */
    uint8_t left_class; /* how certain it is that the last token has gone, and where to */
    uint32_t trim_at;   /* controlling: look for past stays to forget at that many */

    uint32_t deciders_first, deciders_count; /* places that look here, in es_net_recovery.deciders */
    uint32_t initial_to;                     /* where the initial token goes */
    /* observed game */
    bool was_present; /* the token before this one, for ties */
    uint32_t was_to, was_from, was_last;
    int64_t was_gone;                  /* BEGINNING: none */
    RING(choice) choices;              /* free: observed routes not yet used */
    RING(choice) habits;               /* free: the last route after each decision, of the first HABITS_MAX */
    uint64_t habit_kept, habit_broken; /* free: routes that were the habit's, and others */
    RING(uint32_t) comers;             /* ordered: transitions in the observed order */
    RING(uint32_t) answers; /* decides, not silent: what tokens of computed steps decided, not yet compared */
    /* recovered game */
    RING(stay) gated;  /* ordered: came, but an earlier one may come; sorted by time */
    uint64_t arrivals; /* ordered: admitted so far; decides: decided so far */
    bool order_changed;
    bool unpaired;  /* answers can no longer be told to belong to this or that token */
    moment floor;   /* decides: the last decision's */
    int64_t relied; /* controlling: before this time, all that happens here was certain */
    bool starving;  /* free: in es_net_recovery.starving, */
    bool takes_any; /* and has waited long enough: the next choice is good, whatever was before it */
    bool stuck;     /* the head's decision hangs on lost marks and will never be known */
    /* open decision or gate */
    bool open;
    uint32_t open_index; /* in es_net_recovery.open */
    uint32_t witness;    /* what it waits for: stretch, or stretch_count + place; NONE: queued */
    uint32_t watch;      /* first place that waits for this place */
    uint32_t watch_next; /* next in the list it is in */
    int64_t retry;       /* observed time at which it may have become certain */
} place_state;

typedef struct step_state {
    const uint32_t *in, *out; /* places */
    uint32_t in_count, out_count;
    uint32_t priority;
    int64_t mark, mark_max;
    bool monitor, untimed;
    bool idle;          /* a step of asking again */
    bool outcome;       /* one of the ways of a decision that is not silent */
    bool ends_unseen;   /* unobserved steps lead to it: its place among events at one time may be a guess */
    bool computed;      /* a monitor whose time follows from its tokens in both games: no measure, no change */
    int64_t delay;      /* computed: in the observed run, */
    int64_t what_if;    /* and in the recovered one */
    uint32_t decisions; /* outputs that decide */
    uint32_t process;   /* in es_net_recovery.processes */
    uint32_t starts_first, starts_count; /* stretches with this entry: es_net_recovery.stretches */
    uint32_t repeats;                    /* stretches after those: its runs after steps of asking again */
    uint32_t then;                       /* idle: where the free place after it went; NONE: not known */
    uint32_t ends_first, ends_count;     /* stretches with this end: es_net_recovery.ends */
    uint32_t missing_observed, missing;  /* tokens that it waits for, in either game */
    uint64_t fired_observed, fired;
    moment fired_last;
    uint8_t fired_class;
    uint32_t visited; /* by the search of this number */
} step_state;

typedef struct process_state {
    bool loose;                         /* marks were lost: its place in the net is not known */
    bool tainted;                       /* events of it were pasted */
    uint32_t context, context_observed; /* its last decision's way, in either game */
    int64_t perturbation;               /* of its last event: observed - recovered */
    es_net_pace pace;
    es_net_doubt doubt;
    uint32_t changed_at; /* the first place that decided otherwise for it; NONE */
    uint32_t guessed_at; /* the first place that decided by an order that is not known; NONE */
    /* Asking again: how often the process has gone on, in either game */
    uint64_t spin, spin_observed;
    uint32_t spin_places;
    RING(uint32_t) left; /* several spin places: by which step the observed one went on, not yet compared */
    uint32_t held;       /* spin place whose head waits for that; NONE */
    uint32_t repeating;  /* repeat that the recovered game has begun last; NONE */
} process_state;

/* What the process would take for measured ticks. */
static inline int64_t process_takes(const process_state *process, int64_t ticks)
{
    if (__builtin_expect(process->pace.factor == process->pace.of, true))
        return ticks;
    __int128 product = (__int128)ticks * process->pace.factor, half = process->pace.of / 2;
    return (int64_t)((product + (product < 0 ? -half : half)) / process->pace.of);
}

struct es_net_recovery {
    const es_net *net;
    es_net_recovery_options options;
    es_arena *arena; /* all that does not grow */
    place_state *places;
    step_state *steps;
    stretch *stretches;
    uint32_t stretch_count;
    uint32_t *ends, *deciders;
    process_state *processes;
    uint32_t process_count;
    int64_t now;                 /* observed: all before it is known */
    int64_t done;                /* observed: all up to it has been played */
    es_net_observation *instant; /* observed at `now`, not played yet */
    uint32_t instant_count, instant_size;
    bool instant_guessed; /* in which order those of the instant happened, is not known */
    uint32_t *scratch;    /* as many answers as any step's decisions */
    uint32_t *ready;      /* observed game: enabled unobserved steps that take no time */
    uint32_t ready_count;
    RING(uint32_t) tasks; /* recovered game: stretches to fire, stretch_count + place to look at again */
    RING(hunger) starving;
    uint64_t pushed; /* events */
    uint32_t *open;
    uint32_t open_count;
    uint32_t *search; /* stack of the search */
    uint32_t search_number;
    int64_t retry; /* the earliest one of the open decisions */
    bool complete; /* the program ended: what waits for measurements waits forever */
    bool ended;    /* the trace ended: no more answers */
    bool closed;   /* for now, nothing comes that is not there */
    bool stopped, changed, any_loose, any_idle;
    int64_t ahead; /* recovered time of the first repeat that waits for the trace to come so far */
    bool not_idle; /* what came after a step that the net calls idle */
    uint32_t not_idle_from, not_idle_to;
    bool not_steady; /* `steady` of the stretch was relied on, and the event took another time */
    uint32_t not_steady_stretch;
    es_net_observation not_steady_event;
    /* A mark that took longer than the net's mark_max, and a decision that should have waited for it. */
    es_net_observation overlong;
    bool is_overlong, too_early;
    uint32_t too_early_place;
    es_net_recovery_totals totals;
    struct again *again; /* again.c; NULL: not in this net, or not in this trace */
};

/* --- rings (ring.c) */
void es_recovery_ring_grow(void **items, uint32_t *first, uint32_t count, uint32_t *size, size_t item);
#define RING_PUSH(ring) \
    ((ring).count == (ring).size ? es_recovery_ring_grow((void **)&(ring).items, &(ring).first, (ring).count, \
                                                         &(ring).size, sizeof *(ring).items) \
                                 : (void)0, \
     &(ring).items[((ring).first + (ring).count++) & ((ring).size - 1)])
#define RING_AT(ring, index) (&(ring).items[((ring).first + (index)) & ((ring).size - 1)])
#define RING_POP(ring) ((ring).count--, &(ring).items[(ring).first++ & ((ring).size - 1)])
#define RING_DROP(ring) ((ring).count--, (ring).first++)

/* Room for one more measure at the stretch and for the answers of its end's `decisions`. */
void es_recovery_grow_answers(stretch *at, uint32_t decisions);
static inline measure *recovery_add_measure(stretch *at, uint32_t decisions, uint32_t **answers)
{
    if (at->measures.count == at->measures.size && decisions) /* the answers are in the same entries */
        es_recovery_grow_answers(at, decisions);
    measure *added = RING_PUSH(at->measures);
    *answers =
        at->answers + (size_t)((at->measures.first + at->measures.count - 1) & (at->measures.size - 1)) * decisions;
    return added;
}

/* --- the net in this form (build.c) */
bool es_recovery_build(es_net_recovery *recovery, es_error *err);

/* --- computed steps and silent decisions (silent.c) */
/* says which they are; after places and steps are built */
bool es_silent_build(es_net_recovery *recovery, es_error *err);

/* --- moments (order.c) */
bool es_moment_before_at_one_time(const moment *left, const moment *right);
void es_moment_append(moment *at, const uint32_t *path, uint32_t path_length);

static inline bool moment_before(const moment *left, const moment *right)
{
    return left->time != right->time ? left->time < right->time : es_moment_before_at_one_time(left, right);
}

/* At one time, and which of them is first is not known. A loose moment is never earlier than where it was put: what is
 * not known of its list are larger priorities before those that are, or more of them at its end. */
static inline bool moment_unsure(const moment *left, const moment *right)
{
    if (left->time != right->time)
        return false;
    return (left->loose && !moment_before(right, left)) || (right->loose && !moment_before(left, right));
}

/* The moment of an event `length` ticks after the one that enabled it, over steps with these priorities. */
static inline moment moment_after(const moment *cause, int64_t length, const uint32_t *path, uint32_t path_length)
{
    if (length != 0) /* the last steps of a longer path may have taken no time: a guess */
        return (moment){
            .time = cause->time + length, .order = {path[path_length - 1]}, .length = 1, .loose = path_length > 1};
    moment after = *cause;
    es_moment_append(&after, path, path_length);
    return after;
}

/* --- observed game (observed.c, observed_decide.c) */
bool es_observed_start(es_net_recovery *recovery, es_error *err);
bool es_observed_instant(es_net_recovery *recovery, es_error *err);

/* --- recovered game (recovered.c, look.c) */
void es_recovered_start(es_net_recovery *recovery);
void es_recovered_measured(es_net_recovery *recovery, uint32_t index); /* a measure was added */
void es_recovered_chosen(es_net_recovery *recovery, uint32_t place);   /* a choice of a free place was added */
void es_recovered_answered(es_net_recovery *recovery, uint32_t place); /* an answer was added */
void es_recovered_run(es_net_recovery *recovery);                      /* until nothing moves */
void es_recovered_emit(es_net_recovery *recovery, const es_net_recovered *event);
void es_recovered_emit_loose(es_net_recovery *recovery, const es_net_observation *observation, uint64_t number);
void es_recovered_look(es_net_recovery *recovery, uint32_t index);                /* at its head and its gate */
void es_recovered_routed(es_net_recovery *recovery, uint32_t index, uint32_t to); /* where its head goes */
void es_recovered_admit(es_net_recovery *recovery, uint32_t index, const stay *token);
void es_recovered_admit_forced(es_net_recovery *recovery, uint32_t index); /* the gated token observed to be next */
/* the head goes as observed, or as it stands */
void es_recovered_decide_forced(es_net_recovery *recovery, uint32_t index);

/* --- where measures are lacking, and the end (starve.c) */
/* once for each; of class PASTED or LOST */
void es_starve_add(es_net_recovery *recovery, uint32_t task, uint64_t since);
void es_starve_look(es_net_recovery *recovery); /* helps those that have waited long enough */
void es_starve_end(es_net_recovery *recovery);  /* the trace has ended: all that is still open or waits */
void es_starve_cut(es_net_recovery *recovery, uint32_t index, uint32_t count, enum es_net_cut_reason reason);

/* --- certain again after lost marks (again.c) */
void es_again_build(es_net_recovery *recovery); /* is the net one in which time decides nothing? After all is built */
/* Marks of these processes were lost (count 0: of all). False: nothing can be certain again. */
bool es_again_gap(es_net_recovery *recovery, const int32_t *processes, size_t count);
bool es_again_runs(const es_net_recovery *recovery); /* it plays the events, instead of both games */
/* Plays the instant's events; returns how many. The others do not fit: they, and all that follows, are lost. */
uint32_t es_again_instant(es_net_recovery *recovery);

/* --- decisions (decide.c) */
enum verdict { CERTAIN, OPEN, UNKNOWABLE };
typedef struct decision {
    uint32_t to;
    uint32_t witness;  /* OPEN: look again when this moves */
    int64_t retry;     /* OPEN: or at this observed time */
    uint8_t certainty; /* what it rests on */
    bool tied;         /* it hung on the order of events at one time, */
    bool guessed;      /* and that order is not known: unobserved steps, or a longer list than a moment holds */
} decision;
enum verdict es_recovery_decide(es_net_recovery *recovery, uint32_t place, const moment *at, decision *found);
/* May a source of the ordered place still bring a token before `at`? CERTAIN: no. */
enum verdict es_recovery_gate(es_net_recovery *recovery, uint32_t place, const stay *token, decision *found);
void es_recovery_forget_past(es_net_recovery *recovery, uint32_t index); /* drops stays that no decision can need */
/* The observed game's decision as an answer, or NONE; *loose: a process whose marks were lost had its hands on a
 * controlling place. */
uint32_t es_observed_decide(const es_net_recovery *recovery, uint32_t place, bool *loose);

/* Does a process whose marks were lost take tokens from the place, or, with `inputs`, put them on it? */
bool es_observed_touched_by_loose(const es_net_recovery *recovery, uint32_t index, bool inputs);

/* --- asking again (spin.c) */
/* Which places are spins, before stretches are built; fails where idle steps are none. */
bool es_spin_build(es_net_recovery *recovery, es_error *err);
/* Does the step, alone a stretch, need one of its own for its runs after `from`? */
bool es_spin_repeats(const es_net_recovery *recovery, uint32_t transition, uint32_t from);
/* A step that may follow the idle one at the free place after it. */
uint32_t es_spin_then(const es_net_recovery *recovery, uint32_t from);
/* The stretch of the run that the tokens begin which `from` made; of one that is no repeat, starts_first. */
uint32_t es_spin_stretch(const es_net_recovery *recovery, const step_state *step, uint32_t from);
/* An observed run of a repeat: takes note of its length. False: the recovered run has gone on without it. */
bool es_spin_observed(es_net_recovery *recovery, uint32_t index, const es_net_observation *event, int64_t length);
void es_spin_observed_decision(es_net_recovery *recovery, uint32_t to);
bool es_spin_observed_choice(es_net_recovery *recovery, uint32_t from, uint32_t to); /* after the idle step `from` */
/* Can the recovered game's begun repeat end now? Cuts out what was observed too often. */
bool es_spin_ready(es_net_recovery *recovery, uint32_t index);
bool es_spin_take(es_net_recovery *recovery, uint32_t index, measure *taken); /* false: there is no observed one */
void es_spin_label(es_net_recovery *recovery, uint32_t index);                /* of a pasted measure */
/* The recovered game goes on by the step `to`. False: not yet known whether the observed one did, too; *observed: by
 * which step it did, or NONE. */
bool es_spin_may_leave(es_net_recovery *recovery, uint32_t place, uint32_t to, uint8_t certainty, uint32_t *observed);
void es_spin_caught_up(es_net_recovery *recovery); /* the trace with a repeat that was too far ahead of it */
bool es_spin_hungry(es_net_recovery *recovery, uint32_t index); /* no length of the begun repeat is known */

static inline bool stretch_ready(es_net_recovery *recovery, uint32_t index)
{
    const stretch *at = &recovery->stretches[index];
    return __builtin_expect(at->repeat, false) ? es_spin_ready(recovery, index) : at->measures.count != 0;
}

/* --- free places (choices.c) */
void es_choices_add(es_net_recovery *recovery, uint32_t index, uint32_t to); /* observed */
void es_choices_take(es_net_recovery *recovery, uint32_t index);             /* for the recovered head */

/* --- what is to be done, and what waits (open.c) */
static inline void recovery_task_stretch(es_net_recovery *recovery, uint32_t index) /* it may fire */
{
    stretch *at = &recovery->stretches[index];
    if (at->queued)
        return;
    at->queued = true;
    *RING_PUSH(recovery->tasks) = index;
}
void es_recovery_task_place(es_net_recovery *recovery, uint32_t index); /* its head or gate is to be looked at */
void es_recovery_open_add(es_net_recovery *recovery, uint32_t index,
                          const decision *found);                        /* waits for found->witness and found->retry */
void es_recovery_open_remove(es_net_recovery *recovery, uint32_t index); /* it is decided; fine when it was not open */
void es_recovery_open_forget(es_net_recovery *recovery, uint32_t index); /* it waits for its witness no more */
void es_recovery_open_wake(es_net_recovery *recovery,
                           const uint32_t *list); /* what waits for this stretch or place looks again */
void es_recovered_look_again(es_net_recovery *recovery, uint32_t index); /* an open decision may have become certain */

#endif
