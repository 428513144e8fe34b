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
    struct again *again = recovery->again = es_arena_alloc(recovery->arena, sizeof *again);
    again->tokens = es_arena_alloc(recovery->arena, (net->place_count + 1) * sizeof *again->tokens);
    if (!es_again_fits(recovery)) {
        recovery->again = NULL;
        return;
    }
    again->lost =
        es_arena_alloc(recovery->arena, (recovery->process_count + net->transition_count) * sizeof *again->lost);
    again->numbers = es_arena_alloc(recovery->arena, (net->transition_count + 1) * sizeof *again->numbers);
    again->counted = es_arena_alloc(recovery->arena, (net->transition_count + 1) * sizeof *again->counted);
}

/* --- the gap ------------------------------------------------------------------------------------------------- */

/* The token that the recovered game has for the observed one; NULL: there is no such. The recovered game sends messages
 * on as soon as they are there: *ahead ticks. */
static const stay *recovered_token(const es_net_recovery *recovery, uint32_t index, int64_t *ahead)
{
    const place_state *place = &recovery->places[index];
    *ahead = 0;
    if (place->past < place->stays.count)
        return RING_AT(place->stays, place->past);
    if (place->only == NONE || !recovery->steps[place->only].computed)
        return NULL;
    const place_state *next = &recovery->places[recovery->steps[place->only].out[0]];
    *ahead = recovery->steps[place->only].delay;
    return next->past + next->present < next->stays.count ? RING_AT(next->stays, next->past + next->present) : NULL;
}

/* Takes over the tokens of both games, which hold the same ones: nothing waits in such a net. */
static bool take_over(es_net_recovery *recovery)
{
    struct again *again = recovery->again;
    uint64_t observed = 0, recovered = 0;
    bool same = !recovery->any_loose && !recovery->changed && !recovery->open_count;
    for (uint32_t i = 0; i < recovery->net->place_count && same; i++) {
        const place_state *place = &recovery->places[i];
        token *at = &again->tokens[i];
        observed += place->present;
        recovered += place->stays.count - place->past;
        at->held = place->present ? KNOWN : EMPTY;
        if (!place->present)
            continue;
        int64_t ahead;
        const stay *head = recovered_token(recovery, i, &ahead);
        same = head && head->certainty == ES_NET_TOTALLY;
        at->certain = true;
        at->came = place->came;
        at->latest = same ? head->came.time - ahead : 0;
    }
    for (uint32_t i = 0; i < recovery->net->transition_count && same; i++) {
        again->numbers[i] = recovery->steps[i].fired_observed;
        again->counted[i] = true;
        same = recovery->steps[i].fired == recovery->steps[i].fired_observed || recovery->steps[i].computed;
    }
    return again->runs = same && observed == recovered;
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
        if (again->tokens[i].taker == process && again->tokens[i].giver == process && again->tokens[i].held == KNOWN)
            since = again->tokens[i].came;
    for (uint32_t i = 0; i < recovery->net->place_count; i++)
        if (again->tokens[i].taker == process && again->tokens[i].held != EMPTY)
            lag = least(lag, lag_to(again, &again->tokens[i], since));
    again->least_lag = others ? least(again->least_lag, lag) : lag;
    again->lost[process] = true;
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
    for (uint32_t i = 0; i < recovery->net->transition_count; i++)
        again->counted[i] &= recovery->steps[i].process != process;
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
    bool all = count == 0; /* or messages under way, of no process: nobody remains from whom certainty could come */
    for (size_t i = 0; i < count; i++)
        all |= processes[i] == ES_NET_NO_PROCESS;
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

static bool is_sure(const token *at)
{
    return at->held == KNOWN && !at->gone;
}

/* May the event be the first one of those that are left, whatever their order was? */
static bool may_be_first(const es_net_recovery *recovery, const es_net_observation *events, uint32_t count, uint32_t at)
{
    const step_state *step = &recovery->steps[events[at].transition];
    for (uint32_t i = 0; i < count; i++) {
        const step_state *other = &recovery->steps[events[i].transition];
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
