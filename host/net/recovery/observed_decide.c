/* The observed game's decisions: by the state of its places at the event, and whether the order within one time
 * decided. */
#include "net/recovery/private.h"

static bool loose(const es_net_recovery *recovery, uint32_t transition)
{
    return recovery->processes[recovery->steps[transition].process].loose;
}

/* Does a transition of a process whose marks were lost take tokens from, or put them on, the place? */
bool es_observed_touched_by_loose(const es_net_recovery *recovery, uint32_t index, bool inputs)
{
    const es_net_place *place = &recovery->net->places[index];
    for (uint32_t i = 0; i < place->output_count; i++)
        if (loose(recovery, place->outputs[i]))
            return true;
    for (uint32_t i = 0; i < place->input_count && inputs; i++)
        if (loose(recovery, place->inputs[i]))
            return true;
    return false;
}

static bool holds(const place_state *place, const es_net_condition *condition, int64_t tie, bool before)
{
    bool found;
    if (before && tie != BEGINNING && place->was_present && place->was_gone == tie)
        found = es_net_set_has(&condition->to, place->was_to) && es_net_set_has(&condition->from, place->was_from) &&
                es_net_set_has(&condition->last, place->was_last);
    else if (before && tie != BEGINNING && place->present && place->came == tie)
        found = false;
    else
        found = place->present && es_net_set_has(&condition->to, place->to) &&
                es_net_set_has(&condition->from, place->from) && es_net_set_has(&condition->last, place->last);
    return found != condition->absent;
}

/* before: as if nothing of the instant `tie` had happened yet. */
static uint32_t decided(const es_net_recovery *recovery, uint32_t index, int64_t tie, bool before)
{
    const es_net_place *place = &recovery->net->places[index];
    for (uint32_t i = 0; i < place->rule_count; i++) {
        const es_net_rule *rule = &place->rules[i];
        uint32_t met = 0;
        while (met < rule->condition_count &&
               holds(&recovery->places[rule->conditions[met].place], &rule->conditions[met], tie, before))
            met++;
        if (met == rule->condition_count)
            return rule->transition;
    }
    return NONE;
}

uint32_t es_observed_decide(const es_net_recovery *recovery, uint32_t place, bool *tied, bool *is_loose)
{
    const es_net_place *at = &recovery->net->places[place];
    *is_loose = *tied = false;
    for (uint32_t i = 0; i < at->control_count && recovery->any_loose; i++)
        *is_loose |= es_observed_touched_by_loose(recovery, at->controls[i], true);
    uint32_t to = decided(recovery, place, BEGINNING, false);
    for (uint32_t i = 0; i < at->control_count; i++) {
        const place_state *control = &recovery->places[at->controls[i]];
        *tied |= (control->present && control->came == recovery->done) ||
                 (control->was_present && control->was_gone == recovery->done);
    }
    if (*tied)
        *tied = decided(recovery, place, recovery->done, true) != to;
    return to;
}
