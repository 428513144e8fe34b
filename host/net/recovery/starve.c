/* After a change the recovered run needs stretches that were not observed yet, or never are. They wait a while for
 * their next occurrence; then an earlier one is used again, or, where there was none, the net's own delays. And the end
 * of the trace: what is open goes as observed, and what was measured and never used is told as cut out. */
#include "net/recovery/private.h"

void es_starve_add(es_net_recovery *recovery, uint32_t task, uint64_t since)
{
    bool *is_in = task < recovery->stretch_count ? &recovery->stretches[task].starving
                                                 : &recovery->places[task - recovery->stretch_count].starving;
    if (*is_in)
        return;
    *is_in = true;
    *RING_PUSH(recovery->starving) = (hunger){task, since};
}

/* Since when the stretch or free place lacks its next occurrence; UINT64_MAX: it does not. */
static uint64_t hungry_since(es_net_recovery *recovery, const hunger *entry)
{
    if (entry->task < recovery->stretch_count) {
        const stretch *at = &recovery->stretches[entry->task];
        if (at->repeat)
            return es_spin_hungry(recovery, entry->task) ? RING_AT(at->waits, 0)->since : UINT64_MAX;
        bool lacks = at->waits.count && !at->measures.count && RING_AT(at->waits, 0)->certainty >= ES_NET_PASTED;
        return lacks ? RING_AT(at->waits, 0)->since : UINT64_MAX;
    }
    const place_state *place = &recovery->places[entry->task - recovery->stretch_count];
    if (place->head != HEAD_FREE || place->takes_any)
        return UINT64_MAX;
    const stay *head = RING_AT(place->stays, place->past);
    if (head->from != NONE && recovery->steps[head->from].idle)
        return recovery->steps[head->from].then == NONE ? entry->since : UINT64_MAX;
    bool lacks = place->choices.count && head->certainty >= ES_NET_PASTED;
    return lacks ? entry->since : UINT64_MAX;
}

/* Pastes an earlier occurrence of the stretch, or the net's delays. */
static void paste_again(es_net_recovery *recovery, uint32_t index)
{
    stretch *at = &recovery->stretches[index];
    uint32_t *answers, decisions = recovery->steps[at->end].decisions;
    measure *again = recovery_add_measure(at, decisions, &answers);
    if (at->has_last) {
        *again = at->last;
        again->number |= REUSED;
    } else {
        *again = (measure){at->nominal, ES_NET_UNKNOWN, 0, ES_NET_NO_SERIAL, NOMINAL};
    }
    for (uint32_t k = 0; k < decisions; k++)
        answers[k] = NONE;
    if (at->repeat)
        es_spin_label(recovery, index);
    recovery_task_stretch(recovery, index);
}

static void help(es_net_recovery *recovery, uint32_t task)
{
    if (task < recovery->stretch_count) {
        paste_again(recovery, task);
        return;
    }
    recovery->places[task - recovery->stretch_count].takes_any = true;
    es_recovery_task_place(recovery, task - recovery->stretch_count);
}

static void leave(es_net_recovery *recovery, uint32_t task)
{
    if (task < recovery->stretch_count)
        recovery->stretches[task].starving = false;
    else
        recovery->places[task - recovery->stretch_count].starving = false;
}

void es_starve_look(es_net_recovery *recovery)
{
    while (recovery->starving.count &&
           RING_AT(recovery->starving, 0)->since + recovery->options.look_ahead <= recovery->pushed) {
        const hunger entry = *RING_POP(recovery->starving);
        uint64_t since = hungry_since(recovery, &entry);
        leave(recovery, entry.task);
        if (since == UINT64_MAX)
            continue;
        if (since + recovery->options.look_ahead > recovery->pushed) { /* another wait than that which was entered */
            es_starve_add(recovery, entry.task, since);
            continue;
        }
        help(recovery, entry.task);
        es_recovered_run(recovery);
    }
}

/* --- the end ------------------------------------------------------------------------------------------------- */

static uint64_t unused(const es_net_recovery *recovery)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < recovery->stretch_count; i++)
        count += recovery->stretches[i].measures.count;
    return count;
}

/* When the entry's wait began in the recovered run. */
static int64_t hungry_at(const es_net_recovery *recovery, const hunger *entry)
{
    if (entry->task < recovery->stretch_count)
        return RING_AT(recovery->stretches[entry->task].waits, 0)->base.time;
    const place_state *place = &recovery->places[entry->task - recovery->stretch_count];
    return RING_AT(place->stays, place->past)->came.time;
}

/* The open decision whose token came first; NONE: there is none. */
static uint32_t earliest_open(const es_net_recovery *recovery, moment *when)
{
    uint32_t earliest = NONE;
    for (uint32_t i = 0; i < recovery->open_count; i++) {
        const place_state *place = &recovery->places[recovery->open[i]];
        const stay *token =
            place->head == HEAD_DECIDING ? RING_AT(place->stays, place->past) : RING_AT(place->gated, 0);
        if (earliest == NONE || moment_before(&token->came, when))
            *when = token->came, earliest = recovery->open[i];
    }
    return earliest;
}

/* What lacks an occurrence and began first, not later than `until`; NONE: there is none. */
static uint32_t hungriest(es_net_recovery *recovery, int64_t until)
{
    uint32_t found = NONE;
    int64_t best = until;
    for (uint32_t i = 0; i < recovery->starving.count; i++) {
        const hunger *entry = RING_AT(recovery->starving, i);
        if (hungry_since(recovery, entry) == UINT64_MAX || hungry_at(recovery, entry) > best)
            continue;
        if (found == NONE || hungry_at(recovery, entry) < best)
            found = i, best = hungry_at(recovery, entry);
    }
    return found;
}

/* Decides or helps whatever comes first in the recovered run. */
static bool go_on(es_net_recovery *recovery, bool may_help)
{
    moment when = {.time = INT64_MAX};
    uint32_t place = earliest_open(recovery, &when);
    int64_t until = when.time < recovery->now ? when.time : recovery->now;
    uint32_t entry = may_help ? hungriest(recovery, until) : NONE;
    if (entry != NONE) {
        hunger found = *RING_AT(recovery->starving, entry);
        *RING_AT(recovery->starving, entry) = *RING_AT(recovery->starving, 0);
        RING_DROP(recovery->starving);
        leave(recovery, found.task);
        help(recovery, found.task);
    } else if (place != NONE) {
        es_recovery_open_forget(recovery, place);
        if (recovery->places[place].head == HEAD_DECIDING)
            es_recovered_decide_forced(recovery, place);
        else
            es_recovered_admit_forced(recovery, place);
    } else {
        return false;
    }
    es_recovered_run(recovery);
    return true;
}

void es_starve_cut(es_net_recovery *recovery, uint32_t index, uint32_t count, enum es_net_cut_reason reason)
{
    stretch *at = &recovery->stretches[index];
    if (at->repeat && reason != ES_NET_CUT_DROPPED)
        reason = ES_NET_CUT_ASKED;
    for (uint32_t i = 0; i < count; i++) {
        const measure *first = RING_AT(at->measures, i);
        es_net_cut cut = {at->end, first->serial, first->observed, reason};
        if (recovery->options.on_cut && !(first->number & (REUSED | NOMINAL)))
            recovery->options.on_cut(recovery->options.context, &cut);
    }
    if (reason != ES_NET_CUT_DROPPED)
        return; /* they stay, for the totals */
    at->measures.first += count;
    at->measures.count -= count;
    at->labels.first += at->repeat ? count : 0;
    at->labels.count -= at->repeat ? count : 0;
}

void es_starve_end(es_net_recovery *recovery)
{
    /* The recovered run may go round without using anything that was measured. */
    const uint64_t most = 1000 + 4 * (uint64_t)recovery->stretch_count;
    uint64_t left = unused(recovery), tries = 0;
    while (!recovery->stopped && go_on(recovery, left && tries < most)) {
        uint64_t now = unused(recovery);
        tries = now < left ? 0 : tries + 1;
        left = now;
    }
    for (uint32_t i = 0; i < recovery->stretch_count && !recovery->stopped; i++)
        es_starve_cut(recovery, i, recovery->stretches[i].measures.count,
                      recovery->changed ? ES_NET_CUT_CHANGE : ES_NET_CUT_LOST);
}

/* --- after lost marks --------------------------------------------------------------------------------------- */

void es_recovered_emit_loose(es_net_recovery *recovery, const es_net_observation *observation, uint64_t number)
{
    const step_state *step = &recovery->steps[observation->transition];
    int64_t mark = observation->mark == ES_NET_UNKNOWN ? step->mark : observation->mark;
    process_state *process = &recovery->processes[step->process];
    process->perturbation += mark;
    if (!process->doubt.reason)
        process->doubt = (es_net_doubt){.reason = ES_NET_DOUBT_LOST,
                                        .time = observation->time,
                                        .transition = observation->transition,
                                        .place = NONE,
                                        .other = ES_NET_NO_PROCESS};
    es_net_recovered event = {
        .transition = observation->transition,
        .number = number,
        .time = observation->time - process->perturbation,
        .certainty = ES_NET_LOST,
        .serial = observation->serial,
        .source_number = number,
        .observed = observation->time,
        .mark = mark,
    };
    es_recovered_emit(recovery, &event);
}
