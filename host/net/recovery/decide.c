/* Decisions of the recovered game: what the controlling places held, as soon as that is certain.
 *
 * A place's state at a moment is certain when no firing that is still to come can be before that moment. What may come
 * is found by a search backwards through the net: a transition fires only after the stretch that it ends, or after the
 * token that it lacks has come, which some other transition must make first. Where several tokens are lacking,
 * following one of them is enough. The search ends at stretches that have begun and wait for their measure; those that
 * began late enough cannot matter, and the first that may is the witness: the decision is looked at again when that one
 * fires. */
#include "net/recovery/private.h"

typedef struct search {
    es_net_recovery *recovery;
    const moment *at;
    decision *found;
    uint32_t self;  /* the place that asks */
    uint32_t depth; /* of the stack */
} search;

static void rests_on(decision *found, uint8_t class)
{
    if (class > found->certainty)
        found->certainty = class;
}

/* Notes that place `index` must move first. */
static enum verdict waits_for_place(search *run, uint32_t index)
{
    if (run->recovery->closed)
        return CERTAIN;
    if (run->recovery->places[index].stuck)
        return UNKNOWABLE;
    run->found->witness = run->recovery->stretch_count + index;
    run->found->retry = INT64_MAX;
    return OPEN;
}

static bool is_loose(const es_net_recovery *recovery, uint32_t transition)
{
    const step_state *step = &recovery->steps[transition]; /* what is computed, no lost mark would have shown */
    return recovery->processes[step->process].loose && !step->computed;
}

/* May the stretch, which has begun and waits for its measure, end before the moment? The observed run of the stretch
 * has lasted at least until now, and its mark takes mark_max at most: so much is known of its length. */
static enum verdict may_end(search *run, uint32_t index)
{
    es_net_recovery *recovery = run->recovery;
    stretch *at = &recovery->stretches[index];
    const wait *waits = RING_AT(at->waits, 0);
    const moment *when = run->at;
    rests_on(run->found, waits->certainty);
    /* Where a guess would order the two, wait and see whether they do come at one time: that is a tie to report. */
    bool guess = when->loose || at->path_length > 1;
    if (stretch_ready(recovery, index) || recovery->steps[at->end].computed) { /* it fires at once; just queued */
        run->found->witness = index;
        run->found->retry = INT64_MAX;
        return moment_before(&waits->base, when) || (guess && waits->base.time == when->time) ? OPEN : CERTAIN;
    }
    if (recovery->complete && waits->certainty < ES_NET_PASTED &&
        !at->repeat) /* in the observed run, too, it never ended */
        return CERTAIN;
    int64_t least = 0, mark_max = recovery->steps[at->end].mark_max;
    bool known = mark_max != ES_NET_UNKNOWN && at->begun.count && !is_loose(recovery, at->end);
    if (at->repeat)
        known = false, least = at->has_steady && !at->varies ? at->steady : 0;
    else if (known)
        least = recovery->now - *RING_AT(at->begun, 0) - mark_max;
    if (least < 0)
        least = 0;
    least = process_takes(&recovery->processes[recovery->steps[at->end].process], least);
    int64_t earliest = waits->base.time + least;
    if (earliest > when->time)
        return CERTAIN;
    if (earliest == when->time) {
        moment it = moment_after(&waits->base, least, at->path, at->path_length);
        if (!guess && !it.loose && !moment_before(&it, when))
            return CERTAIN;
    }
    if (is_loose(recovery, at->end))
        return UNKNOWABLE;
    run->found->witness = index;
    run->found->retry = known ? when->time - waits->base.time + *RING_AT(at->begun, 0) + mark_max + 1 : INT64_MAX;
    return OPEN;
}

static void visit(search *run, uint32_t transition)
{
    step_state *step = &run->recovery->steps[transition];
    if (step->visited == run->recovery->search_number)
        return;
    step->visited = run->recovery->search_number;
    run->recovery->search[run->depth++] = transition;
}

/* What waits at the very same time may come before or after it: where that is a guess, it is told. Waiting for each
 * other would be no use. */
static void guessed(search *run, uint32_t place, const moment *other)
{
    if (place != run->self && moment_unsure(other, run->at))
        run->found->tied = run->found->guessed = true;
}

/* The token that the step lacks in this place: what must happen before it comes. */
static enum verdict lacks(search *run, uint32_t index)
{
    es_net_recovery *recovery = run->recovery;
    place_state *place = &recovery->places[index];
    const es_net_place *named = &recovery->net->places[index];
    if (place->head != HEAD_NONE) {
        const stay *head = RING_AT(place->stays, place->past);
        rests_on(run->found, head->certainty);
        if (place->head == HEAD_ROUTED) /* elsewhere: that must go first */
            visit(run, head->to);
        else if (guessed(run, index, &head->came), moment_before(&head->came, run->at)) {
            if (place->head == HEAD_FREE && recovery->complete && head->certainty < ES_NET_PASTED)
                return CERTAIN;
            for (uint32_t i = 0; i < named->output_count && place->head == HEAD_FREE && recovery->any_loose; i++)
                if (is_loose(recovery, named->outputs[i]))
                    return UNKNOWABLE;
            return waits_for_place(run, index);
        }
        return CERTAIN;
    }
    rests_on(run->found, place->left_class);
    if (place->gated.count) {
        rests_on(run->found, RING_AT(place->gated, 0)->certainty);
        guessed(run, index, &RING_AT(place->gated, 0)->came);
        if (moment_before(&RING_AT(place->gated, 0)->came, run->at))
            return waits_for_place(run, index);
    }
    for (uint32_t i = 0; i < named->input_count; i++)
        if (recovery->steps[named->inputs[i]].monitor) /* what others bring is part of a stretch */
            visit(run, named->inputs[i]);
    return CERTAIN;
}

/* What must happen before the step, which is the entry of a stretch that has not begun, is enabled. */
static enum verdict may_begin(search *run, uint32_t transition)
{
    const step_state *step = &run->recovery->steps[transition];
    for (uint32_t i = 0; i < step->in_count; i++) {
        const place_state *place = &run->recovery->places[step->in[i]];
        if (place->head != HEAD_ROUTED || RING_AT(place->stays, place->past)->to != transition)
            return lacks(run, step->in[i]);
    }
    return CERTAIN;
}

static enum verdict may_fire(search *run, uint32_t transition)
{
    es_net_recovery *recovery = run->recovery;
    const step_state *step = &recovery->steps[transition];
    if (!step->monitor)
        return may_begin(run, transition);
    for (uint32_t i = 0; i < step->ends_count; i++) {
        uint32_t index = recovery->ends[step->ends_first + i];
        stretch *at = &recovery->stretches[index];
        enum verdict verdict = at->waits.count ? may_end(run, index) : may_begin(run, at->entry);
        if (verdict != CERTAIN)
            return verdict;
    }
    return CERTAIN;
}

static void start_search(search *run, es_net_recovery *recovery, uint32_t self, const moment *at, decision *found)
{
    *run = (search){recovery, at, found, self, 0};
    if (++recovery->search_number == 0) { /* a number used four thousand million searches ago must not look fresh */
        for (uint32_t i = 0; i < recovery->net->transition_count; i++)
            recovery->steps[i].visited = 0;
        recovery->search_number = 1;
    }
}

/* Can any of the visited transitions fire before the moment? */
static enum verdict finish_search(search *run)
{
    while (run->depth && !run->recovery->closed) {
        enum verdict verdict = may_fire(run, run->recovery->search[--run->depth]);
        if (verdict != CERTAIN)
            return verdict;
    }
    return CERTAIN;
}

/* --- the state of a controlling place ------------------------------------------------------------------------ */

typedef struct held {
    const stay *token; /* NULL: none */
    const stay *other; /* what it was, or will be, right at that time; NULL: none */
    bool same_time;    /* something happened here at the very time */
} held;

/* The sources of the place that have not been seen to fire after the moment. */
static enum verdict no_earlier(es_net_recovery *recovery, uint32_t self, uint32_t index, const moment *at,
                               decision *found)
{
    const es_net_place *named = &recovery->net->places[index];
    search run;
    start_search(&run, recovery, self, at, found);
    for (uint32_t i = 0; i < named->input_count; i++) {
        const step_state *source = &recovery->steps[named->inputs[i]];
        if (moment_before(&source->fired_last, at))
            visit(&run, named->inputs[i]);
        else
            rests_on(found, source->fired_class);
    }
    if (recovery->places[index].gated.count && moment_before(&RING_AT(recovery->places[index].gated, 0)->came, at))
        return waits_for_place(&run, index);
    return finish_search(&run);
}

/* May the token at the head go before the moment? */
static enum verdict stays_until(es_net_recovery *recovery, uint32_t self, uint32_t index, const moment *at,
                                decision *found)
{
    place_state *place = &recovery->places[index];
    search run;
    start_search(&run, recovery, self, at, found);
    if (place->head != HEAD_ROUTED)
        return place->head == HEAD_FREE && recovery->complete &&
                       RING_AT(place->stays, place->past)->certainty < ES_NET_PASTED
                   ? CERTAIN
                   : waits_for_place(&run, index);
    uint32_t to = RING_AT(place->stays, place->past)->to;
    visit(&run, to);
    return finish_search(&run);
}

/* At one time, but not the very same event. */
static bool same_time(const moment *left, const moment *right)
{
    return left->time == right->time &&
           (moment_before(left, right) || moment_before(right, left) || left->loose || right->loose);
}

static enum verdict state_at(es_net_recovery *recovery, uint32_t self, uint32_t index, const moment *at,
                             held *found_here, decision *found)
{
    place_state *place = &recovery->places[index];
    *found_here = (held){NULL, NULL, false};
    uint32_t at_stay = place->stays.count;
    const stay *later = NULL, *last = NULL;
    while (at_stay) {
        last = RING_AT(place->stays, at_stay - 1);
        if (moment_before(&last->came, at))
            break;
        later = last;
        at_stay--;
    }
    if (!later && place->gated.count)
        later = RING_AT(place->gated, 0);
    if (later && same_time(&later->came, at))
        found_here->same_time = true, found_here->other = later;
    if (!at_stay)
        return no_earlier(recovery, self, index, at, found);
    rests_on(found, last->certainty);
    found_here->same_time |= same_time(&last->came, at) || (last->gone && same_time(&last->went, at));
    if (last->gone) {
        rests_on(found, last->went_class);
        if (!moment_before(&last->went, at)) {
            found_here->token = last;
            return CERTAIN;
        }
        if (same_time(&last->went, at) && !found_here->other)
            found_here->other = last;
        return no_earlier(recovery, self, index, at, found);
    }
    found_here->token = last;
    if (place->only == NONE && !place->decides && !place->free) /* nothing takes it */
        return CERTAIN;
    return stays_until(recovery, self, index, at, found);
}

static bool has(const stay *token, const es_net_condition *condition)
{
    return token && es_net_set_has(&condition->to, token->to) && es_net_set_has(&condition->from, token->from) &&
           es_net_set_has(&condition->last, token->last);
}

/* Does the answer hang on the unknown order of what happened in the condition's place at this very time? It may have
 * held any token that came and went at that time, or none. */
static bool hangs_on_guess(es_net_recovery *recovery, const es_net_condition *condition, const moment *at, bool answer)
{
    place_state *place = &recovery->places[condition->place];
    bool unsure = false, differs = false, empty = false;
    for (uint32_t i = place->stays.count; i-- > 0;) {
        const stay *token = RING_AT(place->stays, i);
        if (token->gone && token->went.time < at->time)
            break;
        if (token->came.time > at->time)
            continue;
        unsure |= moment_unsure(&token->came, at) || (token->gone && moment_unsure(&token->went, at));
        empty |= token->came.time == at->time || (token->gone && token->went.time == at->time);
        differs |= has(token, condition) != answer;
    }
    for (uint32_t i = 0; i < place->gated.count; i++) {
        const stay *token = RING_AT(place->gated, i);
        unsure |= moment_unsure(&token->came, at);
        differs |= token->came.time == at->time && has(token, condition) != answer;
    }
    return unsure && (differs || (empty && answer));
}

/* A place that answers a call: who called, remembers that until the answer is taken. So the decision does not ask what
 * else may have happened before. */
static void decide_answer(const es_net_recovery *recovery, uint32_t index, decision *found)
{
    const es_net_place *named = &recovery->net->places[index];
    for (uint32_t i = 0; i < named->rule_count && found->to == NONE; i++) {
        const es_net_rule *rule = &named->rules[i];
        const place_state *memory = rule->condition_count ? &recovery->places[rule->conditions->place] : NULL;
        if (memory && memory->past == memory->stays.count)
            continue;
        found->to = rule->transition;
        if (memory)
            rests_on(found, RING_AT(memory->stays, memory->past)->certainty);
    }
}

enum verdict es_recovery_decide(es_net_recovery *recovery, uint32_t place, const moment *at, decision *found)
{
    const es_net_place *named = &recovery->net->places[place];
    bool may_tie = false, guessed_order = false;
    *found = (decision){.to = NONE, .witness = NONE, .retry = INT64_MAX};
    if (recovery->places[place].answers_call && !recovery->any_loose) {
        decide_answer(recovery, place, found);
        return CERTAIN;
    }
    for (uint32_t i = 0; i < named->rule_count; i++) {
        const es_net_rule *rule = &named->rules[i];
        decision open = {.witness = NONE};
        bool fails = false, is_open = false, unknowable = false;
        for (uint32_t k = 0; k < rule->condition_count && !fails; k++) {
            const es_net_condition *condition = &rule->conditions[k];
            decision here = {.witness = NONE, .certainty = found->certainty};
            held what;
            enum verdict verdict = state_at(recovery, place, condition->place, at, &what, &here);
            found->certainty = here.certainty;
            may_tie |= here.tied;
            guessed_order |= here.guessed;
            if (verdict == UNKNOWABLE) {
                unknowable = true;
            } else if (verdict == OPEN) {
                is_open = true;
                open = here;
            } else {
                place_state *control = &recovery->places[condition->place];
                if (here.certainty == ES_NET_TOTALLY && at->time > control->relied && !recovery->closed)
                    control->relied = at->time;
                fails = has(what.token, condition) == condition->absent;
                /* What happened at this very time may have decided. */
                may_tie |= what.same_time && has(what.token, condition) !=
                                                 (what.token == what.other ? false : has(what.other, condition));
                guessed_order |= hangs_on_guess(recovery, condition, at, has(what.token, condition));
            }
        }
        if (fails)
            continue;
        if (unknowable || is_open) {
            *found = (decision){.to = NONE,
                                .witness = open.witness,
                                .retry = open.retry,
                                .certainty = unknowable ? ES_NET_LOST : found->certainty};
            return unknowable ? UNKNOWABLE : OPEN;
        }
        found->to = rule->transition;
        found->tied = may_tie || guessed_order;
        found->guessed = guessed_order;
        return CERTAIN;
    }
    return CERTAIN;
}

enum verdict es_recovery_gate(es_net_recovery *recovery, uint32_t place, const stay *token, decision *found)
{
    const es_net_place *named = &recovery->net->places[place];
    *found = (decision){.to = NONE, .witness = NONE, .retry = INT64_MAX};
    search run;
    start_search(&run, recovery, place, &token->came, found);
    for (uint32_t i = 0; i < named->input_count; i++)
        if (named->inputs[i] != token->from &&
            moment_before(&recovery->steps[named->inputs[i]].fired_last, &token->came))
            visit(&run, named->inputs[i]);
    return finish_search(&run);
}

/* --- what can be forgotten ----------------------------------------------------------------------------------- */

/* Is a decision of the place before the moment still to come? */
static bool may_decide_before(es_net_recovery *recovery, uint32_t decider, const moment *at)
{
    place_state *place = &recovery->places[decider];
    if (!moment_before(&place->floor, at)) /* decisions of a place come in order */
        return false;
    for (uint32_t i = place->past; i < place->stays.count; i++)
        if (moment_before(&RING_AT(place->stays, i)->came, at) && (i > place->past || place->head == HEAD_DECIDING))
            return true;
    if (place->gated.count && moment_before(&RING_AT(place->gated, 0)->came, at))
        return true;
    decision unused = {.to = NONE};
    return no_earlier(recovery, decider, decider, at, &unused) != CERTAIN;
}

void es_recovery_forget_past(es_net_recovery *recovery, uint32_t index)
{
    place_state *place = &recovery->places[index];
    uint32_t drop = place->past / 2;
    const moment at = RING_AT(place->stays, drop - 1)->went;
    bool needed = false;
    for (uint32_t i = 0; i < place->deciders_count && !needed; i++)
        needed = may_decide_before(recovery, recovery->deciders[place->deciders_first + i], &at);
    if (needed) {
        place->trim_at = place->past * 2;
        return;
    }
    place->stays.first += drop;
    place->stays.count -= drop;
    place->past -= drop;
    place->trim_at = place->past + 8;
}
