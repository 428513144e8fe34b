/* Structural analysis of nets: invariants, reachable states, boundedness. For small nets: each function has a limit and
 * says when it was reached. Results live in the arena. */
#ifndef ES_NET_ANALYSIS_H
#define ES_NET_ANALYSIS_H

#include "net/model/net.h"

/* --- invariants ------------------------------------------------------------------------------------------ */

typedef struct es_net_term {
    uint32_t node; /* place or transition */
    uint64_t weight;
} es_net_term;

/* P-invariant: the weighted sum of tokens is the same in all states. T-invariant: firing each transition `weight` times
 * leads back to the same marking. Routing and time are not looked at. */
typedef struct es_net_invariant {
    const es_net_term *terms; /* ascending nodes */
    uint32_t count;
    uint64_t tokens; /* of a P-invariant: the sum in the initial state, hence in all */
} es_net_invariant;

typedef struct es_net_invariants {
    const es_net_invariant *list; /* all with minimal support, as Farkas' algorithm yields them */
    size_t count;
    bool complete; /* false: more than `limit` candidates at a time, too much work for that limit, or weights beyond 64
                      bits; the list is empty then */
} es_net_invariants;

es_net_invariants es_net_p_invariants(const es_net *net, size_t limit, es_arena *arena);
es_net_invariants es_net_t_invariants(const es_net *net, size_t limit, es_arena *arena);

/* Adds to `in` (by place, all false at first) places, `place` among them, that hold one token at most together,
 * whichever of the net's transitions fire: no transition puts more tokens on them than it takes from them, and they
 * begin with one at most. False when there are none, or the search took too long; `in` is all false then. The net must
 * be ordinary. */
bool es_net_component(const es_net *net, uint32_t place, bool *in);

/* --- states ---------------------------------------------------------------------------------------------- */

enum es_net_answer { ES_NET_NO, ES_NET_YES, ES_NET_UNDECIDED };

typedef struct es_net_path {
    const uint32_t *firings; /* transitions from the initial state on; a shortest such path */
    size_t count;
} es_net_path;

/* All states that the net can be in when each enabled transition takes any time, and what is `untimed` none: tokens
 * with their routing, as of net.h. Routing rules are followed; free places may choose anything. What holds for all of
 * them holds whatever the delays are. (An untimed monitor may have a mark: then it takes any time as well.) */
typedef struct es_net_states {
    uint64_t count;
    bool complete;           /* all states were seen */
    enum es_net_answer safe; /* NO: the path leads to the state where `unsafe_by` (NONE: the initial state) gives
                                unsafe_place a second token */
    es_net_path unsafe;
    uint32_t unsafe_place, unsafe_by;
    uint32_t unrouted; /* a place of which no rule holds when the last of `unrouted_path` fires, or ES_NET_NONE */
    es_net_path unrouted_path;
    enum es_net_answer dead; /* YES: after the path no transition is enabled */
    es_net_path dead_path;
    const uint32_t *dead_places; /* that hold tokens then, ascending */
    size_t dead_place_count;
    const uint32_t *never; /* transitions that fire in no state, when complete; ascending */
    size_t never_count;
} es_net_states;

/* Explores up to `limit` states, breadth first. Ends early at the first unsafe or unrouted state. The net must be
 * ordinary. */
es_net_states es_net_explore(const es_net *net, size_t limit, es_arena *arena);

/* --- safety ---------------------------------------------------------------------------------------------- */

/* A proof that the net is safe, for nets whose states are too many: a place is safe when it belongs to a set of places
 * that hold one token at most together, or when it is so in all states of a part of the net around it. */
typedef struct es_net_safety {
    enum es_net_answer safe;           /* YES or UNDECIDED: a proof that fails says nothing */
    size_t by_tokens, by_parts;        /* places proven the one way and the other */
    size_t parts;                      /* that were needed */
    uint64_t part_states, part_places; /* most states, and most places, of a part */
    const uint32_t *open;              /* places that were proven in neither way, ascending */
    size_t open_count;
} es_net_safety;

/* `limit`: states of each part. The net must be ordinary. */
es_net_safety es_net_prove_safe(const es_net *net, size_t limit, es_arena *arena);

/* --- boundedness ----------------------------------------------------------------------------------------- */

typedef struct es_net_bounds {
    enum es_net_answer bounded;
    uint32_t most;             /* tokens in a place at most, when bounded */
    const uint32_t *unbounded; /* places without a bound, ascending */
    size_t unbounded_count;
    uint64_t markings; /* nodes of the coverability tree */
} es_net_bounds;

/* Coverability after Karp and Miller: any weights and markings, neither routing nor time. Up to `limit` markings. */
es_net_bounds es_net_cover(const es_net *net, size_t limit, es_arena *arena);

#endif
