/* What is known of each token after a gap, for the parts of again*.c.
 *
 * They play a smaller net than both games do: without places that can delay nothing (again_implied.c), and without
 * computed steps, whose tokens go at once to the places after them, for the time at which they come there. */
#ifndef ES_NET_AGAIN_H
#define ES_NET_AGAIN_H

#include "net/recovery/private.h"

#define NO_LIMIT (INT64_MAX / 4)

enum held { EMPTY, KNOWN, HIDDEN }; /* HIDDEN: lost marks may have put a token there, and nobody knows when */

typedef struct token {
    enum held held : 8;
    bool gone;      /* KNOWN: lost marks may have taken it */
    bool certain;   /* KNOWN: `latest` is when it came */
    int64_t came;   /* observed; HIDDEN: at the latest */
    int64_t latest; /* recovered, at the latest */
    int64_t lag;    /* HIDDEN: at least, if its giver's marks are not lost any more or it was there before */
    uint32_t giver, taker;
    int64_t after; /* ticks that it comes after its giver's step, at most */
    bool own;      /* in which a process waits for its own next step */
    bool shared;   /* several processes give to it, or take from it */
    bool on_way;   /* part of a process, or else `answered` and `implied` of others are not so (es_again_imply) */
    bool implied;  /* no place of the smaller net: it can delay nothing, */
    bool passed;   /* or a computed step takes its tokens at once */
    bool answered; /* decides, by nothing but what its process does: es_again_imply */
} token;

/* A step as it is in the smaller net; of a computed one only what it gives. */
typedef struct again_step {
    uint32_t process; /* whose it is; a computed one of the process that gives it its tokens */
    uint32_t *in, *out, *computed;
    int64_t *out_after, *computed_after; /* ticks after the step */
    uint32_t in_count, out_count, computed_count;
} again_step;

struct again {
    token *tokens; /* by place */
    again_step *steps;
    bool *lost;        /* by process: its marks are lost at present */
    int64_t least_lag; /* of all that those have taken */
    uint64_t *numbers; /* by transition */
    bool *counted;
    uint32_t uncounted; /* how many are not */
    bool *reached;      /* for es_again_uncount */
    uint32_t *work;     /* room for as many as transitions and places */
    bool runs;
};

static inline int64_t least(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

static inline bool is_lost(const struct again *again, uint32_t process)
{
    return process != NONE && again->lost[process];
}

/* Is it known that the token is there? */
static inline bool is_sure(const token *at)
{
    return at->held == KNOWN && !at->gone;
}

static inline bool is_own(const token *at, uint32_t process)
{
    return at->own && at->taker == process;
}

/* How late the process is there at least. */
static inline int64_t lag_of(const struct again *again, const token *at)
{
    if (at->held == KNOWN)
        return at->came - at->latest;
    return is_lost(again, at->giver) ? least(at->lag, again->least_lag) : at->lag;
}

/* How much later, at least, the last token of a step comes in the observed run than this one in the recovered run:
 * that last one comes at `since` or later. So a step's lag is not below the least of these of its tokens: one that
 * has waited since long ago decides nothing by a small lag of its own. */
static inline int64_t lag_to(const struct again *again, const token *at, int64_t since)
{
    return lag_of(again, at) + (at->held == KNOWN && at->came < since ? since - at->came : 0);
}

static inline void hide(token *at, int64_t lag)
{
    at->held = HIDDEN;
    at->lag = lag;
    at->came = at->latest = NO_LIMIT;
}

/* Which places can delay nothing (again_implied.c): fills in `implied` and `answered`. */
void es_again_imply(es_net_recovery *recovery);

/* Makes the smaller net (again_nets.c), and fills in who gives to each place and who takes from it. Says of places
 * whose decisions are answers that they are (place_state.answers_call). Is the net one in which time decides nothing?
 */
bool es_again_fits(es_net_recovery *recovery);

/* The next event in a possible order (again_play.c). False: more marks were lost than was told. */
bool es_again_play(es_net_recovery *recovery, const es_net_observation *event);

/* How often steps were fired (again_count.c): of the process whose marks are lost, which may not be known any more; and
 * what an event of the step, or one of the process that shows where it is, lets know of others. */
void es_again_uncount(es_net_recovery *recovery, uint32_t process);
void es_again_count_step(es_net_recovery *recovery, uint32_t transition);
void es_again_count_process(es_net_recovery *recovery, uint32_t process);

#endif
