/* Moments as times, of the kind that hits have. */
#include "base/times.h"
#include "replay/moment.h"
#include "replay/pace.h"

bool es_replay_moment_pace(es_timeline *timeline, uint64_t moment, uint64_t *clock, es_error *err)
{
    const es_replay_anchor *anchors;
    size_t count;
    es_replay_pace pace;
    if (!es_timeline_anchors(timeline, moment, &anchors, &count, err))
        return false;
    es_replay_pace_between(anchors, count, moment, &pace);
    *clock = es_replay_pace_time(&pace, moment);
    return true;
}

bool es_replay_moment_clock(es_timeline *timeline, uint64_t hz, const es_replay_moment *read, uint64_t *clock,
                            es_error *err)
{
    if (!es_replay_moment_check(timeline, hz, read, err))
        return false;
    if (read->kind != ES_MOMENT_TIME)
        return es_replay_moment_pace(timeline, read->kind == ES_MOMENT_END ? es_timeline_end(timeline) : read->value,
                                     clock, err);
    *clock = es_time_clocks(read->value, hz);
    return true;
}

uint64_t es_replay_moment_before(es_timeline *timeline, uint64_t clock)
{
    uint64_t first = 0, end = es_timeline_end(timeline);
    while (first < end) { /* the first one that may be at that time */
        uint64_t middle = first + (end - first) / 2, low, high;
        es_timeline_time(timeline, middle, &low, &high);
        if (high < clock)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}
