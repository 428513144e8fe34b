/* What a net must fulfil before perturbations can be tracked in it: the structural conditions of the paper (section 4),
 * each violation with its place and transition, and the transitions to monitor so that none is left. That a net is safe
 * is a matter of its states: analysis.h. */
#ifndef ES_NET_CONDITIONS_H
#define ES_NET_CONDITIONS_H

#include "net/model/net.h"

enum es_net_requirement {
    ES_NET_ORDINARY, /* all arcs have weight 1. place, transition: the arc's */
    ES_NET_ROUTING,  /* for every state one of a place's rules holds. place: the one that chooses */
    ES_NET_C1, /* what is directly upstream of a synchronising transition is monitored. transition: upstream, by way of
                  place, of sync */
    ES_NET_C2, /* what is directly upstream of a place with several outputs is monitored. transition: upstream; place:
                  that place */
    ES_NET_C3_UP, /* what is directly upstream of a controlling place is monitored. transition; place: the controlling;
                     chooser: the controlled */
    ES_NET_C3_DOWN, /* what is directly downstream of it is monitored, unless all that is downstream is untimed
                       (Property S: C3') */
    ES_NET_FREE, /* what takes from a free place (several outputs, no rules) is monitored: the trace shows the choice.
                    transition; place */
    ES_NET_SAFE, /* at most one token in a place: analysis.h. place: where a second one arrives; transition: which
                    brings it, or NONE */
};

/* Those that do not concern the requirement are ES_NET_NONE. */
typedef struct es_net_violation {
    enum es_net_requirement requirement;
    uint32_t transition, place;
    uint32_t sync;    /* C1: the synchronising transition */
    uint32_t chooser; /* C3: the place whose routing `place` controls */
} es_net_violation;

typedef struct es_net_findings {
    const es_net_violation *violations; /* in the order of the requirements, then of the net */
    size_t count;
    const uint32_t *marks; /* transitions to monitor in addition, ascending: with all of them no demand for a
                            * monitor is left, with any fewer some are */
    size_t mark_count;
    const uint32_t *relaxed; /* controlling places that have Property S, so that C3' is enough for them; ascending */
    size_t relaxed_count;
} es_net_findings;

/* Checks all but safety. Linear in the size of the net times the number of rules. The results live in the arena. */
es_net_findings es_net_check(const es_net *net, es_arena *arena);

/* Property S: all transitions directly downstream of the place are untimed. */
bool es_net_property_s(const es_net *net, uint32_t place);

/* "C1", "safe", ... for people and JSON. */
const char *es_net_requirement_name(enum es_net_requirement requirement);

/* One sentence that names nodes by id, with their source in brackets where it is known, and says what to do. */
const char *es_net_violation_text(const es_net *net, const es_net_violation *violation, es_arena *arena);

#endif
