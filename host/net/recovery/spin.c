/* Asking again: loops that look for something until it is there, and change nothing else. Without marks the program
 * asks more often or less, and otherwise does the same: docs/compensation.md has the proof.
 *
 * Both games count for each process how often it has gone on. Observed repeats belong to the round in which they were
 * observed; the recovered game takes those of its own round, as long as there are any, and then, once the observed one
 * has gone on, what the repeat always takes. */
#include "net/recovery/private.h"

/* More repeats than that without an observed one, for each event of the trace, are no program's: the recovered game
 * stops there instead of going round for ages. */
#define REPEATS_PER_EVENT 256

/* --- which places and stretches ----------------------------------------------------------------------------------- */

/* An observed step of a process, from one place to one. */
static bool is_plain(const es_net_recovery *recovery, uint32_t index)
{
    const es_net_transition *step = &recovery->net->transitions[index];
    return step->monitor && !recovery->steps[index].computed && step->process >= 0 && step->input_count == 1 &&
           step->output_count == 1;
}

/* May it come after the idle step `from`: another one, or the step that asks? */
static bool may_follow(const es_net_recovery *recovery, uint32_t from, uint32_t index)
{
    const es_net_transition *step = &recovery->net->transitions[index];
    return is_plain(recovery, index) && step->process == recovery->net->transitions[from].process &&
           (step->idle || recovery->places[step->outputs[0]].spin);
}

static bool check_idle(const es_net_recovery *recovery, uint32_t index, es_error *err)
{
    const es_net_transition *step = &recovery->net->transitions[index];
    if (!is_plain(recovery, index))
        return es_fail(err, ES_USAGE,
                       "transition '%s' is idle: a step of asking again is observed, belongs to a process, and has one "
                       "input and one output",
                       step->id);
    const es_net_place *place = &recovery->net->places[step->outputs[0]];
    bool goes_on = recovery->places[step->outputs[0]].spin;
    for (uint32_t i = 0; i < place->output_count && !recovery->places[step->outputs[0]].decides; i++)
        goes_on |= may_follow(recovery, index, place->outputs[i]);
    return goes_on || es_fail(err, ES_USAGE,
                              "transition '%s' is idle, and its process does not come back from it to a place that "
                              "decides between one way to go on and idle ones",
                              step->id);
}

/* Decides between going on, by one step, and idle ones. */
static bool is_spin(const es_net_recovery *recovery, uint32_t index)
{
    const es_net_place *place = &recovery->net->places[index];
    uint32_t idle = 0;
    for (uint32_t i = 0; i < place->output_count; i++)
        idle += recovery->steps[place->outputs[i]].idle;
    bool computed = false;
    for (uint32_t i = 0; i < place->input_count; i++)
        computed |= recovery->steps[place->inputs[i]].computed;
    return recovery->places[index].decides && idle && idle + 1 == place->output_count && !computed &&
           !recovery->places[index].ordered;
}

bool es_spin_build(es_net_recovery *recovery, es_error *err)
{
    const es_net *net = recovery->net;
    for (uint32_t i = 0; i < net->transition_count; i++) {
        recovery->steps[i].idle = net->transitions[i].idle;
        recovery->steps[i].then = NONE;
        recovery->any_idle |= net->transitions[i].idle;
    }
    for (uint32_t i = 0; i < recovery->process_count; i++)
        recovery->processes[i].held = recovery->processes[i].repeating = recovery->processes[i].changed_at =
            recovery->processes[i].guessed_at = NONE;
    for (uint32_t i = 0; i < net->place_count && recovery->any_idle; i++) {
        recovery->places[i].spin = is_spin(recovery, i);
        if (recovery->places[i].spin)
            recovery->processes[recovery->steps[net->places[i].outputs[0]].process].spin_places++;
    }
    for (uint32_t i = 0; i < net->transition_count && recovery->any_idle; i++)
        if (recovery->steps[i].idle && !check_idle(recovery, i, err))
            return false;
    return true;
}

bool es_spin_repeats(const es_net_recovery *recovery, uint32_t transition, uint32_t from)
{
    const step_state *step = &recovery->steps[transition];
    if (recovery->places[step->in[0]].spin && !step->idle)
        return recovery->net->transitions[transition].steady && recovery->net->places[step->in[0]].input_count > 1;
    return (step->idle && recovery->places[step->in[0]].spin) ||
           (recovery->steps[from].idle && may_follow(recovery, from, transition));
}

uint32_t es_spin_then(const es_net_recovery *recovery, uint32_t from)
{
    const es_net_place *place = &recovery->net->places[recovery->steps[from].out[0]];
    uint32_t i = 0;
    while (!may_follow(recovery, from, place->outputs[i])) /* one does: check_idle() */
        i++;
    return place->outputs[i];
}

uint32_t es_spin_stretch(const es_net_recovery *recovery, const step_state *step, uint32_t from)
{
    uint32_t first = step->starts_first + step->starts_count;
    for (uint32_t i = first; i < first + step->repeats; i++)
        if (recovery->stretches[i].after == from)
            return i;
    return step->starts_first;
}

/* --- the observed game -------------------------------------------------------------------------------------------- */

static process_state *process_of(es_net_recovery *recovery, uint32_t transition)
{
    return &recovery->processes[recovery->steps[transition].process];
}

static void cut(es_net_recovery *recovery, uint32_t transition, uint64_t serial, int64_t observed)
{
    const es_net_cut gone = {transition, serial, observed, ES_NET_CUT_ASKED};
    recovery->totals.asked++;
    if (recovery->options.on_cut)
        recovery->options.on_cut(recovery->options.context, &gone);
}

bool es_spin_observed(es_net_recovery *recovery, uint32_t index, const es_net_observation *event, int64_t length)
{
    stretch *at = &recovery->stretches[index];
    const process_state *process = process_of(recovery, at->end);
    if (!at->has_steady) {
        at->has_steady = true;
        at->steady = length;
        if (at->waits.count)
            recovery_task_stretch(recovery, index);
    } else if (length != at->steady && !at->varies) {
        at->varies = true;
        if (at->unpaired && !recovery->not_steady) {
            recovery->not_steady = true;
            recovery->not_steady_stretch = index;
            recovery->not_steady_event = *event;
        }
    }
    if (process->spin > process->spin_observed) {
        cut(recovery, at->end, event->serial, event->time);
        return false;
    }
    *RING_PUSH(at->labels) = process->spin_observed;
    if (at->exit && process->repeating != NONE && recovery->stretches[process->repeating].waits.count)
        recovery_task_stretch(recovery, process->repeating);
    return true;
}

void es_spin_observed_decision(es_net_recovery *recovery, uint32_t to)
{
    process_state *process = process_of(recovery, to);
    if (recovery->steps[to].idle)
        return;
    process->spin_observed++;
    if (process->spin_places > 1 && process->left.count < recovery->options.paste_limit)
        *RING_PUSH(process->left) = to;
    if (process->repeating != NONE && recovery->stretches[process->repeating].waits.count)
        recovery_task_stretch(recovery, process->repeating);
    if (process->held != NONE)
        es_recovered_answered(recovery, process->held);
}

bool es_spin_observed_choice(es_net_recovery *recovery, uint32_t from, uint32_t to)
{
    if (from == NONE || !recovery->steps[from].idle)
        return false;
    uint32_t then = recovery->steps[from].then;
    if (!recovery->not_idle && ((then != NONE && then != to) || !may_follow(recovery, from, to)))
        recovery->not_idle = true, recovery->not_idle_from = from, recovery->not_idle_to = to;
    recovery->steps[from].then = to;
    return true;
}

/* --- the recovered game ------------------------------------------------------------------------------------------- */

/* Forgets repeats of rounds that the recovered run has left. */
static void drop_old(es_net_recovery *recovery, uint32_t index)
{
    stretch *at = &recovery->stretches[index];
    const uint64_t round = process_of(recovery, at->end)->spin;
    while (at->measures.count && *RING_AT(at->labels, 0) < round) {
        const measure *gone = RING_AT(at->measures, 0);
        if (!(gone->number & (REUSED | NOMINAL)))
            cut(recovery, at->end, gone->serial, gone->observed);
        RING_DROP(at->measures);
        RING_DROP(at->labels);
    }
}

static bool has_own(const stretch *at, const process_state *process)
{
    return at->measures.count && *RING_AT(at->labels, 0) == process->spin;
}

/* The way on of this round, as observed after another step that asks; NONE: it was not. */
static uint32_t other_exit(es_net_recovery *recovery, uint32_t index)
{
    const stretch *at = &recovery->stretches[index];
    const step_state *step = &recovery->steps[at->end];
    const uint32_t first = step->starts_first + step->starts_count;
    for (uint32_t i = first; i < first + step->repeats; i++) {
        drop_old(recovery, i);
        if (has_own(&recovery->stretches[i], process_of(recovery, at->end)))
            return i;
    }
    return NONE;
}

bool es_spin_ready(es_net_recovery *recovery, uint32_t index)
{
    const stretch *at = &recovery->stretches[index];
    const process_state *process = process_of(recovery, at->end);
    drop_old(recovery, index);
    if (has_own(at, process))
        return true;
    if (at->exit)
        return at->waits.count && at->has_steady && other_exit(recovery, index) != NONE;
    if (process->spin_observed <= process->spin || !at->has_steady || !at->waits.count)
        return false;
    const int64_t begun = RING_AT(at->waits, 0)->base.time;
    if (begun > recovery->now) { /* it would go round far ahead of the trace, which may show that it does not */
        if (begun < recovery->ahead)
            recovery->ahead = begun;
        return false;
    }
    return recovery->totals.repeated / REPEATS_PER_EVENT <= recovery->pushed;
}

void es_spin_caught_up(es_net_recovery *recovery)
{
    recovery->ahead = INT64_MAX;
    for (uint32_t i = 0; i < recovery->process_count; i++) {
        uint32_t index = recovery->processes[i].repeating;
        if (index != NONE && recovery->stretches[index].waits.count)
            recovery_task_stretch(recovery, index);
    }
    es_recovered_run(recovery);
}

bool es_spin_hungry(es_net_recovery *recovery, uint32_t index)
{
    const stretch *at = &recovery->stretches[index];
    const process_state *process = process_of(recovery, at->end);
    return at->waits.count && !has_own(at, process) && !at->has_steady &&
           (process->spin_observed > process->spin || RING_AT(at->waits, 0)->certainty >= ES_NET_PASTED);
}

bool es_spin_take(es_net_recovery *recovery, uint32_t index, measure *taken)
{
    stretch *at = &recovery->stretches[index];
    if (has_own(at, process_of(recovery, at->end))) {
        *taken = *RING_POP(at->measures);
        RING_DROP(at->labels);
        return true;
    }
    uint32_t other = at->exit ? other_exit(recovery, index) : NONE;
    if (other != NONE) {
        *taken = *RING_POP(recovery->stretches[other].measures);
        RING_DROP(recovery->stretches[other].labels);
        taken->length = at->steady;
        return true;
    }
    *taken = (measure){at->steady, ES_NET_UNKNOWN, 0, ES_NET_NO_SERIAL, 0};
    return false;
}

void es_spin_label(es_net_recovery *recovery, uint32_t index)
{
    stretch *at = &recovery->stretches[index];
    *RING_PUSH(at->labels) = process_of(recovery, at->end)->spin;
}

bool es_spin_may_leave(es_net_recovery *recovery, uint32_t place, uint32_t to, uint8_t certainty, uint32_t *observed)
{
    process_state *process = process_of(recovery, to);
    *observed = NONE;
    if (recovery->steps[to].idle)
        return true;
    if (process->spin_places > 1 && !process->left.count && certainty < ES_NET_PASTED && !recovery->ended) {
        process->held = place;
        return false;
    }
    process->held = NONE;
    process->spin++;
    if (process->spin_places > 1 && process->left.count)
        *observed = *RING_POP(process->left);
    return true;
}
