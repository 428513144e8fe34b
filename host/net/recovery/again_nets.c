/* In which nets certainty can be found again after lost marks: those in which time decides nothing (again.c). The net
 * is made smaller before that is asked. A place that can delay nothing is left out. A computed step that waits for one
 * token passes it on, always as late: its place and the one after it are one, so many ticks after the step that gives.
 */
#include "net/recovery/again.h"

#define COMPUTED_MAX 64 /* that a step is followed by */

static bool is_measured(const step_state *step)
{
    return step->monitor && !step->computed && step->in_count && step->process;
}

/* A computed step that waits for this place alone takes its tokens: which one; NONE. */
static uint32_t passes(const es_net_recovery *recovery, uint32_t index)
{
    const es_net_place *place = &recovery->net->places[index];
    const uint32_t next = place->output_count == 1 ? place->outputs[0] : NONE;
    if (next == NONE || !recovery->steps[next].computed || place->tokens || !place->input_count)
        return NONE;
    for (uint32_t i = 0; i < recovery->steps[next].in_count; i++) {
        const uint32_t other = recovery->steps[next].in[i];
        if (other != index && !recovery->again->tokens[other].implied)
            return NONE;
    }
    return next;
}

static void add(es_arena *arena, uint32_t **items, int64_t **after, uint32_t *count, uint32_t item, int64_t late)
{
    *items = es_arena_grow(arena, *items, *count, sizeof **items);
    *after = es_arena_grow(arena, *after, *count, sizeof **after);
    (*items)[*count] = item;
    (*after)[(*count)++] = late;
}

/* Where the tokens of a step come to in the end, and over which computed ones. False: over too many. */
static bool follow(es_net_recovery *recovery, uint32_t transition, again_step *to)
{
    struct again *again = recovery->again;
    uint32_t next = transition, done = 0;
    int64_t late = 0;
    for (;;) {
        const step_state *step = &recovery->steps[next];
        for (uint32_t i = 0; i < step->out_count; i++) {
            const uint32_t place = step->out[i], computed = passes(recovery, place);
            if (again->tokens[place].implied)
                continue;
            again->tokens[place].passed = computed != NONE;
            if (computed != NONE)
                add(recovery->arena, &to->computed, &to->computed_after, &to->computed_count, computed,
                    late + recovery->steps[computed].delay);
            else
                add(recovery->arena, &to->out, &to->out_after, &to->out_count, place, late);
        }
        if (done == to->computed_count)
            return true;
        if (to->computed_count > COMPUTED_MAX)
            return false;
        next = to->computed[done];
        late = to->computed_after[done++];
    }
}

static bool build_step(es_net_recovery *recovery, uint32_t index)
{
    struct again *again = recovery->again;
    const step_state *step = &recovery->steps[index];
    again_step *made = &again->steps[index];
    if (!is_measured(step) && !step->computed)
        return false;
    if (step->computed) { /* takes nothing, as the token has passed it */
        uint32_t waits = 0;
        for (uint32_t i = 0; i < step->in_count; i++)
            waits += !again->tokens[step->in[i]].implied;
        return waits == 1 && follow(recovery, index, made);
    }
    made->process = step->process;
    int64_t *none = NULL;
    for (uint32_t i = 0; i < step->in_count; i++)
        if (!again->tokens[step->in[i]].implied)
            add(recovery->arena, &made->in, &none, &made->in_count, step->in[i], 0);
    return follow(recovery, index, made);
}

static void share(uint32_t *who, uint32_t process, token *at)
{
    at->shared |= *who != NONE && *who != process;
    *who = process;
}

/* Who gives to each place, and who takes. Where there are several ways, the program's data choose. */
static void give_and_take(es_net_recovery *recovery, uint32_t index)
{
    struct again *again = recovery->again;
    const again_step *step = &again->steps[index];
    for (uint32_t i = 0; i < step->in_count; i++)
        share(&again->tokens[step->in[i]].taker, step->process, &again->tokens[step->in[i]]);
    for (uint32_t i = 0; i < step->out_count; i++) {
        token *at = &again->tokens[step->out[i]];
        share(&at->giver, step->process, at);
        if (at->after < step->out_after[i])
            at->after = step->out_after[i];
    }
    for (uint32_t i = 0; i < step->computed_count; i++)
        again->steps[step->computed[i]].process = step->process;
}

static bool is_given_computed(const es_net_recovery *recovery, uint32_t index)
{
    const es_net_place *place = &recovery->net->places[index];
    for (uint32_t i = 0; i < place->input_count; i++)
        if (!recovery->steps[place->inputs[i]].computed)
            return false;
    return true;
}

static uint32_t own_places(const struct again *again, const uint32_t *places, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += again->tokens[places[i]].own;
    return found;
}

/* Where a process waits for itself in several places, those that it fills over computed steps are no part of the way
 * that it goes: it sends itself messages. */
static void find_own(es_net_recovery *recovery)
{
    struct again *again = recovery->again;
    for (uint32_t i = 0; i < recovery->net->place_count; i++) {
        token *at = &again->tokens[i];
        if (!recovery->net->places[i].output_count) /* there it ends */
            at->taker = at->giver;
        at->own = at->giver != NONE && at->giver == at->taker && !at->shared;
    }
    for (uint32_t i = 0; i < recovery->net->transition_count; i++) {
        const again_step *step = &again->steps[i];
        if (own_places(again, step->in, step->in_count) < 2)
            continue;
        for (uint32_t k = 0; k < step->in_count; k++)
            if (is_given_computed(recovery, step->in[k]))
                again->tokens[step->in[k]].own = false;
    }
}

/* A process is one token that goes round. */
static bool step_fits(const es_net_recovery *recovery, uint32_t index)
{
    const again_step *step = &recovery->again->steps[index];
    return recovery->steps[index].computed || (own_places(recovery->again, step->in, step->in_count) == 1 &&
                                               own_places(recovery->again, step->out, step->out_count) == 1);
}

/* Which processes are one token each; and places whose decision follows from where that is. */
static bool *find_whole(es_net_recovery *recovery)
{
    const es_net *net = recovery->net;
    struct again *again = recovery->again;
    bool *whole = es_arena_alloc(recovery->arena, recovery->process_count * sizeof *whole);
    uint32_t *own = es_arena_alloc(recovery->arena, recovery->process_count * sizeof *own);
    for (uint32_t i = 0; i < recovery->process_count; i++)
        whole[i] = true;
    for (uint32_t i = 0; i < net->transition_count; i++)
        whole[recovery->steps[i].process] &= step_fits(recovery, i);
    for (uint32_t i = 0; i < net->place_count; i++) {
        const token *at = &again->tokens[i];
        if (net->places[i].tokens && at->own)
            whole[at->giver] &= ++own[at->giver] == 1;
        for (uint32_t k = 0; k < net->places[i].output_count && at->on_way && !at->own && !at->passed; k++)
            whole[recovery->steps[net->places[i].outputs[k]].process] = false;
    }
    for (uint32_t i = 0; i < net->place_count; i++) {
        const token *at = &again->tokens[i];
        again->tokens[i].answered = at->answered && at->own && whole[at->giver];
        recovery->places[i].answers_call = again->tokens[i].answered;
    }
    return whole;
}

bool es_again_fits(es_net_recovery *recovery)
{
    const es_net *net = recovery->net;
    struct again *again = recovery->again;
    bool fits = !recovery->options.delays && !recovery->options.pace_count && !recovery->any_idle;
    es_again_imply(recovery);
    for (uint32_t i = 0; i < net->place_count; i++)
        again->tokens[i].giver = again->tokens[i].taker = NONE;
    for (uint32_t i = 0; i < net->transition_count; i++)
        fits &= build_step(recovery, i);
    for (uint32_t i = 0; i < net->transition_count; i++)
        if (is_measured(&recovery->steps[i]))
            give_and_take(recovery, i);
    find_own(recovery);
    const bool *whole = find_whole(recovery);
    for (uint32_t i = 0; i < net->transition_count; i++)
        fits &= recovery->steps[i].computed || whole[recovery->steps[i].process];
    for (uint32_t i = 0; i < net->place_count; i++)
        fits &= (!recovery->places[i].decides || again->tokens[i].answered) && !net->places[i].signal &&
                !again->tokens[i].shared;
    return fits;
}
