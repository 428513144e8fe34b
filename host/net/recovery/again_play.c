/* Events after a gap: what each of them says of where tokens are, and until when, at the latest, it would have come
 * without marks (again.c). */
#include "net/recovery/again.h"

/* True: it is the process' first event since its marks were lost. Where its token is, is known again. */
static bool found_again(es_net_recovery *recovery, uint32_t process, int64_t time)
{
    struct again *again = recovery->again;
    if (!again->lost[process])
        return false;
    again->lost[process] = false;
    for (uint32_t i = 0; i < recovery->net->place_count; i++) {
        token *at = &again->tokens[i];
        if (at->giver != process || at->held != HIDDEN)
            continue;
        at->lag = least(at->lag, again->least_lag);
        at->came = least(at->came, time + at->after);
        at->latest = at->came - at->lag;
        if (at->own)
            at->held = EMPTY;
    }
    return true;
}

/* When the firing would have come. */
typedef struct result {
    bool certain, negative;
    int64_t latest; /* certain: then */
} result;

static result result_of(const struct again *again, const again_step *step, int64_t time, int64_t mark)
{
    int64_t began = BEGINNING, certain = BEGINNING, latest = BEGINNING, hidden = BEGINNING;
    for (uint32_t i = 0; i < step->in_count; i++) {
        const token *at = &again->tokens[step->in[i]];
        int64_t *last = at->held == KNOWN ? &began : &hidden;
        *last = at->came > *last ? at->came : *last;
        last = at->held == KNOWN && at->certain ? &certain : &latest;
        *last = at->latest > *last ? at->latest : *last;
    }
    if (hidden > began) { /* may have been the last one, and when it came is not known */
        int64_t lag = NO_LIMIT;
        for (uint32_t i = 0; i < step->in_count; i++)
            lag = least(lag, lag_to(again, &again->tokens[step->in[i]], began));
        return (result){false, false, time - mark - lag};
    }
    if (began == BEGINNING) /* initial tokens only */
        began = certain = 0;
    const int64_t length = time - began - mark;
    return (result){latest <= certain, length < 0, (latest > certain ? latest : certain) + length};
}

static bool put(struct again *again, const again_step *step, int64_t time, const result *found)
{
    for (uint32_t i = 0; i < step->out_count; i++) {
        token *at = &again->tokens[step->out[i]];
        if (at->held == KNOWN && !at->gone)
            return false;
        at->held = KNOWN;
        at->gone = is_lost(again, at->taker);
        at->certain = found->certain;
        at->came = time + step->out_after[i];
        at->latest = found->latest + step->out_after[i];
        if (at->gone)
            again->least_lag = least(again->least_lag, time - found->latest);
    }
    return true;
}

/* --- what is told ------------------------------------------------------------------------------------------- */

static unsigned uncounted(const struct again *again, uint32_t transition)
{
    return again->counted[transition] ? 0 : ES_NET_UNCOUNTED;
}

/* The computed steps that the step's tokens pass. */
static void emit_computed(es_net_recovery *recovery, const again_step *step, const result *found)
{
    const struct again *again = recovery->again;
    for (uint32_t i = 0; i < step->computed_count; i++) {
        const uint32_t transition = step->computed[i];
        const es_net_recovered recovered = {.transition = transition,
                                            .number = again->numbers[transition],
                                            .time = found->latest + step->computed_after[i],
                                            .certainty = ES_NET_TOTALLY,
                                            .flags = ES_NET_COMPUTED | uncounted(again, transition),
                                            .serial = ES_NET_NO_SERIAL,
                                            .observed = ES_NET_UNKNOWN};
        es_recovered_emit(recovery, &recovered);
    }
}

static void emit(es_net_recovery *recovery, const es_net_observation *event, int64_t mark, const result *found)
{
    const struct again *again = recovery->again;
    const again_step *step = &again->steps[event->transition];
    const uint64_t number = again->numbers[event->transition];
    process_state *process = &recovery->processes[step->process];
    if (found->certain) {
        const es_net_recovered recovered = {.transition = event->transition,
                                            .number = number,
                                            .time = found->latest,
                                            .certainty = ES_NET_TOTALLY,
                                            .flags = (found->negative ? ES_NET_NEGATIVE : 0) |
                                                     uncounted(again, event->transition),
                                            .serial = event->serial,
                                            .source_number = number,
                                            .observed = event->time,
                                            .mark = mark};
        process->perturbation = event->time - found->latest;
        if (process->doubt.reason && !process->doubt.again) {
            process->doubt.again = true;
            process->doubt.again_from = found->latest;
        }
        es_recovered_emit(recovery, &recovered);
        emit_computed(recovery, step, found);
        return;
    }
    const int64_t perturbation = event->time - mark - found->latest; /* at least */
    if (process->perturbation < perturbation)
        process->perturbation = perturbation;
    process->doubt.again = false;
    es_recovered_emit_loose(recovery, event, number);
}

/* --- events -------------------------------------------------------------------------------------------------- */

/* An event of a computed step. Where it is known what it got, its time follows, and its token has passed it already. It
 * shows a token of a process whose marks are lost. False: it comes at another time. */
static bool play_computed(es_net_recovery *recovery, const es_net_observation *event)
{
    struct again *again = recovery->again;
    const again_step *step = &again->steps[event->transition];
    for (uint32_t i = 0; i < step->out_count; i++) {
        token *at = &again->tokens[step->out[i]];
        const int64_t came = event->time + step->out_after[i];
        if (is_sure(at) && at->came != came)
            return false;
        if (at->held != HIDDEN || (is_lost(again, at->giver) && is_lost(again, at->taker)))
            continue; /* where both are lost, it may have been taken, and another one have come */
        at->latest = came - lag_of(again, at);
        at->came = came;
        at->held = KNOWN;
        at->certain = false;
        at->gone = is_lost(again, at->taker);
        if (at->gone)
            again->least_lag = least(again->least_lag, at->came - at->latest);
    }
    return true;
}

bool es_again_play(es_net_recovery *recovery, const es_net_observation *event)
{
    struct again *again = recovery->again;
    const again_step *step = &again->steps[event->transition];
    if (recovery->steps[event->transition].computed)
        return play_computed(recovery, event);
    const int64_t mark = event->mark == ES_NET_UNKNOWN ? recovery->steps[event->transition].mark : event->mark;
    for (uint32_t i = 0; i < step->in_count; i++)
        if (again->tokens[step->in[i]].held == EMPTY)
            return false;
    const result found = result_of(again, step, event->time, mark);
    const bool again_there = found_again(recovery, step->process, event->time);
    for (uint32_t i = 0; i < step->in_count; i++) {
        token *at = &again->tokens[step->in[i]];
        at->held = EMPTY;
        if (is_lost(again, at->giver))
            hide(at, NO_LIMIT);
    }
    if (!put(again, step, event->time, &found))
        return false;
    again->numbers[event->transition]++;
    for (uint32_t i = 0; i < step->computed_count; i++)
        again->numbers[step->computed[i]]++;
    if (again_there)
        es_again_count_process(recovery, step->process);
    else
        es_again_count_step(recovery, event->transition);
    emit(recovery, event, mark, &found);
    return true;
}
