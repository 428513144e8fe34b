/* Stretches of several scenarios in the time of the same losses, looked at together: of counted lost events each is
 * one scenario's only, and where states are exclusive, what one scenario did rules out what others would have done. */
#ifndef ES_INFER_TOGETHER_H
#define ES_INFER_TOGETHER_H

#include "infer/segment.h"

/* A stretch whose paths are found; all of it lives in its arena, but the segment. */
typedef struct es_infer_solved {
    es_arena *arena;
    es_infer_segment *segment;
    es_infer_result result;
    es_infer_path *paths, *weighed; /* weighed: with what others say; before that NULL */
    uint32_t path_count;
    es_infer_excluded excluded;
    double share; /* part of all events that is the scenario's */
} es_infer_solved;

/* Weighs the paths of one of them anew, by what the others say; cheapest first. `others` may hold the stretch itself,
 * `single`: es_infer_events_are_single. Only `weighed` changes, so that none of them counts twice. */
void es_infer_weigh_together(const es_infer_model *model, bool single, es_infer_solved *solved,
                             es_infer_solved *const *others, uint32_t other_count);

/* Does each event concern one scenario at most? Only then lost events can be shared out among scenarios. */
bool es_infer_events_are_single(const es_infer_model *model);

#endif
