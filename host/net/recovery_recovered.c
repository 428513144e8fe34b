/* The recovered game: the same net without marks. Stretches that have begun end when their measure is there, in
 * whatever order that happens; only decisions and the order of arrivals ask for time, and wait until it is certain
 * (recovery_decide.c). */
#include "net/recovery_private.h"

/* --- tokens ------------------------------------------------------------------------------------------------ */

static void take_head(es_net_recovery *recovery, uint32_t index, const moment *when, uint8_t class);

/* All tokens that the step waits for are at the heads of their places. */
static void enabled(es_net_recovery *recovery, uint32_t transition, const moment *now)
{
    step_state *step = &recovery->steps[transition];
    static const moment start = {.time = 0};
    wait begun = {.base = {.time = BEGINNING}};
    for (uint32_t i = 0; i < step->in_count; i++) {
        const place_state *place = &recovery->places[step->in[i]];
        const stay *token = RING_AT(place->stays, place->past);
        if (token->class > begun.class)
            begun.class = token->class;
        begun.flags |= token->flags;
        if (moment_before(&begun.base, &token->came))
            begun.base = token->came;
    }
    if (begun.base.time == BEGINNING) /* initial tokens only */
        begun.base = step->in_count ? start : *now;
    if (!step->monitor) {
        moment went = moment_after(&begun.base, 0, &step->priority, 1);
        step->missing = step->in_count;
        for (uint32_t i = 0; i < step->in_count; i++)
            take_head(recovery, step->in[i], &went, begun.class);
    }
    for (uint32_t i = 0; i < step->starts_count; i++) {
        stretch *at = &recovery->stretches[step->starts_first + i];
        *RING_PUSH(at->waits) = begun;
        if (at->measures.count)
            recovery_task_stretch(recovery, step->starts_first + i);
    }
}

static void routed(es_net_recovery *recovery, uint32_t index, uint32_t to)
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
        recovery_task_place(recovery, index);
    } else if (place->only != NONE) {
        routed(recovery, index, place->only);
    }
}

static void take_head(es_net_recovery *recovery, uint32_t index, const moment *when, uint8_t class)
{
    place_state *place = &recovery->places[index];
    if (place->controlling) {
        stay *head = RING_AT(place->stays, place->past);
        head->gone = true;
        head->went = *when;
        head->went_class = class;
        if (++place->past >= place->trim_at)
            recovery_task_place(recovery, index); /* forgets between firings, when the game's state is whole */
    } else {
        RING_DROP(place->stays);
    }
    place->head = HEAD_NONE;
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
    if (place->stays.count == place->past + 1)
        activate(recovery, index);
}

static void admit(es_net_recovery *recovery, uint32_t index, const stay *token)
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
        recovery_open_forget(recovery, index);
    recovery_task_place(recovery, index);
}

/* --- firing ------------------------------------------------------------------------------------------------ */

static void emit(es_net_recovery *recovery, const es_net_recovered *event)
{
    recovery->totals.recovered++;
    recovery->totals.by_class[event->class]++;
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
    token->class = class;
    token->flags = 0;
    token->gone = false;
    token->answer = answer;
    token->observed = taken->observed;
    token->serial = taken->serial;
}

static void fire(es_net_recovery *recovery, uint32_t index)
{
    stretch *at = &recovery->stretches[index];
    step_state *step = &recovery->steps[at->end];
    const wait begun = *RING_POP(at->waits);
    uint32_t slot = at->measures.first & (at->measures.size - 1);
    const measure taken = *RING_POP(at->measures);
    const uint32_t *answers = at->answers ? at->answers + (size_t)slot * step->decisions : NULL;
    const moment when = moment_after(&begun.base, taken.length, at->path, at->path_length);
    at->last = taken;
    at->has_last = true;
    step->fired++;
    step->fired_last = when;
    step->fired_class = begun.class;
    process_state *process = &recovery->processes[step->process];
    process->tainted |= begun.class >= ES_NET_PASTED;
    process->perturbation = taken.observed - when.time;
    es_net_recovered event = {
        .transition = at->end, .number = step->fired, .time = when.time, .class = begun.class, .serial = taken.serial,
        .flags = begun.flags | (taken.length < 0 ? ES_NET_NEGATIVE : 0) | (taken.number & REUSED ? ES_NET_REUSED : 0),
        .source_number = taken.number & ~REUSED, .observed = taken.observed, .mark = taken.mark,
    };
    emit(recovery, &event);
    if (at->entry == at->end) {
        step->missing = step->in_count;
        for (uint32_t i = 0; i < step->in_count; i++)
            take_head(recovery, step->in[i], &when, begun.class);
    }
    for (uint32_t i = 0; i < step->out_count; i++) {
        place_state *place = &recovery->places[step->out[i]];
        uint32_t answer = place->decides && answers ? *answers++ : NONE;
        if (place->ordered) {
            stay token;
            make_token(&token, &when, at->end, step->fired, begun.class, answer, &taken);
            put_gated(recovery, step->out[i], &token);
        } else { /* made where it stays: it is large */
            make_token(RING_PUSH(place->stays), &when, at->end, step->fired, begun.class, answer, &taken);
            admitted_one(recovery, step->out[i]);
        }
    }
    if (!step->in_count)
        enabled(recovery, at->end, &when);
    recovery_open_wake(recovery, &at->watch);
    if (at->waits.count && at->measures.count)
        recovery_task_stretch(recovery, index);
}

/* --- decisions --------------------------------------------------------------------------------------------- */

static void stop(es_net_recovery *recovery, int64_t time)
{
    recovery->stopped = true;
    recovery->totals.has_stopped = true;
    recovery->totals.stopped = time;
}

/* The head's decision is made. */
static void decided(es_net_recovery *recovery, uint32_t index, uint32_t to, uint8_t class, bool tied)
{
    place_state *place = &recovery->places[index];
    stay *head = RING_AT(place->stays, place->past);
    uint32_t observed = head->answer == NONE ? NONE : head->answer & ~ANSWER_TIED;
    tied |= head->answer != NONE && (head->answer & ANSWER_TIED);
    recovery->totals.decisions++;
    recovery->totals.ties += tied;
    if (class > head->class)
        head->class = class;
    if (tied)
        head->flags |= ES_NET_TIED;
    if (observed != NONE && observed != to) {
        es_net_change change = {
            .place = index,
            .transition = head->from,
            .number = head->number,
            .serial = head->serial,
            .observed_to = observed,
            .recovered_to = to,
            .observed = head->observed,
            .recovered = head->came.time,
            .flags = tied ? ES_NET_TIED : 0,
            .class = head->class,
            .consequence = head->class >= ES_NET_PASTED,
        };
        recovery->changed = true;
        recovery->totals.changes += !change.consequence;
        recovery->totals.consequences += change.consequence;
        if (recovery->options.on_change)
            recovery->options.on_change(recovery->options.context, &change);
        if (head->class < ES_NET_PASTED)
            head->class = ES_NET_PASTED;
        if (recovery->options.strict)
            stop(recovery, head->came.time);
    }
    place->floor = head->came;
    recovery_open_remove(recovery, index);
    routed(recovery, index, to);
    recovery_open_wake(recovery, &place->watch);
    if (place->gated.count)
        recovery_task_place(recovery, index);
}

static void admitted(es_net_recovery *recovery, uint32_t index, uint8_t class)
{
    place_state *place = &recovery->places[index];
    stay token = *RING_POP(place->gated);
    uint32_t observed = place->comers.count ? *RING_POP(place->comers) : NONE;
    place->arrivals++;
    if (class > token.class)
        token.class = class;
    if (observed != NONE && observed != token.from) {
        es_net_order_change change = {
            .place = index,
            .observed_from = observed,
            .recovered_from = token.from,
            .number = place->arrivals,
            .recovered = token.came.time,
            .flags = place->gated.count && RING_AT(place->gated, 0)->came.time == token.came.time ? ES_NET_TIED : 0,
            .class = token.class,
            .consequence = token.class >= ES_NET_PASTED || place->order_changed,
        };
        place->order_changed = recovery->changed = true;
        recovery->totals.order_changes++;
        if (recovery->options.on_order)
            recovery->options.on_order(recovery->options.context, &change);
        if (token.class < ES_NET_PASTED)
            token.class = ES_NET_PASTED;
        if (recovery->options.strict)
            stop(recovery, token.came.time);
    }
    recovery_open_remove(recovery, index);
    admit(recovery, index, &token);
    recovery_open_wake(recovery, &place->watch);
    if (place->gated.count)
        recovery_task_place(recovery, index);
}

/* What the event that made the head decided when it was observed; for one that was pasted twice, the last rule. */
static uint32_t answer_of(const es_net_recovery *recovery, uint32_t index, const stay *head)
{
    const es_net_place *named = &recovery->net->places[index];
    return head->answer != NONE ? head->answer & ~ANSWER_TIED : named->rules[named->rule_count - 1].transition;
}

static void look_at_head(es_net_recovery *recovery, uint32_t index)
{
    place_state *place = &recovery->places[index];
    stay *head = RING_AT(place->stays, place->past);
    if (head->came.time == BEGINNING) { /* initial tokens are routed in the initial state, which both games share */
        decided(recovery, index, place->initial_to, ES_NET_TOTALLY, false);
        return;
    }
    decision found;
    enum verdict verdict = recovery_decide(recovery, index, &head->came, &found);
    if (verdict == OPEN) {
        recovery_open_add(recovery, index, &found);
    } else if (verdict == UNKNOWABLE && head->answer == NONE) {
        place->stuck = true;
        recovery_open_remove(recovery, index);
        recovery_open_wake(recovery, &place->watch);
    } else if (verdict == UNKNOWABLE || found.to == NONE) {
        decided(recovery, index, answer_of(recovery, index, head), ES_NET_LOST, false);
    } else {
        decided(recovery, index, found.to, found.class, found.tied);
    }
}

static void look(es_net_recovery *recovery, uint32_t index)
{
    place_state *place = &recovery->places[index];
    recovery_open_forget(recovery, index);
    if (place->past >= place->trim_at)
        recovery_forget_past(recovery, index);
    if (place->head == HEAD_DECIDING) {
        look_at_head(recovery, index);
        return;
    }
    if (place->head == HEAD_FREE && place->choices.count) {
        routed(recovery, index, *RING_POP(place->choices));
        recovery_open_wake(recovery, &place->watch);
    }
    if (!place->gated.count)
        return;
    decision found;
    enum verdict verdict = recovery_gate(recovery, index, RING_AT(place->gated, 0), &found);
    if (verdict == OPEN)
        recovery_open_add(recovery, index, &found);
    else
        admitted(recovery, index, verdict == UNKNOWABLE ? ES_NET_LOST : found.class);
}

/* --- for the other parts ----------------------------------------------------------------------------------- */

void recovered_run(es_net_recovery *recovery)
{
    while (recovery->tasks.count && !recovery->stopped) {
        uint32_t task = *RING_POP(recovery->tasks);
        if (task < recovery->stretch_count) {
            stretch *at = &recovery->stretches[task];
            at->queued = false;
            if (at->waits.count && at->measures.count)
                fire(recovery, task);
        } else {
            recovery->places[task - recovery->stretch_count].queued = false;
            look(recovery, task - recovery->stretch_count);
        }
    }
}

void recovered_measured(es_net_recovery *recovery, uint32_t index)
{
    if (recovery->stretches[index].waits.count)
        recovery_task_stretch(recovery, index);
}

void recovered_chosen(es_net_recovery *recovery, uint32_t place)
{
    recovery_task_place(recovery, place);
}

void recovered_start(es_net_recovery *recovery)
{
    const es_net *net = recovery->net;
    for (uint32_t i = 0; i < net->place_count; i++) {
        if (!net->places[i].tokens)
            continue;
        stay token = {.came = {.time = BEGINNING}, .from = NONE, .last = NONE, .to = NONE, .answer = NONE};
        admit(recovery, i, &token);
    }
    const moment zero = {.time = 0};
    for (uint32_t i = 0; i < net->transition_count; i++)
        if (!net->transitions[i].input_count)
            enabled(recovery, i, &zero);
    recovered_run(recovery);
}

void recovered_emit_loose(es_net_recovery *recovery, const es_net_observation *observation, uint64_t number)
{
    const step_state *step = &recovery->steps[observation->transition];
    int64_t mark = observation->mark == ES_NET_UNKNOWN ? step->mark : observation->mark;
    process_state *process = &recovery->processes[step->process];
    process->perturbation += mark;
    es_net_recovered event = {
        .transition = observation->transition,
        .number = number,
        .time = observation->time - process->perturbation,
        .class = ES_NET_LOST,
        .serial = observation->serial,
        .source_number = number,
        .observed = observation->time,
        .mark = mark,
    };
    emit(recovery, &event);
}

void recovered_reuse(es_net_recovery *recovery)
{
    for (uint32_t i = 0; i < recovery->stretch_count; i++) {
        stretch *at = &recovery->stretches[i];
        if (!at->waits.count || at->measures.count || !at->has_last || RING_AT(at->waits, 0)->class < ES_NET_PASTED)
            continue;
        uint32_t *answers, decisions = recovery->steps[at->end].decisions;
        measure *again = recovery_add_measure(at, decisions, &answers);
        *again = at->last;
        again->number |= REUSED;
        for (uint32_t k = 0; k < decisions; k++)
            answers[k] = NONE;
        recovery_task_stretch(recovery, i);
    }
}

/* The token that the observed run admitted next comes first. */
static void force_gate(es_net_recovery *recovery, uint32_t index)
{
    place_state *place = &recovery->places[index];
    uint32_t at = 0;
    while (at < place->gated.count && place->comers.count &&
           RING_AT(place->gated, at)->from != *RING_AT(place->comers, 0))
        at++;
    if (at < place->gated.count) {
        stay token = *RING_AT(place->gated, at);
        for (; at; at--)
            *RING_AT(place->gated, at) = *RING_AT(place->gated, at - 1);
        *RING_AT(place->gated, 0) = token;
    }
    admitted(recovery, index, ES_NET_POSSIBLY);
}

bool recovered_force(es_net_recovery *recovery)
{
    uint32_t earliest = NONE;
    const stay *first = NULL;
    for (uint32_t i = 0; i < recovery->open_count; i++) {
        place_state *place = &recovery->places[recovery->open[i]];
        const stay *token = place->head == HEAD_DECIDING ? RING_AT(place->stays, place->past)
                                                         : RING_AT(place->gated, 0);
        if (!first || moment_before(&token->came, &first->came))
            first = token, earliest = recovery->open[i];
    }
    if (earliest == NONE)
        return false;
    recovery_open_forget(recovery, earliest);
    if (recovery->places[earliest].head == HEAD_DECIDING)
        decided(recovery, earliest, answer_of(recovery, earliest, first), ES_NET_POSSIBLY, false);
    else
        force_gate(recovery, earliest);
    recovered_run(recovery);
    return true;
}
