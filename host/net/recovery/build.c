#include "net/recovery/private.h"

#include <stdlib.h>

#define STRETCHES_MAX 4000000u

typedef struct builder {
    es_net_recovery *recovery;
    const es_net *net;
    es_error *err;
    uint32_t *path; /* transitions from the entry to here */
    uint32_t depth;
} builder;

/* --- what the net must fulfil ------------------------------------------------------------------------------ */

static const char *transition_id(const es_net *net, uint32_t index)
{
    return net->transitions[index].id;
}

/* Finds a transition that puts tokens on the place and is no monitor; ES_NET_NONE: there is none. */
static uint32_t unobserved_input(const es_net *net, const es_net_place *place)
{
    for (uint32_t i = 0; i < place->input_count; i++)
        if (!net->transitions[place->inputs[i]].monitor)
            return place->inputs[i];
    return NONE;
}

static bool check_control(const es_net *net, const es_net_place *place, const es_net_place *control, es_error *err)
{
    uint32_t input = unobserved_input(net, control);
    if (input != NONE)
        return es_fail(err, ES_USAGE,
                       "C3: place '%s' decides by place '%s', where transition '%s' puts tokens; make that a monitor",
                       place->id, control->id, transition_id(net, input));
    for (uint32_t i = 0; i < control->output_count; i++) {
        const es_net_transition *output = &net->transitions[control->outputs[i]];
        if (!output->monitor && !output->untimed)
            return es_fail(err, ES_USAGE,
                           "C3: place '%s' decides by place '%s', where transition '%s' takes tokens; make that a "
                           "monitor or untimed",
                           place->id, control->id, output->id);
    }
    return true;
}

static bool check_place(const es_net *net, const es_net_place *place, es_error *err)
{
    uint32_t unobserved = unobserved_input(net, place);
    if (place->tokens > 1)
        return es_fail(err, ES_USAGE, "place '%s' begins with %u tokens; in a safe net it is one at most", place->id,
                       place->tokens);
    if (place->output_count > 1) {
        if (unobserved != NONE)
            return es_fail(
                err, ES_USAGE,
                "C2: place '%s' has several outputs and transition '%s' puts tokens there; make that a monitor",
                place->id, transition_id(net, unobserved));
        for (uint32_t i = 0; i < place->output_count && !place->rule_count; i++)
            if (!net->transitions[place->outputs[i]].monitor)
                return es_fail(err, ES_USAGE,
                               "place '%s' is a choice that only a trace shows, and transition '%s' after it is not "
                               "observed; make "
                               "that a monitor or give the place rules",
                               place->id, transition_id(net, place->outputs[i]));
        for (uint32_t i = 0; i < place->control_count; i++)
            if (!check_control(net, place, &net->places[place->controls[i]], err))
                return false;
    }
    for (uint32_t i = 1; i < place->input_count && unobserved != NONE; i++) {
        int32_t left = net->transitions[place->inputs[0]].process, right = net->transitions[place->inputs[i]].process;
        if (left != right && left >= 0 && right >= 0)
            return es_fail(err, ES_USAGE,
                           "place '%s' joins processes %d and %d, and transition '%s' puts tokens there unobserved: "
                           "it cannot be known whose token is whose; make that a monitor",
                           place->id, (int)left, (int)right, transition_id(net, unobserved));
    }
    return true;
}

static bool check_transition(const es_net *net, const es_net_transition *transition, es_error *err)
{
    if (!transition->input_count && !transition->monitor)
        return es_fail(err, ES_USAGE,
                       "transition '%s' has no input place: only observing it shows when it fires; make it a monitor",
                       transition->id);
    for (uint32_t i = 0; i < transition->input_count && transition->input_count > 1; i++) {
        const es_net_place *place = &net->places[transition->inputs[i]];
        uint32_t input = unobserved_input(net, place);
        if (input != NONE)
            return es_fail(
                err, ES_USAGE,
                "C1: transition '%s' waits for several tokens, and transition '%s' puts one on place '%s'; make that a "
                "monitor",
                transition->id, transition_id(net, input), place->id);
    }
    return true;
}

static bool check(const es_net *net, es_error *err)
{
    if (!net->finished)
        return es_fail(err, ES_USAGE, "net '%s' was changed and not finished", net->id);
    for (uint32_t i = 0; i < net->arc_count; i++)
        if (net->arcs[i].weight != 1)
            return es_fail(err, ES_USAGE,
                           "the arc between place '%s' and transition '%s' has weight %u; recovery needs an ordinary "
                           "net (weight 1)",
                           net->places[net->arcs[i].place].id, transition_id(net, net->arcs[i].transition),
                           net->arcs[i].weight);
    for (uint32_t i = 0; i < net->place_count; i++)
        if (!check_place(net, &net->places[i], err))
            return false;
    for (uint32_t i = 0; i < net->transition_count; i++)
        if (!check_transition(net, &net->transitions[i], err))
            return false;
    return true;
}

/* --- places and steps -------------------------------------------------------------------------------------- */

/* All that puts tokens on the place takes one from one and the same place before: so they come one after the other. */
static bool take_turns(const es_net *net, const es_net_place *place)
{
    const es_net_transition *first = &net->transitions[place->inputs[0]];
    for (uint32_t i = 0; i < first->input_count; i++) {
        const es_net_place *common = &net->places[first->inputs[i]];
        uint32_t found = 0;
        for (uint32_t k = 0; k < common->output_count; k++)
            for (uint32_t n = 0; n < place->input_count; n++)
                found += common->outputs[k] == place->inputs[n];
        if (found == place->input_count)
            return true;
    }
    return false;
}

static void build_places(es_net_recovery *recovery)
{
    const es_net *net = recovery->net;
    uint32_t used = 0;
    for (uint32_t i = 0; i < net->place_count; i++) {
        const es_net_place *place = &net->places[i];
        place_state *state = &recovery->places[i];
        state->only = place->output_count == 1 ? place->outputs[0] : NONE;
        state->decides = place->output_count > 1 && place->rule_count;
        state->free = place->output_count > 1 && !place->rule_count;
        state->root = place->tokens || !place->input_count;
        state->to = state->from = state->last = state->was_to = state->was_from = state->was_last = NONE;
        state->came = state->was_gone = BEGINNING;
        state->floor.time = state->relied = BEGINNING;
        state->witness = state->watch = state->watch_next = NONE;
        state->trim_at = 8;
        bool observed = unobserved_input(net, place) == NONE, alike = true;
        for (uint32_t k = 0; k < place->input_count; k++) {
            int32_t process = net->transitions[place->inputs[k]].process;
            state->root |= net->transitions[place->inputs[k]].monitor;
            alike &= process >= 0 && process == net->transitions[place->inputs[0]].process;
        }
        state->ordered = place->input_count > 1 && place->output_count && observed && !alike && !take_turns(net, place);
        for (uint32_t k = 0; k < place->control_count && state->decides; k++)
            recovery->places[place->controls[k]].deciders_count++;
        for (uint32_t k = 0; k < place->output_count; k++)
            state->leaves_unseen |= !net->transitions[place->outputs[k]].monitor;
    }
    for (uint32_t i = 0; i < net->place_count; i++) {
        place_state *state = &recovery->places[i];
        state->controlling = state->deciders_count != 0;
        state->deciders_first = used;
        used += state->deciders_count;
        state->deciders_count = 0;
    }
    recovery->deciders = es_arena_alloc(recovery->arena, (used + 1) * sizeof *recovery->deciders);
    for (uint32_t i = 0; i < net->place_count; i++)
        for (uint32_t k = 0; k < net->places[i].control_count && recovery->places[i].decides; k++) {
            place_state *control = &recovery->places[net->places[i].controls[k]];
            recovery->deciders[control->deciders_first + control->deciders_count++] = i;
        }
}

/* Do only steps of this process put tokens there? */
static bool is_own(const es_net *net, const es_net_place *place, int32_t process)
{
    bool own = process >= 0;
    for (uint32_t i = 0; i < place->input_count; i++)
        own &= net->transitions[place->inputs[i]].process == process;
    return own;
}

/* The transition's inputs, those from its own process first. Where several tokens lack, the search for what may come
 * follows the first: along its own process it ends soon, at what that is doing now. */
static const uint32_t *own_first(es_net_recovery *recovery, const es_net_transition *transition)
{
    const es_net *net = recovery->net;
    uint32_t *sorted = es_arena_alloc(recovery->arena, (transition->input_count + 1) * sizeof *sorted), used = 0;
    for (int own = 1; own >= 0; own--)
        for (uint32_t i = 0; i < transition->input_count; i++)
            if (is_own(net, &net->places[transition->inputs[i]], transition->process) == (own == 1))
                sorted[used++] = transition->inputs[i];
    return sorted;
}

static void build_steps(es_net_recovery *recovery)
{
    const es_net *net = recovery->net;
    int32_t most = ES_NET_NO_PROCESS;
    for (uint32_t i = 0; i < net->transition_count; i++) {
        const es_net_transition *transition = &net->transitions[i];
        step_state *step = &recovery->steps[i];
        step->in = own_first(recovery, transition), step->in_count = transition->input_count;
        step->out = transition->outputs, step->out_count = transition->output_count;
        step->priority = transition->priority;
        step->mark = transition->mark, step->mark_max = transition->mark_max;
        step->monitor = transition->monitor, step->untimed = transition->untimed;
        step->delay = transition->delay;
        step->what_if = recovery->options.delays ? recovery->options.delays[i] : transition->delay;
        step->process = (uint32_t)(transition->process + 1);
        step->missing = step->missing_observed = transition->input_count;
        step->fired_last.time = BEGINNING;
        for (uint32_t k = 0; k < step->out_count && step->monitor; k++)
            step->decisions += recovery->places[step->out[k]].decides;
        most = transition->process > most ? transition->process : most;
    }
    recovery->process_count = (uint32_t)(most + 2);
    recovery->processes = es_arena_alloc(recovery->arena, recovery->process_count * sizeof *recovery->processes);
    for (uint32_t i = 0; i < recovery->process_count; i++) {
        recovery->processes[i].context = recovery->processes[i].context_observed = NONE;
        recovery->processes[i].pace = i && i - 1 < recovery->options.pace_count
                                          ? recovery->options.paces[i - 1] /* 0: of none */
                                          : (es_net_pace){1, 1};
    }
}

/* --- stretches --------------------------------------------------------------------------------------------- */

static bool add_stretch(builder *build, uint32_t end)
{
    es_net_recovery *recovery = build->recovery;
    if (recovery->stretch_count >= STRETCHES_MAX)
        return es_fail(build->err, ES_USAGE,
                       "more than %u paths lead over unobserved transitions from '%s' on; make some of them monitors",
                       STRETCHES_MAX, transition_id(build->net, build->path[0]));
    recovery->stretches =
        es_arena_grow(recovery->arena, recovery->stretches, recovery->stretch_count, sizeof *recovery->stretches);
    stretch *added = &recovery->stretches[recovery->stretch_count++];
    uint32_t *path = es_arena_alloc(recovery->arena, build->depth * sizeof *path);
    for (uint32_t i = 0; i < build->depth; i++) {
        path[i] = recovery->steps[build->path[i]].priority;
        added->nominal += build->net->transitions[build->path[i]].delay;
    }
    added->entry = build->path[0];
    added->end = end;
    added->path = path;
    added->path_length = build->depth;
    added->watch = added->after = NONE;
    return true;
}

/* Follows tokens from the last transition of the path to the monitors that they reach first. A loop without a monitor
 * keeps its token forever. */
static bool follow(builder *build, uint32_t transition)
{
    step_state *step = &build->recovery->steps[transition];
    if (step->visited)
        return true;
    if (build->depth >= 10000)
        return es_fail(build->err, ES_USAGE,
                       "more than 10000 unobserved transitions follow '%s' in a row; make some of them monitors",
                       transition_id(build->net, build->path[0]));
    build->path[build->depth++] = transition;
    step->visited = 1;
    bool good = true;
    if (step->monitor)
        good = add_stretch(build, transition);
    for (uint32_t i = 0; i < step->out_count && good && !step->monitor; i++)
        if (build->recovery->places[step->out[i]].only != NONE)
            good = follow(build, build->recovery->places[step->out[i]].only);
    step->visited = 0;
    build->depth--;
    return good;
}

static bool is_entry(const es_net_recovery *recovery, uint32_t transition)
{
    const step_state *step = &recovery->steps[transition];
    for (uint32_t i = 0; i < step->in_count; i++)
        if (recovery->places[step->in[i]].root)
            return true;
    return !step->in_count;
}

/* Runs of the step after those of asking again are stretches of their own. */
static bool add_repeats(builder *build, uint32_t transition)
{
    es_net_recovery *recovery = build->recovery;
    step_state *step = &recovery->steps[transition];
    const es_net_place *place = step->in_count == 1 ? &build->net->places[step->in[0]] : NULL;
    build->path[0] = transition;
    build->depth = 1;
    for (uint32_t i = 0; place && step->monitor && !step->computed && i < place->input_count; i++) {
        if (!es_spin_repeats(recovery, transition, place->inputs[i]))
            continue;
        if (!add_stretch(build, transition))
            return false;
        stretch *added = &recovery->stretches[recovery->stretch_count - 1];
        added->repeat = true;
        added->exit = recovery->places[step->in[0]].spin && !step->idle;
        added->after = place->inputs[i];
        step->repeats++;
    }
    build->depth = 0;
    return true;
}

static bool build_stretches(es_net_recovery *recovery, es_error *err)
{
    const uint32_t count = recovery->net->transition_count;
    builder build = {recovery, recovery->net, err, es_malloc(10000 * sizeof *build.path), 0};
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        recovery->steps[i].starts_first = recovery->stretch_count;
        if (is_entry(recovery, i))
            good = follow(&build, i);
        recovery->steps[i].starts_count = recovery->stretch_count - recovery->steps[i].starts_first;
        good = good && (!recovery->any_idle || add_repeats(&build, i));
    }
    free(build.path);
    if (!good)
        return false;
    for (uint32_t i = 0; i < recovery->stretch_count; i++) {
        recovery->steps[recovery->stretches[i].end].ends_count++;
        recovery->steps[recovery->stretches[i].end].ends_unseen |= recovery->stretches[i].path_length > 1;
    }
    recovery->ends = es_arena_alloc(recovery->arena, (recovery->stretch_count + 1) * sizeof *recovery->ends);
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        recovery->steps[i].ends_first = used;
        used += recovery->steps[i].ends_count;
        recovery->steps[i].ends_count = 0;
    }
    for (uint32_t i = 0; i < recovery->stretch_count; i++) {
        step_state *end = &recovery->steps[recovery->stretches[i].end];
        recovery->ends[end->ends_first + end->ends_count++] = i;
    }
    return true;
}

static bool ends_at(const es_net_recovery *recovery, uint32_t entry, uint32_t end)
{
    const step_state *step = &recovery->steps[entry];
    for (uint32_t i = 0; i < step->starts_count; i++)
        if (recovery->stretches[step->starts_first + i].end == end)
            return true;
    return false;
}

/* Do two ways of the place come to one monitor? Otherwise the next event shows which way was gone. */
static bool ways_meet(const es_net_recovery *recovery, const es_net_place *place)
{
    for (uint32_t i = 0; i < place->output_count; i++) {
        const step_state *step = &recovery->steps[place->outputs[i]];
        for (uint32_t k = 0; k < step->starts_count; k++)
            for (uint32_t n = 0; n < i; n++)
                if (ends_at(recovery, place->outputs[n], recovery->stretches[step->starts_first + k].end))
                    return true;
    }
    return false;
}

bool es_recovery_build(es_net_recovery *recovery, es_error *err)
{
    const es_net *net = recovery->net;
    if (!check(net, err))
        return false;
    recovery->places = es_arena_alloc(recovery->arena, (net->place_count + 1) * sizeof *recovery->places);
    recovery->steps = es_arena_alloc(recovery->arena, (net->transition_count + 1) * sizeof *recovery->steps);
    recovery->ready = es_arena_alloc(recovery->arena, (net->transition_count + 1) * sizeof *recovery->ready);
    recovery->search = es_arena_alloc(recovery->arena, (net->transition_count + 1) * sizeof *recovery->search);
    recovery->open = es_arena_alloc(recovery->arena, (net->place_count + 1) * sizeof *recovery->open);
    build_places(recovery);
    build_steps(recovery);
    if (!es_silent_build(recovery, err) || !es_spin_build(recovery, err) || !build_stretches(recovery, err))
        return false;
    for (uint32_t i = 0; i < net->place_count; i++)
        recovery->places[i].meets_unseen = recovery->places[i].decides && ways_meet(recovery, &net->places[i]);
    es_again_build(recovery);
    return true;
}
