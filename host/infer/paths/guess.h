/* Hits whose paths are not known, one after the other, and which paths they may have had. */
#ifndef ES_INFER_PATHS_GUESS_H
#define ES_INFER_PATHS_GUESS_H

#include "infer/paths/paths.h"
#include "infer/paths/ways.h"

#define ES_GUESS_PATHS 32u  /* of one hit */
#define ES_GUESS_STALE 0.07 /* that where the first interrupt after a loss came is known from before it: 7 of 117 */
#define ES_GUESS_DOUBT 0.01 /* that what is known by where an interrupt came is wrong */

/* A path that a hit may have had; ES_PATH_NONE: all that are not listed. */
typedef struct es_guess {
    uint32_t path;
    double prior;   /* by the place alone */
    double forward; /* with all that was before */
    double likely;  /* with all */
} es_guess;

/* What the probe's own stack of call sites says of how the path became what it is at a hit. */
typedef struct es_guess_move {
    bool known, sure; /* sure: an activation that was seen to begin is there all the time */
    uint32_t left, entered_count;
    const es_active *entered;
} es_guess_move;

/* A hit. */
typedef struct es_guessed_hit {
    es_inferred told; /* all but its paths */
    uint64_t place;
    uint32_t task;
    const uint32_t *sites;
    const es_active *claimed; /* by the sites, as the path would be: as many as these */
    uint32_t count;
    uint32_t fresh;     /* sites from here on have come since the loss */
    bool stale_place;   /* the outermost of these is an interrupt, and where it came is not known */
    bool settled;       /* it is so long after the loss that its place is its own */
    bool has_evidence;  /* the sites are there */
    bool is_carried;    /* what is known of it is `forward` of its paths: hits before it are not there any more */
    bool is_done;       /* it was told already, or its path was known */
    bool follows;       /* the one before is of the same task, and nothing was lost between */
    es_guess_move move; /* from the one before */
    bool is_complete;   /* its paths that are listed are all there are, but for what `by_interrupt` says */
    bool by_interrupt;  /* what is known of it is so but for a doubt */
    es_active last[ES_PATH_DEPTH]; /* activations that are known, the innermost ones: */
    uint32_t last_count;
    double ends_so; /* by itself: of all paths into the innermost one those that end in all of these */
    double others;  /* ... of these those that are not listed */
    es_guess guesses[ES_GUESS_PATHS];
    uint32_t guess_count;
} es_guessed_hit;

/* What an activation has called so far, directly or not; beyond so much nothing is learned of it. */
#define ES_GUESS_CALLED 32u
typedef struct es_guess_called {
    uint64_t what[ES_GUESS_CALLED];
    uint32_t count;
} es_guess_called;

typedef struct es_path_guess {
    es_known known;
    es_ways ways;
    bool has_ways;
    const es_symbols *symbols;
    const es_schema *schema;
    es_infer_told_fn *told;
    void *context;
    uint64_t loss_ends;                    /* time of the last that was lost; ES_NO_TIME: not known */
    uint32_t inferred;                     /* hits since the loss */
    bool switches;                         /* stacks are switched by hand: the graph does not say all */
    es_guess_called called[ES_PATH_DEPTH]; /* by those on the path, as it is learned */
    es_guessed_hit hits[ES_INFER_AWAITED + 2];
    uint32_t count;
    es_arena *arena; /* of what the hits hold */
} es_path_guess;

/* hit.c: what a hit itself says. False: nothing can be said of it. */
bool es_guess_begin_hit(es_path_guess *guess, es_guessed_hit *hit, const es_hit *from,
                        const es_path_evidence *evidence);
/* The innermost activations with that which the first interrupt after a loss came upon, if that was not before the
 * loss. How many; 0: this is not so. */
uint32_t es_guess_supposed(const es_path_guess *guess, const es_guessed_hit *hit, es_active *parts);
bool es_guess_add(es_guessed_hit *hit, uint32_t path); /* false: it is there already, or there is no room */

/* candidates.c: the paths that it may have had, by itself. Whether there is just one, and there can be no other. */
bool es_guess_candidates(es_path_guess *guess, es_guessed_hit *hit);

/* callers.c: learns a known path from what has become it (ES_PATH_NONE: nobody knows). */
void es_guess_learn_calls(es_path_guess *guess, uint32_t before, uint32_t path);
/* That `caller` (ES_PATH_NONE: nobody) has called the first of some activations, of which each called the next one. */
double es_guess_called_by(const es_path_guess *guess, uint32_t caller, const es_active *parts, uint32_t count);

/* prior.c: how likely each of its paths is by itself. */
void es_guess_priors(es_path_guess *guess, es_guessed_hit *hit);

/* Of the paths that end as was known at the hit before, those that end as is known now. */
double es_guess_fits(const es_path_guess *guess, const es_guessed_hit *before, const es_guessed_hit *hit);

/* likely.c: how likely each is, by all the hits; tells those that are not done. */
void es_guess_settle(es_path_guess *guess);

#endif
