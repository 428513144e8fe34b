/* Sets of places that hold one token at most together: P-invariants with weights 0 and 1, or sums that firings may only
 * make smaller. Unlike all minimal invariants, one through a given place is found in nets of any size that programs
 * have: a search with propagation, where each transition that puts a token on a place of the set must take one from
 * it. */
#include <stdlib.h>
#include <string.h>

#include "net/analysis/private.h"

#define WORK_FOR_EACH 20u /* places set in one search at most, for each node of the net; one that finds needs 1 or 2 */

enum { OPEN, INSIDE, OUTSIDE };

struct search {
    const es_net *net;
    uint8_t *state;                     /* by place */
    uint32_t *takes, *may, *puts;       /* by transition: inputs inside, open inputs, outputs inside */
    uint32_t *trail, trail_count, head; /* places that were set, in order; those before `head` have been followed */
    uint32_t *choices, choice_count;    /* places in the trail that were tried inside and may be outside as well */
    uint32_t *marked, marked_count;     /* places with an initial token */
    uint32_t tokens;
    uint64_t work, most; /* places set so far, and at most */
};

static void set(struct search *s, uint32_t place, uint8_t state)
{
    const es_net_place *at = &s->net->places[place];
    s->state[place] = state;
    s->trail[s->trail_count++] = place;
    s->work++;
    for (uint32_t i = 0; i < at->output_count; i++) {
        s->may[at->outputs[i]]--;
        s->takes[at->outputs[i]] += state == INSIDE;
    }
    for (uint32_t i = 0; i < at->input_count && state == INSIDE; i++)
        s->puts[at->inputs[i]]++;
    s->tokens += state == INSIDE ? at->tokens : 0;
}

static void take_back(struct search *s)
{
    uint32_t place = s->trail[--s->trail_count];
    const es_net_place *at = &s->net->places[place];
    uint8_t state = s->state[place];
    s->state[place] = OPEN;
    for (uint32_t i = 0; i < at->output_count; i++) {
        s->may[at->outputs[i]]++;
        s->takes[at->outputs[i]] -= state == INSIDE;
    }
    for (uint32_t i = 0; i < at->input_count && state == INSIDE; i++)
        s->puts[at->inputs[i]]--;
    s->tokens -= state == INSIDE ? at->tokens : 0;
}

/* False when the transition can no longer take as many tokens as it puts; what it needs in any case goes inside. */
static bool settle(struct search *s, uint32_t transition)
{
    const es_net_transition *t = &s->net->transitions[transition];
    if (s->puts[transition] > s->takes[transition] + s->may[transition])
        return false;
    if (s->puts[transition] < s->takes[transition] + s->may[transition] || !s->may[transition])
        return true;
    for (uint32_t i = 0; i < t->input_count; i++)
        if (s->state[t->inputs[i]] == OPEN)
            set(s, t->inputs[i], INSIDE);
    return true;
}

/* Follows all that was set. False when it cannot be. */
static bool propagate(struct search *s)
{
    while (s->head < s->trail_count) {
        uint32_t place = s->trail[s->head++];
        const es_net_place *at = &s->net->places[place];
        if (s->tokens > 1)
            return false;
        for (uint32_t i = 0; i < s->marked_count && s->tokens == 1; i++)
            if (s->state[s->marked[i]] == OPEN)
                set(s, s->marked[i], OUTSIDE);
        bool inside = s->state[place] == INSIDE;
        const uint32_t *near = inside ? at->inputs : at->outputs;
        for (uint32_t i = 0; i < (inside ? at->input_count : at->output_count); i++)
            if (!settle(s, near[i]))
                return false;
    }
    return true;
}

/* How many transitions would need further places if this one went inside; UINT32_MAX when one could not have any. */
static uint32_t cost_of(const struct search *s, uint32_t place)
{
    const es_net_place *at = &s->net->places[place];
    uint32_t cost = 0;
    for (uint32_t i = 0; i < at->input_count; i++) {
        uint32_t t = at->inputs[i];
        if (s->puts[t] + 1 > s->takes[t] + s->may[t])
            return UINT32_MAX;
        cost += s->puts[t] + 1 > s->takes[t];
    }
    return cost;
}

/* A place to try inside, for a transition that lacks one. ES_NET_NONE: none lacks any. */
static uint32_t choose(const struct search *s)
{
    for (uint32_t t = 0; t < s->net->transition_count; t++) {
        const es_net_transition *at = &s->net->transitions[t];
        if (s->puts[t] <= s->takes[t])
            continue;
        uint32_t best = ES_NET_NONE, least = UINT32_MAX;
        for (uint32_t i = 0; i < at->input_count; i++) {
            if (s->state[at->inputs[i]] != OPEN)
                continue;
            uint32_t cost = cost_of(s, at->inputs[i]);
            if (best == ES_NET_NONE || cost < least) {
                best = at->inputs[i];
                least = cost;
            }
        }
        return best;
    }
    return ES_NET_NONE;
}

/* Goes back to the last choice and takes the other way. False when there is none left. */
static bool go_back(struct search *s)
{
    if (!s->choice_count)
        return false;
    uint32_t place = s->choices[--s->choice_count];
    while (s->state[place] != OPEN)
        take_back(s);
    s->head = s->trail_count;
    set(s, place, OUTSIDE);
    return true;
}

static bool find(struct search *s, uint32_t place)
{
    set(s, place, INSIDE);
    while (s->work < s->most) {
        if (!propagate(s)) {
            if (!go_back(s))
                return false;
            continue;
        }
        uint32_t next = choose(s);
        if (next == ES_NET_NONE)
            return true;
        s->choices[s->choice_count++] = next;
        set(s, next, INSIDE);
    }
    return false;
}

/* Whether the set is what es_net_component says, from the net alone. */
static bool is_component(const es_net *net, const bool *in)
{
    uint64_t tokens = 0;
    for (uint32_t p = 0; p < net->place_count; p++)
        tokens += in[p] ? net->places[p].tokens : 0;
    for (uint32_t t = 0; t < net->transition_count; t++) {
        const es_net_transition *at = &net->transitions[t];
        uint64_t takes = 0, puts = 0;
        for (uint32_t i = 0; i < at->input_count; i++)
            takes += in[at->inputs[i]] ? net->arcs[at->input_arcs[i]].weight : 0;
        for (uint32_t i = 0; i < at->output_count; i++)
            puts += in[at->outputs[i]] ? net->arcs[at->output_arcs[i]].weight : 0;
        if (puts > takes)
            return false;
    }
    return tokens <= 1;
}

bool es_net_component(const es_net *net, uint32_t place, bool *in)
{
    size_t places = (size_t)net->place_count + 1, transitions = (size_t)net->transition_count + 1;
    struct search s = {.net = net, .most = WORK_FOR_EACH * ((uint64_t)net->place_count + net->transition_count)};
    s.state = es_malloc(places);
    memset(s.state, OPEN, places);
    s.trail = es_malloc(3 * places * sizeof *s.trail);
    s.choices = s.trail + places;
    s.marked = s.choices + places;
    s.takes = es_malloc(3 * transitions * sizeof *s.takes);
    s.may = s.takes + transitions;
    s.puts = s.may + transitions;
    memset(s.takes, 0, 3 * transitions * sizeof *s.takes);
    for (uint32_t t = 0; t < net->transition_count; t++)
        s.may[t] = net->transitions[t].input_count;
    for (uint32_t p = 0; p < net->place_count; p++)
        if (net->places[p].tokens)
            s.marked[s.marked_count++] = p;
    bool found = find(&s, place);
    for (uint32_t p = 0; p < net->place_count; p++)
        in[p] = found && s.state[p] == INSIDE;
    found = found && in[place] && is_component(net, in);
    if (!found)
        memset(in, 0, net->place_count * sizeof *in);
    free(s.state);
    free(s.trail);
    free(s.takes);
    return found;
}
