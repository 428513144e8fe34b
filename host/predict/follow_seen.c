/* What has been seen so far, for experiments. */
#include "follow_private.h"

bool es_predict_follow_picked(const es_predict_follower *follower)
{
    return follower->others[ES_PREDICT_SAMPLE_PICK].count > 0;
}

bool es_predict_follow_belled(const es_predict_follower *follower)
{
    const es_predict_samples *fork = follower->hold[ES_PREDICT_FORK];
    return follower->belled.count && fork[ES_PREDICT_WAKES].count + fork[ES_PREDICT_WAKES | ES_PREDICT_CROWD].count > 0;
}

bool es_predict_follow_seen(const es_predict_follower *follower, enum es_predict_kind kind, unsigned *way)
{
    for (unsigned w = 0; w < ES_PREDICT_WAYS; w++)
        if (follower->hold[kind][w].count) {
            if (way)
                *way = w;
            return true;
        }
    return false;
}

bool es_predict_follow_left(const es_predict_follower *follower, enum es_predict_kind kind)
{
    return follower->after[kind][0].count > 0;
}

bool es_predict_follow_back(const es_predict_follower *follower, enum es_predict_kind kind)
{
    return follower->after[kind][1].count > 0;
}
