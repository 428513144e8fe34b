/* Several monitors on one bus, as whoever reads them sees them. */
#include "softprobe/private.h"

void es_softprobe_set_ranks(es_softprobe *probe, const es_target_rank *ranks, size_t count)
{
    probe->ranks = ranks;
    probe->rank_count = count;
}

void es_softprobe_hold(es_softprobe *first, bool hold)
{
    first->held = hold;
    if (!hold && first->said_count)
        es_softprobe_sort(first);
}

/* Turns that are over: what there was has been read. */
static void drop_turns(es_softprobe *first)
{
    while (first->turn_first < first->turn_count) {
        const turn *next = &first->turns[first->turn_first];
        const es_softprobe *by = first->monitors[next->monitor];
        if (by->sent - (by->out.end - by->out.first) < next->end)
            return;
        first->turn_first++;
    }
}

size_t es_softprobe_next(es_softprobe *first)
{
    if (is_alone(first))
        return first->unread ? 0 : SIZE_MAX;
    drop_turns(first);
    return first->turn_first < first->turn_count ? first->turns[first->turn_first].monitor : SIZE_MAX;
}

size_t es_softprobe_next_bytes(es_softprobe *probe)
{
    es_softprobe *first = probe->first;
    size_t waiting = probe->out.end - probe->out.first;
    uint64_t read = probe->sent - waiting;
    if (is_alone(probe))
        return waiting;
    drop_turns(first);
    for (size_t i = first->turn_first; i < first->turn_count; i++) {
        const struct turn *at = &first->turns[i];
        if (at->monitor == probe->number)
            return (size_t)((i == first->turn_first && at->first <= read ? at->end : at->first) - read);
    }
    return waiting;
}
