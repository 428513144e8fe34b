/* Times for instructions of which the stream tells none. */
#ifndef ES_REPLAY_PACE_H
#define ES_REPLAY_PACE_H

#include "replay/replay.h"

/* A stretch of instructions to which times are given: where the stream tells none, each takes as long as the others
 * between the two nearest times that it tells. */
typedef struct es_replay_pace {
    uint64_t first, end; /* fetches that it is for */
    uint64_t time;       /* of the first */
    uint64_t step;       /* clocks from one to the next, times 2^ES_REPLAY_PACE_BITS */
} es_replay_pace;
#define ES_REPLAY_PACE_BITS 20
/* Between anchors, which ascend. */
void es_replay_pace_between(const es_replay_anchor *anchors, size_t count, uint64_t fetch, es_replay_pace *pace);
void es_replay_get_pace(const es_replay *replay, uint64_t fetch, es_replay_pace *pace);

static inline uint64_t es_replay_pace_time(const es_replay_pace *pace, uint64_t fetch)
{
    return pace->time + ((fetch - pace->first) * pace->step >> ES_REPLAY_PACE_BITS);
}

#endif
