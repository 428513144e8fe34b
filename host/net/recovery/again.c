/* Certain again after lost marks, in nets in which time decides nothing.
 *
 * In such a net each process makes the same steps with and without marks, and each step takes the same tokens; only the
 * times differ. So after a gap the game can go on with what is known of each token: where it is, when it came, and how
 * late its process is there at least. The lag (observed - recovered time) of a firing is that of one of the tokens that
 * it takes, or between those of two of them, and its mark more. So no lag after the gap is below the least one of the
 * tokens that the lost steps can have taken: that says until when, at the latest, an event would have come without
 * marks. Where a step waits for a token whose time is certain and which is not before the latest times of all others,
 * it is certain again: whichever of them is true, the certain one came last.
 *
 * Which step it is: of one whose marks were lost, how often it was fired follows from a place that it shares with a
 * step that is counted, as in a safe net the place holds one token after it was put and none after it was taken.
 *
 * Marks of a process are lost before its first event after es_net_recovery_gap, and none from then on. A trace that
 * cannot be so ends this: all that follows is lost. */
#include "net/recovery/again.h"

void es_again_build(es_net_recovery *recovery)
{
    const es_net *net = recovery->net;
    es_arena *arena = recovery->arena;
    const size_t places = net->place_count, transitions = net->transition_count;
    struct again *again = recovery->again = es_arena_alloc(arena, sizeof *again);
    again->tokens = es_arena_alloc(arena, (places + 1) * sizeof *again->tokens);
    again->steps = es_arena_alloc(arena, (transitions + 1) * sizeof *again->steps);
    if (!es_again_fits(recovery)) {
        recovery->again = NULL;
        return;
    }
    again->lost = es_arena_alloc(arena, recovery->process_count * sizeof *again->lost);
    again->numbers = es_arena_alloc(arena, (transitions + 1) * sizeof *again->numbers);
    again->counted = es_arena_alloc(arena, (transitions + 1) * sizeof *again->counted);
    again->reached = es_arena_alloc(arena, (transitions + 1) * sizeof *again->reached);
    again->work = es_arena_alloc(arena, (places + transitions + 1) * sizeof *again->work);
}

/* --- the gap ------------------------------------------------------------------------------------------------- */

/* The tokens of the observed game: those on their way to a computed step have passed it. */
static void take_observed(es_net_recovery *recovery)
{
    struct again *again = recovery->again;
    for (uint32_t i = 0; i < recovery->net->place_count; i++)
        again->tokens[i].held = EMPTY;
    for (uint32_t i = 0; i < recovery->net->place_count; i++) {
        const place_state *place = &recovery->places[i];
        if (!place->present || again->tokens[i].implied)
            continue;
        if (!again->tokens[i].passed) {
            again->tokens[i].held = KNOWN;
            again->tokens[i].came = place->came;
            continue;
        }
        const step_state *computed = &recovery->steps[place->only];
        const again_step *passed = &again->steps[place->only];
        again->numbers[place->only]++;
        for (uint32_t k = 0; k < passed->computed_count; k++)
            again->numbers[passed->computed[k]]++;
        for (uint32_t k = 0; k < passed->out_count; k++) {
            again->tokens[passed->out[k]].held = KNOWN;
            again->tokens[passed->out[k]].came = place->came + computed->delay + passed->out_after[k];
        }
    }
}

/* Takes over the tokens of both games, which hold the same ones: nothing waits in such a net. */
static bool take_over(es_net_recovery *recovery)
{
    struct again *again = recovery->again;
    bool same = !recovery->any_loose && !recovery->changed && !recovery->open_count;
    for (uint32_t i = 0; i < recovery->net->transition_count && same; i++) {
        again->numbers[i] = recovery->steps[i].fired_observed;
        again->counted[i] = true;
        same = recovery->steps[i].fired == recovery->steps[i].fired_observed || recovery->steps[i].computed;
    }
    if (same)
        take_observed(recovery);
    for (uint32_t i = 0; i < recovery->net->place_count && same; i++) {
        const place_state *place = &recovery->places[i];
        token *at = &again->tokens[i];
        if (at->implied)
            continue;
        same = place->stays.count - place->past == (at->held == KNOWN);
        if (!same || at->held == EMPTY)
            continue;
        const stay *head = RING_AT(place->stays, place->past);
        same = head->certainty == ES_NET_TOTALLY;
        at->certain = true;
        at->latest = head->came.time;
    }
    again->uncounted = 0;
    return again->runs = same;
}

static void lose(es_net_recovery *recovery, uint32_t process)
{
    struct again *again = recovery->again;
    int64_t lag = NO_LIMIT;
    bool others = false;
    if (again->lost[process])
        return;
    for (uint32_t i = 0; i < recovery->process_count; i++)
        others |= again->lost[i];
    int64_t since = BEGINNING; /* each lost step takes the process' own token, which came then or later */
    for (uint32_t i = 0; i < recovery->net->place_count; i++)
        if (is_own(&again->tokens[i], process) && again->tokens[i].held == KNOWN)
            since = again->tokens[i].came;
    for (uint32_t i = 0; i < recovery->net->place_count; i++)
        if (again->tokens[i].taker == process && again->tokens[i].held != EMPTY)
            lag = least(lag, lag_to(again, &again->tokens[i], since));
    again->least_lag = others ? least(again->least_lag, lag) : lag;
    again->lost[process] = true;
    es_again_uncount(recovery, process);
    for (uint32_t i = 0; i < recovery->net->place_count; i++) {
        token *at = &again->tokens[i];
        if (at->taker == process && at->held == KNOWN)
            at->gone = true;
        /* What may be taken unseen, may be replaced unseen where the giver's marks are lost, too. */
        if (is_lost(again, at->giver) && at->held == KNOWN && at->gone)
            hide(at, at->came - at->latest);
        else if (at->giver == process && at->held != KNOWN) /* the lag of one that was there before still counts */
            hide(at, at->held == HIDDEN ? at->lag : NO_LIMIT);
    }
}

bool es_again_runs(const es_net_recovery *recovery)
{
    return recovery->again && recovery->again->runs;
}

/* What is left of the trace is lost. */
static void give_up(es_net_recovery *recovery)
{
    for (uint32_t i = 0; i < recovery->net->transition_count; i++)
        recovery->steps[i].fired_observed = recovery->again->numbers[i];
    for (uint32_t i = 0; i < recovery->process_count; i++)
        recovery->processes[i].loose = true;
    recovery->any_loose = true;
    recovery->again = NULL;
}

bool es_again_gap(es_net_recovery *recovery, const int32_t *processes, size_t count)
{
    struct again *again = recovery->again;
    const bool all = count == 0; /* nobody remains from whom certainty could come */
    if (!again || all || (!again->runs && !take_over(recovery))) {
        if (es_again_runs(recovery))
            give_up(recovery);
        recovery->again = NULL;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (processes[i] >= 0 && processes[i] + 1 < (int64_t)recovery->process_count)
            lose(recovery, (uint32_t)processes[i] + 1);
    return true;
}

/* --- instants ------------------------------------------------------------------------------------------------ */

static bool has_place(const uint32_t *places, uint32_t count, uint32_t place)
{
    for (uint32_t i = 0; i < count; i++)
        if (places[i] == place)
            return true;
    return false;
}

/* May the event be the first one of those that are left, whatever their order was? */
static bool may_be_first(const es_net_recovery *recovery, const es_net_observation *events, uint32_t count, uint32_t at)
{
    const again_step *steps = recovery->again->steps, *step = &steps[events[at].transition];
    for (uint32_t i = 0; i < count; i++) {
        const again_step *other = &steps[events[i].transition];
        for (uint32_t k = 0; k < step->in_count && i != at; k++)
            if (!is_sure(&recovery->again->tokens[step->in[k]]) && has_place(other->out, other->out_count, step->in[k]))
                return false;
        for (uint32_t k = 0; k < step->out_count && i != at; k++)
            if (recovery->again->tokens[step->out[k]].held != EMPTY &&
                has_place(other->in, other->in_count, step->out[k]))
                return false;
    }
    return true;
}

uint32_t es_again_instant(es_net_recovery *recovery)
{
    es_net_observation *events = recovery->instant;
    const uint32_t count = recovery->instant_count;
    uint32_t first = 0;
    for (; first < count; first++) {
        uint32_t best = first;
        while (!recovery->options.in_order && best < count &&
               !may_be_first(recovery, &events[first], count - first, best - first))
            best++;
        if (best == count)
            break;
        const es_net_observation event = events[best];
        for (uint32_t i = best; i > first; i--)
            events[i] = events[i - 1];
        events[first] = event;
        if (!es_again_play(recovery, &event))
            break;
    }
    if (first < count)
        give_up(recovery);
    return first;
}
