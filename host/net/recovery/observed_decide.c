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

/* Steps that nobody observes take tokens from the place, and did so now, or may do so in this instant. */
static bool is_unseen(const es_net_recovery *recovery, const place_state *place)
{
    bool leaves = place->present && place->to != NONE && !recovery->steps[place->to].monitor &&
                  !recovery->steps[place->to].missing_observed;
    return place->leaves_unseen && (leaves || (place->was_present && place->was_gone == recovery->done) ||
                                    (place->present && place->came == recovery->done));
}

static bool holds_token(const es_net_condition *condition, uint32_t to, uint32_t from, uint32_t last)
{
    return es_net_set_has(&condition->to, to) && es_net_set_has(&condition->from, from) &&
           es_net_set_has(&condition->last, last);
}

static bool is_among(const uint32_t *places, uint32_t count, uint32_t place)
{
    for (uint32_t i = 0; i < count; i++)
        if (places[i] == place)
            return true;
    return false;
}

/* Does an event of this instant put a token there, or take one? */
static bool is_touched(const es_net_recovery *recovery, uint32_t place)
{
    for (uint32_t i = 0; i < recovery->instant_count; i++) {
        const step_state *step = &recovery->steps[recovery->instant[i].transition];
        if (is_among(step->in, step->in_count, place) || is_among(step->out, step->out_count, place))
            return true;
    }
    return false;
}

/* Does the condition hang on the unknown order of what happened in its place in this instant? It may have held the
 * token that is there, the one before it, or none. */
static bool hangs_on_guess(const es_net_recovery *recovery, const es_net_condition *condition)
{
    const place_state *place = &recovery->places[condition->place];
    if (recovery->instant_guessed && is_touched(recovery, condition->place))
        return true;
    if (!is_unseen(recovery, place))
        return false;
    bool came = place->present && place->came == recovery->done;
    bool gone = place->was_present && place->was_gone == recovery->done;
    bool now = place->present && holds_token(condition, place->to, place->from, place->last);
    bool before = gone && holds_token(condition, place->was_to, place->was_from, place->was_last);
    return (came && gone) || now || before;
}

uint32_t es_observed_decide(const es_net_recovery *recovery, uint32_t place, bool *is_loose)
{
    const es_net_place *at = &recovery->net->places[place];
    bool tied = false, guessed = false;
    *is_loose = false;
    for (uint32_t i = 0; i < at->control_count && recovery->any_loose; i++)
        *is_loose |= es_observed_touched_by_loose(recovery, at->controls[i], true);
    uint32_t to = decided(recovery, place, BEGINNING, false);
    for (uint32_t i = 0; i < at->control_count; i++) {
        const place_state *control = &recovery->places[at->controls[i]];
        tied |= (control->present && control->came == recovery->done) ||
                (control->was_present && control->was_gone == recovery->done);
    }
    for (uint32_t i = 0; i < at->rule_count && recovery->places[place].meets_unseen; i++)
        for (uint32_t k = 0; k < at->rules[i].condition_count; k++)
            guessed |= hangs_on_guess(recovery, &at->rules[i].conditions[k]);
    if (tied)
        tied = decided(recovery, place, recovery->done, true) != to;
    if (to == NONE)
        return NONE;
    return to | (tied || guessed ? ANSWER_TIED : 0) | (guessed ? ANSWER_GUESSED : 0);
}
