/* Timed Petri nets: the model that simulation, recovery, the checks and the file formats share.
 *
 * A net is built once (es_net_new, es_net_place_add, ... , es_net_finish) and read-only afterwards. The tuple of the
 * paper on perturbation tracking (T, P, A, F, o, X0, M) maps to: transitions, places, arcs, routing rules of the
 * places, priorities, initial tokens, monitor flags.
 *
 * Meaning (section 3 of the paper, "TPN firing rules"):
 * - A token that arrives at a place is *routed* at once to one of the place's output transitions and reserved for it.
 *   With one output there is no choice. With several, the place's rules decide by the tokens in its controlling places,
 *   in the state in which the transition that makes the token fires: what that firing consumes is still there, what it
 *   produces is not yet.
 * - A transition is enabled when a token routed to it is in each of its input places. It fires `delay` ticks later; the
 *   tokens stay in their places until then.
 * - Firings at the same time go in the order of `priority`, the smallest first; a firing may enable others at the same
 *   time, which then take part. This makes one total order: (time, then always the enabled transition with the smallest
 *   priority).
 *
 * Times are signed 64-bit counts of ticks and exact. */
#ifndef ES_NET_NET_H
#define ES_NET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

#define ES_NET_NONE UINT32_MAX /* no place, no transition */
#define ES_NET_NO_PROCESS (-1)
#define ES_NET_UNKNOWN (-1) /* a delay that is not known */

/* Limits that keep all indices and times far from overflow. */
#define ES_NET_NODES_MAX 1000000u
#define ES_NET_ARCS_MAX 8000000u
#define ES_NET_TICKS_MAX (INT64_MAX / 4)

/* A set of transitions; count 0 means *any*, also where a token comes from no transition (an initial one). */
typedef struct es_net_set {
    const uint32_t *transitions; /* ascending */
    uint32_t count;
} es_net_set;

/* What one controlling place must look like: the paper's Property_q. */
typedef struct es_net_condition {
    uint32_t place;
    bool absent;     /* true: no token with these properties is there */
    es_net_set to;   /* Z: transitions it is routed to */
    es_net_set from; /* Y: transitions that made it */
    es_net_set last; /* M: the last monitor on its way */
} es_net_condition;

/* One line of a routing function. The first rule whose conditions all hold decides; a rule without conditions is the
 * `else`. */
typedef struct es_net_rule {
    uint32_t transition; /* an output of the place */
    const es_net_condition *conditions;
    uint32_t condition_count;
} es_net_rule;

typedef struct es_net_place {
    const char *id;     /* unique among places and transitions, not empty */
    const char *name;   /* for people; the id when none was given */
    const char *source; /* where it comes from ("main.c:12"), or NULL */
    uint32_t tokens;    /* initial tokens; more than one is not safe */
    /* A token here tells no more than that something else has happened: neither who made it nor who takes it is
     * anything that the program does. Recovery takes another order or another way of it for no change. */
    bool signal;
    /* Output that an initial token is routed to, or ES_NET_NONE: decided by the rules in the initial state. */
    uint32_t initial_route;
    /* Routing. Several outputs and no rules: a *free* choice, made by the program's data and unaffected by time; a
     * trace shows it. */
    const es_net_rule *rules;
    uint32_t rule_count;
    const uint32_t *inputs, *outputs;         /* transitions; known after es_net_finish */
    const uint32_t *input_arcs, *output_arcs; /* the arcs to them */
    uint32_t input_count, output_count;
    const uint32_t *controls; /* D_p: places that the rules name, ascending; known after es_net_finish */
    uint32_t control_count;
} es_net_place;

typedef struct es_net_transition {
    const char *id, *name, *source; /* as of places */
    int32_t process;                /* number of the process whose step it is, or ES_NET_NO_PROCESS */
    uint32_t priority;              /* o(t): unique; smaller goes first */
    int64_t delay;                  /* ticks from enabled to fired, without the mark; the nominal one where it varies */
    int64_t mark;                   /* ticks that monitoring adds to each firing, as calibrated; 0 for no monitors */
    int64_t mark_max; /* no mark of it takes longer than this, or ES_NET_UNKNOWN: lets recovery decide earlier */
    bool monitor;     /* in M: its firings are observed */
    bool untimed;     /* v = 0 in every firing of every run (Property S asks for this) */
    bool fixed;       /* v = delay in every firing of every run; all that is untimed is fixed, too, flagged or not */
    /* A step of asking again: it changes nothing that its process computes with. What the process does after it, up
     * to its next monitored step, is always the same and always takes the same time; and so does the way to it from
     * a place that decides. Only a monitor with one input and one output can be one (docs/compensation.md). */
    bool idle;
    bool steady; /* takes the same time in each run that comes after the same step: the way on after asking */
    const uint32_t *inputs, *outputs;         /* places; known after es_net_finish */
    const uint32_t *input_arcs, *output_arcs; /* the arcs to them */
    uint32_t input_count, output_count;
} es_net_transition;

typedef struct es_net_arc {
    uint32_t place, transition;
    bool to_place;   /* from the transition to the place; otherwise from the place to the transition */
    uint32_t weight; /* 1 in an ordinary net */
} es_net_arc;

typedef struct es_net {
    es_arena *arena; /* owns everything below; also for what describes the net */
    const char *id, *name;
    const char *tick; /* what a tick is, for people ("clock"), or NULL */
    es_net_place *places;
    es_net_transition *transitions;
    es_net_arc *arcs;
    const char **processes; /* names, by number; NULL where none was given */
    uint32_t place_count, transition_count, arc_count, process_count;
    bool finished;
    struct es_net_names *names; /* index of the ids */
} es_net;

/* An empty net. `id` may be NULL. Free with es_net_free (NULL is fine). */
es_net *es_net_new(const char *id);
void es_net_free(es_net *net);

/* Each adds a node and returns its index, or ES_NET_NONE with an ES_USAGE error: the id is empty or taken, or the net
 * is too large. `name` and `source` may be NULL. A transition begins unmonitored, of no process, with delay 0 but not
 * `untimed`, and after all others in priority; the setters below or the fields of net->transitions[index] change that
 * until es_net_finish. The node arrays move when they grow. */
uint32_t es_net_place_add(es_net *net, const char *id, const char *name, uint32_t tokens, const char *source,
                          es_error *err);
uint32_t es_net_transition_add(es_net *net, const char *id, const char *name, int64_t delay, const char *source,
                               es_error *err);

/* Arcs. weight is 1 or more; a second arc between the same two in the same direction adds to the weight of the first
 * when the net is finished. */
bool es_net_arc_in(es_net *net, uint32_t place, uint32_t transition, uint32_t weight,
                   es_error *err); /* place -> transition */
bool es_net_arc_out(es_net *net, uint32_t transition, uint32_t place, uint32_t weight,
                    es_error *err); /* transition -> place */

/* Makes a transition a monitor whose mark takes `mark` ticks, at most `mark_max` (or ES_NET_UNKNOWN). */
bool es_net_monitor(es_net *net, uint32_t transition, int64_t mark, int64_t mark_max, es_error *err);

/* Names process `number` (0 to 65535); later names replace earlier ones. */
bool es_net_process_name(es_net *net, int32_t number, const char *name, es_error *err);

/* Adds a rule after those that the place has; everything is copied. Sets may be in any order. */
bool es_net_rule_add(es_net *net, uint32_t place, uint32_t transition, const es_net_condition *conditions,
                     uint32_t count, es_error *err);

/* Gives the transitions their order: `order` lists all of them, the first to fire first. */
bool es_net_order(es_net *net, const uint32_t *order, es_error *err);

/* Merges parallel arcs, makes the adjacency lists and checks what must hold for any use: rules lead to outputs of their
 * place and name existing nodes, priorities are unique, delays are 0 to ES_NET_TICKS_MAX, an `untimed` transition has
 * delay 0, marks only at monitors. That the net is ordinary, safe and observable is for es_net_check_* (conditions.h)
 * to say. Fails with ES_USAGE; the net may then be mended and finished again. */
bool es_net_finish(es_net *net, es_error *err);

/* Index of the node with that id, or ES_NET_NONE. */
uint32_t es_net_place_find(const es_net *net, const char *id);
uint32_t es_net_transition_find(const es_net *net, const char *id);

/* True when the set holds the transition. ES_NET_NONE (no transition) is in no set but the one of *any*. */
bool es_net_set_has(const es_net_set *set, uint32_t transition);

/* The transitions in the order o(t), the one that goes first at the same time first; in the arena. */
uint32_t *es_net_by_priority(const es_net *net, es_arena *arena);

#endif
