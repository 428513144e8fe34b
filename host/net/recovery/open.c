/* What the recovered game has to do next, and the decisions that wait until they are certain. Each open one waits for a
 * witness: a stretch that must fire, or a place that must move, before it is worth another look; and maybe for an
 * observed time. */
#include "net/recovery/private.h"

void es_recovery_task_place(es_net_recovery *recovery, uint32_t index)
{
    place_state *place = &recovery->places[index];
    if (place->queued)
        return;
    place->queued = true;
    *RING_PUSH(recovery->tasks) = recovery->stretch_count + index;
}

static uint32_t *watch_list(es_net_recovery *recovery, uint32_t witness)
{
    return witness < recovery->stretch_count ? &recovery->stretches[witness].watch
                                             : &recovery->places[witness - recovery->stretch_count].watch;
}

void es_recovery_open_forget(es_net_recovery *recovery, uint32_t index)
{
    place_state *place = &recovery->places[index];
    if (place->witness == NONE)
        return;
    uint32_t *link = watch_list(recovery, place->witness);
    while (*link != index)
        link = &recovery->places[*link].watch_next;
    *link = place->watch_next;
    place->witness = NONE;
}

void es_recovery_open_add(es_net_recovery *recovery, uint32_t index, const decision *found)
{
    place_state *place = &recovery->places[index];
    if (!place->open) {
        place->open = true;
        place->open_index = recovery->open_count;
        recovery->open[recovery->open_count++] = index;
        if (recovery->open_count > recovery->totals.open_most)
            recovery->totals.open_most = recovery->open_count;
    }
    place->witness = found->witness;
    if (found->witness != NONE) {
        uint32_t *list = watch_list(recovery, found->witness);
        place->watch_next = *list;
        *list = index;
    }
    place->retry = found->retry;
    if (found->retry < recovery->retry)
        recovery->retry = found->retry;
}

void es_recovery_open_remove(es_net_recovery *recovery, uint32_t index)
{
    place_state *place = &recovery->places[index];
    if (!place->open)
        return;
    place->open = false;
    uint32_t last = recovery->open[--recovery->open_count];
    recovery->open[place->open_index] = last;
    recovery->places[last].open_index = place->open_index;
}

void es_recovered_look_again(es_net_recovery *recovery, uint32_t index)
{
    es_recovery_open_forget(recovery, index);
    es_recovery_task_place(recovery, index);
}

void es_recovery_open_wake(es_net_recovery *recovery, const uint32_t *list)
{
    while (*list != NONE)
        es_recovered_look_again(recovery, *list);
}
