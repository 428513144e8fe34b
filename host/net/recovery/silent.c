/* What recovery need not learn from the trace, and what is no change of behaviour.
 *
 * A *computed* step takes the same time in every run, with marks and without: its time follows from those of its tokens
 * in either game. A decision is *silent* when, whichever way it goes, the program does the same: all its ways are
 * computed steps that meet again at once. What they do besides is to give and to take signals, which carry nothing. So
 * each process comes to the same observed steps in the same order, and the k-th run of a stretch is the same run. */
#include "net/recovery/private.h"

#include <stdlib.h>

/* --- computed steps ---------------------------------------------------------------------------------------- */

static bool is_computed(const es_net *net, const es_net_transition *transition)
{
    if (!transition->monitor || !(transition->fixed || transition->untimed) || transition->mark ||
        !transition->input_count)
        return false;
    /* Of a fixed step whose mark takes no time, one that is not limited is held to none, too: traces are checked. */
    if (transition->mark_max > 0 || (transition->mark_max != 0 && !transition->fixed))
        return false;
    for (uint32_t i = 0; i < transition->input_count; i++) {
        const es_net_place *place = &net->places[transition->inputs[i]];
        for (uint32_t k = 0; k < place->input_count; k++)
            if (!net->transitions[place->inputs[k]].monitor)
                return false; /* when its token comes is not known */
    }
    return true;
}

static uint32_t computed_after(const es_net_recovery *recovery, uint32_t transition)
{
    const es_net *net = recovery->net;
    uint32_t count = 0;
    for (uint32_t i = 0; i < net->transitions[transition].output_count; i++) {
        const es_net_place *place = &net->places[net->transitions[transition].outputs[i]];
        for (uint32_t k = 0; k < place->output_count; k++)
            count += recovery->steps[place->outputs[k]].computed;
    }
    return count;
}

/* Steps on a ring of computed ones, and those before it, are taken from the trace after all: nothing else would hold
 * the recovered game up. Takes away, again and again, those with no computed step after them; the rest remains. */
static void leave_rings(es_net_recovery *recovery)
{
    const es_net *net = recovery->net;
    uint32_t count = net->transition_count, used = 0, *after = es_malloc((count + 1) * sizeof *after);
    uint32_t *done = es_malloc((count + 1) * sizeof *done);
    for (uint32_t i = 0; i < count; i++) {
        after[i] = recovery->steps[i].computed ? computed_after(recovery, i) : 0;
        if (recovery->steps[i].computed && !after[i])
            done[used++] = i;
    }
    for (uint32_t at = 0; at < used; at++) {
        const es_net_transition *transition = &net->transitions[done[at]];
        for (uint32_t i = 0; i < transition->input_count; i++) {
            const es_net_place *place = &net->places[transition->inputs[i]];
            for (uint32_t k = 0; k < place->input_count; k++)
                if (recovery->steps[place->inputs[k]].computed && --after[place->inputs[k]] == 0)
                    done[used++] = place->inputs[k];
        }
    }
    for (uint32_t i = 0; i < count; i++)
        if (after[i])
            recovery->steps[i].computed = false;
    free(after);
    free(done);
}

/* --- silent decisions --------------------------------------------------------------------------------------- */

/* Places of the list without signals and without `self`: their number, and whether `place` is one of them. */
static uint32_t real_places(const es_net *net, const uint32_t *list, uint32_t count, uint32_t self)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += !net->places[list[i]].signal && list[i] != self;
    return found;
}

static bool holds(const uint32_t *list, uint32_t count, uint32_t place)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == place)
            return true;
    return false;
}

static bool meet_again(const es_net *net, const es_net_transition *one, const es_net_transition *other)
{
    if (real_places(net, one->outputs, one->output_count, ES_NET_NONE) !=
        real_places(net, other->outputs, other->output_count, ES_NET_NONE))
        return false;
    for (uint32_t i = 0; i < one->output_count; i++)
        if (!net->places[one->outputs[i]].signal && !holds(other->outputs, other->output_count, one->outputs[i]))
            return false;
    return true;
}

static bool is_silent(const es_net_recovery *recovery, uint32_t index)
{
    const es_net *net = recovery->net;
    const es_net_place *place = &net->places[index];
    for (uint32_t i = 0; i < place->output_count && !place->signal; i++) {
        const es_net_transition *output = &net->transitions[place->outputs[i]];
        if (!recovery->steps[place->outputs[i]].computed ||
            real_places(net, output->inputs, output->input_count, index) != 0 ||
            !meet_again(net, &net->transitions[place->outputs[0]], output))
            return false;
    }
    return true;
}

/* Signals say when a process goes on and never which way: who takes one waits with a token of its own. */
static bool check_signal(const es_net *net, const es_net_place *place, es_error *err)
{
    for (uint32_t i = 0; i < place->output_count; i++) {
        const es_net_transition *output = &net->transitions[place->outputs[i]];
        if (!real_places(net, output->inputs, output->input_count, ES_NET_NONE))
            return es_fail(err, ES_USAGE,
                           "place '%s' is a signal, and transition '%s' needs nothing else; give it a place that is no "
                           "signal, whose token goes on there",
                           place->id, output->id);
    }
    return true;
}

static bool asks_who(const es_net_condition *condition)
{
    return condition->from.count || condition->last.count;
}

static bool check_rules(const es_net *net, const es_net_place *place, es_error *err)
{
    for (uint32_t i = 0; i < place->rule_count; i++)
        for (uint32_t k = 0; k < place->rules[i].condition_count; k++) {
            const es_net_condition *condition = &place->rules[i].conditions[k];
            if (net->places[condition->place].signal && asks_who(condition))
                return es_fail(err, ES_USAGE,
                               "place '%s' asks who made the token in '%s', which is a signal; signals carry nothing",
                               place->id, net->places[condition->place].id);
        }
    return true;
}

bool es_silent_build(es_net_recovery *recovery, es_error *err)
{
    const es_net *net = recovery->net;
    uint32_t most = 0;
    for (uint32_t i = 0; i < net->place_count; i++)
        if ((net->places[i].signal && !check_signal(net, &net->places[i], err)) ||
            !check_rules(net, &net->places[i], err))
            return false;
    for (uint32_t i = 0; i < net->transition_count; i++)
        recovery->steps[i].computed = is_computed(net, &net->transitions[i]);
    leave_rings(recovery);
    for (uint32_t i = 0; i < net->place_count; i++)
        recovery->places[i].silent = recovery->places[i].decides && is_silent(recovery, i);
    for (uint32_t i = 0; i < net->place_count; i++)
        for (uint32_t k = 0; k < net->places[i].output_count; k++)
            recovery->steps[net->places[i].outputs[k]].outcome |=
                recovery->places[i].decides && !recovery->places[i].silent;
    for (uint32_t i = 0; i < net->transition_count; i++)
        if (recovery->steps[i].decisions > most)
            most = recovery->steps[i].decisions;
    recovery->scratch = es_arena_alloc(recovery->arena, (most + 1) * sizeof *recovery->scratch);
    return true;
}
