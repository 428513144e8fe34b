/* What the parts of marks.h share. */
#ifndef ES_NET_MARKS_PRIVATE_H
#define ES_NET_MARKS_PRIVATE_H

#include "net/marks/marks.h"

/* A mark that has been pushed, with its place in the trace. */
typedef struct queued {
    es_net_mark mark;
    size_t index;
} queued;

/* A core: marks that the net has not come to yet, in order, and what of the net waits for the next one. Only marks of
 * one time are ever queued. */
typedef struct core_marks {
    queued *items;
    size_t count, room;
    uint32_t transition, place; /* ES_NET_NONE: none */
    bool left;                  /* the game follows it no more: its tokens stay where they are */
    bool losing;                /* marks of it were lost: it leaves once those that are queued have been played */
    int64_t begun;              /* time of the last firing of it that is shown by a mark's beginning */
} core_marks;

/* A firing that is told later, or marks that were lost: of that core, and `firing.time` only says where. */
typedef struct held {
    es_net_firing firing;
    size_t index;
    bool is_gap;
    unsigned core;
} held;

struct es_net_marks {
    const es_net *net;
    es_net_marks_options options;
    es_net_engine *engine;          /* NULL while it is being made: time 0 */
    const es_net_mp_step **step_of; /* by transition; NULL for what no mark shows at its end */
    queued *claimed;                /* by transition: the mark of the firing that is due; index SIZE_MAX none */
    core_marks cores[ES_NET_MP_CORES];
    size_t pushed;
    int64_t last;  /* time of the marks that are queued, or all before this time have been pushed */
    es_error *err; /* of the call at hand */
    bool serving;  /* what becomes enabled waits until the choice that enables it has been made */
    bool failed;
    /* Once marks were lost (lost.c): */
    bool any_left;
    bool *hidden;                   /* by place: its token would be another one, or none, if no mark had been lost */
    const es_net_mp_step **by_site; /* steps that marks show, by core and site */
    size_t by_site_count;
    uint64_t *plain;    /* by transition: firings told without the net */
    bool only_messages; /* the program only sends and receives: marks alone show all that counts, */
    /* and these the transitions at their beginning: by core, receives (1) or sends (0), and peer */
    uint32_t begins[ES_NET_MP_CORES][2][ES_NET_MP_CORES];
    int64_t longest; /* as long take marks that show something at their beginning, at most, */
    held *held;      /* so firings are told that much later (hold.c) */
    size_t held_count, held_room;
    int64_t told; /* all before this time have been */
};

/* Is the mark the one of that transition? */
static inline bool marks_shows(const es_net_mark *mark, const es_net_mp_step *step)
{
    if (mark->core != step->core || mark->id != step->id || mark->site != step->site)
        return false;
    bool peer = step->id >= ES_NET_MP_SEND_BEGIN && step->id <= ES_NET_MP_ANY_FOUND && step->id != ES_NET_MP_ANY_BEGIN;
    return !peer || mark->value == step->peer;
}

/* --- lost marks (lost.c) */
/* Fills in what is needed for them. */
void es_net_marks_prepare(es_net_marks *g);
/* The game follows the core no more: `lost` as marks of it were lost, or else as it cannot go on. */
void es_net_marks_leave(es_net_marks *g, unsigned core, bool lost);
/* Notes where tokens go that nobody knows of for certain. True when the firing is such a one itself. */
bool es_net_marks_follow(es_net_marks *g, uint32_t transition);
/* A mark of a core that the game does not follow. */
bool es_net_marks_plain(es_net_marks *g, const queued *item);

/* --- in their order (hold.c) */
void es_net_marks_tell(es_net_marks *g, const es_net_firing *firing, size_t index);
void es_net_marks_tell_gap(es_net_marks *g, unsigned core);
/* How long marks take that show something at their beginning. */
void es_net_marks_measure(es_net_marks *g, const es_net_mark *mark);
/* All up to this time has been played. */
void es_net_marks_settle(es_net_marks *g, int64_t time);
/* Tells what is held, up to this time. */
void es_net_marks_release(es_net_marks *g, int64_t until);

#endif
