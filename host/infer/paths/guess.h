/* Hits whose paths are not known, one after the other, and which paths they may have had. */
#ifndef ES_INFER_PATHS_GUESS_H
#define ES_INFER_PATHS_GUESS_H

#include "infer/paths/paths.h"
#include "infer/paths/ways.h"

#define ES_GUESS_PATHS 32u /* of one hit */

/* A path that a hit may have had; ES_PATH_NONE: all that are not listed. */
typedef struct es_guess {
    uint32_t path;
    double prior;   /* by the place alone */
    double forward; /* with all that was before */
    double likely;  /* with all */
} es_guess;

/* What the probe's own stack of call sites says of how the path became what it is at a hit. */
typedef struct es_guess_move {
    bool known;
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
    bool has_evidence;  /* the sites are there */
    bool is_carried;    /* what is known of it is `forward` of its paths: hits before it are not there any more */
    bool is_done;       /* it was told already, or its path was known */
    bool follows;       /* the one before is of the same task, and nothing was lost between */
    es_guess_move move; /* from the one before */
    bool by_interrupt;  /* what is known of it is so but for a doubt */
    es_active last[ES_PATH_DEPTH]; /* activations that are known, the innermost ones: */
    uint32_t last_count;
    es_guess guesses[ES_GUESS_PATHS];
    uint32_t guess_count;
} es_guessed_hit;

typedef struct es_path_guess {
    es_known known;
    es_ways ways;
    bool has_ways;
    const es_symbols *symbols;
    const es_schema *schema;
    es_infer_told_fn *told;
    void *context;
    uint64_t loss_ends; /* time of the last that was lost; ES_NO_TIME: not known */
    uint32_t inferred;  /* hits since the loss */
    bool switches;      /* stacks are switched by hand: the graph does not say all */
    es_guessed_hit hits[ES_INFER_AWAITED + 2];
    uint32_t count;
    es_arena *arena; /* of what the hits hold */
} es_path_guess;

/* hit.c: what a hit itself says. False: nothing can be said of it. */
bool es_guess_begin_hit(es_path_guess *guess, es_guessed_hit *hit, const es_hit *from,
                        const es_path_evidence *evidence);
/* The paths that it may have had, by itself. Whether there is just one, and there can be no other. */
bool es_guess_candidates(es_path_guess *guess, es_guessed_hit *hit);
bool es_guess_add(es_guessed_hit *hit, uint32_t path); /* false: it is there already, or there is no room */

/* likely.c: how likely each is, by all the hits; tells those that are not done. */
void es_guess_settle(es_path_guess *guess);

#endif
