/* The observed game: plays the observed firings on the net, and so learns how long each stretch took and how each place
 * decided. */
#include "net/recovery/private.h"

#include <stdlib.h>
#include <string.h>

/* So many events at one time are put into order; more of them come as they were pushed. Hundreds of cores would have to
 * fire in one clock for that, and a trace with a million events at one time must not take forever. */
#define INSTANT_WINDOW 128

/* All tokens that the step waits for are there. */
static void enabled(es_net_recovery *recovery, uint32_t transition, int64_t now)
{
    step_state *step = &recovery->steps[transition];
    int64_t began = BEGINNING;
    for (uint32_t i = 0; i < step->in_count; i++)
        if (recovery->places[step->in[i]].came > began)
            began = recovery->places[step->in[i]].came;
    if (began == BEGINNING) /* initial tokens only */
        began = step->in_count ? 0 : now;
    if (!step->monitor) { /* unobserved: its tokens are gone at once, or at an unknown time that nobody asks for */
        for (uint32_t i = 0; i < step->in_count; i++) {
            place_state *place = &recovery->places[step->in[i]];
            place->present = false;
            place->was_present = true;
            place->was_to = place->to, place->was_from = place->from, place->was_last = place->last;
            place->was_gone = began;
        }
        step->missing_observed = step->in_count;
    }
    if (__builtin_expect(step->repeats, 0)) {
        *RING_PUSH(recovery->stretches[es_spin_stretch(recovery, step, recovery->places[step->in[0]].from)].begun) =
            began;
        return;
    }
    for (uint32_t i = 0; i < step->starts_count; i++)
        *RING_PUSH(recovery->stretches[step->starts_first + i].begun) = began;
}

static void arrived(es_net_recovery *recovery, uint32_t transition, int64_t now)
{
    step_state *step = &recovery->steps[transition];
    if (--step->missing_observed)
        return;
    if (step->untimed && !step->monitor)
        recovery->ready[recovery->ready_count++] = transition;
    else
        enabled(recovery, transition, now);
}

/* The token comes back into the game as gone. */
static void take(es_net_recovery *recovery, uint32_t index, int64_t now)
{
    place_state *place = &recovery->places[index];
    place->present = false;
    if (!place->controlling)
        return;
    place->was_present = true;
    place->was_to = place->to, place->was_from = place->from, place->was_last = place->last;
    place->was_gone = now;
}

static void put(es_net_recovery *recovery, uint32_t index, uint32_t to, uint32_t from, uint32_t last, int64_t now)
{
    place_state *place = &recovery->places[index];
    place->present = true;
    place->to = to;
    place->from = from;
    place->last = last;
    place->came = now;
    if (to != NONE)
        arrived(recovery, to, now);
}

/* Marks were lost: from here on the process is followed by its own events alone. */
static void become_loose(es_net_recovery *recovery, uint32_t process)
{
    recovery->processes[process].loose = recovery->any_loose = true;
    for (uint32_t i = recovery->open_count; i-- > 0;)
        es_recovered_look_again(recovery, recovery->open[i]);
}

/* The stretch that the event ends: of those begun, the one begun first. NONE: it is not enabled. */
static uint32_t ended(es_net_recovery *recovery, uint32_t transition)
{
    const step_state *step = &recovery->steps[transition];
    uint32_t found = NONE;
    for (uint32_t i = 0; i < step->ends_count; i++) {
        uint32_t index = recovery->ends[step->ends_first + i];
        stretch *candidate = &recovery->stretches[index];
        if (candidate->begun.count &&
            (found == NONE || *RING_AT(candidate->begun, 0) < *RING_AT(recovery->stretches[found].begun, 0)))
            found = index;
    }
    return found;
}

/* After a change, what waits to be pasted is bounded. */
static void limit_measures(es_net_recovery *recovery, uint32_t index)
{
    stretch *at = &recovery->stretches[index];
    const uint32_t limit = recovery->options.paste_limit;
    if (at->measures.count < limit || !recovery->changed ||
        !recovery->processes[recovery->steps[at->end].process].tainted)
        return;
    recovery->totals.dropped += at->measures.count - limit / 2;
    es_starve_cut(recovery, index, at->measures.count - limit / 2, ES_NET_CUT_DROPPED);
}

/* The event shows where the tokens of free places before it went. */
static void choose(es_net_recovery *recovery, uint32_t transition, int64_t now)
{
    const step_state *step = &recovery->steps[transition];
    for (uint32_t i = 0; i < step->in_count; i++) {
        place_state *place = &recovery->places[step->in[i]];
        if (place->free && place->present && place->to == NONE) {
            place->to = transition;
            if (!recovery->any_idle || !es_spin_observed_choice(recovery, place->from, transition))
                es_choices_add(recovery, step->in[i], transition);
            es_recovered_chosen(recovery, step->in[i]);
            arrived(recovery, transition, now);
        }
    }
}

/* A computed step that puts tokens there, or NONE. */
static uint32_t computed_before(const es_net_recovery *recovery, const es_net_place *place)
{
    for (uint32_t i = 0; i < place->input_count; i++)
        if (recovery->steps[place->inputs[i]].computed)
            return place->inputs[i];
    return NONE;
}

static bool not_enabled(const es_net_recovery *recovery, const es_net_observation *event, es_error *err)
{
    const es_net *net = recovery->net;
    const es_net_transition *transition = &net->transitions[event->transition];
    for (uint32_t i = 0; i < transition->input_count; i++) {
        const place_state *place = &recovery->places[transition->inputs[i]];
        const es_net_place *named = &net->places[transition->inputs[i]];
        if (place->root && place->present && place->to != event->transition && place->to != NONE)
            return es_fail(err, ES_USAGE,
                           "event %llu: '%s' at time %lld: the token in place '%s' goes to '%s'; net and trace do not "
                           "belong together",
                           (unsigned long long)event->serial, transition->id, (long long)event->time, named->id,
                           net->transitions[place->to].id);
        if (place->root && !place->present && computed_before(recovery, named) != NONE)
            return es_fail(
                err, ES_USAGE,
                "event %llu: '%s' at time %lld: place '%s' holds no token; the trace may lack a firing of '%s': "
                "fixed steps need their events, too",
                (unsigned long long)event->serial, transition->id, (long long)event->time, named->id,
                net->transitions[computed_before(recovery, named)].id);
        if (place->root && !place->present)
            return es_fail(
                err, ES_USAGE,
                "event %llu: '%s' at time %lld: place '%s' holds no token; net and trace do not belong together",
                (unsigned long long)event->serial, transition->id, (long long)event->time, named->id);
    }
    return es_fail(err, ES_USAGE,
                   "event %llu: '%s' at time %lld: no token is on its way there; net and trace do not belong together",
                   (unsigned long long)event->serial, transition->id, (long long)event->time);
}

/* An event of a process whose marks were lost: an estimate; and no tokens, as nobody knows which there are. */
static void play_loose(es_net_recovery *recovery, const es_net_observation *event)
{
    if (!recovery->steps[event->transition].computed) /* the recovered game has those by itself */
        es_recovered_emit_loose(recovery, event, ++recovery->steps[event->transition].fired_observed);
}

static bool unsafe(const es_net_recovery *recovery, const es_net_observation *event, uint32_t place, es_error *err)
{
    return es_fail(
        err, ES_USAGE,
        "event %llu: '%s' at time %lld puts a second token on place '%s'; net and trace do not belong together",
        (unsigned long long)event->serial, recovery->net->transitions[event->transition].id, (long long)event->time,
        recovery->net->places[place].id);
}

/* Puts the event's tokens; their routes, for the places that decide, are in `answers`, NONE where lost marks hide them.
 * */
static bool put_all(es_net_recovery *recovery, const es_net_observation *event, const uint32_t *answers, es_error *err)
{
    const step_state *step = &recovery->steps[event->transition];
    for (uint32_t i = 0; i < step->out_count; i++) {
        place_state *place = &recovery->places[step->out[i]];
        if (place->present && recovery->any_loose && es_observed_touched_by_loose(recovery, step->out[i], false)) {
            /* Taken in between, by an event whose mark was lost. */
            if (place->to != NONE)
                recovery->steps[place->to].missing_observed++;
            take(recovery, step->out[i], event->time);
        }
        if (place->present)
            return unsafe(recovery, event, step->out[i], err);
        if (place->ordered && !recovery->net->places[step->out[i]].signal)
            *RING_PUSH(place->comers) = event->transition | (recovery->instant_guessed ? ANSWER_GUESSED : 0);
        uint32_t answer = place->decides ? *answers++ : NONE;
        if (place->decides && answer == NONE)
            continue;
        uint32_t to = place->decides ? ANSWER_TO(answer) : place->only;
        put(recovery, step->out[i], to, event->transition, event->transition, event->time);
    }
    return true;
}

/* The event's answers at the places after it that decide. Decisions see the state before the firing. */
static bool decide_all(es_net_recovery *recovery, const es_net_observation *event, uint32_t *answers, es_error *err)
{
    const step_state *step = &recovery->steps[event->transition];
    for (uint32_t i = 0, at_answer = 0; i < step->out_count && step->decisions; i++) {
        if (!recovery->places[step->out[i]].decides)
            continue;
        bool is_loose;
        uint32_t to = es_observed_decide(recovery, step->out[i], &is_loose);
        if (to == NONE)
            return es_fail(err, ES_USAGE,
                           "event %llu: no rule of place '%s' routes the token that comes at time %lld; add one "
                           "without conditions",
                           (unsigned long long)event->serial, recovery->net->places[step->out[i]].id,
                           (long long)event->time);
        if (is_loose) /* where the token goes is not known */
            become_loose(recovery, step->process);
        answers[at_answer++] = is_loose ? NONE : to;
        if (recovery->places[step->out[i]].spin && !is_loose)
            es_spin_observed_decision(recovery, ANSWER_TO(to));
    }
    return true;
}

static void take_all(es_net_recovery *recovery, const es_net_observation *event)
{
    step_state *step = &recovery->steps[event->transition];
    for (uint32_t i = 0; i < step->in_count; i++)
        take(recovery, step->in[i], event->time);
    step->missing_observed = step->in_count;
}

/* A computed step: the recovered game has its time by itself, and needs only what was decided after it. */
static bool play_computed(es_net_recovery *recovery, const es_net_observation *event, stretch *at, es_error *err)
{
    step_state *step = &recovery->steps[event->transition];
    int64_t began = *RING_POP(at->begun);
    if (event->mark > 0)
        return es_fail(err, ES_USAGE,
                       "event %llu: '%s' at time %lld: its mark took %lld ticks, and of a fixed step the net says that "
                       "it takes none; give it a mark, or the longest that it may take",
                       (unsigned long long)event->serial, recovery->net->transitions[event->transition].id,
                       (long long)event->time, (long long)event->mark);
    if (event->time - began != step->delay)
        return es_fail(
            err, ES_USAGE,
            "event %llu: '%s' at time %lld was enabled at %lld and always takes %lld ticks; net and trace do "
            "not belong together",
            (unsigned long long)event->serial, recovery->net->transitions[event->transition].id, (long long)event->time,
            (long long)began, (long long)step->delay);
    step->fired_observed++;
    uint32_t *answers = recovery->scratch;
    if (!decide_all(recovery, event, answers, err))
        return false;
    take_all(recovery, event);
    if (!put_all(recovery, event, answers, err))
        return false;
    for (uint32_t i = 0; i < step->out_count && step->decisions; i++) {
        place_state *place = &recovery->places[step->out[i]];
        if (!place->decides)
            continue;
        if (!place->silent && !place->unpaired) {
            *RING_PUSH(place->answers) = *answers;
            es_recovered_answered(recovery, step->out[i]);
        }
        answers++;
    }
    return true;
}

static bool play(es_net_recovery *recovery, const es_net_observation *event, es_error *err)
{
    step_state *step = &recovery->steps[event->transition];
    if (recovery->processes[step->process].loose) {
        play_loose(recovery, event);
        return true;
    }
    uint32_t index = ended(recovery, event->transition);
    if (index == NONE) {
        choose(recovery, event->transition, event->time);
        index = ended(recovery, event->transition);
    }
    if (index == NONE) {
        if (!recovery->any_loose) /* otherwise what it lacks was lost, here or further upstream */
            return not_enabled(recovery, event, err);
        become_loose(recovery, step->process);
        play_loose(recovery, event);
        return true;
    }
    stretch *at = &recovery->stretches[index];
    if (step->computed)
        return play_computed(recovery, event, at, err);
    int64_t began = *RING_POP(at->begun), mark = event->mark == ES_NET_UNKNOWN ? step->mark : event->mark;
    uint32_t *answers = recovery->scratch;
    step->fired_observed++;
    if (!at->repeat || es_spin_observed(recovery, index, event, event->time - began - mark)) {
        limit_measures(recovery, index);
        measure *measured = recovery_add_measure(at, step->decisions, &answers);
        *measured = (measure){event->time - began - mark, event->time, mark, event->serial, step->fired_observed};
    }
    if (mark > step->mark_max && step->mark_max != ES_NET_UNKNOWN && !recovery->is_overlong) {
        recovery->is_overlong = true;
        recovery->overlong = *event;
        recovery->overlong.mark = mark;
    }
    if (step->outcome)
        recovery->processes[step->process].context_observed = event->transition;
    if (!decide_all(recovery, event, answers, err))
        return false;
    if (at->entry == at->end)
        take_all(recovery, event);
    if (!step->in_count)
        enabled(recovery, event->transition, event->time);
    if (!put_all(recovery, event, answers, err))
        return false;
    es_recovered_measured(recovery, index);
    return true;
}

/* --- instants ---------------------------------------------------------------------------------------------- */

/* The enabled one among the unobserved steps that take no time with the smallest priority. NONE: there is none. */
static uint32_t first_ready(const es_net_recovery *recovery)
{
    uint32_t found = NONE;
    for (uint32_t i = 0; i < recovery->ready_count; i++)
        if (found == NONE ||
            recovery->steps[recovery->ready[i]].priority < recovery->steps[recovery->ready[found]].priority)
            found = i;
    return found;
}

static void play_ready(es_net_recovery *recovery, uint32_t at, int64_t now)
{
    uint32_t transition = recovery->ready[at];
    recovery->ready[at] = recovery->ready[--recovery->ready_count];
    enabled(recovery, transition, now);
}

/* Priority with which the event takes part in the instant; a stretch over unobserved steps that took no time comes when
 * its largest may. */
static uint32_t rank(es_net_recovery *recovery, const es_net_observation *event)
{
    uint32_t index = ended(recovery, event->transition), most = recovery->steps[event->transition].priority;
    if (index == NONE || *RING_AT(recovery->stretches[index].begun, 0) != event->time)
        return most;
    for (uint32_t i = 0; i < recovery->stretches[index].path_length; i++)
        if (recovery->stretches[index].path[i] > most)
            most = recovery->stretches[index].path[i];
    return most;
}

/* Was an event pushed before this one, at the same time, that takes its token from the same free place? */
static bool has_forerunner(const es_net_recovery *recovery, const es_net_observation *first,
                           const es_net_observation *event, uint32_t place)
{
    for (const es_net_observation *before = first; before < event; before++)
        for (uint32_t i = 0; i < recovery->steps[before->transition].in_count; i++)
            if (recovery->steps[before->transition].in[i] == place)
                return true;
    return false;
}

/* `first`: the first event of the instant that has not been played. */
static bool may_play(es_net_recovery *recovery, const es_net_observation *first, const es_net_observation *event)
{
    if (ended(recovery, event->transition) != NONE ||
        recovery->processes[recovery->steps[event->transition].process].loose)
        return true;
    const step_state *step = &recovery->steps[event->transition];
    for (uint32_t i = 0; i < step->in_count; i++) {
        const place_state *place = &recovery->places[step->in[i]];
        bool chooses = place->free && place->to == NONE;
        if (!place->present || (place->to != event->transition && !chooses) ||
            (chooses && has_forerunner(recovery, first, event, step->in[i])))
            return false;
    }
    return step->in_count != 0 && recovery->places[step->in[0]].root;
}

/* Several events at one time: always the enabled one with the smallest priority, as in the engine. What is never
 * enabled is told by play(). */
static bool play_several(es_net_recovery *recovery, es_error *err)
{
    es_net_observation *events = recovery->instant;
    const uint32_t count = recovery->instant_count, window = recovery->options.in_order ? 1 : INSTANT_WINDOW;
    for (uint32_t first = 0; first < count;) {
        uint32_t best = NONE, best_rank = UINT32_MAX;
        for (uint32_t i = first; i < count && i - first < window; i++) {
            uint32_t its = may_play(recovery, &events[first], &events[i]) ? rank(recovery, &events[i]) : UINT32_MAX;
            if (best == NONE || its < best_rank)
                best = i, best_rank = its;
        }
        uint32_t ready = first_ready(recovery);
        if (ready != NONE && recovery->steps[recovery->ready[ready]].priority < best_rank) {
            play_ready(recovery, ready, recovery->done);
            continue;
        }
        es_net_observation event = events[best];
        for (uint32_t i = best; i > first; i--)
            events[i] = events[i - 1];
        first++;
        if (!play(recovery, &event, err))
            return false;
    }
    return true;
}

/* Is the order of the instant's events a guess? Not where it was told, or where all steps are observed. */
static bool is_guessed(const es_net_recovery *recovery)
{
    bool unseen = recovery->instant_count > INSTANT_WINDOW;
    for (uint32_t i = 0; i < recovery->instant_count && recovery->instant_count > 1; i++)
        unseen |= recovery->steps[recovery->instant[i].transition].ends_unseen;
    return unseen && !recovery->options.in_order;
}

bool es_observed_instant(es_net_recovery *recovery, es_error *err)
{
    if (__builtin_expect(es_again_runs(recovery), false)) {
        const uint32_t played = es_again_instant(recovery);
        recovery->done = recovery->instant[0].time;
        recovery->instant_count -= played;
        memmove(recovery->instant, recovery->instant + played, recovery->instant_count * sizeof *recovery->instant);
        if (!recovery->instant_count)
            return true;
    }
    recovery->instant_guessed = is_guessed(recovery);
    while (recovery->ready_count && recovery->done < recovery->instant[0].time)
        play_ready(recovery, first_ready(recovery), recovery->done);
    recovery->done = recovery->instant[0].time;
    bool good = recovery->instant_count == 1 && !recovery->ready_count ? play(recovery, &recovery->instant[0], err)
                                                                       : play_several(recovery, err);
    recovery->instant_count = 0;
    while (recovery->ready_count && good)
        play_ready(recovery, first_ready(recovery), recovery->done);
    return good;
}

bool es_observed_start(es_net_recovery *recovery, es_error *err)
{
    const es_net *net = recovery->net;
    for (uint32_t i = 0; i < net->place_count; i++)
        recovery->places[i].present = net->places[i].tokens != 0;
    for (uint32_t i = 0; i < net->place_count; i++) {
        place_state *place = &recovery->places[i];
        if (!place->present)
            continue;
        bool is_loose;
        place->to = place->decides ? net->places[i].initial_route : place->only;
        if (place->decides && place->to == NONE)
            place->to = es_observed_decide(recovery, i, &is_loose);
        if (place->decides && place->to == NONE)
            return es_fail(err, ES_USAGE, "place '%s': no rule routes its initial token; add one without conditions",
                           net->places[i].id);
        place->initial_to = place->to;
        if (place->spin)
            es_spin_observed_decision(recovery, place->to);
        if (place->free && net->places[i].initial_route != NONE) {
            place->to = net->places[i].initial_route;
            *RING_PUSH(place->choices) = (choice){place->to, NONE};
        }
    }
    for (uint32_t i = 0; i < net->place_count; i++)
        if (recovery->places[i].present && recovery->places[i].to != NONE)
            arrived(recovery, recovery->places[i].to, 0);
    for (uint32_t i = 0; i < net->transition_count; i++)
        if (!net->transitions[i].input_count)
            enabled(recovery, i, 0);
    return true;
}
