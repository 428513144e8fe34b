/* Reachable states, breadth first, so that paths are shortest. A state is a row of words: for each place 0 (no token)
 * or 1 + the number of the output that its token is routed to; then, as far as rules look at them, which transition
 * made the token and its last monitor (0: none).
 *
 * Of a part of the net only the places of the part count: a transition needs its inputs there, and a token whose
 * routing hangs on a place elsewhere may go anywhere. So the part can do all that the net can, and what holds for all
 * of its states holds in the net.
 *
 * A step that takes no time fires in the time in which it is enabled. Until then only those may fire that come before
 * it in the net's order. */
#include <stdlib.h>
#include <string.h>

#include "net/analysis/private.h"
#include "net/analysis/state_store.h"

struct space {
    const es_net *net;
    es_arena *arena;
    es_net_states *result;
    es_state_store states;
    uint32_t *parents, *by;          /* of each state: from which state, by which firing */
    size_t room;                     /* of those */
    uint32_t *state;                 /* the one that is being looked at */
    const es_net_part *part;         /* NULL: the whole net */
    uint32_t *entry;                 /* by place: its word, or ES_NET_NONE outside of the part */
    bool *loose;                     /* by place: where its tokens go is not known within the part */
    uint32_t *from_at;               /* by place: the word that holds who made its token, or 0 */
    uint32_t last_at;                /* the first of the words that hold the last monitors, or 0 */
    uint32_t *sources, source_count; /* transitions without inputs (in the part) */
    uint32_t *urgent, urgent_count;  /* transitions that take no time, the first in the net's order first */
    bool *fired;
    uint32_t *next;    /* the state that is being made */
    uint32_t *choices; /* by output of the firing transition: the number of the output routed to */
};

/* Keeps s->next unless it is known. False when there is no room for it. */
static bool keep(struct space *s, uint32_t parent, uint32_t by)
{
    enum es_state_found found = es_state_keep(&s->states, s->next);
    if (found != ES_STATE_NEW)
        return found == ES_STATE_KNOWN;
    if (s->states.count > s->room) {
        s->room = s->room ? s->room * 2 : 64;
        s->parents = es_realloc(s->parents, s->room * sizeof *s->parents);
        s->by = es_realloc(s->by, s->room * sizeof *s->by);
    }
    s->parents[s->states.count - 1] = parent;
    s->by[s->states.count - 1] = by;
    return true;
}

/* The firings that lead to a state, and perhaps one more. */
static es_net_path path_to(const struct space *s, uint32_t state, uint32_t more)
{
    size_t count = more != ES_NET_NONE;
    for (uint32_t at = state; s->parents[at] != ES_NET_NONE; at = s->parents[at])
        count++;
    uint32_t *firings = es_arena_alloc(s->arena, (count + 1) * sizeof *firings);
    size_t left = count;
    if (more != ES_NET_NONE)
        firings[--left] = more;
    for (uint32_t at = state; s->parents[at] != ES_NET_NONE; at = s->parents[at])
        firings[--left] = s->by[at];
    return (es_net_path){firings, count};
}

static bool holds(const struct space *s, const uint32_t *state, const es_net_condition *c)
{
    const es_net_place *place = &s->net->places[c->place];
    uint32_t route = state[s->entry[c->place]];
    bool found = route != 0;
    if (found && c->to.count)
        found =
            route != UINT32_MAX && route <= place->output_count && es_net_set_has(&c->to, place->outputs[route - 1]);
    if (found && c->from.count)
        found = state[s->from_at[c->place]] && es_net_set_has(&c->from, state[s->from_at[c->place]] - 1);
    if (found && c->last.count)
        found = state[s->last_at + s->entry[c->place]] &&
                es_net_set_has(&c->last, state[s->last_at + s->entry[c->place]] - 1);
    return found != c->absent;
}

/* The number of the output that the rules choose, or ES_NET_NONE when none holds. */
static uint32_t route_of(const struct space *s, const uint32_t *state, uint32_t index)
{
    const es_net_place *place = &s->net->places[index];
    for (uint32_t r = 0; r < place->rule_count; r++) {
        uint32_t met = 0, output = 0;
        while (met < place->rules[r].condition_count && holds(s, state, &place->rules[r].conditions[met]))
            met++;
        if (met < place->rules[r].condition_count)
            continue;
        while (place->outputs[output] != place->rules[r].transition)
            output++;
        return output;
    }
    return ES_NET_NONE;
}

static bool is_free(const struct space *s, uint32_t index)
{
    const es_net_place *place = &s->net->places[index];
    return s->entry[index] != ES_NET_NONE && place->output_count > 1 && (!place->rule_count || s->loose[index]);
}

/* Moves to the next combination of free choices; false when all have been. */
static bool next_choice(const struct space *s, const uint32_t *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!is_free(s, places[i]))
            continue;
        if (++s->choices[i] < s->net->places[places[i]].output_count)
            return true;
        s->choices[i] = 0;
    }
    return false;
}

/* What fires leads to an end of the exploration. */
static void found_unsafe(struct space *s, uint32_t state, uint32_t by, uint32_t place)
{
    s->result->safe = ES_NET_NO;
    s->result->unsafe = path_to(s, state, by);
    s->result->unsafe_place = place;
    s->result->unsafe_by = by;
}

/* Fires a transition that s->state, of that number, enables, in every way that free places allow. False: end of the
 * exploration. */
static bool fire(struct space *s, uint32_t index, uint32_t t)
{
    const es_net_transition *transition = &s->net->transitions[t];
    const uint32_t *out = transition->outputs;
    s->fired[t] = true;
    for (uint32_t i = 0; i < transition->output_count; i++) {
        s->choices[i] = 0;
        if (s->entry[out[i]] != ES_NET_NONE && s->net->places[out[i]].rule_count && !s->loose[out[i]] &&
            s->net->places[out[i]].output_count > 1)
            s->choices[i] = route_of(s, s->state, out[i]);
        if (s->choices[i] == ES_NET_NONE) {
            s->result->unrouted = out[i];
            s->result->unrouted_path = path_to(s, index, t);
            return false;
        }
    }
    do {
        memcpy(s->next, s->state, s->states.words * sizeof *s->next);
        uint32_t last = 0;
        if (s->last_at)
            last = transition->monitor       ? t + 1
                   : transition->input_count ? s->next[s->last_at + s->entry[transition->inputs[0]]]
                                             : 0;
        bool possible = true;
        for (uint32_t i = 0; i < transition->input_count; i++) {
            uint32_t place = transition->inputs[i], entry = s->entry[place];
            if (entry == ES_NET_NONE)
                continue;
            s->next[entry] = 0;
            if (s->from_at[place])
                s->next[s->from_at[place]] = 0;
            if (s->last_at)
                s->next[s->last_at + entry] = 0;
        }
        for (uint32_t i = 0; i < transition->output_count; i++) {
            uint32_t entry = s->entry[out[i]];
            if (entry == ES_NET_NONE)
                continue;
            if (s->next[entry] && s->part && s->part->safe[out[i]]) {
                possible = false; /* not in the net: it would be a second token */
                break;
            }
            if (s->next[entry]) {
                found_unsafe(s, (uint32_t)index, t, out[i]);
                return false;
            }
            s->next[entry] = 1 + s->choices[i];
            if (s->from_at[out[i]])
                s->next[s->from_at[out[i]]] = t + 1;
            if (s->last_at)
                s->next[s->last_at + entry] = last;
        }
        if (possible && !keep(s, index, t)) {
            s->result->complete = false;
            return false;
        }
    } while (next_choice(s, out, transition->output_count));
    return true;
}

static bool is_enabled(const struct space *s, const uint32_t *state, uint32_t t)
{
    const es_net_transition *transition = &s->net->transitions[t];
    for (uint32_t i = 0; i < transition->input_count; i++) {
        uint32_t entry = s->entry[transition->inputs[i]], route = entry == ES_NET_NONE ? 0 : state[entry];
        if (entry != ES_NET_NONE && (!route || s->net->places[transition->inputs[i]].outputs[route - 1] != t))
            return false;
    }
    return true;
}

/* The first in the net's order of the steps that are enabled and take no time; its priority, or UINT32_MAX. */
static uint32_t most_urgent(const struct space *s, const uint32_t *state)
{
    for (uint32_t i = 0; i < s->urgent_count; i++)
        if (is_enabled(s, state, s->urgent[i]))
            return s->net->transitions[s->urgent[i]].priority;
    return UINT32_MAX;
}

static void found_dead(struct space *s, uint32_t index)
{
    s->result->dead = ES_NET_YES;
    s->result->dead_path = path_to(s, index, ES_NET_NONE);
    uint32_t *places = NULL;
    for (uint32_t p = 0; p < s->net->place_count; p++)
        if (s->entry[p] != ES_NET_NONE && s->state[s->entry[p]]) {
            places = es_arena_grow(s->arena, places, s->result->dead_place_count, sizeof *places);
            places[s->result->dead_place_count++] = p;
        }
    s->result->dead_places = places;
}

/* The first of the transition's inputs that count, or ES_NET_NONE; whether it concerns the part at all. */
static uint32_t first_input(const struct space *s, uint32_t t, bool *concerned)
{
    const es_net_transition *transition = &s->net->transitions[t];
    for (uint32_t i = 0; i < transition->input_count; i++)
        if (s->entry[transition->inputs[i]] != ES_NET_NONE) {
            *concerned = true;
            return transition->inputs[i];
        }
    *concerned = !s->part;
    for (uint32_t i = 0; i < transition->output_count; i++)
        *concerned = *concerned || s->entry[transition->outputs[i]] != ES_NET_NONE;
    return ES_NET_NONE;
}

/* All firings that s->state, of that number, allows. A transition is looked at from its first input, so that each is
 * looked at once. */
static bool expand(struct space *s, uint32_t index)
{
    bool any = false, concerned;
    uint32_t urgent = most_urgent(s, s->state);
    for (uint32_t p = 0; p < s->net->place_count; p++) {
        const es_net_place *place = &s->net->places[p];
        uint32_t route = s->entry[p] == ES_NET_NONE ? 0 : s->state[s->entry[p]];
        if (!route || !place->output_count)
            continue;
        uint32_t t = place->outputs[route - 1];
        if (first_input(s, t, &concerned) != p || s->net->transitions[t].priority > urgent ||
            !is_enabled(s, s->state, t))
            continue;
        any = true;
        if (!fire(s, index, t))
            return false;
    }
    for (uint32_t i = 0; i < s->source_count; i++) {
        any = true;
        if (s->net->transitions[s->sources[i]].priority <= urgent && !fire(s, index, s->sources[i]))
            return false;
    }
    if (!any && s->result->dead != ES_NET_YES && !s->part)
        found_dead(s, index);
    return true;
}

/* The initial states: one for each combination of free choices. Tokens are routed one after the other, as the engine
 * does. */
static bool begin(struct space *s)
{
    const es_net *net = s->net;
    uint32_t *places = es_arena_alloc(s->arena, (net->place_count + 1) * sizeof *places), count = 0;
    for (uint32_t p = 0; p < net->place_count; p++) {
        if (s->entry[p] == ES_NET_NONE)
            continue;
        if (net->places[p].tokens > 1) {
            s->result->safe = ES_NET_NO;
            s->result->unsafe_place = p;
            return false;
        }
        if (net->places[p].tokens)
            places[count++] = p;
    }
    memset(s->choices, 0, count * sizeof *s->choices);
    do {
        memset(s->next, 0, s->states.words * sizeof *s->next);
        for (uint32_t i = 0; i < count; i++)
            s->next[s->entry[places[i]]] = UINT32_MAX; /* there, not routed yet */
        for (uint32_t i = 0; i < count; i++) {
            const es_net_place *place = &net->places[places[i]];
            uint32_t choice = s->choices[i];
            if (place->initial_route != ES_NET_NONE) {
                for (choice = 0; place->outputs[choice] != place->initial_route; choice++)
                    ;
            } else if (place->rule_count && place->output_count > 1 && !s->loose[places[i]]) {
                choice = route_of(s, s->next, places[i]);
            }
            if (choice == ES_NET_NONE) {
                s->result->unrouted = places[i];
                return false;
            }
            s->next[s->entry[places[i]]] = 1 + choice;
        }
        if (!keep(s, ES_NET_NONE, ES_NET_NONE)) {
            s->result->complete = false;
            return false;
        }
    } while (next_choice(s, places, count));
    return true;
}

static int by_priority(const void *left, const void *right, void *context)
{
    const es_net *net = context;
    uint32_t a = net->transitions[*(const uint32_t *)left].priority,
             b = net->transitions[*(const uint32_t *)right].priority;
    return (a > b) - (a < b);
}

/* Transitions that are always enabled in the part, and those that fire at once when they are enabled in the net. */
static void find_transitions(struct space *s)
{
    const es_net *net = s->net;
    s->sources = es_arena_alloc(s->arena, (net->transition_count + 1) * sizeof *s->sources);
    s->urgent = es_arena_alloc(s->arena, (net->transition_count + 1) * sizeof *s->urgent);
    for (uint32_t t = 0; t < net->transition_count; t++) {
        const es_net_transition *transition = &net->transitions[t];
        bool concerned, whole = transition->input_count > 0;
        if (first_input(s, t, &concerned) == ES_NET_NONE && concerned)
            s->sources[s->source_count++] = t;
        for (uint32_t i = 0; i < transition->input_count; i++)
            whole = whole && s->entry[transition->inputs[i]] != ES_NET_NONE;
        if (whole && transition->untimed &&
            (!transition->monitor || (transition->mark == 0 && transition->mark_max == 0)))
            s->urgent[s->urgent_count++] = t;
    }
    if (s->urgent_count)
        qsort_r(s->urgent, s->urgent_count, sizeof *s->urgent, by_priority, (void *)(uintptr_t)net);
}

/* Whether the part knows all that the place's rules look at. */
static bool is_loose(const struct space *s, uint32_t place)
{
    const es_net_place *at = &s->net->places[place];
    for (uint32_t i = 0; i < at->control_count; i++)
        if (s->entry[at->controls[i]] == ES_NET_NONE)
            return true;
    for (uint32_t r = 0; r < at->rule_count && s->part; r++)
        for (uint32_t c = 0; c < at->rules[r].condition_count; c++)
            if (at->rules[r].conditions[c].last.count) /* it may have come from elsewhere */
                return true;
    return false;
}

/* Which words a state needs. */
static void lay_out(struct space *s)
{
    const es_net *net = s->net;
    bool last = false;
    uint32_t kept = 0;
    s->from_at = es_arena_alloc(s->arena, (net->place_count + 1) * sizeof *s->from_at);
    s->entry = es_arena_alloc(s->arena, (net->place_count + 1) * sizeof *s->entry);
    s->loose = es_arena_alloc(s->arena, (net->place_count + 1) * sizeof *s->loose);
    for (uint32_t p = 0; p < net->place_count; p++)
        s->entry[p] = !s->part || s->part->places[p] ? kept++ : ES_NET_NONE;
    s->states.words = kept;
    for (uint32_t p = 0; p < net->place_count; p++) {
        s->loose[p] = is_loose(s, p);
        for (uint32_t r = 0; r < net->places[p].rule_count && !s->loose[p] && s->entry[p] != ES_NET_NONE; r++)
            for (uint32_t c = 0; c < net->places[p].rules[r].condition_count; c++) {
                const es_net_condition *condition = &net->places[p].rules[r].conditions[c];
                last = last || condition->last.count;
                if (condition->from.count && !s->from_at[condition->place])
                    s->from_at[condition->place] = s->states.words++;
            }
    }
    if (last) {
        s->last_at = s->states.words;
        s->states.words += kept;
    }
    if (!s->states.words)
        s->states.words = 1;
    find_transitions(s);
}

static void find_never(struct space *s)
{
    uint32_t *list = NULL;
    for (uint32_t t = 0; t < s->net->transition_count; t++)
        if (!s->fired[t]) {
            list = es_arena_grow(s->arena, list, s->result->never_count, sizeof *list);
            list[s->result->never_count++] = t;
        }
    s->result->never = list;
}

es_net_states es_net_explore_part(const es_net *net, const es_net_part *part, size_t limit, es_arena *arena)
{
    es_net_states result = {.complete = true,
                            .safe = ES_NET_UNDECIDED,
                            .unsafe_place = ES_NET_NONE,
                            .unsafe_by = ES_NET_NONE,
                            .unrouted = ES_NET_NONE,
                            .dead = ES_NET_UNDECIDED};
    struct space s = {.net = net, .part = part, .arena = arena, .result = &result};
    lay_out(&s);
    s.states.limit = limit;
    uint32_t most = net->place_count;
    for (uint32_t t = 0; t < net->transition_count; t++)
        most = net->transitions[t].output_count > most ? net->transitions[t].output_count : most;
    s.next = es_arena_alloc(arena, s.states.words * sizeof *s.next);
    s.state = es_arena_alloc(arena, s.states.words * sizeof *s.state);
    s.choices = es_arena_alloc(arena, (most + 1) * sizeof *s.choices);
    s.fired = es_arena_alloc(arena, net->transition_count + 1);
    bool good = begin(&s);
    for (size_t i = 0; good && i < s.states.count; i++) {
        es_state_get(&s.states, i, s.state);
        good = expand(&s, (uint32_t)i);
    }
    result.count = s.states.count;
    result.complete = good;
    if (good) {
        result.safe = ES_NET_YES;
        result.dead = result.dead == ES_NET_YES ? ES_NET_YES : ES_NET_NO;
        find_never(&s);
    }
    es_state_store_free(&s.states);
    free(s.parents);
    free(s.by);
    return result;
}

es_net_states es_net_explore(const es_net *net, size_t limit, es_arena *arena)
{
    return es_net_explore_part(net, NULL, limit, arena);
}
