/* Free places: which way the program's data went, as the trace shows it, and which way they go in the recovered run. */
#include "net/recovery/private.h"

static void limit_choices(const es_net_recovery *recovery, place_state *place, uint32_t to)
{
    if (place->choices.count >= recovery->options.paste_limit && recovery->changed &&
        recovery->processes[recovery->steps[to].process].tainted)
        RING_DROP(place->choices);
}

/* Does the last decision tell what is chosen, or does only counting? */
static void learn(place_state *place, choice made)
{
    uint32_t at = 0;
    while (at < place->habits.count && RING_AT(place->habits, at)->context != made.context)
        at++;
    if (at == place->habits.count) {
        if (at < HABITS_MAX)
            *RING_PUSH(place->habits) = made;
        return;
    }
    bool kept = RING_AT(place->habits, at)->to == made.to;
    place->habit_kept += kept;
    place->habit_broken += !kept;
    *RING_AT(place->habits, at) = made;
}

void es_choices_add(es_net_recovery *recovery, uint32_t index, uint32_t to)
{
    place_state *place = &recovery->places[index];
    choice made = {to, recovery->processes[recovery->steps[to].process].context_observed};
    if (!recovery->options.count_choices)
        learn(place, made);
    limit_choices(recovery, place, to);
    *RING_PUSH(place->choices) = made;
}

/* The last decision of the process that goes on from the free place. */
static uint32_t context_at(const es_net_recovery *recovery, uint32_t index)
{
    uint32_t output = recovery->net->places[index].outputs[0];
    return recovery->processes[recovery->steps[output].process].context;
}

/* After a step of asking again the process always goes the same way. */
static void take_after_idle(es_net_recovery *recovery, uint32_t index, stay *head)
{
    place_state *place = &recovery->places[index];
    uint32_t to = recovery->steps[head->from].then;
    if (to == NONE && !place->takes_any) {
        es_starve_add(recovery, recovery->stretch_count + index, recovery->pushed);
        return;
    }
    if (to == NONE) { /* never observed */
        to = es_spin_then(recovery, head->from);
        if (head->certainty < ES_NET_PASTED)
            head->certainty = ES_NET_PASTED;
    }
    place->takes_any = false;
    es_recovered_routed(recovery, index, to);
    es_recovery_open_wake(recovery, &place->watch);
}

/* A free place takes the choice that was observed: the next one, or after a change the next one after the same
 * decision, where that has told what is chosen three times out of four. */
void es_choices_take(es_net_recovery *recovery, uint32_t index)
{
    place_state *place = &recovery->places[index];
    stay *head = RING_AT(place->stays, place->past);
    uint32_t at = 0;
    if (head->from != NONE && recovery->steps[head->from].idle) {
        take_after_idle(recovery, index, head);
        return;
    }
    if (head->certainty >= ES_NET_PASTED && !recovery->options.count_choices && !place->takes_any &&
        place->habit_kept >= 3 * place->habit_broken)
        while (at < place->choices.count && RING_AT(place->choices, at)->context != context_at(recovery, index))
            at++;
    if (at >= place->choices.count) {
        if (head->certainty >= ES_NET_PASTED)
            es_starve_add(recovery, recovery->stretch_count + index, recovery->pushed);
        return;
    }
    uint32_t to = RING_AT(place->choices, at)->to;
    for (; at; at--)
        *RING_AT(place->choices, at) = *RING_AT(place->choices, at - 1);
    RING_DROP(place->choices);
    place->takes_any = false;
    es_recovered_routed(recovery, index, to);
    es_recovery_open_wake(recovery, &place->watch);
}
