/* Events after a gap: what each of them says of where tokens are, how often a step was fired, and until when, at the
 * latest, it would have come without marks (again.c). */
#include "net/recovery/again.h"

/* The process' first event since its marks were lost: where its token is, is known again. */
static void found_again(es_net_recovery *recovery, uint32_t process, int64_t time)
{
    struct again *again = recovery->again;
    if (!again->lost[process])
        return;
    again->lost[process] = false;
    for (uint32_t i = 0; i < recovery->net->place_count; i++) {
        token *at = &again->tokens[i];
        if (at->giver != process || at->held != HIDDEN)
            continue;
        at->lag = least(at->lag, again->least_lag);
        at->came = least(at->came, time);
        at->latest = at->came - at->lag;
        if (at->taker == process)
            at->held = EMPTY;
    }
}

/* How often the step was fired with this event; false: not known. */
static bool count(es_net_recovery *recovery, uint32_t transition)
{
    const es_net *net = recovery->net;
    struct again *again = recovery->again;
    const step_state *step = &recovery->steps[transition];
    again->numbers[transition]++;
    for (uint32_t i = 0; i < step->in_count + step->out_count && !again->counted[transition]; i++) {
        const bool takes = i < step->in_count;
        const es_net_place *place = &net->places[takes ? step->in[i] : step->out[i - step->in_count]];
        if (place->input_count != 1 || place->output_count != 1)
            continue;
        const uint32_t other = takes ? place->inputs[0] : place->outputs[0];
        if (!again->counted[other])
            continue;
        again->numbers[transition] =
            takes ? again->numbers[other] + place->tokens : again->numbers[other] + 1 - place->tokens;
        again->counted[transition] = true;
    }
    return again->counted[transition];
}

/* When the firing would have come. */
typedef struct result {
    bool certain, negative;
    int64_t latest; /* certain: then */
} result;

static result result_of(const struct again *again, const step_state *step, int64_t time, int64_t mark)
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

static bool put(struct again *again, token *at, int64_t time, const result *found)
{
    if (at->held == KNOWN && !at->gone)
        return false;
    at->held = KNOWN;
    at->gone = is_lost(again, at->taker);
    at->certain = found->certain;
    at->came = time;
    at->latest = found->latest;
    if (at->gone)
        again->least_lag = least(again->least_lag, time - found->latest);
    return true;
}

static void emit(es_net_recovery *recovery, const es_net_observation *event, int64_t mark, const result *found)
{
    const bool counted = count(recovery, event->transition);
    const uint64_t number = recovery->again->numbers[event->transition];
    const step_state *step = &recovery->steps[event->transition];
    process_state *process = &recovery->processes[step->process];
    es_net_recovered recovered = {.transition = event->transition,
                                  .number = number,
                                  .time = found->latest,
                                  .certainty = ES_NET_TOTALLY,
                                  .flags = found->negative ? ES_NET_NEGATIVE : 0,
                                  .serial = event->serial,
                                  .source_number = number,
                                  .observed = event->time,
                                  .mark = mark};
    if (step->computed) {
        recovered.flags = ES_NET_COMPUTED;
        recovered.serial = ES_NET_NO_SERIAL;
        recovered.source_number = 0;
        recovered.observed = ES_NET_UNKNOWN;
        if (found->certain && number > step->fired) /* else the recovered game has told it before the gap */
            es_recovered_emit(recovery, &recovered);
        return;
    }
    if (found->certain && counted) {
        process->perturbation = event->time - found->latest;
        if (process->doubt.reason && !process->doubt.again) {
            process->doubt.again = true;
            process->doubt.again_from = found->latest;
        }
        es_recovered_emit(recovery, &recovered);
        return;
    }
    const int64_t perturbation = event->time - mark - found->latest; /* at least */
    if (process->perturbation < perturbation || found->certain)
        process->perturbation = perturbation;
    process->doubt.again = false;
    es_recovered_emit_loose(recovery, event, number);
}

static bool takes_its_time(const token *at, int64_t began)
{
    return at->held != KNOWN || began == (at->came == BEGINNING ? 0 : at->came);
}

bool es_again_play(es_net_recovery *recovery, const es_net_observation *event)
{
    struct again *again = recovery->again;
    const step_state *step = &recovery->steps[event->transition];
    const int64_t mark = event->mark == ES_NET_UNKNOWN ? step->mark : event->mark;
    for (uint32_t i = 0; i < step->in_count; i++)
        if (again->tokens[step->in[i]].held == EMPTY)
            return false;
    const result found = result_of(again, step, event->time, mark);
    if (step->computed && !takes_its_time(&again->tokens[step->in[0]], event->time - mark - step->delay))
        return false;
    found_again(recovery, step->process, event->time);
    for (uint32_t i = 0; i < step->in_count; i++) {
        token *at = &again->tokens[step->in[i]];
        at->held = EMPTY;
        if (is_lost(again, at->giver))
            hide(at, NO_LIMIT);
    }
    for (uint32_t i = 0; i < step->out_count; i++)
        if (!put(again, &again->tokens[step->out[i]], event->time, &found))
            return false;
    emit(recovery, event, mark, &found);
    return true;
}
