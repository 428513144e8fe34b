/* The recovered game's decisions and the order of arrivals: made when they are certain, compared with the observed
 * ones and told where they differ. */
#include "net/recovery/private.h"

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
    uint32_t left;
    if (place->spin) {
        if (!es_spin_may_leave(recovery, index, to, class > head->certainty ? class : head->certainty, &left)) {
            es_recovery_open_add(recovery, index, &(decision){.witness = NONE, .retry = INT64_MAX});
            return;
        }
        head->answer = left;
    }
    if (place->silent)
        head->answer = NONE; /* nothing that could differ */
    uint32_t observed = head->answer == NONE ? NONE : head->answer & ~ANSWER_TIED;
    tied |= head->answer != NONE && (head->answer & ANSWER_TIED);
    recovery->totals.decisions++;
    if (!place->ordered)
        place->arrivals++;
    recovery->totals.ties += tied;
    if (class > head->certainty)
        head->certainty = class;
    if (tied)
        head->flags |= ES_NET_TIED;
    if (observed != NONE && observed != to) {
        es_net_change change = {
            .place = index,
            .transition = head->from,
            .number = head->number,
            .serial = head->serial,
            .arrival = place->arrivals,
            .observed_to = observed,
            .recovered_to = to,
            .observed = head->observed,
            .recovered = head->came.time,
            .flags = tied ? ES_NET_TIED : 0,
            .certainty = head->certainty,
            .consequence = head->certainty >= ES_NET_PASTED,
        };
        recovery->changed = true;
        recovery->totals.changes += !change.consequence;
        recovery->totals.consequences += change.consequence;
        if (recovery->options.on_change)
            recovery->options.on_change(recovery->options.context, &change);
        if (head->certainty < ES_NET_PASTED)
            head->certainty = ES_NET_PASTED;
        if (recovery->processes[recovery->steps[to].process].changed_at == NONE)
            recovery->processes[recovery->steps[to].process].changed_at = index;
        if (recovery->options.strict)
            stop(recovery, head->came.time);
    }
    place->floor = head->came;
    es_recovery_open_remove(recovery, index);
    es_recovered_routed(recovery, index, to);
    es_recovery_open_wake(recovery, &place->watch);
    if (place->gated.count)
        es_recovery_task_place(recovery, index);
}

static void admitted(es_net_recovery *recovery, uint32_t index, uint8_t class)
{
    place_state *place = &recovery->places[index];
    stay token = *RING_POP(place->gated);
    uint32_t observed = place->comers.count ? *RING_POP(place->comers) : NONE;
    place->arrivals++;
    if (class > token.certainty)
        token.certainty = class;
    if (observed != NONE && observed != token.from) {
        es_net_order_change change = {
            .place = index,
            .observed_from = observed,
            .recovered_from = token.from,
            .number = place->arrivals,
            .recovered = token.came.time,
            .flags = place->gated.count && RING_AT(place->gated, 0)->came.time == token.came.time ? ES_NET_TIED : 0,
            .certainty = token.certainty,
            .consequence = token.certainty >= ES_NET_PASTED || place->order_changed,
        };
        place->order_changed = recovery->changed = true;
        recovery->totals.order_changes++;
        if (recovery->options.on_order)
            recovery->options.on_order(recovery->options.context, &change);
        if (token.certainty < ES_NET_PASTED)
            token.certainty = ES_NET_PASTED;
        if (recovery->options.strict)
            stop(recovery, token.came.time);
    }
    es_recovery_open_remove(recovery, index);
    es_recovered_admit(recovery, index, &token);
    es_recovery_open_wake(recovery, &place->watch);
    if (place->gated.count)
        es_recovery_task_place(recovery, index);
}

/* The observed answer that belongs to a computed step's token at the head. False: it has not come yet. */
static bool has_answer(es_net_recovery *recovery, place_state *place, stay *head)
{
    if (place->silent || head->answer != NONE || !recovery->steps[head->from].computed)
        return true;
    if (place->answers.count && !place->unpaired) {
        head->answer = *RING_POP(place->answers);
        return true;
    }
    if (head->certainty < ES_NET_PASTED && !recovery->ended && !place->unpaired)
        return false;
    place->unpaired = true;
    uint8_t class = recovery->ended && !recovery->complete ? ES_NET_POSSIBLY : ES_NET_PASTED;
    if (head->certainty < class)
        head->certainty = class;
    return true;
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
    enum verdict verdict = es_recovery_decide(recovery, index, &head->came, &found);
    if (verdict != OPEN && !has_answer(recovery, place, head)) {
        found.witness = NONE;
        found.retry = INT64_MAX;
        verdict = OPEN;
    }
    if (verdict == OPEN) {
        es_recovery_open_add(recovery, index, &found);
    } else if (verdict == UNKNOWABLE && head->answer == NONE) {
        place->stuck = true;
        es_recovery_open_remove(recovery, index);
        es_recovery_open_wake(recovery, &place->watch);
    } else if (verdict == UNKNOWABLE || found.to == NONE) {
        decided(recovery, index, answer_of(recovery, index, head), ES_NET_LOST, false);
    } else {
        decided(recovery, index, found.to, found.certainty, found.tied);
    }
}

void es_recovered_look(es_net_recovery *recovery, uint32_t index)
{
    place_state *place = &recovery->places[index];
    es_recovery_open_forget(recovery, index);
    if (place->past >= place->trim_at)
        es_recovery_forget_past(recovery, index);
    if (place->head == HEAD_DECIDING) {
        look_at_head(recovery, index);
        return;
    }
    if (place->head == HEAD_FREE)
        es_choices_take(recovery, index);
    if (!place->gated.count)
        return;
    decision found;
    enum verdict verdict = es_recovery_gate(recovery, index, RING_AT(place->gated, 0), &found);
    if (verdict == OPEN)
        es_recovery_open_add(recovery, index, &found);
    else
        admitted(recovery, index, verdict == UNKNOWABLE ? ES_NET_LOST : found.certainty);
}

/* --- at the end of the trace ------------------------------------------------------------------------------------ */

/* The token that the observed run admitted next comes first. */
void es_recovered_admit_forced(es_net_recovery *recovery, uint32_t index)
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

/* A silent decision is never taken as observed, but as things stand: an answer that the recovered run does not share
 * would leave what was measured after the other one unused. */
void es_recovered_decide_forced(es_net_recovery *recovery, uint32_t index)
{
    const place_state *place = &recovery->places[index];
    stay *head = RING_AT(place->stays, place->past);
    decision found = {.to = NONE};
    has_answer(recovery, &recovery->places[index], head);
    if (place->silent || place->spin || head->answer == NONE || head->certainty >= ES_NET_PASTED) {
        recovery->closed = true;
        es_recovery_decide(recovery, index, &head->came, &found);
        recovery->closed = false;
    }
    uint32_t to = found.to != NONE ? found.to : answer_of(recovery, index, head);
    decided(recovery, index, to, found.certainty > ES_NET_POSSIBLY ? found.certainty : ES_NET_POSSIBLY, found.tied);
}
