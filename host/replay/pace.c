#include "replay/pace.h"

#include "replay/private.h"

#define LONGEST (UINT64_C(1) << (64 - ES_REPLAY_PACE_BITS)) /* clocks between two anchors */

void es_replay_get_pace(const es_replay *replay, uint64_t fetch, es_replay_pace *pace)
{
    es_replay_pace_between(replay->anchors, replay->anchor_count, fetch, pace);
}

void es_replay_pace_between(const es_replay_anchor *anchors, size_t count, uint64_t fetch, es_replay_pace *pace)
{
    size_t next = 0, end = count;
    while (next < end) { /* the first anchor after the fetch */
        size_t middle = next + (end - next) / 2;
        if (anchors[middle].fetches > fetch)
            end = middle;
        else
            next = middle + 1;
    }
    bool before = next > 0, after = next < count;
    *pace = (es_replay_pace){.first = before ? anchors[next - 1].fetches : 0,
                             .end = after ? anchors[next].fetches : UINT64_MAX,
                             .time = before ? anchors[next - 1].time : 0,
                             .step = UINT64_C(1) << ES_REPLAY_PACE_BITS};
    if (!after)
        return;
    uint64_t fetches = pace->end - pace->first, clocks = anchors[next].time - pace->time;
    if (clocks < LONGEST)
        pace->step = (clocks << ES_REPLAY_PACE_BITS) / fetches;
}
