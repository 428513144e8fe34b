/* What is known of each token after a gap, for the parts of again*.c. */
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
} token;

struct again {
    token *tokens;     /* by place */
    bool *lost;        /* by process: its marks are lost at present */
    int64_t least_lag; /* of all that those have taken */
    uint64_t *numbers; /* by transition */
    bool *counted;
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

/* In which nets (again_nets.c): fills in who gives to each place and who takes from it. */
bool es_again_fits(es_net_recovery *recovery);

/* The next event in a possible order (again_play.c). False: more marks were lost than was told. */
bool es_again_play(es_net_recovery *recovery, const es_net_observation *event);

#endif
