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
#include "net/recovery/private.h"

#define NO_LIMIT (INT64_MAX / 4)

enum held { EMPTY, KNOWN, HIDDEN }; /* HIDDEN: lost marks may have put a token there, and nobody knows when */

typedef struct token {
    enum held held : 8;
    bool gone;      /* KNOWN: lost marks may have taken it */
    bool certain;   /* KNOWN: `latest` is when it came */
    int64_t came;   /* observed; HIDDEN: at the latest */
    int64_t latest; /* recovered, at the latest */
    int64_t lag;    /* HIDDEN: at least, if its giver's marks are not lost any more or it was there before */
    uint32_t giver, taker;
} token;

struct again {
    token *tokens;     /* by place */
    bool *lost;        /* by process: its marks are lost at present */
    int64_t least_lag; /* of all that those have taken */
    uint64_t *numbers; /* by transition */
    bool *counted;
    bool runs;
};

/* Who fires the step; of a message under way (computed, of no process) a number of its own. */
static uint32_t process_of(const es_net_recovery *recovery, uint32_t transition)
{
    const uint32_t process = recovery->steps[transition].process;
    return process ? process : recovery->process_count + transition;
}

static int64_t least(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

/* --- which nets --------------------------------------------------------------------------------------------- */

/* One process gives, and one takes; where there are several ways, the program's data choose. */
static bool place_fits(const es_net_recovery *recovery, uint32_t index, token *at)
{
    const es_net_place *place = &recovery->net->places[index];
    at->giver = place->input_count ? process_of(recovery, place->inputs[0]) : NONE;
    at->taker = place->output_count ? process_of(recovery, place->outputs[0]) : NONE;
    for (uint32_t i = 0; i < place->input_count; i++)
        if (process_of(recovery, place->inputs[i]) != at->giver)
            return false;
    for (uint32_t i = 0; i < place->output_count; i++)
        if (process_of(recovery, place->outputs[i]) != at->taker)
            return false;
    return !recovery->places[index].decides && !place->signal;
}

static uint32_t own_places(const struct again *again, const uint32_t *places, uint32_t count, uint32_t process)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += again->tokens[places[i]].giver == process && again->tokens[places[i]].taker == process;
    return found;
}

/* A message under way takes the same time in both runs. All else is measured, and its process is one token that goes
 * round. */
static bool step_fits(const es_net_recovery *recovery, uint32_t index)
{
    const step_state *step = &recovery->steps[index];
    if (!step->process)
        return step->computed && step->in_count == 1 && step->out_count == 1;
    return step->monitor && !step->computed && step->in_count &&
           own_places(recovery->again, step->in, step->in_count, step->process) == 1 &&
           own_places(recovery->again, step->out, step->out_count, step->process) == 1;
}

static bool net_fits(es_net_recovery *recovery)
{
    const es_net *net = recovery->net;
    struct again *again = recovery->again;
    bool fits = !recovery->options.delays && !recovery->options.pace_count && !recovery->any_idle;
    for (uint32_t i = 0; i < net->place_count && fits; i++)
        fits = place_fits(recovery, i, &again->tokens[i]);
    for (uint32_t i = 0; i < net->transition_count && fits; i++)
        fits = step_fits(recovery, i);
    uint32_t *own = es_arena_alloc(recovery->arena, (recovery->process_count + net->transition_count) * sizeof *own);
    for (uint32_t i = 0; i < net->place_count && fits; i++)
        if (net->places[i].tokens && again->tokens[i].giver == again->tokens[i].taker && again->tokens[i].giver != NONE)
            fits = ++own[again->tokens[i].giver] == 1;
    return fits;
}

void es_again_build(es_net_recovery *recovery)
{
    const es_net *net = recovery->net;
    struct again *again = recovery->again = es_arena_alloc(recovery->arena, sizeof *again);
    again->tokens = es_arena_alloc(recovery->arena, (net->place_count + 1) * sizeof *again->tokens);
    if (!net_fits(recovery)) {
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

static bool is_lost(const struct again *again, uint32_t process)
{
    return process != NONE && again->lost[process];
}

/* How late the process is there at least. */
static int64_t lag_of(const struct again *again, const token *at)
{
    if (at->held == KNOWN)
        return at->came - at->latest;
    return is_lost(again, at->giver) ? least(at->lag, again->least_lag) : at->lag;
}

static void hide(token *at, int64_t lag)
{
    at->held = HIDDEN;
    at->lag = lag;
    at->came = at->latest = NO_LIMIT;
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
    for (uint32_t i = 0; i < recovery->net->place_count; i++)
        if (again->tokens[i].taker == process && again->tokens[i].held != EMPTY)
            lag = least(lag, lag_of(again, &again->tokens[i]));
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

/* --- events -------------------------------------------------------------------------------------------------- */

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
    int64_t began = BEGINNING, certain = BEGINNING, latest = BEGINNING, lag = NO_LIMIT, hidden = BEGINNING;
    for (uint32_t i = 0; i < step->in_count; i++) {
        const token *at = &again->tokens[step->in[i]];
        int64_t *last = at->held == KNOWN ? &began : &hidden;
        *last = at->came > *last ? at->came : *last;
        last = at->held == KNOWN && at->certain ? &certain : &latest;
        *last = at->latest > *last ? at->latest : *last;
        if (at->came != BEGINNING)
            lag = least(lag, lag_of(again, at));
    }
    if (hidden > began) /* may have been the last one, and when it came is not known */
        return (result){false, false, time - mark - lag};
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

/* False: more marks were lost than was told. */
static bool play(es_net_recovery *recovery, const es_net_observation *event)
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
        if (!play(recovery, &event))
            break;
    }
    if (first < count)
        give_up(recovery);
    return first;
}
