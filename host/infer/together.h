/* Stretches of several scenarios in the time of the same losses, looked at together: of counted lost events each is
 * its scenarios' only, and where states are exclusive, what one scenario did rules out what others would have done. */
#ifndef ES_INFER_TOGETHER_H
#define ES_INFER_TOGETHER_H

#include "infer/bursts.h"

/* A stretch whose paths are found; all of it lives in its arena, but the segment. */
typedef struct es_infer_solved {
    es_arena *arena;
    es_infer_segment *segment;
    es_infer_result result;
    es_infer_path *paths, *weighed; /* weighed: with what others say; before that NULL */
    uint32_t path_count;
    es_infer_burst_evidence bursts; /* what it says of losses that are not told */
    es_infer_excluded excluded;
    double share; /* part of all events that is the scenario's */
} es_infer_solved;

/* What part of a lost event each of its scenarios has: one event may concern several, such as a switch from one thread
 * to another. */
typedef struct es_infer_shares {
    uint32_t whole; /* parts of one event */
    uint8_t **of;   /* [machine][transition]: how many of them are its scenario's */
} es_infer_shares;

/* In the arena. NULL: events concern too many scenarios. */
es_infer_shares *es_infer_shares_new(const es_infer_model *model, es_arena *arena);

/* Weighs the paths of one of them anew, by what the others say; cheapest first. `others` may hold the stretch itself;
 * `shares` NULL: counts are not shared out. Only `weighed` changes, so that none of them counts twice. */
void es_infer_weigh_together(const es_infer_model *model, const es_infer_shares *shares, es_infer_solved *solved,
                             es_infer_solved *const *others, uint32_t other_count);

#endif
