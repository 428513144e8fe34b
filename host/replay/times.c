/* Times of instructions, from those that the stream tells. */
#include "replay/private.h"

/* Each fetch takes a clock at least. */
static void narrow(const es_replay_anchor *anchor, uint64_t fetch, uint64_t *low, uint64_t *high)
{
    if (fetch >= anchor->fetches) {
        uint64_t after = anchor->time + (fetch - anchor->fetches);
        *low = after > *low ? after : *low;
    }
    if (fetch + !anchor->exact <= anchor->fetches) {
        uint64_t later = anchor->fetches - !anchor->exact - fetch;
        uint64_t before = anchor->time > later ? anchor->time - later : 0;
        *high = before < *high ? before : *high;
    }
}

void es_replay_time_between(const es_replay_anchor *anchors, size_t count, uint64_t fetch, uint64_t *low,
                            uint64_t *high)
{
    size_t first = 0, end = count;
    *low = 0;
    *high = UINT64_MAX;
    while (first < end) { /* the first anchor after the fetch */
        size_t middle = first + (end - first) / 2;
        if (anchors[middle].fetches > fetch)
            end = middle;
        else
            first = middle + 1;
    }
    for (size_t i = first > 2 ? first - 2 : 0; i < count && i < first + 2; i++)
        narrow(&anchors[i], fetch, low, high);
}
