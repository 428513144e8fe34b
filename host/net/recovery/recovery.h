/* Recovery: from the observed, perturbed firings of a net's monitors to what would have been without monitoring.
 *
 * Perturbation tracking after Gannon, Williams, Andersland, Lumpp and Casavant, extended: it works while events come
 * in, measures each mark instead of assuming it, and goes on after a behavioural change by cut and paste.
 * docs/compensation.md explains it.
 *
 * In short: the time between the last token that enabled a stretch of the program and the monitor at its end, less the
 * mark, is a property of that stretch and not of the perturbation. Recovery plays the net's token game twice. The
 * observed game says which stretch each observed event ended, and so yields the stretches' lengths. The recovered game
 * is a simulation without marks that takes each stretch's next length from there. Where a routing decision needs the
 * state of a controlling place, the recovered game waits until that state is certain; both games' answers are compared.
 * As each stretch's k-th length is used for its k-th run, going on after a different answer is cutting and pasting. */
#ifndef ES_NET_RECOVERY_H
#define ES_NET_RECOVERY_H

#include "net/model/net.h"

/* One firing of a monitor, as observed. */
typedef struct es_net_observation {
    uint32_t transition;
    int64_t time;    /* ticks; must not decrease from one to the next */
    int64_t mark;    /* D: ticks that monitoring added to this firing, as measured; ES_NET_UNKNOWN: as calibrated */
    uint64_t serial; /* the caller's number of the event, handed back */
} es_net_observation;

enum es_net_class {
    ES_NET_TOTALLY,  /* totally recovered: certain */
    ES_NET_POSSIBLY, /* right if decisions that the end of the trace left open went as observed; or, of decisions and
                      * arrivals that hang on the order of events at one time, if a guess of that order is right */
    ES_NET_PASTED,   /* after a behavioural change: measured in another place of the trace */
    ES_NET_LOST,     /* after lost marks: an estimate that keeps the perturbation known before the loss */
};

enum { /* flags of recovered events and changes */
       ES_NET_TIED =
           1, /* a decision right before it had an event at the very same time, and the order of the two decided */
       ES_NET_NEGATIVE =
           2, /* the stretch would have taken negative time: the mark is longer than all that was measured */
       ES_NET_UNSAFE =
           4, /* without marks the token would have met another one in a place: the net does not describe this run */
       ES_NET_NOMINAL = 32,  /* pasted from nowhere: never observed; the net's own delays */
       ES_NET_COMPUTED = 16, /* of a step that always takes the same time, played and not measured: without a source */
       ES_NET_REPEATED = 64, /* asking again, more often than observed: takes what it always takes; without a source */
       ES_NET_UNCOUNTED =
           128, /* certain again after lost marks, which hide how often the step was fired: `number` is the least */
       ES_NET_REUSED = 8, /* pasted from an occurrence that was used before, because no other one came */
};

#define ES_NET_NO_SERIAL UINT64_MAX

typedef struct es_net_recovered {
    uint32_t transition;
    uint64_t number; /* which of the transition's firings without monitoring it is, from 1 */
    int64_t time;    /* recovered; may be negative */
    enum es_net_class certainty;
    unsigned flags;
    /* Where the measurement comes from: the observed event. It is this very event unless the class is pasted. */
    uint64_t serial;
    uint64_t source_number; /* which of the transition's observed firings that is, from 1 */
    int64_t observed;       /* its observed time */
    int64_t mark;
} es_net_recovered;

/* A place decided otherwise than observed. */
typedef struct es_net_change {
    uint32_t place;
    uint32_t transition; /* the event that put the token there, */
    uint64_t number;     /* its number, */
    uint64_t serial;     /* and the observed event of the same number; ES_NET_NO_SERIAL when it is computed */
    uint64_t arrival;    /* which of the tokens that came to the place it was, from 1 */
    uint32_t observed_to, recovered_to;
    int64_t observed, recovered; /* times of the event; observed is ES_NET_UNKNOWN when it is computed */
    unsigned flags;              /* ES_NET_TIED */
    enum es_net_class certainty; /* how certain it is: the class of what it was decided by */
    bool consequence;            /* after another change (class PASTED or LOST): would not have been there without it */
} es_net_change;

/* Two events reach a place in another order than observed. Followed like a change of routing. */
typedef struct es_net_order_change {
    uint32_t place;
    uint32_t observed_from,
        recovered_from; /* transitions: whose token came as the `number`th, observed and recovered */
    uint64_t number;
    int64_t recovered; /* time of the recovered arrival */
    unsigned flags;
    enum es_net_class certainty; /* as of changes */
    bool consequence;
} es_net_order_change;

/* An observed event that has no recovered one: it was cut out, and the recovered run came there no more. */
enum es_net_cut_reason {
    ES_NET_CUT_CHANGE,  /* after a behavioural change the recovered run goes other ways */
    ES_NET_CUT_DROPPED, /* as above, and given up early: paste_limit */
    ES_NET_CUT_LOST,    /* lost marks hide what led there */
    ES_NET_CUT_ASKED,   /* asking again, more often than without marks */
};

typedef struct es_net_cut {
    uint32_t transition;
    uint64_t serial;
    int64_t observed;
    enum es_net_cut_reason reason;
} es_net_cut;

/* How long a process would take for what took `observed` ticks: observed * factor / of, rounded. */
typedef struct es_net_pace {
    uint32_t factor, of; /* above 0 */
} es_net_pace;

typedef struct es_net_recovery_options {
    /* What if: delays of the net's fixed steps in the recovered run, by transition, as another latency of messages;
     * NULL: the net's own. Only what is computed takes them, so that the observed run is still held against the
     * net's. */
    const int64_t *delays;
    /* What if: how fast each process would be, by its number; of processes from pace_count on, as observed. */
    const es_net_pace *paces;
    size_t pace_count;
    bool strict; /* stop at the first change, as the paper's algorithm does */
    /* Events at one time are pushed in the order in which they happened. false: in any order; the net's priorities
     * decide, and free choices made twice at one time are taken as pushed. */
    bool in_order;
    /* After a change: how many measurements may wait to be pasted, per stretch, before the oldest are given up. 0:
     * 4096. */
    uint32_t paste_limit;
    /* After a change: how many events a stretch waits for its next occurrence before an earlier one is used again, or
     * the net's delay where there was none. 0: 256. */
    uint32_t look_ahead;
    /* After a change, free places make their choices in the order in which they were observed. false: the next one
     * that was observed after the same decision of the process, where such decisions tell what is chosen. */
    bool count_choices;
    void (*on_cut)(void *context, const es_net_cut *cut); /* each observed event that on_event never has as a source */
    void (*on_event)(void *context,
                     const es_net_recovered *event); /* each recovered event once; causes before effects */
    void (*on_change)(void *context, const es_net_change *change);
    void (*on_order)(void *context, const es_net_order_change *change);
    void *context;
} es_net_recovery_options;

typedef struct es_net_recovery es_net_recovery;

/* Why a process is not certain any more, from its first event on that is not. */
enum es_net_doubt_reason {
    ES_NET_DOUBT_NONE,   /* it is */
    ES_NET_DOUBT_CHANGE, /* `place` decided otherwise, or had another order of arrivals: what it computes may differ */
    ES_NET_DOUBT_HEARD,  /* `transition` depends on what is not certain: on what `other` has made */
    ES_NET_DOUBT_LENGTH, /* how long `transition` takes after asking was never observed, or differs */
    ES_NET_DOUBT_LOST,   /* marks were lost */
    ES_NET_DOUBT_ORDER,  /* `place` decided by the order of events at one time, which unobserved steps hide */
};

typedef struct es_net_doubt {
    enum es_net_doubt_reason reason;
    int64_t time;        /* recovered, of that event; of lost marks the observed time */
    uint32_t transition; /* that event */
    uint32_t place;      /* CHANGE, ORDER */
    int32_t other;       /* HEARD; ES_NET_NO_PROCESS: it was decided by what is not certain */
    bool again;          /* LOST: it has become certain again, and is so to the end, */
    int64_t again_from;  /* from this event on: recovered */
} es_net_doubt;

/* The net must be finished, outlive the recovery, be ordinary, and fulfil C1, C2 and C3 or C3'; fails with ES_USAGE
 * naming place and transition where not. Free places need monitors as outputs. Initial tokens are routed as in the
 * engine. Trusted, not checked here: the net is safe. */
es_net_recovery *es_net_recovery_new(const es_net *net, const es_net_recovery_options *options, es_error *err);
void es_net_recovery_free(es_net_recovery *recovery); /* NULL is fine */

/* Takes the next observed event. Callbacks may come for it and earlier ones; events at one time are taken together once
 * a later time is known. Fails with ES_USAGE when the transition is no monitor, time goes back, or the net cannot fire
 * it now: net and trace do not belong together. */
bool es_net_recovery_push(es_net_recovery *recovery, const es_net_observation *observation, es_error *err);

/* Says that all events before `time` have been pushed: decisions may become certain by that. */
bool es_net_recovery_advance(es_net_recovery *recovery, int64_t time, es_error *err);

/* Says that marks of these processes were lost somewhere before their next event (count 0: of all). What depends on
 * them from here on is of class ES_NET_LOST; all else stays certain. In nets in which time decides nothing, events
 * may become certain again (again.c). */
bool es_net_recovery_gap(es_net_recovery *recovery, const int32_t *processes, size_t count, es_error *err);

/* The trace ends. `complete`: the program ended too, nothing more would have fired. Otherwise decisions still open are
 * taken as observed, and what follows from them is possibly recovered. No more pushes after this. */
bool es_net_recovery_finish(es_net_recovery *recovery, bool complete, es_error *err);

typedef struct es_net_recovery_totals {
    uint64_t observed, recovered; /* events in, events out; without those of computed steps: */
    uint64_t computed;            /* their recovered firings */
    uint64_t by_class[4];
    uint64_t decisions, changes, consequences, order_changes, ties; /* of recovered decisions */
    uint64_t dropped;                                               /* measurements given up at paste_limit */
    uint64_t waiting;   /* measurements observed and not yet used; after the end: cut out, with the dropped */
    uint64_t reused;    /* pasted events that have no measurement of their own: REUSED and NOMINAL */
    uint64_t repeated;  /* recovered events of asking again that have no observed one (REPEATED), */
    uint64_t asked;     /* and observed ones that have no recovered one; cut out, and not among the waiting */
    uint64_t open;      /* decisions that wait now */
    uint64_t open_most; /* most at one time */
    uint64_t memory;    /* bytes held now */
    int64_t stopped;    /* strict: time of the change, if any */
    bool has_stopped;
} es_net_recovery_totals;

/* Of a process of the net; of ES_NET_NO_PROCESS for the steps of none. */
es_net_doubt es_net_recovery_doubt(const es_net_recovery *recovery, int32_t process);

void es_net_recovery_totals_get(const es_net_recovery *recovery, es_net_recovery_totals *totals);

#endif
