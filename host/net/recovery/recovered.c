/* The recovered game: the same net without marks. Stretches that have begun end when their measure is there, in
 * whatever order that happens; only decisions and the order of arrivals ask for time, and wait until it is certain
 * (decide.c). */
#include "net/recovery/private.h"

/* --- tokens ------------------------------------------------------------------------------------------------ */

static void take_head(es_net_recovery *recovery, uint32_t index, const moment *when, uint8_t class);

/* A step which may be one of asking again begins. */
static void begin_repeat(es_net_recovery *recovery, const step_state *step, const wait *begun)
{
    const place_state *place = &recovery->places[step->in[0]];
    uint32_t index = es_spin_stretch(recovery, step, RING_AT(place->stays, place->past)->from);
    stretch *at = &recovery->stretches[index];
    *RING_PUSH(at->waits) = *begun;
    if (at->repeat)
        recovery->processes[step->process].repeating = index;
    if (stretch_ready(recovery, index))
        recovery_task_stretch(recovery, index);
    else if (begun->certainty >= ES_NET_PASTED || at->repeat)
        es_starve_add(recovery, index, begun->since);
}

/* All tokens that the step waits for are at the heads of their places. */
static void enabled(es_net_recovery *recovery, uint32_t transition, const moment *now)
{
    step_state *step = &recovery->steps[transition];
    static const moment start = {.time = 0};
    wait begun = {.base = {.time = BEGINNING}};
    for (uint32_t i = 0; i < step->in_count; i++) {
        const place_state *place = &recovery->places[step->in[i]];
        const stay *token = RING_AT(place->stays, place->past);
        if (token->certainty > begun.certainty)
            begun.certainty = token->certainty;
        begun.flags |= token->flags;
        if (moment_before(&begun.base, &token->came))
            begun.base = token->came;
    }
    for (uint32_t i = 0; i < step->in_count; i++) /* which of those that came last was the last one, may be a guess */
        begun.base.loose |= moment_unsure(
            &RING_AT(recovery->places[step->in[i]].stays, recovery->places[step->in[i]].past)->came, &begun.base);
    if (begun.base.time == BEGINNING) /* initial tokens only */
        begun.base = step->in_count ? start : *now;
    if (!step->monitor) {
        moment went = moment_after(&begun.base, 0, &step->priority, 1);
        step->missing = step->in_count;
        for (uint32_t i = 0; i < step->in_count; i++)
            take_head(recovery, step->in[i], &went, begun.certainty);
    }
    begun.since = recovery->pushed;
    if (__builtin_expect(step->repeats, 0)) {
        begin_repeat(recovery, step, &begun);
        return;
    }
    for (uint32_t i = 0; i < step->starts_count; i++) {
        stretch *at = &recovery->stretches[step->starts_first + i];
        *RING_PUSH(at->waits) = begun;
        if (at->measures.count || recovery->steps[at->end].computed)
            recovery_task_stretch(recovery, step->starts_first + i);
        else if (begun.certainty >= ES_NET_PASTED)
            es_starve_add(recovery, step->starts_first + i, begun.since);
    }
}

void es_recovered_routed(es_net_recovery *recovery, uint32_t index, uint32_t to)
{
    place_state *place = &recovery->places[index];
    RING_AT(place->stays, place->past)->to = to;
    place->head = HEAD_ROUTED;
    if (--recovery->steps[to].missing == 0)
        enabled(recovery, to, NULL);
}

/* The first token that has not gone becomes the head. */
static void activate(es_net_recovery *recovery, uint32_t index)
{
    place_state *place = &recovery->places[index];
    place->head = HEAD_NONE;
    if (place->past == place->stays.count)
        return;
    if (place->decides || place->free) {
        place->head = place->decides ? HEAD_DECIDING : HEAD_FREE;
        es_recovery_task_place(recovery, index);
    } else if (place->only != NONE) {
        es_recovered_routed(recovery, index, place->only);
    }
}

/* Nothing may happen any more at a place before a time for which its state was certain. */
static inline void check_relied(es_net_recovery *recovery, uint32_t index, int64_t when)
{
    if (when >= recovery->places[index].relied || recovery->too_early)
        return;
    recovery->too_early = true;
    recovery->too_early_place = index;
}

static void take_head(es_net_recovery *recovery, uint32_t index, const moment *when, uint8_t class)
{
    place_state *place = &recovery->places[index];
    if (place->controlling) {
        stay *head = RING_AT(place->stays, place->past);
        check_relied(recovery, index, when->time);
        head->gone = true;
        head->went = *when;
        head->went_class = class;
        if (++place->past >= place->trim_at)
            es_recovery_task_place(recovery, index); /* forgets between firings, when the game's state is whole */
    } else {
        RING_DROP(place->stays);
    }
    place->head = HEAD_NONE;
    place->left_class = class;
    if (place->past < place->stays.count) {
        stay *next = RING_AT(place->stays, place->past);
        if (recovery->steps[next->from].monitor && moment_before(&next->came, when) && place->only != NONE &&
            recovery->steps[place->only].monitor)
            next->flags |= ES_NET_UNSAFE;
        activate(recovery, index);
    }
}

/* The token that was just added to the stays becomes the head if it is the only one. */
static void admitted_one(es_net_recovery *recovery, uint32_t index)
{
    place_state *place = &recovery->places[index];
    if (place->controlling)
        check_relied(recovery, index, RING_AT(place->stays, place->stays.count - 1)->came.time);
    if (place->stays.count == place->past + 1)
        activate(recovery, index);
}

void es_recovered_admit(es_net_recovery *recovery, uint32_t index, const stay *token)
{
    *RING_PUSH(recovery->places[index].stays) = *token;
    admitted_one(recovery, index);
}

/* A token of an ordered place waits until no earlier one can come. */
static void put_gated(es_net_recovery *recovery, uint32_t index, const stay *token)
{
    place_state *place = &recovery->places[index];
    RING_PUSH(place->gated);
    uint32_t at = place->gated.count - 1;
    for (; at && moment_before(&token->came, &RING_AT(place->gated, at - 1)->came); at--)
        *RING_AT(place->gated, at) = *RING_AT(place->gated, at - 1);
    *RING_AT(place->gated, at) = *token;
    if (place->open)
        es_recovery_open_forget(recovery, index);
    es_recovery_task_place(recovery, index);
}

/* --- firing ------------------------------------------------------------------------------------------------ */

void es_recovered_emit(es_net_recovery *recovery, const es_net_recovered *event)
{
    if (event->flags & ES_NET_COMPUTED) {
        recovery->totals.computed++;
        if (recovery->options.on_event)
            recovery->options.on_event(recovery->options.context, event);
        return;
    }
    recovery->totals.recovered++;
    recovery->totals.by_class[event->certainty]++;
    recovery->totals.reused += (event->flags & (ES_NET_REUSED | ES_NET_NOMINAL)) != 0;
    recovery->totals.repeated += (event->flags & ES_NET_REPEATED) != 0;
    if (recovery->options.on_event)
        recovery->options.on_event(recovery->options.context, event);
}

static inline void make_token(stay *token, const moment *when, uint32_t from, uint64_t number, uint8_t class,
                              uint32_t answer, const measure *taken)
{
    token->came = *when;
    token->number = number;
    token->from = token->last = from;
    token->to = NONE;
    token->certainty = class;
    token->flags = 0;
    token->gone = false;
    token->answer = answer;
    token->observed = taken->observed;
    token->serial = taken->serial;
}

/* Why the event, the first of its process that is not certain, is not. What only the end of the trace leaves open has
 * no reason. */
static void doubt_event(es_net_recovery *recovery, const step_state *step, const es_net_recovered *event)
{
    process_state *process = &recovery->processes[step->process];
    if (event->certainty == ES_NET_POSSIBLY && recovery->ended && process->guessed_at == NONE)
        return;
    es_net_doubt doubt = {.reason = ES_NET_DOUBT_CHANGE,
                          .time = event->time,
                          .transition = event->transition,
                          .place = process->changed_at,
                          .other = ES_NET_NO_PROCESS};
    if (event->flags & (ES_NET_NOMINAL | ES_NET_REPEATED) && process->changed_at == NONE) {
        doubt.reason = ES_NET_DOUBT_LENGTH;
    } else if (process->changed_at == NONE && process->guessed_at != NONE) {
        doubt.reason = ES_NET_DOUBT_ORDER, doubt.place = process->guessed_at;
    } else if (process->changed_at == NONE) {
        for (uint32_t i = 0; i < step->in_count; i++) {
            const place_state *place = &recovery->places[step->in[i]];
            const stay *token = place->past < place->stays.count ? RING_AT(place->stays, place->past) : NULL;
            if (!token || token->certainty < event->certainty || token->from == NONE)
                continue;
            int32_t from = (int32_t)recovery->steps[token->from].process - 1;
            if (from != (int32_t)step->process - 1)
                doubt.reason = ES_NET_DOUBT_HEARD, doubt.other = from;
        }
        if (doubt.reason == ES_NET_DOUBT_CHANGE) /* what decided for it is not certain */
            doubt.reason = event->certainty == ES_NET_LOST ? ES_NET_DOUBT_LOST : ES_NET_DOUBT_HEARD;
    }
    process->doubt = doubt;
}

/* A computed step, which needs no measure. */
static void fire_computed(es_net_recovery *recovery, uint32_t index)
{
    static const measure nothing = {.observed = ES_NET_UNKNOWN, .serial = ES_NET_NO_SERIAL};
    stretch *at = &recovery->stretches[index];
    step_state *step = &recovery->steps[at->end];
    const wait begun = *RING_POP(at->waits);
    const moment when = moment_after(&begun.base, step->what_if, at->path, at->path_length);
    step->fired++;
    step->fired_last = when;
    step->fired_class = begun.certainty;
    es_net_recovered event = {.transition = at->end,
                              .number = step->fired,
                              .time = when.time,
                              .certainty = begun.certainty,
                              .flags = begun.flags | ES_NET_COMPUTED,
                              .serial = nothing.serial,
                              .observed = nothing.observed};
    if (__builtin_expect(begun.certainty != ES_NET_TOTALLY, false) && !recovery->processes[step->process].doubt.reason)
        doubt_event(recovery, step, &event);
    es_recovered_emit(recovery, &event);
    step->missing = step->in_count;
    for (uint32_t i = 0; i < step->in_count; i++)
        take_head(recovery, step->in[i], &when, begun.certainty);
    for (uint32_t i = 0; i < step->out_count; i++) {
        stay token;
        make_token(&token, &when, at->end, step->fired, begun.certainty, NONE, &nothing);
        if (recovery->places[step->out[i]].ordered)
            put_gated(recovery, step->out[i], &token);
        else
            es_recovered_admit(recovery, step->out[i], &token);
    }
    if (at->watch != NONE)
        es_recovery_open_wake(recovery, &at->watch);
    if (at->waits.count)
        recovery_task_stretch(recovery, index);
}

static void fire(es_net_recovery *recovery, uint32_t index)
{
    stretch *at = &recovery->stretches[index];
    step_state *step = &recovery->steps[at->end];
    wait begun = *RING_POP(at->waits);
    uint32_t entry = at->measures.first & (at->measures.size - 1);
    measure taken = {0};
    bool repeated = __builtin_expect(at->repeat, false) && !es_spin_take(recovery, index, &taken);
    if (!at->repeat)
        taken = *RING_POP(at->measures);
    const uint32_t *answers = at->answers && !at->repeat ? at->answers + (size_t)entry * step->decisions : NULL;
    if (at->repeat && begun.certainty < ES_NET_PASTED && ((repeated && at->varies) || taken.number & NOMINAL))
        begun.certainty = ES_NET_PASTED; /* not what it always takes */
    at->unpaired += repeated && begun.certainty < ES_NET_PASTED;
    process_state *process = &recovery->processes[step->process];
    const moment when = moment_after(&begun.base, process_takes(process, taken.length), at->path, at->path_length);
    if (!(taken.number & NOMINAL) && !repeated) {
        at->last = taken;
        at->has_last = true;
    }
    step->fired++;
    step->fired_last = when;
    step->fired_class = begun.certainty;
    process->tainted |= begun.certainty >= ES_NET_PASTED;
    if (!(taken.number & (REUSED | NOMINAL)) && !repeated)
        process->perturbation = taken.observed - when.time;
    if (step->outcome)
        process->context = at->end;
    es_net_recovered event = {
        .transition = at->end,
        .number = step->fired,
        .time = when.time,
        .certainty = begun.certainty,
        .serial = taken.serial,
        .flags = begun.flags | (taken.length < 0 ? ES_NET_NEGATIVE : 0) | (taken.number & REUSED ? ES_NET_REUSED : 0) |
                 (taken.number & NOMINAL ? ES_NET_NOMINAL : 0) | (repeated ? ES_NET_REPEATED : 0),
        .source_number = taken.number & ~(REUSED | NOMINAL),
        .observed = taken.observed,
        .mark = taken.mark,
    };
    if (__builtin_expect(begun.certainty != ES_NET_TOTALLY, false) && !process->doubt.reason)
        doubt_event(recovery, step, &event);
    es_recovered_emit(recovery, &event);
    if (at->entry == at->end) {
        step->missing = step->in_count;
        for (uint32_t i = 0; i < step->in_count; i++)
            take_head(recovery, step->in[i], &when, begun.certainty);
    }
    for (uint32_t i = 0; i < step->out_count; i++) {
        place_state *place = &recovery->places[step->out[i]];
        uint32_t answer = place->decides && answers ? *answers++ : NONE;
        if (place->ordered) {
            stay token;
            make_token(&token, &when, at->end, step->fired, begun.certainty, answer, &taken);
            put_gated(recovery, step->out[i], &token);
        } else { /* made where it stays: it is large */
            make_token(RING_PUSH(place->stays), &when, at->end, step->fired, begun.certainty, answer, &taken);
            admitted_one(recovery, step->out[i]);
        }
    }
    if (!step->in_count)
        enabled(recovery, at->end, &when);
    if (at->watch != NONE)
        es_recovery_open_wake(recovery, &at->watch);
    if (at->waits.count && stretch_ready(recovery, index))
        recovery_task_stretch(recovery, index);
}

/* --- for the other parts ----------------------------------------------------------------------------------- */

void es_recovered_run(es_net_recovery *recovery)
{
    while (recovery->tasks.count && !recovery->stopped) {
        uint32_t task = *RING_POP(recovery->tasks);
        if (task < recovery->stretch_count) {
            stretch *at = &recovery->stretches[task];
            at->queued = false;
            if (at->waits.count && recovery->steps[at->end].computed)
                fire_computed(recovery, task);
            else if (at->waits.count && stretch_ready(recovery, task))
                fire(recovery, task);
        } else {
            recovery->places[task - recovery->stretch_count].queued = false;
            es_recovered_look(recovery, task - recovery->stretch_count);
        }
    }
}

void es_recovered_measured(es_net_recovery *recovery, uint32_t index)
{
    if (recovery->stretches[index].waits.count)
        recovery_task_stretch(recovery, index);
}

void es_recovered_answered(es_net_recovery *recovery, uint32_t place)
{
    if (recovery->places[place].head == HEAD_DECIDING)
        es_recovery_task_place(recovery, place);
}

void es_recovered_chosen(es_net_recovery *recovery, uint32_t place)
{
    es_recovery_task_place(recovery, place);
}

void es_recovered_start(es_net_recovery *recovery)
{
    const es_net *net = recovery->net;
    for (uint32_t i = 0; i < net->place_count; i++) {
        if (!net->places[i].tokens)
            continue;
        stay token = {.came = {.time = BEGINNING}, .from = NONE, .last = NONE, .to = NONE, .answer = NONE};
        es_recovered_admit(recovery, i, &token);
    }
    const moment zero = {.time = 0};
    for (uint32_t i = 0; i < net->transition_count; i++)
        if (!net->transitions[i].input_count)
            enabled(recovery, i, &zero);
    es_recovered_run(recovery);
}
